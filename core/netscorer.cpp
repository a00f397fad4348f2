#include "netscorer.hpp"

#include <cmath>

namespace fivestone {
namespace {

constexpr std::size_t kSlots = std::size_t{1} << 16;
// The value is kept this far from certainty: nothing is proven here.
constexpr float kMostValue = 0.999F;
// What a factor of e in probability takes from a promise.
constexpr float kNat = 40.0F;

// The hash knows whose turn it is; 0 stands for an empty slot.
std::uint64_t keyOf(const Position& position) {
    return position.board().hash() | 1;
}

}  // namespace

NetScorer::NetScorer(std::unique_ptr<NetEvaluator> evaluator, float scale, int patternShare)
    : evaluator_(std::move(evaluator)), scale_(scale), patternShare_(patternShare), slots_(kSlots) {}

int NetScorer::judge(const Position& position) {
    const float value = std::clamp(evaluator_->evaluate(position, {}, {}), -kMostValue, kMostValue);
    judged_ = keyOf(position);
    const long net = std::lround(scale_ * std::log((1.0F + value) / (1.0F - value)));
    return std::clamp(static_cast<int>(net) + position.score() * patternShare_ / 100, -kMaxScore, kMaxScore);
}

int NetScorer::score(const Position& position) {
    const std::uint64_t key = keyOf(position);
    Slot& slot = slots_[(key >> 1) % kSlots];
    if (slot.key != key) slot = {key, judge(position)};
    return slot.score;
}

void NetScorer::promise(const Position& position, std::span<const Cell> moves, std::span<int> promises) {
    if (moves.empty()) return;
    if (judged_ != keyOf(position)) judge(position);
    float top = evaluator_->logit(moves[0]);
    for (const Cell move : moves) top = std::max(top, evaluator_->logit(move));
    for (std::size_t i = 0; i < moves.size(); ++i)
        promises[i] = kFirstPromise - static_cast<int>(kNat * (top - evaluator_->logit(moves[i])));
}

}  // namespace fivestone

#include "ordering.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace fivestone {
namespace {

// How much the past counts against the scorer's promise.
constexpr int kKiller = 40;
constexpr int kAnswer = 30;
constexpr int kHistoryShare = 100;  // what the best history adds
constexpr int kMostRank = 1 << 20;

}  // namespace

void History::clear() {
    for (auto& table : worth_) table.fill(0);
    for (auto& table : answers_) table.fill(kNoCell);
    for (auto& pair : killers_) pair.fill(kNoCell);
}

// Moves towards the bonus, the slower the nearer it is: worth stays within kMost.
void History::shift(Stone color, Cell cell, int bonus) {
    int& worth = worth_[side(color)][cell];
    worth += bonus - worth * std::abs(bonus) / kMost;
}

void History::reward(Stone color, Cell best, std::span<const Cell> tried, Cell before, int ply, int depth) {
    const int bonus = std::min(depth * depth * 16, 2048);
    shift(color, best, bonus);
    for (const Cell cell : tried) shift(color, cell, -bonus);
    answers_[side(color)][before] = best;
    auto& killers = killers_[ply];
    if (killers[0] != best) killers = {best, killers[0]};
}

int History::rank(Stone color, Cell cell, Cell before, int ply) const {
    int rank = worth_[side(color)][cell] * kHistoryShare / kMost;
    if (killers_[ply][0] == cell || killers_[ply][1] == cell) rank += kKiller;
    if (answers_[side(color)][before] == cell) rank += kAnswer;
    return rank;
}

MovePicker::MovePicker(const Position& position, std::span<const Cell> moves, Scorer& scorer, const History& history,
                       Cell first, int ply)
    : position_(position),
      given_(moves),
      scorer_(scorer),
      history_(history),
      ply_(ply),
      first_(static_cast<int>(std::find(moves.begin(), moves.end(), first) - moves.begin())),
      count_(static_cast<int>(moves.size())) {}

void MovePicker::rank() {
    ranked_ = true;
    std::array<int, kMaxCells> promises;
    scorer_.promise(position_, given_, {promises.data(), given_.size()});
    const Cell before = position_.board().lastMove();
    for (int i = 0; i < count_; ++i) {
        moves_[i] = {given_[i], promises[i]};
        const int rank = promises[i] + history_.rank(position_.turn(), given_[i], before, ply_);
        ranks_[i] = std::clamp(rank, -kMostRank, kMostRank);
    }
    if (next_ == 0) return;
    std::swap(moves_[0], moves_[first_]);
    std::swap(ranks_[0], ranks_[first_]);
}

RankedMove MovePicker::next() {
    if (next_ == 0 && first_ < count_) {
        ++next_;
        return {given_[first_], kFirstPromise};
    }
    if (!ranked_) rank();
    // The highest rank with its place counted from the end, so that of equals the first wins: one pass of vector
    // instructions.
    constexpr int kPlaces = 512;
    static_assert(kMaxCells < kPlaces);
    int highest = std::numeric_limits<int>::min();
    for (int i = next_; i < count_; ++i) highest = std::max(highest, ranks_[i] * kPlaces + (kPlaces - 1 - i));
    const int best = kPlaces - 1 - (highest & (kPlaces - 1));
    std::swap(moves_[next_], moves_[best]);
    std::swap(ranks_[next_], ranks_[best]);
    return moves_[next_++];
}

}  // namespace fivestone

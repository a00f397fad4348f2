#include "quantisedevaluator.hpp"

#include <cassert>
#include <cmath>

#include "random.hpp"

namespace fivestone {

QuantisedEvaluator::QuantisedEvaluator(std::shared_ptr<const QuantisedNet> net, const Kernels16* kernels)
    : net_(std::move(net)),
      kernels_(kernels ? kernels : kernels16For(net_->net().width()).front()),
      floats_(kernelsFor(net_->net().width()).front()) {}

void QuantisedEvaluator::prepare(const Board& board) {
    const int size = board.size();
    rule_ = board.rule();
    rows_ = WindowRows::of(net_->net().rule(), rule_);
    assert(rows_ != nullptr);
    grid_ = Grid(size);
    heads_ = std::make_unique<QuantisedHeads>(*net_, size);
    for (View& view : views_) {
        view.seen.prepare(size, rows_->reach());
        for (auto* plane : {&view.features, &view.mixed, &view.products})
            plane->assign(static_cast<std::size_t>(grid_.slots) * net_->net().width(), 0);
    }
    logits_.resize(static_cast<std::size_t>(grid_.slots));
    out_.logits = logits_.data();
}

float QuantisedEvaluator::evaluate(const Position& position, std::span<const Cell> moves, std::span<float> policy) {
    const Board& board = position.board();
    if (board.size() != grid_.size || board.rule() != rule_) prepare(board);
    View& view = views_[side(board.turn())];
    view.seen.update(position.stones());

    const auto changed = view.seen.changed();
    const CellInput16 cells = {
        net_->table(),
        reinterpret_cast<const std::uint32_t (*)[4]>(&position.lines().codes(0)),
        reinterpret_cast<const std::uint8_t*>(board.stones().data()),
        {rows_->table(board.turn(), Empty), rows_->table(board.turn(), Black), rows_->table(board.turn(), White)},
        view.seen.slots(),
        changed.data(),
        static_cast<int>(changed.size())};
    kernels_->cells(cells, view.features.data());
    const Planes16 planes = {view.features.data(), view.mixed.data(), view.products.data(), grid_.stride};
    const auto empty = view.seen.emptySlots();
    const Slots16 slots = {empty.data(), view.seen.touchedCount(), static_cast<int>(empty.size())};
    kernels_->heads(heads_->weights(), planes, slots, out_);

    for (std::size_t i = 0; i < moves.size(); ++i) policy[i] = logit(moves[i]);
    floats_->softmax(policy.data(), static_cast<int>(moves.size()));
    return out_.outcome[0] - out_.outcome[2];
}

namespace {

// How far the policy of `b` is from that of `a` over all legal moves of the position: their KL divergence.
double divergence(Evaluator& a, Evaluator& b, const Position& position) {
    std::vector<Cell> moves;
    for (const Cell cell : position.board().cells())
        if (position.board().isLegal(cell)) moves.push_back(cell);
    std::vector<float> expected(moves.size()), found(moves.size());
    a.evaluate(position, moves, expected);
    b.evaluate(position, moves, found);
    double sum = 0;
    for (std::size_t i = 0; i < moves.size(); ++i)
        if (expected[i] > 0) sum += expected[i] * std::log(expected[i] / found[i]);
    return sum;
}

}  // namespace

std::shared_ptr<const QuantisedNet> quantised(std::shared_ptr<const LineNet> net) {
    constexpr int kPositions = 24;
    constexpr double kMostDivergence = 0.01;
    constexpr float kMostError = 0.05f;
    auto result = std::make_shared<const QuantisedNet>(net);
    QuantisedEvaluator shorts(result);
    LineNetEvaluator floats(net);
    Random random(kPositions);
    for (int i = 0; i < kPositions; ++i) {
        Position position{Board(7 + i % 3 * 4, net->rule())};
        playRandomly(position, 2 * i, random);
        if (position.board().isOver()) continue;
        // Written so that what is not a number fails.
        if (!(divergence(floats, shorts, position) < kMostDivergence)) return nullptr;
        for (int k = 0; k < 3; ++k)
            if (!(std::abs(floats.outcome()[k] - shorts.outcome()[k]) < kMostError)) return nullptr;
    }
    return result;
}

std::unique_ptr<NetEvaluator> evaluatorOf(std::shared_ptr<const LineNet> net,
                                          const std::shared_ptr<const QuantisedNet>& quantised) {
    if (quantised) return std::make_unique<QuantisedEvaluator>(quantised);
    return std::make_unique<LineNetEvaluator>(std::move(net));
}

}  // namespace fivestone

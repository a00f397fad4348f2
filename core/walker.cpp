#include "walker.hpp"

namespace fivestone {
namespace {

// Most of these proofs are small: a table that stays in the cache.
constexpr std::size_t kVcfTableBytes = std::size_t{1} << 18;

}  // namespace

Mcts::Walker::Walker(const Board& board, bool patterns, const MctsConfig& config, std::uint64_t seed)
    : state(board, patterns, config.forced, config.near), random(seed) {}

// Consecutive walks share most of their moves.
void Mcts::Walker::goToLeaf() {
    const auto moves = state.board().moves();
    const std::size_t base = moves.size() - static_cast<std::size_t>(state.depth() - rootDepth);
    std::size_t same = 0;
    while (base + same < moves.size() && same + 1 < path.size() && moves[base + same] == path[same + 1]->move) ++same;
    ahead_.clear();
    for (std::size_t i = same + 1; i < path.size(); ++i) ahead_.push_back(path[i]->move);
    state.jump(rootDepth + static_cast<int>(same), ahead_);
}

Cell Mcts::Walker::winByFours(std::uint64_t stones) {
    if (!vcf_) vcf_ = std::make_unique<VcfSolver>(kVcfTableBytes);
    Position& position = *state.position();
    if (!position.mayMakeFour(position.turn())) return kNoCell;
    position.refresh();
    const VcfResult found = vcf_->solve(position, position.turn(), stones);
    return found.won() ? found.move : kNoCell;
}

}  // namespace fivestone

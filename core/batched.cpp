// The external driver of a tree search: leaves are handed out in batches, policy and value come back for all of them.
#include <algorithm>

#include "walker.hpp"

namespace fivestone {

std::uint32_t Mcts::collect(int most, std::uint32_t simulations, const std::function<void(const Board&)>& onLeaf) {
    Walker& walker = this->walker(0, false);
    std::uint32_t started = 0;
    while (waiting() < most && started < simulations && !done()) {
        prepareRoot(simulations - started);
        walker.path.clear();
        if (!walk(walker, true, false)) break;
        ++started;
        Node& leaf = *walker.path.back();
        if (leaf.proof() != Proof::Open) {
            finishKnown(walker, true, false);
            continue;
        }
        walker.goToLeaf();
        const Outline outline = outlineOf(walker);
        if (settle(leaf, walker.moves, outline)) {
            finishKnown(walker, true, true);
            continue;
        }
        const auto moves = walker.moves.all();
        leaves_.push_back({walker.path, {moves.begin(), moves.end()}, outline.limited});
        onLeaf(walker.state.board());
    }
    return started;
}

void Mcts::judge(std::span<const float> policies, std::span<const float> values) {
    const std::size_t cells = static_cast<std::size_t>(board_.size() * board_.size());
    Walker& walker = this->walker(0, false);
    for (std::size_t i = 0; i < leaves_.size(); ++i) {
        const Leaf& leaf = leaves_[i];
        Node& node = *leaf.path.back();
        const auto policy = policies.subspan(i * cells, cells);
        float sum = 0.0f;
        for (std::size_t k = 0; k < leaf.moves.size(); ++k)
            sum += walker.policy[k] = std::max(0.0f, policy[static_cast<std::size_t>(board_.moveOf(leaf.moves[k]))]);
        // A policy with nothing on the moves that matter says nothing about them.
        const float even = 1.0f / static_cast<float>(leaf.moves.size());
        for (std::size_t k = 0; k < leaf.moves.size(); ++k)
            walker.policy[k] = sum > 0.0f ? walker.policy[k] / sum : even;
        if (!node.expanded())
            tree_.expand(node, leaf.moves, std::span<const float>(walker.policy.data(), leaf.moves.size()),
                         leaf.limited);
        walker.path = leaf.path;
        finish(walker, values[i], -values[i], true, false);
    }
    leaves_.clear();
}

}  // namespace fivestone

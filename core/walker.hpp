// One thread's place in the tree: the path it has walked, and a state that can be taken to the end of it.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "mcts.hpp"
#include "vcf.hpp"

namespace fivestone {

// The state stands `rootDepth` moves above the board it was made from when it is at the root.
struct Mcts::Walker {
    Walker(const Board& board, bool patterns, const MctsConfig& config, std::uint64_t seed);

    // Takes the state to the end of the path.
    void goToLeaf();
    // The first move of a win by continuous fours for the side to move, or kNoCell; needs patterns.
    Cell winByFours(std::uint64_t stones);

    State state;
    int rootDepth = 0;
    Random random;
    std::vector<Node*> path;
    bool probing = false;  // the walk stopped to look for a win by fours
    MoveList moves;
    std::array<float, kMaxCells> policy;

   private:
    std::vector<Cell> ahead_;
    std::unique_ptr<VcfSolver> vcf_;
};

}  // namespace fivestone

// A proof that the attacker wins: one attacking move at each node and an answer to every legal defence.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "board.hpp"

namespace fivestone {

// Where the attacker is to move. A node without answers and without a default makes five.
struct ProofNode {
    static constexpr int kNone = -1;

    Cell move = kNoCell;
    // The defences that change something, each with the node that answers it.
    std::vector<std::pair<Cell, int>> answers;
    // The node that answers every other legal defence.
    int otherwise = kNone;
};

class ProofTree {
   public:
    int add(Cell move);
    ProofNode& operator[](int node) { return nodes_[node]; }
    const ProofNode& operator[](int node) const { return nodes_[node]; }
    std::span<const ProofNode> nodes() const { return nodes_; }
    int size() const { return static_cast<int>(nodes_.size()); }
    int root = ProofNode::kNone;

    // The attacker's moves before the five against the longest defence.
    int length() const { return lengthOf(root); }
    // The moves of that defence in turn, ending with the five. Where any move does, the first legal one is taken.
    std::vector<Cell> mainLine(const Board& board) const;

    // Plays the attacking moves against every legal defence, by the rules of the board alone.
    bool holds(const Board& board) const;
    // The same for the side to move at a node of the tree; leaves the board as it was.
    bool holdsAt(Board& board, int node) const;

   private:
    int lengthOf(int node) const;
    bool fiveStands(const Board& board, int node) const;

    std::vector<ProofNode> nodes_;
};

}  // namespace fivestone

// What the tests of the tree share: an evaluator to search with, and what must hold of every tree.
#pragma once

#include <span>

#include "check.hpp"
#include "mcts.hpp"

namespace fivestone {

// A policy and value that are a function of the position alone.
inline float judge(const Board& board, std::span<const Cell> moves, std::span<float> policy) {
    float sum = 0.0f;
    for (std::size_t i = 0; i < moves.size(); ++i)
        sum += policy[i] = 1.0f + static_cast<float>((board.hash() >> (moves[i] % 50)) & 15);
    for (float& share : policy) share /= sum;
    return static_cast<float>((board.hash() >> 30) & 1023) / 1024.0f - 0.5f;
}

class HashEvaluator : public Evaluator {
   public:
    float evaluate(const Position& position, std::span<const Cell> moves, std::span<float> policy) override {
        return judge(position.board(), moves, policy);
    }
};

// Visits and means of every node agree with those of its children.
inline void checkSums(const Tree& tree, const Node& node) {
    std::uint32_t sum = 0;
    tree.eachChild(node, [&](const Node& child) {
        sum += child.visits;
        check(child.pending == 0, "no walk is left pending");
        check(child.mean >= -1.0f && child.mean <= 1.0f, "means stay in [-1, 1]");
        checkSums(tree, child);
    });
    check(sum <= node.visits, "children are not visited more often than their parent");
}

}  // namespace fivestone

// What a tree asks of whatever judges its leaves on the core's side: policy and value together.
#pragma once

#include <span>

#include "position.hpp"

namespace fivestone {

class Evaluator {
   public:
    virtual ~Evaluator() = default;
    // Returns the value for the side to move, in [-1, 1], and fills policy[i] with the prior of moves[i] (summing to
    // 1). The position is not over. One evaluator serves one thread.
    virtual float evaluate(const Position& position, std::span<const Cell> moves, std::span<float> policy) = 0;
    // Whether it asks a position for more than its board, stones and lines.
    virtual bool readsThreats() const { return true; }
};

// An evaluator that can be asked for single moves after it has judged a position.
class NetEvaluator : public Evaluator {
   public:
    bool readsThreats() const override { return false; }
    // Of the last evaluation: the policy of an empty cell before it is normalised.
    virtual float logit(Cell cell) const = 0;
};

}  // namespace fivestone

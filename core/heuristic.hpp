// Judges leaves by patterns and short guided games: the evaluator of "heuristic pure MCTS".
#pragma once

#include <optional>

#include "evaluator.hpp"
#include "random.hpp"
#include "state.hpp"

namespace fivestone {

// The policy follows what a move makes and takes by the pattern weights. The value is that of a game played on by the
// same policy, fives, fours and blocks first, until it is decided or `plies` have passed and the weights are asked.
class HeuristicEvaluator : public Evaluator {
   public:
    explicit HeuristicEvaluator(std::uint64_t seed, int plies = 12) : random_(seed), plies_(plies) {}

    float evaluate(const Position& position, std::span<const Cell> moves, std::span<float> policy) override;

   private:
    void follow(const Board& board);
    float playOn();
    Cell draw(std::span<const Cell> moves);

    Random random_;
    int plies_;
    std::optional<State> state_;
    MoveList moves_;
    std::array<float, kMaxCells> weights_;
};

}  // namespace fivestone

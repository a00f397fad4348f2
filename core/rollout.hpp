// Random games from a position to the end, as fast as they can be played.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "board.hpp"
#include "evaluator.hpp"
#include "random.hpp"

namespace fivestone {

// Plays uniformly random empty cells. Keeps the lines of both colours as bit masks and the empty cells as an array to
// draw from, and follows the board it is shown from call to call.
class Rollout {
   public:
    explicit Rollout(std::uint64_t seed) : random_(seed) {}

    // The side that completes a line in one random game, Empty for a draw. The position is not over.
    Stone play(const Board& board);
    // The same where both sides complete a line only when every cell left does it.
    Stone playMisere(const Board& board);

   private:
    // Where a cell lies on its four lines.
    struct Place {
        std::array<std::uint16_t, kDirections> line;
        std::array<std::uint8_t, kDirections> bit;
    };
    // Rows, columns and both diagonals of the largest board.
    static constexpr int kMaxLines = 2 * kMaxSize + 2 * (2 * kMaxSize - 1);
    using Lines = std::array<std::array<std::uint32_t, kMaxLines>, 2>;

    void start(const Board& board);
    void follow(const Board& board);
    void toggle(Lines& lines, Cell cell, Stone color) const;
    template <int kLength, bool kFreestyle>
    Stone playOut(Stone turn);
    Stone playRenju(const Board& board);
    bool completes(Cell cell, Stone color);
    void push(Cell cell, Stone color);
    void pop();
    bool winsExactly(const Lines& lines, Cell cell, Stone color) const;

    Random random_;
    int size_ = 0, winLength_ = 0;
    Rule rule_ = Rule::Freestyle;
    std::uint64_t hash_ = 0;
    std::array<Place, kArea> places_;
    int lineCount_ = 0;
    Lines lines_{}, playing_{};
    // Empty cells first, in any order; behind them the cells of moves_, the last one nearest.
    std::array<Cell, kMaxCells> cells_{};
    int emptyCount_ = 0;
    struct Move {
        Cell cell;
        Stone color;
    };
    std::vector<Move> moves_;
};

}  // namespace fivestone

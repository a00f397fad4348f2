// A board with its window codes and the threats of every empty cell, all kept up to date by push and pop.
// For win length 5 only: that is what patterns are about.
#pragma once

#include <array>

#include "board.hpp"
#include "lines.hpp"
#include "patterns.hpp"

namespace fivestone {

class Position {
   public:
    explicit Position(const Board& board);

    const Board& board() const { return board_; }
    const Lines& lines() const { return lines_; }
    Stone turn() const { return board_.turn(); }

    void push(Cell cell);
    void pop();
    void pass() { board_.pass(); }

    // What `color` would make by playing the empty cell.
    Threat threat(Cell cell, Stone color) const { return threats_[side(color)][cell]; }
    PatternSet patterns(Cell cell, Stone color) const { return patterns_[side(color)][cell]; }
    Pattern pattern(Cell cell, Stone color, int direction) const {
        return static_cast<Pattern>((patterns_[side(color)][cell] >> (4 * direction)) & 15);
    }
    // How many empty cells hold the threat for `color`.
    int count(Threat threat, Stone color) const { return counts_[side(color)][threat]; }

   private:
    void refreshAround(Cell cell);
    void refresh(Cell cell, int direction, Stone color);

    Board board_;
    Lines lines_;
    const PatternTable* table_;
    std::array<std::array<PatternSet, kArea>, 2> patterns_{};
    std::array<std::array<Threat, kArea>, 2> threats_{};
    std::array<std::array<int, kThreatCount>, 2> counts_{};
};

}  // namespace fivestone

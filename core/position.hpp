// A board with its window codes and the threats of every empty cell, all kept up to date by push and pop.
// For win length 5 only: that is what patterns are about.
#pragma once

#include <array>

#include "board.hpp"
#include "cellset.hpp"
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
    // The empty cells where `color` makes five.
    const CellSet& fives(Stone color) const { return forcing_[side(color)][kFives]; }
    // The empty cells where `color` makes a four of any kind but not five, and those that are MaybeForbidden.
    const CellSet& fours(Stone color) const { return forcing_[side(color)][kFours]; }
    // The empty cells where `color` makes an open three and no four.
    const CellSet& threes(Stone color) const { return forcing_[side(color)][kThrees]; }

   private:
    // The set that holds a cell with a given threat; the first is nobody's and saves a branch.
    enum Forcing : std::uint8_t { kQuiet, kThrees, kFours, kFives, kForcingCount };
    static constexpr Forcing forcing(Threat threat) {
        if (threat == MakesFive) return kFives;
        if (threat >= MakesFour) return kFours;
        return threat >= MakesOpenThree ? kThrees : kQuiet;
    }

    void leave(Cell cell);
    void enter(Cell cell);
    void refreshAround(Cell cell);
    void refresh(Cell cell, int direction, Stone color);

    Board board_;
    Lines lines_;
    const PatternTable* table_;
    std::array<std::array<PatternSet, kArea>, 2> patterns_{};
    std::array<std::array<Threat, kArea>, 2> threats_{};
    std::array<std::array<int, kThreatCount>, 2> counts_{};
    std::array<std::array<CellSet, kForcingCount>, 2> forcing_{};
};

}  // namespace fivestone

// A position of any size, rule and win length, with the moves that led to it.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <span>
#include <vector>

#include "types.hpp"

namespace fivestone {

class Board {
   public:
    explicit Board(int size = 15, Rule rule = Rule::Freestyle, int winLength = 5);

    int size() const { return size_; }
    Rule rule() const { return rule_; }
    int winLength() const { return winLength_; }

    Stone at(Cell cell) const { return stones_[cell]; }
    const std::array<Stone, kArea>& stones() const { return stones_; }
    bool isEmpty(Cell cell) const { return stones_[cell] == Empty; }
    // Every cell on the board, row by row from the bottom left.
    std::span<const Cell> cells() const { return {cells_.data(), static_cast<std::size_t>(size_ * size_)}; }
    Cell cellOf(int move) const { return cells_[move]; }
    int moveOf(Cell cell) const { return rowOf(cell) * size_ + columnOf(cell); }

    Stone turn() const { return turn_; }
    // The side whose winning line stands on the board, or Empty.
    Stone winner() const { return winner_; }
    int stoneCount() const { return stoneCount_; }
    int emptyCount() const { return size_ * size_ - stoneCount_; }
    // Moves pushed since the position was set up, oldest first.
    std::span<const Cell> moves() const { return moves_; }
    Cell lastMove() const { return moves_.empty() ? kNoCell : moves_.back(); }
    std::uint64_t hash() const { return hash_; }

    // Only asserts that the move may be played: callers in the core know it.
    void push(Cell cell) { push(cell, wins(cell, turn_)); }
    // For a caller that knows whether the move wins.
    void push(Cell cell, bool wins);
    void pop();
    // Hands the turn over without a move, for null-move search and misere questions.
    void pass();

    // Puts a stone on the board outside the order of play; finishSetup() then finds a line that already wins (if both
    // sides have one, the side that moved last has won).
    void place(Cell cell, Stone color);
    void finishSetup(Stone turn);

    // Whether `color` wins by playing the empty cell.
    bool wins(Cell cell, Stone color) const;
    // Renju only: whether Black may not play the empty cell.
    bool isForbidden(Cell cell) const;
    // An empty cell the side to move may play.
    bool isLegal(Cell cell) const;
    bool hasLegalMove() const;
    bool isOver() const { return winner_ != Empty || !hasLegalMove(); }
    // No line can be completed any more by either side with the moves that are left. Cells that Renju forbids count as
    // playable here: one of them may become allowed.
    bool isDeadDraw() const;
    // The cells of the winning line through the last move (or of any, after a set-up); empty if nobody has won.
    std::vector<Cell> winningLine() const;

   private:
    bool lineWins(Cell cell, int step, Stone color) const;
    bool windowOpen(Cell start, int step, Stone color, int movesLeft) const;
    bool anyWindowOpen(Stone color, int movesLeft) const;

    int size_;
    int winLength_;
    Rule rule_;
    Stone turn_ = Black;
    Stone winner_ = Empty;
    int stoneCount_ = 0;
    std::uint64_t hash_;
    std::array<Stone, kArea> stones_;
    std::array<Cell, kMaxCells> cells_;
    std::vector<Cell> moves_;
};

// The fixed random key of a stone on a cell, and of the turn: the same on every machine and in every version.
std::uint64_t stoneKey(Cell cell, Stone color);
std::uint64_t turnKey();

}  // namespace fivestone

// In which order a search tries its moves: what the table, the scorer and its own past say of them.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "scorer.hpp"

namespace fivestone {

struct RankedMove {
    Cell cell;
    int promise;  // the scorer's opinion alone
};

// What one thread remembers of moves that refuted others.
class History {
   public:
    History() { clear(); }
    void clear();
    // After a cutoff at the ply: `tried` were searched before `best` and did not do.
    void reward(Stone color, Cell best, std::span<const Cell> tried, Cell before, int ply, int depth);
    int rank(Stone color, Cell cell, Cell before, int ply) const;
    int worth(Stone color, Cell cell) const { return worth_[side(color)][cell]; }

    static constexpr int kMost = 8192;

   private:
    void shift(Stone color, Cell cell, int bonus);

    std::array<std::array<int, kArea>, 2> worth_;
    std::array<std::array<Cell, kArea>, 2> answers_;  // what refuted the move `before`
    std::array<std::array<Cell, 2>, kMaxPly> killers_;
};

// Hands out the moves of a node, best first, sorting no more of them than are asked for. The first one, where the table
// knows it, comes before the scorer is asked about the others: often it is the last.
class MovePicker {
   public:
    // All but the cell and the ply has to outlive the picker.
    MovePicker(const Position& position, std::span<const Cell> moves, Scorer& scorer, const History& history,
               Cell first, int ply);

    bool empty() const { return next_ == count_; }
    RankedMove next();

   private:
    // What the scorer and the past say of the moves.
    void rank();

    const Position& position_;
    const std::span<const Cell> given_;
    Scorer& scorer_;
    const History& history_;
    const int ply_;
    const int first_;  // its place among the moves, or their count
    const int count_;
    int next_ = 0;
    bool ranked_ = false;
    std::array<RankedMove, kMaxCells> moves_;
    std::array<int, kMaxCells> ranks_;  // apart from the moves: only they are looked through for the next one
};

}  // namespace fivestone

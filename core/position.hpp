// A board with its window codes, the threats of every empty cell and the score of both sides, all kept up to date by
// push and pop. For win length 5 only: that is what patterns are about.
#pragma once

#include <array>
#include <bit>
#include <cassert>
#include <span>
#include <vector>

#include "board.hpp"
#include "cellset.hpp"
#include "lines.hpp"
#include "patterns.hpp"
#include "rows.hpp"
#include "weights.hpp"

namespace fivestone {

class Position {
   public:
    explicit Position(const Board& board) : Position(board, Weights::handMade(board.rule())) {}
    // The weights must outlive the position.
    Position(const Board& board, const Weights& weights);

    const Board& board() const { return board_; }
    const Lines& lines() const { return lines_; }
    const Weights& weights() const { return *weights_; }
    Stone turn() const { return board_.turn(); }
    // Of Black and of White.
    const std::array<CellSet, 2>& stones() const { return stones_; }

    void push(Cell cell);
    void pop();
    // Takes back the last `dropped` moves and plays `moves`: cheaper than one after the other, because the lines change
    // only where the stones do in the end. The threats wait for refresh(): until then only the board, the stones, the
    // lines, urgent() and mayMakeFour() may be asked for.
    void jump(int dropped, std::span<const Cell> moves);
    void refresh() {
        if (stale_) refreshFrom(known_);
        stale_ = false;
    }
    // False when no cell makes five, an open four or a double four for either side. After a jump it may be true for
    // less.
    bool urgent() const;
    // False when no cell makes a four or five for the colour; under Renju it may be true for less.
    bool mayMakeFour(Stone color) const;
    void pass() { board_.pass(); }

    // What `color` would make by playing the empty cell.
    Threat threat(Cell cell, Stone color) const {
        assert(!stale_);
        return states_[cell].worth.threat(color);
    }
    PatternSet patterns(Cell cell, Stone color) const {
        assert(!stale_);
        return static_cast<PatternSet>(states_[cell].sets >> (16 * side(color)));
    }
    Pattern pattern(Cell cell, Stone color, int direction) const {
        return static_cast<Pattern>((patterns(cell, color) >> (4 * direction)) & 15);
    }
    // How many empty cells hold the threat for `color`; kept from MakesOpenThree on.
    int count(Threat threat, Stone color) const {
        assert(!stale_);
        return counts_[side(color)][threat];
    }
    // The empty cells where `color` makes five.
    const CellSet& fives(Stone color) const { return forcing(color, kFives); }
    // The empty cells where `color` makes a four of any kind but not five, and those that are MaybeForbidden.
    const CellSet& fours(Stone color) const { return forcing(color, kFours); }
    // The empty cells where `color` makes an open three and no four.
    const CellSet& threes(Stone color) const { return forcing(color, kThrees); }

    // Empty cells within 3 of a stone in a square or 4 along a line.
    CellSet near() const;
    // The sum of the cells' worth to the side to move, less that to the opponent.
    int cellScore() const {
        assert(!stale_);
        return turn() == Black ? score_ : -score_;
    }
    // The flags of what stands on the board, for the side to move.
    int threatFlags() const;
    // What the weights say of a quiet position, for the side to move.
    int score() const { return cellScore() + weights_->threats(threatFlags()); }
    // The promise of a move of the side to move.
    int promise(Cell cell) const {
        const Stone own = turn(), foe = other(own);
        return weights_->moveOwn(patterns(cell, own), own) + weights_->moveFoe(patterns(cell, foe), foe);
    }

   private:
    // The set that holds a cell with a given threat; the first is nobody's and saves a branch.
    enum Forcing : std::uint8_t { kQuiet, kThrees, kFours, kFives, kForcingCount };
    static constexpr Forcing kForcing[kThreatCount] = {kQuiet, kQuiet, kThrees, kThrees, kFours,
                                                       kFours, kFours, kFours,  kFives,  kFours};

    // Eight bytes, so that saving a cell and bringing it back is one load and one store.
    struct alignas(8) CellState {
        std::uint32_t sets = 0;  // Black's patterns in the low half, White's in the high half
        Weights::CellWorth worth;
    };
    struct Saved {
        Cell cell;
        CellState state;
    };
    struct Moved {
        Cell cell;
        std::uint8_t side;
        Threat from, to;
    };

    using Stones = std::array<CellSet, 2>;  // of Black and of White

    const CellSet& forcing(Stone color, Forcing which) const {
        assert(!stale_);
        return forcing_[side(color)][which];
    }
    template <int Reach>
    void refreshAround(Cell cell);
    void changeLines(const Stones& before);
    Rows reachedFrom(const Stones& before) const;
    void findFours(const Stones& before);
    void refreshFrom(const Stones& before);
    void refreshCell(Cell cell);
    bool makesFive(Cell cell, Stone color) const;
    std::uint32_t setsOf(Cell cell) const;
    CellState stateOf(std::uint32_t sets) const;
    void moveThreat(const Moved& moved);
    void toggle(Cell cell, int amount);

    Board board_;
    Lines lines_;
    const PatternTable* table_;
    const Weights* weights_;
    int score_ = 0;  // for Black
    std::array<CellState, kArea> states_{};
    std::array<std::array<int, kThreatCount>, 2> counts_{};
    std::array<std::array<CellSet, kForcingCount>, 2> forcing_;
    Stones stones_;
    // After a jump: the stones that the threats are still about, the cells that make a four, those that may be urgent,
    // and whether there are any.
    enum Watched : std::uint8_t { kBlackFours, kWhiteFours, kUrgent, kWatchedCount };
    bool stale_ = false;
    Stones known_;
    std::array<Rows, kWatchedCount> watchedRows_;
    std::array<bool, kWatchedCount> watched_;
    // What push changed, for pop: the cells with their former states, the threats that came and went, the former score,
    // and how many of each there were before. The first savedCount_ are in use.
    std::vector<Saved> saved_;
    std::vector<Moved> moved_;
    int savedCount_ = 0, movedCount_ = 0;
    struct Mark {
        int saved, moved;
        int score;
    };
    std::vector<Mark> marks_;
};

}  // namespace fivestone

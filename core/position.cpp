#include "position.hpp"

#include <bit>

namespace fivestone {

Position::Position(const Board& board, const Weights& weights)
    : board_(board), lines_(board), table_(&PatternTable::of(board.rule())), weights_(&weights) {
    assert(board.winLength() == 5);
    for (const Cell cell : board_.cells()) {
        states_[cell] = stateOf(setsOf(cell));
        if (board_.isEmpty(cell))
            toggle(cell, 1);
        else
            stones_[side(board_.at(cell))].insert(cell);
    }
}

// What the cell's windows say.
inline std::uint32_t Position::setsOf(Cell cell) const {
    const auto& codes = lines_.codes(cell);
    std::uint32_t sets = 0;
    for (int direction = 0; direction < kDirections; ++direction) {
        const std::uint32_t both = table_->both(codes[direction]);
        sets |= ((both & 15) | (both & 0xf0) << 12) << (4 * direction);
    }
    return sets;
}

inline Position::CellState Position::stateOf(std::uint32_t sets) const {
    return {sets, weights_->worth(static_cast<PatternSet>(sets), static_cast<PatternSet>(sets >> 16))};
}

// Adds or takes away an empty cell with everything that is summed over empty cells.
void Position::toggle(Cell cell, int amount) {
    const Weights::CellWorth worth = states_[cell].worth;
    for (const Stone color : {Black, White}) {
        counts_[side(color)][worth.forcing(color)] += amount;
        forcing_[side(color)][kForcing[worth.forcing(color)]].flip(cell);
    }
    score_ += amount * worth.balance();
}

void Position::push(Cell cell) {
    assert(!stale_);
    const Stone color = board_.turn();
    marks_.push_back({savedCount_, movedCount_, score_});
    board_.push(cell, threat(cell, color) == MakesFive);
    stones_[side(color)].flip(cell);
    toggle(cell, -1);
    lines_.add(cell, color);
    if (lines_.reach() == 4)
        refreshAround<4>(cell);
    else
        refreshAround<5>(cell);
}

// The popped cell's own patterns need no refresh: they were left alone while it was occupied, and whatever was played
// around it since has been taken back.
void Position::pop() {
    if (marks_.empty()) {  // a move made before this position was set up, or by a jump
        jump(1, {});
        refresh();
        return;
    }
    const Cell cell = board_.lastMove();
    board_.pop();
    stones_[side(board_.turn())].flip(cell);
    lines_.remove(cell, board_.turn());
    const Mark mark = marks_.back();
    marks_.pop_back();
    while (savedCount_ > mark.saved) {
        const Saved& saved = saved_[--savedCount_];
        states_[saved.cell] = saved.state;
    }
    while (movedCount_ > mark.moved) {
        const Moved& moved = moved_[--movedCount_];
        moveThreat({moved.cell, moved.side, moved.to, moved.from});
    }
    toggle(cell, 1);
    score_ = mark.score;
}

inline void Position::moveThreat(const Moved& moved) {
    auto& counts = counts_[moved.side];
    auto& forcing = forcing_[moved.side];
    --counts[moved.from];
    ++counts[moved.to];
    forcing[kForcing[moved.from]].flip(moved.cell);
    forcing[kForcing[moved.to]].flip(moved.cell);
}

void Position::jump(int dropped, std::span<const Cell> moves) {
    const Stones before = stones_;
    if (!stale_) {
        known_ = stones_;
        const CellSet black = fives(Black) | fours(Black), white = fives(White) | fours(White);
        watchedRows_ = {black.rows(), white.rows(), (black | white).rows()};
        stale_ = true;
    }
    for (int i = 0; i < dropped; ++i) {
        const Cell cell = board_.lastMove();
        board_.pop();
        stones_[side(board_.turn())].flip(cell);
    }
    // Nobody moves on after a win, so only the last move can be one. To see that takes the lines.
    const Cell last = moves.empty() ? kNoCell : moves.back();
    for (const Cell cell : moves) {
        stones_[side(board_.turn())].flip(cell);
        if (cell != last) board_.push(cell, false);
    }
    changeLines(before);
    if (last != kNoCell) board_.push(last, makesFive(last, board_.turn()));
    findFours(before);
    savedCount_ = movedCount_ = 0;
    marks_.clear();
}

inline bool Position::makesFive(Cell cell, Stone color) const {
    bool five = false;
    for (const Code code : lines_.codes(cell)) five |= table_->pattern(code, color) == Five;
    return five;
}

// Brings the lines from the stones before to those of now.
inline void Position::changeLines(const Stones& before) {
    const auto stoneIn = [](const Stones& stones, Cell cell) {
        return static_cast<Stone>(Black * stones[0].contains(cell) + White * stones[1].contains(cell));
    };
    const CellSet other = (before[0] ^ stones_[0]) | (before[1] ^ stones_[1]);
    other.forEach([&](Cell cell) { lines_.change(cell, stoneIn(before, cell), stoneIn(stones_, cell)); });
}

// The cells that have another stone than before, and those that see one in their windows.
inline Rows Position::reachedFrom(const Stones& before) const {
    const Rows other = ((before[0] ^ stones_[0]) | (before[1] ^ stones_[1])).rows();
    return lines_.reach() == 4 ? starsOf<4>(other, board_.size()) : starsOf<5>(other, board_.size());
}

// Most leaves of a tree have no urgent cell and many no four: that is cheaper to see than what every cell makes.
void Position::findFours(const Stones& before) {
    const Rows reached = reachedFrom(before), full = (stones_[0] | stones_[1]).rows();
    std::array<std::uint32_t, kWatchedCount> any{};
    for (int row = kPad; row < kPad + board_.size(); ++row) {
        std::array<std::uint32_t, kWatchedCount> now;
        for (int kind = 0; kind < kWatchedCount; ++kind) now[kind] = watchedRows_[kind][row] & ~reached[row];
        for (std::uint32_t bits = reached[row] & ~full[row]; bits != 0; bits &= bits - 1) {
            const int column = std::countr_zero(bits);
            unsigned fours = 0;
            for (const Code code : lines_.codes(static_cast<Cell>(row * kStride + column)))
                fours += table_->fours(code);
            if (fours == 0) continue;
            const std::uint32_t bit = std::uint32_t{1} << column;
            if ((fours & 0x0f) != 0) now[kBlackFours] |= bit;
            if ((fours & 0xf0) != 0) now[kWhiteFours] |= bit;
            if (PatternTable::severalFours(static_cast<std::uint8_t>(fours))) now[kUrgent] |= bit;
        }
        for (int kind = 0; kind < kWatchedCount; ++kind) any[kind] |= watchedRows_[kind][row] = now[kind];
    }
    for (int kind = 0; kind < kWatchedCount; ++kind) watched_[kind] = any[kind] != 0;
}

bool Position::urgent() const {
    if (stale_) return watched_[kUrgent];
    int cells = 0;
    for (const auto& counts : counts_) cells += counts[MakesFive] + counts[MakesOpenFour] + counts[MakesDoubleFour];
    return cells > 0;
}

bool Position::mayMakeFour(Stone color) const {
    return stale_ ? watched_[side(color)] : !fours(color).empty() || !fives(color).empty();
}

// Brings the threats from the stones before to those of now.
void Position::refreshFrom(const Stones& before) {
    const CellSet wasFull = before[0] | before[1], isFull = stones_[0] | stones_[1];
    (wasFull ^ isFull).forEach([&](Cell cell) {
        if (isFull.contains(cell)) {
            toggle(cell, -1);
        } else {
            states_[cell] = stateOf(setsOf(cell));
            toggle(cell, 1);
        }
    });
    const Rows reached = reachedFrom(before);
    for (int row = kPad; row < kPad + board_.size(); ++row)
        for (std::uint32_t bits = reached[row] & ~isFull.row(row); bits != 0; bits &= bits - 1)
            refreshCell(static_cast<Cell>(row * kStride + std::countr_zero(bits)));
}

inline void Position::refreshCell(Cell cell) {
    const CellState before = states_[cell];
    const std::uint32_t sets = setsOf(cell);
    if (sets == before.sets) return;
    const CellState now = states_[cell] = stateOf(sets);
    score_ += now.worth.balance() - before.worth.balance();
    if (before.worth.sameForcing(now.worth)) return;
    for (const Stone color : {Black, White})
        moveThreat(
            {cell, static_cast<std::uint8_t>(side(color)), before.worth.forcing(color), now.worth.forcing(color)});
}

// Whether a cell changes is anybody's guess, so there is no branch on it: what is wrongly written is written over.
// Cells off the board hold codes too, and are never empty.
template <int Reach>
void Position::refreshAround(Cell cell) {
    constexpr int kMost = 2 * kDirections * Reach + 1;
    if (saved_.size() < static_cast<std::size_t>(savedCount_ + kMost)) saved_.resize(2 * savedCount_ + 16 * kMost);
    if (moved_.size() < static_cast<std::size_t>(movedCount_ + 2 * kMost)) moved_.resize(2 * movedCount_ + 32 * kMost);
    Saved* saved = saved_.data() + savedCount_;
    Moved* moved = moved_.data() + movedCount_;
    int score = score_;
    for (int direction = 0; direction < kDirections; ++direction) {
        const int shift = 4 * direction;
        const std::uint32_t mask = ~(std::uint32_t{0x000f000f} << shift);
        for (int distance = -Reach; distance <= Reach; ++distance) {
            if (distance == 0) continue;
            const Cell at = static_cast<Cell>(cell + distance * kSteps[direction]);
            const CellState before = states_[at];
            const std::uint32_t both = table_->both(lines_.codes(at)[direction]);
            const std::uint32_t sets = (before.sets & mask) | (((both & 15) | ((both & 0xf0) << 12)) << shift);
            const bool changed = (board_.at(at) == Empty) & (sets != before.sets);
            const std::uint64_t was = std::bit_cast<std::uint64_t>(before);
            const std::uint64_t becomes = std::bit_cast<std::uint64_t>(stateOf(sets));
            const CellState now = std::bit_cast<CellState>(was ^ ((was ^ becomes) & (std::uint64_t{0} - changed)));
            *saved = {at, before};
            saved += changed;
            score += now.worth.balance() - before.worth.balance();
            states_[at] = now;
            if (before.worth.sameForcing(now.worth)) continue;
            for (const Stone color : {Black, White}) {
                *moved = {at, static_cast<std::uint8_t>(side(color)), before.worth.forcing(color),
                          now.worth.forcing(color)};
                moved += moved->from != moved->to;
            }
        }
    }
    score_ = score;
    savedCount_ = static_cast<int>(saved - saved_.data());
    for (Moved* next = moved_.data() + movedCount_; next != moved; ++next) moveThreat(*next);
    movedCount_ = static_cast<int>(moved - moved_.data());
}

CellSet Position::near() const {
    constexpr int kRows = CellSet::kRows;
    CellSet result;
    const Rows occupied = (stones_[0] | stones_[1]).rows();
    std::array<std::uint32_t, kRows> square{};
    for (int row = 0; row < kRows; ++row) {
        const std::uint32_t stones = occupied[row];
        square[row] = stones | stones << 1 | stones << 2 | stones << 3 | stones >> 1 | stones >> 2 | stones >> 3;
    }
    const std::uint32_t onBoard = columnsOf(board_.size());
    for (int row = kPad; row < kPad + board_.size(); ++row) {
        std::uint32_t cells = square[row - 3] | square[row - 2] | square[row - 1] | square[row] | square[row + 1] |
                              square[row + 2] | square[row + 3];
        const std::uint32_t across = occupied[row], ends = occupied[row - 4] | occupied[row + 4];
        cells |= across << 4 | across >> 4 | ends | ends << 4 | ends >> 4;
        result.setRow(row, cells & onBoard & ~across);
    }
    return result;
}

int Position::threatFlags() const {
    const auto& own = counts_[side(turn())];
    const auto& foe = counts_[side(other(turn()))];
    return (own[MakesOpenThree] ? OwnOpenThree : 0) | (own[MakesDoubleThree] ? OwnDoubleThree : 0) |
           (own[MakesFour] ? OwnFour : 0) | (own[MakesFourThree] ? OwnFourThree : 0) |
           (foe[MakesOpenThree] ? FoeOpenThree : 0) | (foe[MakesDoubleThree] ? FoeDoubleThree : 0) |
           (foe[MakesFour] ? FoeFour : 0) | (foe[MakesFourThree] ? FoeFourThree : 0) |
           (foe[MakesOpenFour] + foe[MakesDoubleFour] ? FoeOpenFour : 0);
}

}  // namespace fivestone

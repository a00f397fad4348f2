#include "position.hpp"

#include <bit>

namespace fivestone {

Position::Position(const Board& board, const Weights& weights)
    : board_(board), lines_(board), table_(&PatternTable::of(board.rule())), weights_(&weights) {
    assert(board.winLength() == 5);
    for (const Cell cell : board_.cells()) {
        states_[cell] = stateFor(setsOf(cell));
        if (board_.isEmpty(cell))
            toggle(cell, 1);
        else
            stones_.insert(cell);
    }
}

// Adds or takes away an empty cell with everything that is summed over empty cells.
void Position::toggle(Cell cell, int amount) {
    const CellState& state = states_[cell];
    for (int i = 0; i < 2; ++i) {
        counts_[i][state.threats[i]] += amount;
        forcing_[i][forcing(state.threats[i])].flip(cell);
    }
    score_ += amount * state.score;
}

void Position::push(Cell cell) {
    const Stone color = board_.turn();
    marks_.push_back({static_cast<int>(saved_.size()), score_});
    board_.push(cell);
    stones_.flip(cell);
    toggle(cell, -1);
    lines_.add(cell, color);
    refreshAround(cell);
}

// The popped cell's own patterns need no refresh: they were left alone while it was occupied, and whatever was played
// around it since has been taken back.
void Position::pop() {
    if (marks_.empty()) {  // a move made before this position was set up, or by a jump
        jump(1, {});
        return;
    }
    const Cell cell = board_.lastMove();
    board_.pop();
    stones_.flip(cell);
    lines_.remove(cell, board_.turn());
    const Mark mark = marks_.back();
    marks_.pop_back();
    while (static_cast<int>(saved_.size()) > mark.saved) {
        const Saved& saved = saved_.back();
        CellState& state = states_[saved.cell];
        moveThreats(saved.cell, state, saved.state);
        state = saved.state;
        saved_.pop_back();
    }
    toggle(cell, 1);
    score_ = mark.score;
}

inline void Position::moveThreats(Cell cell, const CellState& from, const CellState& to) {
    for (int i = 0; i < 2; ++i) {
        if (from.threats[i] == to.threats[i]) continue;
        --counts_[i][from.threats[i]];
        ++counts_[i][to.threats[i]];
        forcing_[i][forcing(from.threats[i])].flip(cell);
        forcing_[i][forcing(to.threats[i])].flip(cell);
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

inline Position::CellState Position::stateFor(std::uint32_t sets) const {
    CellState state{sets, {}, 0};
    const Weights::SetInfo &black = weights_->info(state.set(Black), Black),
                           &white = weights_->info(state.set(White), White);
    state.threats = {black.threat, white.threat};
    state.score = static_cast<std::int16_t>(black.score - white.score);
    return state;
}

void Position::jump(int dropped, std::span<const Cell> moves) {
    DirtyRows dirty{};
    CellSet uncounted;  // empty now, but not among the counted cells
    for (int i = 0; i < dropped; ++i) {
        const Cell cell = board_.lastMove();
        board_.pop();
        lines_.remove(cell, board_.turn());
        stones_.flip(cell);
        uncounted.insert(cell);
        addReach(dirty, cell);
    }
    for (const Cell cell : moves) {
        const Stone color = board_.turn();
        if (uncounted.contains(cell))
            uncounted.flip(cell);
        else
            toggle(cell, -1);
        board_.push(cell);
        stones_.flip(cell);
        lines_.add(cell, color);
        addReach(dirty, cell);
    }
    refreshRows(dirty, uncounted);
    saved_.clear();
    marks_.clear();
}

inline void Position::addReach(DirtyRows& dirty, Cell cell) const {
    const int row = cell / kStride, reach = lines_.reach();
    const std::uint32_t bit = std::uint32_t{1} << (cell % kStride);
    for (int distance = 1; distance <= reach; ++distance) {
        const std::uint32_t sides = bit << distance | bit >> distance;
        dirty[row] |= sides;
        dirty[row - distance] |= bit | sides;
        dirty[row + distance] |= bit | sides;
    }
    dirty[row] |= bit;
}

void Position::refreshRows(const DirtyRows& dirty, CellSet& uncounted) {
    const std::uint32_t onBoard = ((std::uint32_t{1} << board_.size()) - 1) << kPad;
    for (int row = kPad; row < kPad + board_.size(); ++row)
        for (std::uint32_t bits = dirty[row] & onBoard & ~stones_.row(row); bits != 0; bits &= bits - 1) {
            const Cell cell = static_cast<Cell>(row * kStride + std::countr_zero(bits));
            const std::uint32_t sets = setsOf(cell);
            if (uncounted.contains(cell)) {
                states_[cell] = stateFor(sets);
                toggle(cell, 1);
            } else if (sets != states_[cell].sets) {
                change(cell, stateFor(sets));
            }
        }
}

// Gives an empty cell another state, in all that is counted and summed.
inline void Position::change(Cell cell, CellState next) {
    CellState& state = states_[cell];
    score_ += next.score - state.score;
    moveThreats(cell, state, next);
    state = next;
}

void Position::refreshAround(Cell cell) {
    const int reach = lines_.reach();
    for (int direction = 0; direction < kDirections; ++direction) {
        const int shift = 4 * direction;
        const std::uint32_t mask = ~(std::uint32_t{0x000f000f} << shift);
        for (int way = -1; way <= 1; way += 2) {
            const int step = way * kSteps[direction];
            for (int distance = 1; distance <= reach; ++distance) {
                const Cell at = static_cast<Cell>(cell + distance * step);
                const Stone stone = board_.at(at);
                if (stone == Wall) break;
                if (stone != Empty) continue;
                CellState& state = states_[at];
                const std::uint32_t both = table_->both(lines_.codes(at)[direction]);
                const std::uint32_t sets = (state.sets & mask) | (((both & 15) | ((both & 0xf0) << 12)) << shift);
                if (sets == state.sets) continue;
                saved_.push_back({at, state});
                change(at, stateFor(sets));
            }
        }
    }
}

CellSet Position::near() const {
    constexpr int kRows = CellSet::kRows;
    CellSet result;
    std::array<std::uint32_t, kRows> square{};
    for (int row = 0; row < kRows; ++row) {
        const std::uint32_t stones = stones_.row(row);
        square[row] = stones | stones << 1 | stones << 2 | stones << 3 | stones >> 1 | stones >> 2 | stones >> 3;
    }
    const std::uint32_t onBoard = ((std::uint32_t{1} << board_.size()) - 1) << kPad;
    for (int row = kPad; row < kPad + board_.size(); ++row) {
        std::uint32_t cells = square[row - 3] | square[row - 2] | square[row - 1] | square[row] | square[row + 1] |
                              square[row + 2] | square[row + 3];
        const std::uint32_t across = stones_.row(row), ends = stones_.row(row - 4) | stones_.row(row + 4);
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

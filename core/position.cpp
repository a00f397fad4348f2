#include "position.hpp"

namespace fivestone {

Position::Position(const Board& board, const Weights& weights)
    : board_(board), lines_(board), table_(&PatternTable::of(board.rule())), weights_(&weights) {
    assert(board.winLength() == 5);
    for (const Cell cell : board_.cells()) {
        CellState& state = states_[cell];
        for (int direction = 0; direction < kDirections; ++direction)
            for (const Stone color : {Black, White})
                state.sets |= static_cast<std::uint32_t>(table_->pattern(lines_.codes(cell)[direction], color))
                              << (4 * direction + 16 * side(color));
        for (const Stone color : {Black, White})
            state.threats[side(color)] = weights_->info(state.set(color), color).threat;
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
    score_ += amount * (weights_->info(state.set(Black), Black).score - weights_->info(state.set(White), White).score);
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
    if (marks_.empty()) {  // a move made before this position was set up
        Board before = board_;
        before.pop();
        *this = Position(before, *weights_);
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
                CellState next{sets, {}};
                for (const Stone color : {Black, White}) {
                    const Weights::SetInfo& before = weights_->info(state.set(color), color);
                    const Weights::SetInfo& after = weights_->info(next.set(color), color);
                    score_ += color == Black ? after.score - before.score : before.score - after.score;
                    next.threats[side(color)] = after.threat;
                }
                moveThreats(at, state, next);
                state = next;
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

#include "position.hpp"

namespace fivestone {

Position::Position(const Board& board) : board_(board), lines_(board), table_(&PatternTable::of(board.rule())) {
    assert(board.winLength() == 5);
    for (const Cell cell : board_.cells()) {
        for (const Stone color : {Black, White}) {
            PatternSet set = 0;
            for (int direction = 0; direction < kDirections; ++direction)
                set |= table_->pattern(lines_.codes(cell)[direction], color) << (4 * direction);
            patterns_[side(color)][cell] = set;
            threats_[side(color)][cell] = table_->threat(set, color);
        }
        if (board_.isEmpty(cell)) enter(cell);
    }
}

void Position::push(Cell cell) {
    const Stone color = board_.turn();
    board_.push(cell);
    leave(cell);
    lines_.add(cell, color);
    refreshAround(cell);
}

// The popped cell's own patterns need no refresh: they were left alone while it was occupied, and whatever was played
// around it since has been taken back.
void Position::pop() {
    const Cell cell = board_.lastMove();
    board_.pop();
    enter(cell);
    lines_.remove(cell, board_.turn());
    refreshAround(cell);
}

// Takes a cell that is filled out of the counts and sets, and puts an emptied one back.
void Position::leave(Cell cell) {
    for (int i = 0; i < 2; ++i) {
        const Threat threat = threats_[i][cell];
        --counts_[i][threat];
        forcing_[i][forcing(threat)].erase(cell);
    }
}

void Position::enter(Cell cell) {
    for (int i = 0; i < 2; ++i) {
        const Threat threat = threats_[i][cell];
        ++counts_[i][threat];
        forcing_[i][forcing(threat)].insert(cell);
    }
}

void Position::refreshAround(Cell cell) {
    const int reach = lines_.reach();
    for (int direction = 0; direction < kDirections; ++direction)
        for (int way = -1; way <= 1; way += 2) {
            const int step = way * kSteps[direction];
            for (int distance = 1; distance <= reach; ++distance) {
                const Cell at = static_cast<Cell>(cell + distance * step);
                const Stone stone = board_.at(at);
                if (stone == Wall) break;
                if (stone != Empty) continue;
                refresh(at, direction, Black);
                refresh(at, direction, White);
            }
        }
}

inline void Position::refresh(Cell cell, int direction, Stone color) {
    const int i = side(color), shift = 4 * direction;
    const PatternSet before = patterns_[i][cell];
    const PatternSet after = static_cast<PatternSet>((before & ~(15 << shift)) |
                                                     (table_->pattern(lines_.codes(cell)[direction], color) << shift));
    if (after == before) return;
    patterns_[i][cell] = after;
    const Threat threat = table_->threat(after, color);
    if (threat == threats_[i][cell]) return;
    const Threat was = threats_[i][cell];
    --counts_[i][was];
    ++counts_[i][threat];
    if (forcing(was) != forcing(threat)) {
        forcing_[i][forcing(was)].flip(cell);
        forcing_[i][forcing(threat)].flip(cell);
    }
    threats_[i][cell] = threat;
}

}  // namespace fivestone

#include "seen.hpp"

namespace fivestone {

void SeenBoard::prepare(int size, int reach) {
    grid_ = Grid(size);
    reach_ = reach;
    any_ = false;
    slotOf_.fill(0);
    for (int y = 0; y < size; ++y)
        for (int x = 0; x < size; ++x) slotOf_[cellAt(x, y)] = grid_.slotOf(cellAt(x, y));
}

template <typename Number, typename FirstOf>
inline void SeenBoard::list(const Rows& rows, List<Number>& out, FirstOf firstOf) const {
    Number* first = out.numbers.data();
    out.count = static_cast<int>(listCells(rows, grid_.size, first + out.count, firstOf) - first);
}

// The cells with another stone than before, and those that have one of them in their windows.
Rows SeenBoard::changesFrom(const std::array<CellSet, 2>& stones) const {
    if (!any_) {
        Rows all;
        all.fill(columnsOf(grid_.size));
        return all;
    }
    const Rows other = ((stones[0] ^ stones_[0]) | (stones[1] ^ stones_[1])).rows();
    return reach_ == 4 ? starsOf<4>(other, grid_.size) : starsOf<5>(other, grid_.size);
}

void SeenBoard::update(const std::array<CellSet, 2>& stones) {
    const int end = kPad + grid_.size;
    Rows changed = changesFrom(stones);
    changed[kPad - 1] = changed[end] = 0;
    stones_ = stones;
    any_ = true;
    const Rows occupied = (stones[0] | stones[1]).rows();
    const std::uint32_t columns = columnsOf(grid_.size);
    Rows wide, touched, untouched;
    for (int row = kPad - 1; row <= end; ++row) wide[row] = changed[row] | changed[row] << 1 | changed[row] >> 1;
    for (int row = kPad; row < end; ++row) {
        emptyRows_[row] = columns & ~occupied[row];
        touched[row] = (wide[row - 1] | wide[row] | wide[row + 1]) & emptyRows_[row];
        untouched[row] = emptyRows_[row] & ~touched[row];
    }
    changed_.count = empty_.count = 0;
    list(changed, changed_, [](int row) { return row * kStride + kPad; });
    const auto firstSlot = [&](int row) { return slotOf_[row * kStride + kPad]; };
    list(touched, empty_, firstSlot);
    touchedCount_ = empty_.count;
    list(untouched, empty_, firstSlot);
}

std::span<const std::uint16_t> SeenBoard::emptySlotsInOrder() {
    ordered_.count = 0;
    list(emptyRows_, ordered_, [&](int row) { return slotOf_[row * kStride + kPad]; });
    return ordered_.all();
}

}  // namespace fivestone

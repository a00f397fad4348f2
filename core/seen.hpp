// What an evaluator has seen last: tells which cells another position changes, so that only those are looked up again.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "board.hpp"
#include "rows.hpp"

namespace fivestone {

// The grid the kernels work on: a board with a border of one slot.
struct Grid {
    explicit Grid(int size) : size(size), stride(size + 2), slots(stride * stride) {}
    std::uint16_t slotOf(Cell cell) const {
        return static_cast<std::uint16_t>((rowOf(cell) + 1) * stride + columnOf(cell) + 1);
    }
    int size;
    int stride;
    int slots;
};

class SeenBoard {
   public:
    // Nothing seen yet, on a board of this size with windows of this reach.
    void prepare(int size, int reach);
    // Takes in the stones of Black and White and finds what differs from those before.
    void update(const std::array<CellSet, 2>& stones);

    // The cells whose window or stone changed.
    std::span<const Cell> changed() const { return changed_.all(); }
    // The slots of all empty cells: first, `touchedCount` of them, those that have a changed cell among their
    // neighbours or are one.
    std::span<const std::uint16_t> emptySlots() const { return empty_.all(); }
    int touchedCount() const { return touchedCount_; }
    // The same row by row.
    std::span<const std::uint16_t> emptySlotsInOrder();
    std::uint16_t slotOf(Cell cell) const { return slotOf_[cell]; }
    const std::uint16_t* slots() const { return slotOf_.data(); }

   private:
    // Numbers of 16 bits, written eight at a time.
    template <typename Number>
    struct List {
        std::array<Number, kMaxCells + 8> numbers{};
        int count = 0;

        std::span<const Number> all() const { return {numbers.data(), static_cast<std::size_t>(count)}; }
    };

    Rows changesFrom(const std::array<CellSet, 2>& stones) const;
    // Adds the numbers of the cells in `rows`, of which the first in a row has the number firstOf(row).
    template <typename Number, typename FirstOf>
    void list(const Rows& rows, List<Number>& out, FirstOf firstOf) const;

    Grid grid_{0};
    int reach_ = 0;
    bool any_ = false;  // anything seen yet
    std::array<CellSet, 2> stones_;
    Rows emptyRows_;
    List<Cell> changed_;
    List<std::uint16_t> empty_, ordered_;
    int touchedCount_ = 0;
    std::array<std::uint16_t, kArea> slotOf_;
};

}  // namespace fivestone

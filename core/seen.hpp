// What an evaluator has seen last: tells which cells another position changes, so that only those are looked up again.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "board.hpp"

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
    // Takes in a position and finds what differs from the one before.
    void update(const Board& board);

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
    // One bit a cell, a word a row of the padded square.
    using Rows = std::array<std::uint32_t, kArea / kStride>;

    // Numbers of 16 bits, written eight at a time.
    template <typename Number>
    struct List {
        std::array<Number, kMaxCells + 2 * 8> numbers{};
        int count = 0;

        std::span<const Number> all() const { return {numbers.data(), static_cast<std::size_t>(count)}; }
    };

    void mark(Cell cell);
    void findChanges(const Board& board);
    // Adds the numbers of the cells in `rows`, of which the first in a row has the number firstOf(row).
    template <typename Number, typename FirstOf>
    void list(const Rows& rows, List<Number>& out, FirstOf firstOf) const;

    Grid grid_{0};
    int reach_ = 0;
    std::uint32_t onBoard_ = 0;
    std::array<Stone, kArea> stones_;
    Rows changedRows_, emptyRows_;
    List<Cell> changed_;
    List<std::uint16_t> empty_, ordered_;
    int touchedCount_ = 0;
    std::array<std::uint16_t, kArea> slotOf_;
};

}  // namespace fivestone

// The position a tree walks on: a board, with patterns when five in a row is played and they are wanted, and the moves
// that are worth a look there.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "position.hpp"
#include "random.hpp"
#include "rows.hpp"

namespace fivestone {

// A list of moves without allocation.
class MoveList {
   public:
    void clear() { count_ = 0; }
    void add(Cell cell) { cells_[count_++] = cell; }
    // Adds the cells of `rows` on a board of this size.
    void add(const Rows& rows, int size) {
        const auto firstOf = [](int row) { return row * kStride + kPad; };
        count_ = static_cast<int>(listCells(rows, size, cells_.data() + count_, firstOf) - cells_.data());
    }
    int size() const { return count_; }
    bool empty() const { return count_ == 0; }
    Cell operator[](int i) const { return cells_[i]; }
    std::span<const Cell> all() const { return {cells_.data(), static_cast<std::size_t>(count_)}; }
    void truncate(int count) { count_ = count_ < count ? count_ : count; }
    void shuffle(Random& random) {
        for (int i = count_; i > 1; --i) std::swap(cells_[i - 1], cells_[random.below(static_cast<std::uint32_t>(i))]);
    }
    template <typename Keep>
    void keep(Keep&& keep) {
        int kept = 0;
        for (int i = 0; i < count_; ++i)
            if (keep(cells_[i])) cells_[kept++] = cells_[i];
        count_ = kept;
    }

   private:
    int count_ = 0;
    std::array<Cell, kMaxCells + 8> cells_;
};

// What is known for certain about the side to move.
enum class Outlook : std::uint8_t { Open, Win, Loss, Draw };

struct Outline {
    Outlook outlook = Outlook::Open;
    // Some legal moves were left out for being far from all stones; all others left out are proven not to matter.
    bool limited = false;
};

class State {
   public:
    // `patterns` keeps threats (win length 5 only), `forced` lets them cut the moves, `near` leaves out cells far from
    // stones.
    State(const Board& board, bool patterns, bool forced, int near);

    const Board& board() const { return position_ ? position_->board() : *board_; }
    // Null without patterns.
    const Position* position() const { return position_ ? &*position_ : nullptr; }
    // For proof searches that leave it as it was.
    Position* position() { return position_ ? &*position_ : nullptr; }
    // Works out the threats of the position, which a jump leaves behind.
    void refresh() {
        if (position_) position_->refresh();
    }

    void push(Cell cell);
    void pop();
    // Moves pushed on top of the board the state was made from.
    int depth() const { return static_cast<int>(board().moves().size()) - base_; }
    void popTo(int depth);
    // Goes back to `depth` and plays `moves` from there.
    void jump(int depth, std::span<const Cell> moves);

    // The moves to consider and what is already certain. A won or lost position lists one move that shows it, a
    // finished one none.
    Outline outline(MoveList& moves);
    // Every legal move.
    void legalMoves(MoveList& moves) const;

   private:
    // Turns an empty cell into a full one and back.
    void flip(Cell cell) { occupied_[cell / kStride] ^= std::uint32_t{1} << (cell % kStride); }
    // The empty cells with a stone near on one of their lines.
    Rows near() const;
    void addEmpty(MoveList& moves, Rows rows) const;
    void dropForbidden(MoveList& moves) const;
    bool forcedMoves(MoveList& moves, Outline& outline);

    std::optional<Position> position_;
    std::optional<Board> board_;
    bool forced_;
    int distance_;
    int base_;  // moves of the board the state was made from
    Rows occupied_{};
};

}  // namespace fivestone

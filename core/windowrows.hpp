// Which row of the line net's table a window uses: the window with its centre, seen by the side to move, the same for a
// window and its mirror image. There are 22,143 rows for reach 4. Under Renju the two colours play by different rules,
// so each has rows of its own.
//
// A freestyle net also judges games where six in a row are no five, by the rows of the shorter windows within theirs.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "lines.hpp"
#include "types.hpp"

namespace fivestone {

class WindowRows {
   public:
    // The numbering of a rule, built at first use and shared.
    static const WindowRows& of(Rule rule);
    // How a net made for one rule numbers the windows of a game by another; null if it cannot judge such games.
    static const WindowRows* of(Rule net, Rule game);

    int count() const { return count_; }
    int reach() const { return reach_; }
    std::uint32_t row(Stone turn, Stone centre, Code code) const { return rows_[side(turn)][centre][code]; }
    // rows for one side to move and centre, indexed by code
    const std::uint32_t* table(Stone turn, Stone centre) const { return rows_[side(turn)][centre].data(); }

    // What a row stands for: the cells of one of its two windows from behind to ahead (0 empty, 1 own, 2 the
    // opponent's, 3 off the board), then 1 if the rows are those of White under Renju, else 0.
    std::span<const std::uint8_t> window(std::uint32_t row) const {
        return {windows_.data() + row * windowLength(), static_cast<std::size_t>(windowLength())};
    }
    int windowLength() const { return 2 * reach_ + 2; }

   private:
    explicit WindowRows(Rule rule);
    // The windows of `game`, which are longer, by the rows of `shorter`.
    WindowRows(const WindowRows& shorter, Rule game);
    void appendWindow(Code code, int centre, int player);

    int reach_;
    int count_ = 0;
    std::array<std::array<std::vector<std::uint32_t>, 3>, 2> rows_;
    std::vector<std::uint8_t> windows_;
};

}  // namespace fivestone

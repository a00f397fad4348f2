// Positions of the plain test programs, by the names of their stones.
#pragma once

#include <string_view>

#include "board.hpp"

namespace fivestone {

// "h8i9..." to the cells of a board.
inline void place(Board& board, std::string_view moves, Stone color) {
    for (std::size_t i = 0; i < moves.size();) {
        const int x = moves[i++] - 'a';
        int y = 0;
        while (i < moves.size() && moves[i] >= '0' && moves[i] <= '9') y = 10 * y + (moves[i++] - '0');
        board.place(cellAt(x, y - 1), color);
    }
}

}  // namespace fivestone

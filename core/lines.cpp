#include "lines.hpp"

#include <algorithm>

namespace fivestone {

WindowSide decodeSide(int side) {
    WindowSide result;
    while (side >= sideCount(result.length)) ++result.length;
    int digits = side - (result.length == 0 ? 0 : sideCount(result.length - 1));
    for (int i = 0; i < result.length; ++i, digits /= 3) result.stones[i] = static_cast<Stone>(digits % 3);
    return result;
}

int encodeSide(const WindowSide& side) {
    int digits = 0;
    for (int i = side.length; i-- > 0;) digits = 3 * digits + side.stones[i];
    return digits + (side.length == 0 ? 0 : sideCount(side.length - 1));
}

Code mirrorCode(Code code, int reach) {
    const Code sides = sideCount(reach);
    return code % sides * sides + code / sides;
}

Code swapColors(Code code, int reach) {
    const Code sides = sideCount(reach);
    const auto swapSide = [](int side) {
        WindowSide window = decodeSide(side);
        for (int i = 0; i < window.length; ++i)
            if (window.stones[i] != Empty) window.stones[i] = other(window.stones[i]);
        return encodeSide(window);
    };
    return swapSide(code / sides) * sides + swapSide(code % sides);
}

Lines::Lines(const Board& board) : reach_(reachOf(board.rule())), sides_(sideCount(reach_)) {
    codes_ = {};
    for (const Cell cell : board.cells())
        for (int direction = 0; direction < kDirections; ++direction) {
            const auto freeSide = [&](int step) {
                WindowSide side;
                while (side.length < reach_ && board.at(static_cast<Cell>(cell + (side.length + 1) * step)) != Wall)
                    ++side.length;
                return encodeSide(side);
            };
            codes_[cell][direction] = freeSide(-kSteps[direction]) * sides_ + freeSide(kSteps[direction]);
        }
    for (const Cell cell : board.cells())
        if (board.at(cell) != Empty) add(cell, board.at(cell));
}

}  // namespace fivestone

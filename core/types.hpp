// The words every other file of the core is written in: stones, rules, cells.
#pragma once

#include <cstdint>

namespace fivestone {

enum Stone : std::uint8_t { Empty = 0, Black = 1, White = 2, Wall = 3 };

constexpr Stone other(Stone color) {
    return static_cast<Stone>(3 - color);
}
// 0 for Black, 1 for White: the index of a colour in a pair of arrays.
constexpr int side(Stone color) {
    return color - 1;
}

enum class Rule : std::uint8_t { Freestyle, Standard, Renju, Caro, CaroExact };

// Boards live in a fixed padded square, so that a step along a line is a compile-time constant and
// a window of five cells each way never leaves the array.
constexpr int kMinSize = 3;
constexpr int kMaxSize = 20;
constexpr int kMaxCells = kMaxSize * kMaxSize;
constexpr int kPad = 5;
constexpr int kStride = 32;
constexpr int kArea = (kMaxSize + 2 * kPad) * kStride;

// A cell is an index into the padded square; cell 0 is always a wall and means "none".
using Cell = std::int16_t;
constexpr Cell kNoCell = 0;

constexpr int kDirections = 4;
constexpr int kSteps[kDirections] = {1, kStride, kStride + 1, kStride - 1};

constexpr Cell cellAt(int x, int y) {
    return static_cast<Cell>((y + kPad) * kStride + x + kPad);
}
constexpr int columnOf(Cell cell) {
    return cell % kStride - kPad;
}
constexpr int rowOf(Cell cell) {
    return cell / kStride - kPad;
}

}  // namespace fivestone

// The window codes: for every cell and each of the four directions, what stands on the line around it.
//
// A side of a window is the row of cells from the nearest to the farthest, as far as the board goes. It is numbered
// like a node of a ternary tree: with d cells on the board and s_j in {0 empty, 1 black, 2 white} at distance j,
//     side = (3^d - 1) / 2 + sum_j s_j 3^(j-1),
// so the weight of a stone depends on its distance alone and a push is a row of additions. With S sides there are,
//     code = behind * S + ahead      (behind: against the step of the direction; ahead: along it).
// The centre cell is not part of its code. S is 121 for reach 4 (freestyle) and 364 for reach 5 (all other rules, where
// the sixth cell decides about overlines and blocked ends).
#pragma once

#include <array>
#include <cstdint>

#include "board.hpp"

namespace fivestone {

using Code = std::uint32_t;

constexpr int kMaxReach = 5;
constexpr int reachOf(Rule rule) {
    return rule == Rule::Freestyle ? 4 : 5;
}

constexpr int powerOf3(int exponent) {
    return exponent == 0 ? 1 : 3 * powerOf3(exponent - 1);
}
// The number of different sides with at most `reach` cells on the board.
constexpr int sideCount(int reach) {
    return (powerOf3(reach + 1) - 1) / 2;
}
constexpr int codeCount(int reach) {
    return sideCount(reach) * sideCount(reach);
}

// The cells of one side of a window, nearest first; `length` of them are on the board.
struct WindowSide {
    int length = 0;
    std::array<Stone, kMaxReach> stones{};
};
WindowSide decodeSide(int side);
int encodeSide(const WindowSide& side);
// The code with the two sides exchanged, and with the two colours exchanged.
Code mirrorCode(Code code, int reach);
Code swapColors(Code code, int reach);

class Lines {
   public:
    explicit Lines(const Board& board);

    int reach() const { return reach_; }
    const std::array<Code, kDirections>& codes(Cell cell) const { return codes_[cell]; }

    void add(Cell cell, Stone color) { change(cell, Empty, color); }
    void remove(Cell cell, Stone color) { change(cell, color, Empty); }
    void change(Cell cell, Stone from, Stone to) { change(cell, static_cast<Code>(to) - static_cast<Code>(from)); }

   private:
    void change(Cell cell, Code amount) {
        if (reach_ == 4)
            change<4>(cell, amount);
        else
            change<5>(cell, amount);
    }
    // Codes of cells off the board change too; nobody reads them.
    template <int Reach>
    void change(Cell cell, Code amount) {
        for (int direction = 0; direction < kDirections; ++direction) {
            const int step = kSteps[direction];
            Code ahead = amount, behind = amount * sideCount(Reach);
            for (int distance = 1; distance <= Reach; ++distance) {
                codes_[cell + distance * step][direction] += behind;
                codes_[cell - distance * step][direction] += ahead;
                ahead *= 3;
                behind *= 3;
            }
        }
    }

    int reach_;
    Code sides_;
    alignas(32) std::array<std::array<Code, kDirections>, kArea> codes_;
};

}  // namespace fivestone

// After the rules of the Renju International Federation, section 9: a three counts only if it can become a straight
// four by a move that is itself allowed, which makes the double-three test recursive.
#include "renju.hpp"

#include <cstdlib>

namespace fivestone {
namespace {

using Stones = std::array<Stone, kArea>;

// A stone that is on the board for the time of one question.
class Trial {
   public:
    Trial(Stones& stones, int cell) : stones_(stones), cell_(cell) { stones_[cell_] = Black; }
    ~Trial() { stones_[cell_] = Empty; }
    Trial(const Trial&) = delete;
    Trial& operator=(const Trial&) = delete;

   private:
    Stones& stones_;
    int cell_;
};

int runLength(const Stones& stones, int cell, int step) {
    int ahead = cell, behind = cell;
    while (stones[ahead + step] == Black) ahead += step;
    while (stones[behind - step] == Black) behind -= step;
    return (ahead - behind) / step + 1;
}

// The empty cell that ends the run of Black stones through `cell` in the direction of `step`, or kNoCell.
int openEnd(const Stones& stones, int cell, int step) {
    while (stones[cell] == Black) cell += step;
    return stones[cell] == Empty ? cell : kNoCell;
}

bool makesFive(Stones& stones, int cell, int step) {
    if (stones[cell] != Empty) return false;
    Trial trial(stones, cell);
    return runLength(stones, cell, step) == 5;
}

// The points that turn the line through the Black stone on `cell` into exactly five including it: 0, 1 or 2 of them.
int fivePoints(Stones& stones, int cell, int step, int points[2]) {
    int count = 0;
    for (const int way : {-step, step}) {
        const int end = openEnd(stones, cell, way);
        if (end != kNoCell && makesFive(stones, end, step)) points[count++] = end;
    }
    return count;
}

int foursInLine(Stones& stones, int cell, int step) {
    int points[2];
    const int count = fivePoints(stones, cell, step, points);
    // The two ends of a straight four are one four.
    if (count == 2 && std::abs(points[0] - points[1]) == 5 * step) return 1;
    return count;
}

bool isStraightFour(Stones& stones, int cell, int step) {
    int points[2];
    return runLength(stones, cell, step) == 4 && fivePoints(stones, cell, step, points) == 2;
}

bool forbids(Stones& stones, int cell);

bool makesAnyFive(Stones& stones, int cell) {
    for (const int step : kSteps)
        if (makesFive(stones, cell, step)) return true;
    return false;
}

// Whether the line through the Black stone on `cell` is a three that a legal move turns into a straight four.
bool isRealThree(Stones& stones, int cell, int step) {
    for (const int way : {-step, step}) {
        const int end = openEnd(stones, cell, way);
        if (end == kNoCell) continue;
        bool straight;
        {
            Trial trial(stones, end);
            straight = isStraightFour(stones, end, step);
        }
        if (straight && !makesAnyFive(stones, end) && !forbids(stones, end)) return true;
    }
    return false;
}

bool forbids(Stones& stones, int cell) {
    if (makesAnyFive(stones, cell)) return false;
    Trial trial(stones, cell);
    int fours = 0, threes = 0;
    for (const int step : kSteps) {
        if (runLength(stones, cell, step) > 5) return true;
        const int found = foursInLine(stones, cell, step);
        fours += found;
        if (found == 0 && isRealThree(stones, cell, step)) ++threes;
    }
    return fours >= 2 || threes >= 2;
}

}  // namespace

bool renjuForbids(const Stones& stones, Cell cell) {
    Stones copy = stones;
    return forbids(copy, cell);
}

}  // namespace fivestone

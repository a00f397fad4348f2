#include "board.hpp"

#include "renju.hpp"

namespace fivestone {
namespace {

// splitmix64: a well-mixed function of its argument, so that keys need no table from a file.
constexpr std::uint64_t mix(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15ULL;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

constexpr auto kStoneKeys = [] {
    std::array<std::array<std::uint64_t, kArea>, 2> keys{};
    for (int color = 0; color < 2; ++color)
        for (int cell = 0; cell < kArea; ++cell) keys[color][cell] = mix(color * kArea + cell + 1);
    return keys;
}();
constexpr std::uint64_t kTurnKey = mix(0x7475726eULL);

}  // namespace

std::uint64_t stoneKey(Cell cell, Stone color) {
    return kStoneKeys[side(color)][cell];
}
std::uint64_t turnKey() {
    return kTurnKey;
}

Board::Board(int size, Rule rule, int winLength)
    : size_(size),
      winLength_(winLength),
      rule_(rule),
      hash_(mix((static_cast<std::uint64_t>(size) << 16) | (static_cast<std::uint64_t>(winLength) << 8) |
                static_cast<std::uint64_t>(rule))) {
    assert(size >= kMinSize && size <= kMaxSize && winLength <= size);
    stones_.fill(Wall);
    int next = 0;
    for (int y = 0; y < size; ++y)
        for (int x = 0; x < size; ++x) {
            cells_[next++] = cellAt(x, y);
            stones_[cellAt(x, y)] = Empty;
        }
    moves_.reserve(size * size);
}

void Board::push(Cell cell, bool wins) {
    assert(stones_[cell] == Empty && winner_ == Empty);
    const Stone color = turn_;
    assert(wins == this->wins(cell, color));
    if (wins) winner_ = color;
    stones_[cell] = color;
    hash_ ^= kStoneKeys[side(color)][cell] ^ kTurnKey;
    ++stoneCount_;
    moves_.push_back(cell);
    turn_ = other(color);
}

void Board::pop() {
    assert(!moves_.empty());
    const Cell cell = moves_.back();
    moves_.pop_back();
    turn_ = other(turn_);
    stones_[cell] = Empty;
    hash_ ^= kStoneKeys[side(turn_)][cell] ^ kTurnKey;
    --stoneCount_;
    winner_ = Empty;
}

void Board::pass() {
    turn_ = other(turn_);
    hash_ ^= kTurnKey;
}

void Board::place(Cell cell, Stone color) {
    assert(stones_[cell] == Empty && moves_.empty());
    stones_[cell] = color;
    hash_ ^= kStoneKeys[side(color)][cell];
    ++stoneCount_;
}

void Board::finishSetup(Stone turn) {
    if (turn != turn_) pass();
    for (const Cell cell : cells()) {
        const Stone color = stones_[cell];
        if (color == Empty || winner_ == other(turn)) continue;
        for (const int step : kSteps)
            if (lineWins(cell, step, color)) winner_ = color;
    }
}

// Whether the run of `color` through the cell, counting the cell itself as one of its stones, is a winning line.
bool Board::lineWins(Cell cell, int step, Stone color) const {
    int ahead = cell + step, behind = cell - step;
    while (stones_[ahead] == color) ahead += step;
    while (stones_[behind] == color) behind -= step;
    const int run = (ahead - behind) / step - 1;
    if (run < winLength_) return false;
    switch (rule_) {
        case Rule::Freestyle:
            return true;
        case Rule::Standard:
            return run == winLength_;
        case Rule::Renju:
            return color == White || run == winLength_;
        case Rule::Caro:
        case Rule::CaroExact: {
            const Stone foe = other(color);
            const bool blocked = stones_[ahead] == foe && stones_[behind] == foe;
            return !blocked && (rule_ == Rule::Caro || run == winLength_);
        }
    }
    return false;
}

bool Board::wins(Cell cell, Stone color) const {
    for (const int step : kSteps)
        if (lineWins(cell, step, color)) return true;
    return false;
}

bool Board::isForbidden(Cell cell) const {
    return rule_ == Rule::Renju && stones_[cell] == Empty && renjuForbids(stones_, cell);
}

bool Board::isLegal(Cell cell) const {
    return winner_ == Empty && stones_[cell] == Empty && !(rule_ == Rule::Renju && turn_ == Black && isForbidden(cell));
}

bool Board::hasLegalMove() const {
    if (winner_ != Empty || emptyCount() == 0) return false;
    if (rule_ != Rule::Renju || turn_ != Black) return true;
    for (const Cell cell : cells())
        if (isLegal(cell)) return true;
    return false;
}

// Whether the window of winLength cells from `start` can still become a winning line of `color`.
bool Board::windowOpen(Cell start, int step, Stone color, int movesLeft) const {
    const Stone foe = other(color);
    int own = 0;
    for (int i = 0; i < winLength_; ++i) {
        const Stone stone = stones_[start + i * step];
        if (stone == foe || stone == Wall) return false;
        own += stone == color;
    }
    if (winLength_ - own > movesLeft) return false;
    int before = start - step, after = start + winLength_ * step;
    const bool exact = rule_ == Rule::Standard || rule_ == Rule::CaroExact || (rule_ == Rule::Renju && color == Black);
    if (exact && (stones_[before] == color || stones_[after] == color)) return false;
    if (rule_ != Rule::Caro && rule_ != Rule::CaroExact) return true;
    // The filled window joins the stones next to it; what blocks is what stands beyond them.
    while (stones_[before] == color) before -= step;
    while (stones_[after] == color) after += step;
    return stones_[before] != foe || stones_[after] != foe;
}

bool Board::anyWindowOpen(Stone color, int movesLeft) const {
    for (const Cell cell : cells())
        for (const int step : kSteps)
            if (windowOpen(cell, step, color, movesLeft)) return true;
    return false;
}

bool Board::isDeadDraw() const {
    if (winner_ != Empty) return false;
    const int empty = emptyCount();
    return !anyWindowOpen(turn_, (empty + 1) / 2) && !anyWindowOpen(other(turn_), empty / 2);
}

std::vector<Cell> Board::winningLine() const {
    if (winner_ == Empty) return {};
    const auto lineThrough = [this](Cell cell) {
        std::vector<Cell> line;
        for (const int step : kSteps) {
            if (stones_[cell] != winner_ || !lineWins(cell, step, winner_)) continue;
            int first = cell;
            while (stones_[first - step] == winner_) first -= step;
            for (int at = first; stones_[at] == winner_; at += step) line.push_back(static_cast<Cell>(at));
            break;
        }
        return line;
    };
    if (!moves_.empty()) return lineThrough(moves_.back());
    for (const Cell cell : cells())
        if (auto line = lineThrough(cell); !line.empty()) return line;
    return {};
}

}  // namespace fivestone

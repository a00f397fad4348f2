#include "rollout.hpp"

#include <algorithm>
#include <bit>

namespace fivestone {
namespace {

// Whether the mask holds kLength neighbouring bits.
template <int kLength>
bool hasRun(std::uint32_t mask) {
    const std::uint32_t pairs = mask & (mask >> 1);
    if constexpr (kLength == 3) return pairs & (mask >> 2);
    if constexpr (kLength == 4) return pairs & (pairs >> 2);
    if constexpr (kLength == 5) return pairs & (pairs >> 2) & (mask >> 4);
    if constexpr (kLength == 6) return pairs & (pairs >> 2) & (pairs >> 4);
}

}  // namespace

void Rollout::start(const Board& board) {
    size_ = board.size();
    winLength_ = board.winLength();
    rule_ = board.rule();
    hash_ = board.hash();
    lineCount_ = 2 * size_ + 2 * (2 * size_ - 1);
    lines_ = {};
    emptyCount_ = 0;
    moves_.clear();
    for (const Cell cell : board.cells()) {
        const int x = columnOf(cell), y = rowOf(cell), diagonals = 2 * size_ - 1;
        Place& place = places_[cell];
        place.line = {static_cast<std::uint16_t>(y), static_cast<std::uint16_t>(size_ + x),
                      static_cast<std::uint16_t>(2 * size_ + x - y + size_ - 1),
                      static_cast<std::uint16_t>(2 * size_ + diagonals + x + y)};
        place.bit = {static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(y), static_cast<std::uint8_t>(y),
                     static_cast<std::uint8_t>(y)};
        if (board.isEmpty(cell))
            cells_[emptyCount_++] = cell;
        else
            toggle(lines_, cell, board.at(cell));
    }
    int last = emptyCount_ + static_cast<int>(board.moves().size());
    for (const Cell cell : board.moves()) {
        moves_.push_back({cell, board.at(cell)});
        cells_[--last] = cell;
    }
}

void Rollout::toggle(Lines& lines, Cell cell, Stone color) const {
    const Place& place = places_[cell];
    for (int direction = 0; direction < kDirections; ++direction)
        lines[side(color)][place.line[direction]] ^= 1u << place.bit[direction];
}

void Rollout::push(Cell cell, Stone color) {
    Cell* found = std::find(cells_.data(), cells_.data() + emptyCount_, cell);
    std::swap(*found, cells_[--emptyCount_]);
    toggle(lines_, cell, color);
    hash_ ^= stoneKey(cell, color) ^ turnKey();
    moves_.push_back({cell, color});
}

void Rollout::pop() {
    const auto [cell, color] = moves_.back();
    moves_.pop_back();
    ++emptyCount_;
    toggle(lines_, cell, color);
    hash_ ^= stoneKey(cell, color) ^ turnKey();
}

// From the position of the last call to this one: walks of a tree differ in few moves. The hash tells when that is not
// all.
void Rollout::follow(const Board& board) {
    const auto moves = board.moves();
    if (board.size() == size_ && !moves_.empty()) {
        std::size_t same = 0;
        while (same < moves_.size() && same < moves.size() && moves_[same].cell == moves[same] &&
               moves_[same].color == board.at(moves[same]))
            ++same;
        while (moves_.size() > same) pop();
        bool possible = true;
        for (std::size_t i = same; i < moves.size() && possible; ++i) {
            possible = std::find(cells_.data(), cells_.data() + emptyCount_, moves[i]) != cells_.data() + emptyCount_;
            if (possible) push(moves[i], board.at(moves[i]));
        }
        if (possible && hash_ == board.hash()) return;
    }
    start(board);
}

Stone Rollout::play(const Board& board) {
    if (board.rule() == Rule::Renju) return playRenju(board);
    follow(board);
    const bool freestyle = rule_ == Rule::Freestyle;
    switch (winLength_) {
        case 3:
            return freestyle ? playOut<3, true>(board.turn()) : playOut<3, false>(board.turn());
        case 4:
            return freestyle ? playOut<4, true>(board.turn()) : playOut<4, false>(board.turn());
        case 5:
            return freestyle ? playOut<5, true>(board.turn()) : playOut<5, false>(board.turn());
        default:
            return freestyle ? playOut<6, true>(board.turn()) : playOut<6, false>(board.turn());
    }
}

template <int kLength, bool kFreestyle>
Stone Rollout::playOut(Stone turn) {
    for (int i = 0; i < 2; ++i) std::copy_n(lines_[i].data(), lineCount_, playing_[i].data());
    Stone color = turn;
    for (int left = emptyCount_; left > 0; color = other(color)) {
        Cell& drawn = cells_[random_.below(left)];
        const Cell cell = drawn;
        std::swap(drawn, cells_[--left]);
        const Place& place = places_[cell];
        auto& lines = playing_[side(color)];
        bool run = false;
        for (int direction = 0; direction < kDirections; ++direction) {
            std::uint32_t& line = lines[place.line[direction]];
            line |= 1u << place.bit[direction];
            run |= hasRun<kLength>(line);
        }
        if (run && (kFreestyle || winsExactly(playing_, cell, color))) return color;
    }
    return Empty;
}

// Puts the stone on the lines being played and tells whether it completes one.
bool Rollout::completes(Cell cell, Stone color) {
    const Place& place = places_[cell];
    bool run = false;
    for (int direction = 0; direction < kDirections; ++direction) {
        std::uint32_t& line = playing_[side(color)][place.line[direction]];
        line |= 1u << place.bit[direction];
        const int bit = place.bit[direction];
        run |= std::countr_one(line >> bit) + std::countl_one(line << (31 - bit)) > winLength_;
    }
    return run && (rule_ == Rule::Freestyle || winsExactly(playing_, cell, color));
}

// Renju's forbidden cells are not looked at here: the fives that decide a misere game are the same.
Stone Rollout::playMisere(const Board& board) {
    follow(board);
    playing_ = lines_;
    Stone color = board.turn();
    for (int left = emptyCount_; left > 0; --left, color = other(color)) {
        // Cells found to complete a line wait at the end of those left.
        int untried = left;
        bool completed = true;
        while (untried > 0 && completed) {
            const int drawn = static_cast<int>(random_.below(static_cast<std::uint32_t>(untried)));
            const Cell cell = cells_[drawn];
            completed = completes(cell, color);
            if (completed) {
                toggle(playing_, cell, color);
                std::swap(cells_[drawn], cells_[--untried]);
            } else {
                std::swap(cells_[drawn], cells_[left - 1]);
            }
        }
        if (completed) return color;
    }
    return Empty;
}

// The rules that look at the ends of a run, for the rare stone that may have completed one.
bool Rollout::winsExactly(const Lines& lines, Cell cell, Stone color) const {
    const Place& place = places_[cell];
    for (int direction = 0; direction < kDirections; ++direction) {
        const int bit = place.bit[direction];
        const std::uint32_t own = lines[side(color)][place.line[direction]];
        const std::uint32_t foe = lines[side(other(color))][place.line[direction]];
        const int ahead = std::countr_one(own >> bit) - 1, behind = std::countl_one(own << (31 - bit)) - 1;
        const int run = ahead + behind + 1;
        if (run < winLength_) continue;
        const bool exact = rule_ == Rule::Standard || rule_ == Rule::CaroExact;
        if (exact && run != winLength_) continue;
        if (rule_ == Rule::Renju && color == Black && run != winLength_) continue;
        if (rule_ == Rule::Standard || rule_ == Rule::Renju) return true;
        const int first = bit - behind, last = bit + ahead;
        const bool blocked = first > 0 && (foe >> (first - 1) & 1) && (foe >> (last + 1) & 1);
        if (!blocked) return true;
    }
    return false;
}

// Under Renju every move of Black's has to be looked at, so this plays on the board itself.
Stone Rollout::playRenju(const Board& board) {
    Board playing = board;
    std::vector<Cell> cells;
    for (const Cell cell : board.cells())
        if (board.isEmpty(cell)) cells.push_back(cell);
    while (!cells.empty()) {
        std::size_t left = cells.size();
        Cell cell = kNoCell;
        while (left > 0 && cell == kNoCell) {
            Cell& drawn = cells[random_.below(static_cast<std::uint32_t>(left))];
            std::swap(drawn, cells[--left]);
            if (playing.isLegal(cells[left])) cell = cells[left];
        }
        if (cell == kNoCell) return Empty;
        std::swap(cells[left], cells.back());
        cells.pop_back();
        playing.push(cell);
        if (playing.winner() != Empty) return playing.winner();
    }
    return Empty;
}

}  // namespace fivestone

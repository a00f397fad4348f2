#include "seen.hpp"

#include <bit>
#include <cassert>
#include <cstring>

namespace fivestone {
namespace {

constexpr int kWord = sizeof(std::uint64_t);

// The places of the bits of every byte: with them a list grows by a byte of cells at a time, without a branch for each
// cell, which nothing could predict.
struct BitPlaces {
    std::array<std::array<std::uint16_t, 8>, 256> places{};
    std::array<std::uint8_t, 256> counts{};

    constexpr BitPlaces() {
        for (unsigned byte = 0; byte < 256; ++byte)
            for (unsigned bit = 0; bit < 8; ++bit)
                if (byte >> bit & 1) places[byte][counts[byte]++] = static_cast<std::uint16_t>(bit);
    }
};
constexpr BitPlaces kBits;

// The first byte in memory that is not zero.
int firstByte(std::uint64_t word) {
    return (std::endian::native == std::endian::little ? std::countr_zero(word) : std::countl_zero(word)) / 8;
}

}  // namespace

void SeenBoard::prepare(int size, int reach) {
    grid_ = Grid(size);
    reach_ = reach;
    onBoard_ = ((std::uint32_t{1} << size) - 1) << kPad;
    stones_.fill(Wall);  // no cell on the board has this, so all are changed
    emptyRows_.fill(0);
    slotOf_.fill(0);
    for (int y = 0; y < size; ++y)
        for (int x = 0; x < size; ++x) slotOf_[cellAt(x, y)] = grid_.slotOf(cellAt(x, y));
}

// The cell and those that have it in one of their windows.
inline void SeenBoard::mark(Cell cell) {
    const int row = cell / kStride;
    const std::uint32_t here = std::uint32_t{1} << (cell % kStride);
    std::uint32_t across = here;
    for (int distance = 1; distance <= reach_; ++distance) {
        const std::uint32_t sides = here << distance | here >> distance;
        across |= sides;
        changedRows_[row + distance] |= here | sides;
        changedRows_[row - distance] |= here | sides;
    }
    changedRows_[row] |= across;
}

template <typename Number, typename FirstOf>
inline void SeenBoard::list(const Rows& rows, List<Number>& out, FirstOf firstOf) const {
    constexpr std::uint64_t kEach = 0x0001000100010001;
    Number* to = out.numbers.data() + out.count;
    for (int row = kPad; row < kPad + grid_.size; ++row) {
        const int first = firstOf(row);
        for (int x = 0; x < grid_.size; x += 8) {
            const unsigned byte = rows[row] >> (kPad + x) & 255;
            std::uint64_t words[2];
            std::memcpy(words, kBits.places[byte].data(), sizeof words);
            for (std::uint64_t& word : words) word += static_cast<std::uint64_t>(first + x) * kEach;
            std::memcpy(to, words, sizeof words);
            to += kBits.counts[byte];
        }
    }
    out.count = static_cast<int>(to - out.numbers.data());
}

void SeenBoard::findChanges(const Board& board) {
    static_assert(sizeof(Stone) == 1 && kPad + 3 * kWord <= kStride && 3 * kWord >= kMaxSize);
    const int end = kPad + grid_.size;
    changedRows_.fill(0);
    const Stone* now = board.stones().data();
    for (int row = kPad; row < end; ++row)
        for (int at = row * kStride + kPad; at < row * kStride + end; at += kWord) {
            std::uint64_t word, seen;
            std::memcpy(&word, now + at, kWord);
            std::memcpy(&seen, stones_.data() + at, kWord);
            while (word != seen) {
                const int cell = at + firstByte(word ^ seen);
                const bool flips = (now[cell] == Empty) != (stones_[cell] == Empty);
                emptyRows_[row] ^= static_cast<std::uint32_t>(flips) << (cell % kStride);
                mark(static_cast<Cell>(cell));
                stones_[cell] = now[cell];
                std::memcpy(&seen, stones_.data() + at, kWord);
            }
        }
    for (int row = 0; row < kPad; ++row) changedRows_[row] = changedRows_[end + row] = 0;
    for (int row = kPad; row < end; ++row) changedRows_[row] &= onBoard_;
}

void SeenBoard::update(const Board& board) {
    assert(board.size() == grid_.size);
    findChanges(board);
    const int end = kPad + grid_.size;
    Rows wide, touched, untouched;
    for (int row = kPad - 1; row <= end; ++row)
        wide[row] = changedRows_[row] | changedRows_[row] << 1 | changedRows_[row] >> 1;
    for (int row = kPad; row < end; ++row) {
        touched[row] = (wide[row - 1] | wide[row] | wide[row + 1]) & emptyRows_[row];
        untouched[row] = emptyRows_[row] & ~touched[row];
    }
    changed_.count = empty_.count = 0;
    list(changedRows_, changed_, [](int row) { return row * kStride + kPad; });
    const auto firstSlot = [&](int row) { return slotOf_[row * kStride + kPad]; };
    list(touched, empty_, firstSlot);
    touchedCount_ = empty_.count;
    list(untouched, empty_, firstSlot);
}

std::span<const std::uint16_t> SeenBoard::emptySlotsInOrder() {
    ordered_.count = 0;
    list(emptyRows_, ordered_, [&](int row) { return slotOf_[row * kStride + kPad]; });
    return ordered_.all();
}

}  // namespace fivestone

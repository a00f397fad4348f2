// Cells as bits, a word for each row of the padded square: what holds for many cells at once is worked out a row at a
// time, in loops that compilers turn into vector instructions.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

#include "cellset.hpp"
#include "types.hpp"

namespace fivestone {

using Rows = std::array<std::uint32_t, CellSet::kRows>;

// The columns of a board.
constexpr std::uint32_t columnsOf(int size) {
    return ((std::uint32_t{1} << size) - 1) << kPad;
}

// The cells of `rows` on a board of this size, and those that have one of them within Reach on one of their lines. Rows
// off the board are undefined.
template <int Reach>
Rows starsOf(const Rows& rows, int size) {
    static_assert(Reach <= kPad && kMaxSize % 4 == 0);
    const std::uint32_t columns = columnsOf(size);
    const int end = kPad + (size + 3) / 4 * 4;  // whole vectors
    Rows stars{};
    for (int row = kPad; row < end; ++row) {
        std::uint32_t cells = rows[row];
        for (int distance = 1; distance <= Reach; ++distance) {
            const std::uint32_t ends = rows[row - distance] | rows[row + distance], all = ends | rows[row];
            cells |= ends | all << distance | all >> distance;
        }
        stars[row] = cells & columns;
    }
    return stars;
}

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
inline constexpr BitPlaces kBitPlaces;

// Writes the numbers of the cells in `rows` on a board of this size, where the first cell of a row has the number
// firstOf(row); returns the end. Up to eight numbers after it are overwritten.
template <typename Number, typename FirstOf>
Number* listCells(const Rows& rows, int size, Number* to, FirstOf firstOf) {
    static_assert(sizeof(Number) == sizeof(std::uint16_t));
    constexpr std::uint64_t kEach = 0x0001000100010001;
    for (int row = kPad; row < kPad + size; ++row) {
        const int first = firstOf(row);
        for (int x = 0; x < size; x += 8) {
            const unsigned byte = rows[row] >> (kPad + x) & 255;
            std::uint64_t words[2];
            std::memcpy(words, kBitPlaces.places[byte].data(), sizeof words);
            for (std::uint64_t& word : words) word += static_cast<std::uint64_t>(first + x) * kEach;
            std::memcpy(to, words, sizeof words);
            to += kBitPlaces.counts[byte];
        }
    }
    return to;
}

}  // namespace fivestone

// A set of cells of the padded square, one bit each.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "types.hpp"

namespace fivestone {

class CellSet {
   public:
    bool contains(Cell cell) const { return (words_[cell >> 6] >> (cell & 63)) & 1; }
    void flip(Cell cell) { words_[cell >> 6] ^= bit(cell); }
    void insert(Cell cell) { words_[cell >> 6] |= bit(cell); }
    void erase(Cell cell) { words_[cell >> 6] &= ~bit(cell); }
    void clear() { words_ = {}; }

    bool empty() const {
        std::uint64_t any = 0;
        for (const std::uint64_t word : words_) any |= word;
        return any == 0;
    }
    int size() const {
        int count = 0;
        for (const std::uint64_t word : words_) count += std::popcount(word);
        return count;
    }
    // The lowest cell, or kNoCell.
    Cell first() const {
        for (int i = 0; i < kWords; ++i)
            if (words_[i] != 0) return static_cast<Cell>(64 * i + std::countr_zero(words_[i]));
        return kNoCell;
    }
    template <typename Visit>
    void forEach(Visit visit) const {
        for (int i = 0; i < kWords; ++i)
            for (std::uint64_t word = words_[i]; word != 0; word &= word - 1)
                visit(static_cast<Cell>(64 * i + std::countr_zero(word)));
    }
    // The cells that are in one of two sets only.
    friend CellSet operator^(CellSet a, const CellSet& b) {
        for (int i = 0; i < kWords; ++i) a.words_[i] ^= b.words_[i];
        return a;
    }
    friend CellSet operator|(CellSet a, const CellSet& b) { return a |= b; }
    CellSet& operator|=(const CellSet& other) {
        for (int i = 0; i < kWords; ++i) words_[i] |= other.words_[i];
        return *this;
    }
    CellSet& operator&=(const CellSet& other) {
        for (int i = 0; i < kWords; ++i) words_[i] &= other.words_[i];
        return *this;
    }
    bool operator==(const CellSet&) const = default;

    // A row of the padded square, a bit a column.
    static constexpr int kRows = kArea / kStride;
    std::array<std::uint32_t, kRows> rows() const {
        std::array<std::uint32_t, kRows> rows;
        if constexpr (std::endian::native == std::endian::little)
            std::memcpy(rows.data(), words_.data(), sizeof rows);
        else
            for (int i = 0; i < kRows; ++i) rows[i] = row(i);
        return rows;
    }
    std::uint32_t row(int index) const { return static_cast<std::uint32_t>(words_[index >> 1] >> (32 * (index & 1))); }
    void setRow(int index, std::uint32_t cells) {
        const int shift = 32 * (index & 1);
        const std::uint64_t others = ~(std::uint64_t{0xffffffff} << shift);
        words_[index >> 1] = (words_[index >> 1] & others) | (static_cast<std::uint64_t>(cells) << shift);
    }

   private:
    static_assert(kStride == 32);
    static constexpr int kWords = kArea / 64;
    static_assert(kArea % 64 == 0);
    static constexpr std::uint64_t bit(Cell cell) { return std::uint64_t{1} << (cell & 63); }

    std::array<std::uint64_t, kWords> words_{};
};

}  // namespace fivestone

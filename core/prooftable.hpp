// What a proof search has found out about positions, keyed by their hash, in bounded memory.
//
// Stones are only ever added, so a verdict depends on the position alone, not on the way to it, and stays true for
// later searches with the same table.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "types.hpp"

namespace fivestone {

struct ProofEntry {
    enum Kind : std::uint8_t { None, Win, NoWin };
    // `depth` of a NoWin that no deeper search can change.
    static constexpr std::uint8_t kFinal = 255;

    std::uint64_t key = 0;
    Cell move = kNoCell;
    std::uint8_t depth = 0;  // of a Win: its length; of a NoWin: the depth that was searched
    Kind kind = None;
    std::uint8_t generation = 0;
};

class ProofTable {
   public:
    explicit ProofTable(std::size_t bytes)
        : buckets_(std::max<std::size_t>(1, std::bit_floor(bytes / sizeof(Bucket)))), mask_(buckets_.size() - 1) {}

    void clear() { std::fill(buckets_.begin(), buckets_.end(), Bucket{}); }
    // Entries of earlier generations stay valid but are the first to be replaced.
    void newGeneration() { ++generation_; }

    const ProofEntry* find(std::uint64_t key) const {
        for (const ProofEntry& entry : buckets_[key & mask_])
            if (entry.key == key && entry.kind != ProofEntry::None) return &entry;
        return nullptr;
    }

    void store(std::uint64_t key, ProofEntry::Kind kind, int depth, Cell move) {
        Bucket& bucket = buckets_[key & mask_];
        ProofEntry* slot = &bucket[0];
        for (ProofEntry& entry : bucket) {
            if (entry.key == key) {
                slot = &entry;
                break;
            }
            if (worth(entry) < worth(*slot)) slot = &entry;
        }
        *slot = {key, move, static_cast<std::uint8_t>(std::min<int>(depth, ProofEntry::kFinal)), kind, generation_};
    }

   private:
    using Bucket = std::array<ProofEntry, 4>;

    // Deep and recent entries are kept; a win costs most to find again.
    int worth(const ProofEntry& entry) const {
        if (entry.kind == ProofEntry::None) return -1;
        const int age = static_cast<std::uint8_t>(generation_ - entry.generation);
        return entry.depth + (entry.kind == ProofEntry::Win ? 256 : 0) - 4 * age + 1024;
    }

    std::vector<Bucket> buckets_;
    std::uint64_t mask_;
    std::uint8_t generation_ = 0;
};

}  // namespace fivestone

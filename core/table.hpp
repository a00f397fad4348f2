// The transposition table: what a search found out about a position, shared by threads without locks.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "types.hpp"

namespace fivestone {

enum class Bound : std::uint8_t { None, Upper, Lower, Exact };

struct TableEntry {
    std::int16_t score = 0;   // proven scores count from this position, not from the root
    std::int16_t judged = 0;  // what the scorer said
    Cell move = kNoCell;
    std::int8_t depth = 0;
    Bound bound = Bound::None;
};

class Table {
   public:
    explicit Table(std::size_t megabytes);

    // Forgets everything.
    void clear();
    // Starts a new search: what is left of older ones gives way first.
    void age() { age_ = (age_ + 1) & kAgeMask; }

    bool find(std::uint64_t key, TableEntry& entry) const;
    void store(std::uint64_t key, const TableEntry& entry);
    std::size_t bytes() const { return buckets_ * sizeof(Bucket); }

   private:
    static constexpr int kWays = 4;
    static constexpr int kAgeMask = 63;
    // The key is kept xor the data, so that halves written by different threads never pass for an entry.
    struct Slot {
        std::atomic<std::uint64_t> check{0};
        std::atomic<std::uint64_t> data{0};
    };
    struct alignas(64) Bucket {
        Slot slots[kWays];
    };

    Bucket& bucketOf(std::uint64_t key) const;

    std::size_t buckets_;
    std::unique_ptr<Bucket[]> memory_;
    int age_ = 0;
};

}  // namespace fivestone

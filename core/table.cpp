#include "table.hpp"

#include <algorithm>
#include <bit>

namespace fivestone {
namespace {

// score 16, judged 16, move 16, depth 8, bound 2, age 6 bits.
std::uint64_t pack(const TableEntry& entry, int age) {
    const auto bits = [](auto value) { return static_cast<std::uint64_t>(static_cast<std::uint16_t>(value)); };
    return bits(entry.score) | bits(entry.judged) << 16 | bits(entry.move) << 32 |
           static_cast<std::uint64_t>(static_cast<std::uint8_t>(entry.depth)) << 48 |
           static_cast<std::uint64_t>(entry.bound) << 56 | static_cast<std::uint64_t>(age) << 58;
}

int depthOf(std::uint64_t data) {
    return static_cast<std::int8_t>(data >> 48);
}
int ageOf(std::uint64_t data) {
    return static_cast<int>(data >> 58);
}

TableEntry unpack(std::uint64_t data) {
    return {static_cast<std::int16_t>(data), static_cast<std::int16_t>(data >> 16), static_cast<Cell>(data >> 32),
            static_cast<std::int8_t>(data >> 48), static_cast<Bound>((data >> 56) & 3)};
}

}  // namespace

Table::Table(std::size_t megabytes)
    : buckets_(std::bit_floor(std::max<std::size_t>(1, megabytes) * (1 << 20) / sizeof(Bucket))),
      memory_(std::make_unique<Bucket[]>(buckets_)) {}

void Table::clear() {
    for (std::size_t i = 0; i < buckets_; ++i)
        for (Slot& slot : memory_[i].slots) {
            slot.check.store(0, std::memory_order_relaxed);
            slot.data.store(0, std::memory_order_relaxed);
        }
    age_ = 0;
}

// The keys of stones are well mixed, but the low bits of padded cells next to each other are as good as any.
Table::Bucket& Table::bucketOf(std::uint64_t key) const {
    return memory_[key & (buckets_ - 1)];
}

bool Table::find(std::uint64_t key, TableEntry& entry) const {
    for (const Slot& slot : bucketOf(key).slots) {
        const std::uint64_t data = slot.data.load(std::memory_order_relaxed);
        if ((slot.check.load(std::memory_order_relaxed) ^ data) != key || data == 0) continue;
        entry = unpack(data);
        return true;
    }
    return false;
}

// Takes the place of the same position if what is new is as deep or exact, else of the oldest and shallowest.
void Table::store(std::uint64_t key, const TableEntry& entry) {
    Slot* victim = nullptr;
    int least = 1 << 20;
    TableEntry kept = entry;
    for (Slot& slot : bucketOf(key).slots) {
        const std::uint64_t data = slot.data.load(std::memory_order_relaxed);
        if ((slot.check.load(std::memory_order_relaxed) ^ data) == key && data != 0) {
            if (entry.bound != Bound::Exact && entry.depth + 3 < depthOf(data) && ageOf(data) == age_) return;
            if (kept.move == kNoCell) kept.move = unpack(data).move;
            victim = &slot;
            break;
        }
        const int worth = data == 0 ? -(1 << 19) : depthOf(data) - 8 * ((age_ - ageOf(data)) & kAgeMask);
        if (worth < least) {
            least = worth;
            victim = &slot;
        }
    }
    const std::uint64_t data = pack(kept, age_);
    victim->data.store(data, std::memory_order_relaxed);
    victim->check.store(key ^ data, std::memory_order_relaxed);
}

}  // namespace fivestone

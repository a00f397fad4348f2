// The kernels of kernels16.hpp in terms of Shorts. Included by one translation unit for each instruction set; see
// kernels_lanes.hpp for why everything is in an unnamed namespace.
#pragma once

#include <cmath>

#include "kernels.hpp"
#include "kernels16.hpp"
#include "kernels16_lanes.hpp"

namespace fivestone {
namespace {

// kLeak for products that are divided by 2^15. A shift would do, but always rounds down, and means show it.
constexpr std::int16_t kLeak16 = static_cast<std::int16_t>(kLeak * 32768);

// One row of a net's width, W numbers.
template <int W>
struct Row16 {
    using Shorts = typename ShortsOfWidth<W>::Type;
    static constexpr int kParts = W / Shorts::kCount;
    Shorts part[kParts];

    template <typename Function>
    static Row16 each(Function function) {
        Row16 row;
        for (int i = 0; i < kParts; ++i) row.part[i] = function(i);
        return row;
    }
    static Row16 at(const std::int16_t* from) {
        return each([&](int i) { return Shorts::at(from + i * Shorts::kCount); });
    }
    static Row16 of(std::int16_t value) {
        return each([&](int) { return Shorts::all(value); });
    }
    void to(std::int16_t* out) const {
        for (int i = 0; i < kParts; ++i) part[i].to(out + i * Shorts::kCount);
    }
    friend Row16 operator+(const Row16& a, const Row16& b) {
        return each([&](int i) { return a.part[i].plus(b.part[i]); });
    }
    friend Row16 operator*(const Row16& a, const Row16& b) {
        return each([&](int i) { return a.part[i].times(b.part[i]); });
    }
    Row16 plusClipped(const Row16& a) const {
        return each([&](int i) { return part[i].plusClipped(a.part[i]); });
    }
    Row16 larger(const Row16& a) const {
        return each([&](int i) { return part[i].larger(a.part[i]); });
    }
    Row16 leaky() const {
        return each([&](int i) { return part[i].larger(part[i].times(Shorts::all(kLeak16))); });
    }
};

// W sums of 32 bits, for even and odd outputs.
template <int W>
struct Sums16 {
    using Shorts = typename ShortsOfWidth<W>::Type;
    using Ints = typename Shorts::Ints;
    static constexpr int kParts = W / Shorts::kCount;
    Ints evens[kParts], odds[kParts];

    static Sums16 at(const std::int32_t* from) {
        Sums16 sums;
        for (int i = 0; i < kParts; ++i) {
            sums.evens[i] = Shorts::intsAt(from + i * Shorts::kCount / 2);
            sums.odds[i] = Shorts::intsAt(from + W / 2 + i * Shorts::kCount / 2);
        }
        return sums;
    }
    static Sums16 of(std::int32_t value) {
        Sums16 sums;
        for (int i = 0; i < kParts; ++i) sums.evens[i] = sums.odds[i] = Shorts::ints(value);
        return sums;
    }
    // Adds a pair of inputs times the weights of a pair of rows.
    void accumulate(const std::int16_t* pair, const Row16<W>& evenWeights, const Row16<W>& oddWeights) {
        const Shorts factor = Shorts::pairs(pair);
        for (int i = 0; i < kParts; ++i) {
            evens[i] = Shorts::dot(evens[i], factor, evenWeights.part[i]);
            odds[i] = Shorts::dot(odds[i], factor, oddWeights.part[i]);
        }
    }
    // Adds a row to the sums.
    void add(const Row16<W>& row) {
        constexpr std::int16_t kEven[] = {1, 0}, kOdd[] = {0, 1};
        const Shorts even = Shorts::pairs(kEven), odd = Shorts::pairs(kOdd);
        for (int i = 0; i < kParts; ++i) {
            evens[i] = Shorts::dot(evens[i], row.part[i], even);
            odds[i] = Shorts::dot(odds[i], row.part[i], odd);
        }
    }
    void add(const Sums16& other) {
        for (int i = 0; i < kParts; ++i) {
            evens[i] = Shorts::add(evens[i], other.evens[i]);
            odds[i] = Shorts::add(odds[i], other.odds[i]);
        }
    }
    Row16<W> upper() const {
        return Row16<W>::each([&](int i) { return Shorts::upper(evens[i], odds[i]); });
    }
    // Times factors, in 16 bits.
    Row16<W> scaled(const float* factors) const {
        return Row16<W>::each([&](int i) {
            const float* at = factors + i * Shorts::kCount / 2;
            return Shorts::lower(Shorts::scaled(evens[i], at), Shorts::scaled(odds[i], at + W / 2));
        });
    }
};

template <int W>
void cells16(const CellInput16& in, std::int16_t* features) {
    for (int i = 0; i < in.count; ++i) {
        const int cell = in.cells[i];
        const std::uint32_t* rows = in.rows[in.stones[cell]];
        const std::uint32_t* codes = in.codes[cell];
        const auto row = [&](int direction) {
            return Row16<W>::at(in.table + rows[codes[direction]] * std::size_t{W});
        };
        ((row(0) + row(1)) + (row(2) + row(3))).leaky().to(features + in.slotOf[cell] * W);
    }
}

// The sum and the maximum of rows, in several places each so that no addition waits for the one before.
template <int W>
struct Pool16 {
    static constexpr int kPlaces = 2;
    Sums16<W> sums[kPlaces];
    Row16<W> highest[kPlaces];

    Pool16() {
        for (int k = 0; k < kPlaces; ++k) {
            sums[k] = Sums16<W>::of(0);
            highest[k] = Row16<W>::of(-32768);
        }
    }
    void add(int place, const Row16<W>& row) {
        sums[place].add(row);
        highest[place] = highest[place].larger(row);
    }
    // Adds row(0) to row(count - 1).
    template <typename RowAt>
    void addAll(int count, RowAt row) {
        int i = 0;
        for (; i + kPlaces <= count; i += kPlaces)
            for (int k = 0; k < kPlaces; ++k) add(k, row(i + k));
        for (; i < count; ++i) add(0, row(i));
    }
    // The mean and the maximum.
    void to(std::int16_t* out, const float* meanFactors) {
        for (int k = 1; k < kPlaces; ++k) {
            sums[0].add(sums[k]);
            highest[0] = highest[0].larger(highest[k]);
        }
        sums[0].scaled(meanFactors).to(out);
        highest[0].to(out + W);
    }
};

// Mixes `count` cells and adds what comes out to the pool.
template <int W>
void mix16(const HeadWeights16& net, const Planes16& planes, const std::uint16_t* slots, int count, Pool16<W>& pool) {
    const auto centre = Row16<W>::at(net.mix), edge = Row16<W>::at(net.mix + W), corner = Row16<W>::at(net.mix + 2 * W);
    const auto bias = Row16<W>::at(net.mixBias);
    const int up = planes.stride * W;
    pool.addAll(count, [&](int i) {
        const std::int16_t* at = planes.features + slots[i] * W;
        const auto row = [&](int offset) { return Row16<W>::at(at + offset); };
        const auto edges = (row(-W) + row(W)) + (row(-up) + row(up));
        const auto corners = (row(-up - W) + row(up + W)) + (row(-up + W) + row(up - W));
        const auto mixed = ((row(0) * centre + edges * edge) + (corners * corner + bias)).leaky();
        mixed.to(planes.mixed + slots[i] * W);
        return mixed;
    });
}

// The products of a block of cells with the hidden weights.
template <int W, int Block>
void products16(const HeadWeights16& net, const Planes16& planes, const std::uint16_t* slots) {
    Sums16<W> sums[Block];
    const std::int16_t* inputs[Block];
    for (int b = 0; b < Block; ++b) {
        sums[b] = Sums16<W>::of(1 << 15);
        inputs[b] = planes.mixed + slots[b] * W;
    }
#if defined(FIVESTONE_VNNI) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC unroll 16  // or GCC 12 copies every sum twice in every round
#endif
    for (int i = 0; i < W; i += 2) {
        const auto evens = Row16<W>::at(net.hidden + i * W), odds = Row16<W>::at(net.hidden + (i + 1) * W);
        for (int b = 0; b < Block; ++b) sums[b].accumulate(inputs[b] + i, evens, odds);
    }
    for (int b = 0; b < Block; ++b) sums[b].upper().to(planes.products + slots[b] * W);
}

// The mixed features and products of `count` cells, a block at a time. The last block repeats its first cell as often
// as it needs.
template <int W>
void touched16(const HeadWeights16& net, const Planes16& planes, const std::uint16_t* slots, int count,
               Pool16<W>& pool) {
    // As many cells at a time as there are registers for their sums.
    constexpr int kFit = Row16<W>::Shorts::kSums / (2 * Sums16<W>::kParts), kBlock = kFit > 0 ? kFit : 1;
    int first = 0;
    for (; first + kBlock <= count; first += kBlock) {
        mix16<W>(net, planes, slots + first, kBlock, pool);
        products16<W, kBlock>(net, planes, slots + first);
    }
    if (first == count) return;
    std::uint16_t last[kBlock];
    for (int b = 0; b < kBlock; ++b) last[b] = slots[first + b < count ? first + b : first];
    mix16<W>(net, planes, last, count - first, pool);
    products16<W, kBlock>(net, planes, last);
}

// in x layer, for `inputs` numbers (a multiple of 8). Four sums at a time, or each addition would wait for the one
// before.
template <int W>
Row16<W> dense16(const Dense16& layer, const std::int16_t* in, int inputs) {
    Sums16<W> sums[4] = {Sums16<W>::at(layer.bias), Sums16<W>::of(0), Sums16<W>::of(0), Sums16<W>::of(0)};
    for (int i = 0; i < inputs; i += 8)
        for (int k = 0; k < 4; ++k) {
            const std::int16_t* weights = layer.weights + (i + 2 * k) * W;
            sums[k].accumulate(in + i + 2 * k, Row16<W>::at(weights), Row16<W>::at(weights + W));
        }
    for (int k = 1; k < 4; ++k) sums[0].add(sums[k]);
    return sums[0].scaled(layer.factors);
}

// Partial sums of row . weights.
template <int W>
typename Row16<W>::Shorts::Ints dot16(const Row16<W>& row, const Row16<W>& weights) {
    using Shorts = typename Row16<W>::Shorts;
    auto sum = Shorts::dot(Shorts::ints(0), row.part[0], weights.part[0]);
    for (int p = 1; p < Row16<W>::kParts; ++p) sum = Shorts::dot(sum, row.part[p], weights.part[p]);
    return sum;
}

template <int W>
void outcome16(const HeadWeights16& net, const std::int16_t* pools, HeadOutput16& out) {
    using Shorts = typename Row16<W>::Shorts;
    constexpr int kTotals = Shorts::kCount / 2;
    const auto hidden = dense16<W>(net.value, pools, kPools * W).leaky();
    const auto part = [&](int k) { return dot16<W>(hidden, Row16<W>::at(net.outcome + k * W)); };
    typename Shorts::Ints fours[kTotals / 4];
    for (auto& four : fours) four = Shorts::ints(0);
    fours[0] = Shorts::four(part(0), part(1), part(2), Shorts::ints(0));
    std::int32_t totals[kTotals];
    Shorts::totals(fours, totals);
    float logits[3], highest = -1e30f, sum = 0.0f;
    for (int k = 0; k < 3; ++k) {
        logits[k] = static_cast<float>(totals[k] + net.outcomeBias[k]) * net.outcomeScale;
        if (logits[k] > highest) highest = logits[k];
    }
    for (int k = 0; k < 3; ++k) sum += out.outcome[k] = std::exp(logits[k] - highest);
    for (int k = 0; k < 3; ++k) out.outcome[k] /= sum;
}

// The logits of a block of cells; only the last block is not full.
template <int W, bool Full>
void logits16(const HeadWeights16& net, const Planes16& planes, const Row16<W>& shared, const Row16<W>& policy,
              const std::uint16_t* slots, int count, Pool16<W>& pool, float* logits) {
    using Shorts = typename Row16<W>::Shorts;
    using Ints = typename Shorts::Ints;
    constexpr int kTotals = Shorts::kCount / 2;
    const auto judge = [&](int i, int place) {
        const auto hidden = Row16<W>::at(planes.products + slots[i] * W).plusClipped(shared).leaky();
        pool.add(place, hidden);
        return dot16<W>(hidden, policy);
    };
    Ints fours[kTotals / 4];
    for (int f = 0; f < kTotals / 4; ++f) {
        Ints rows[4];
        for (int k = 0; k < 4; ++k)
            rows[k] = Full || 4 * f + k < count ? judge(4 * f + k, k % Pool16<W>::kPlaces) : Shorts::ints(0);
        fours[f] = Shorts::four(rows[0], rows[1], rows[2], rows[3]);
    }
    std::int32_t totals[kTotals];
    Shorts::totals(fours, totals);
    float values[kTotals];
    for (int i = 0; i < kTotals; ++i) values[i] = static_cast<float>(totals[i]) * net.logitScale;
    for (int i = 0; i < (Full ? kTotals : count); ++i) logits[slots[i]] = values[i];
}

template <int W>
void heads16(const HeadWeights16& net, const Planes16& planes, const Slots16& empty, HeadOutput16& out) {
    constexpr int kTotals = Row16<W>::Shorts::kCount / 2;  // logits summed up at a time
    std::int16_t pools[kPools * W];
    {
        Pool16<W> pool;
        touched16<W>(net, planes, empty.slots, empty.touched, pool);
        const std::uint16_t* others = empty.slots + empty.touched;
        pool.addAll(empty.count - empty.touched, [&](int i) { return Row16<W>::at(planes.mixed + others[i] * W); });
        pool.to(pools, net.meanFactors);
    }
    const auto shared = dense16<W>(net.context, pools, 2 * W), policy = Row16<W>::at(net.policy);
    Pool16<W> pool;
    int first = 0;
    for (; first + kTotals <= empty.count; first += kTotals)
        logits16<W, true>(net, planes, shared, policy, empty.slots + first, kTotals, pool, out.logits);
    if (first < empty.count)
        logits16<W, false>(net, planes, shared, policy, empty.slots + first, empty.count - first, pool, out.logits);
    pool.to(pools + 2 * W, net.meanFactors);
    outcome16<W>(net, pools, out);
}

template <int W>
constexpr Kernels16 kernels16Named(const char* name) {
    return {name, W, cells16<W>, heads16<W>};
}

// The kernels of this translation unit for a width, or null where there are none.
const Kernels16* kernels16OfWidth(int width, const char* name) {
    static const Kernels16 small = kernels16Named<16>(name), usual = kernels16Named<32>(name),
                           wide = kernels16Named<64>(name);
    return width == 16 ? &small : width == 32 ? &usual : width == 64 ? &wide : nullptr;
}

}  // namespace
}  // namespace fivestone

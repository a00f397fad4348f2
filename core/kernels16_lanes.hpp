// A register of 16-bit numbers (Shorts) and one of 32-bit sums (Ints), for each instruction set. Included by one
// translation unit for each; see kernels_lanes.hpp.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#if defined(FIVESTONE_AVX512) || defined(FIVESTONE_VNNI) || defined(FIVESTONE_AVX2)
#include <immintrin.h>
#endif

namespace fivestone {
namespace {

// Plain loops of eight, which compilers turn into whatever the machine has.
struct PlainShorts {
    static constexpr int kCount = 8;
    static constexpr int kSums = 8;  // registers to sum up in at a time
    struct Ints {
        std::int32_t v[kCount / 2];
    };
    std::int16_t v[kCount];

    template <typename Function>
    static PlainShorts each(Function function) {
        PlainShorts result;
        for (int i = 0; i < kCount; ++i) result.v[i] = static_cast<std::int16_t>(function(i));
        return result;
    }
    static PlainShorts at(const std::int16_t* from) {
        return each([&](int i) { return from[i]; });
    }
    static PlainShorts all(std::int16_t value) {
        return each([&](int) { return value; });
    }
    // value[0], value[1], value[0], ..
    static PlainShorts pairs(const std::int16_t* value) {
        return each([&](int i) { return value[i & 1]; });
    }
    void to(std::int16_t* out) const { std::memcpy(out, v, sizeof v); }
    PlainShorts plus(PlainShorts a) const {
        return each([&](int i) { return v[i] + a.v[i]; });
    }
    // Clipped to 16 bits.
    PlainShorts plusClipped(PlainShorts a) const {
        return each([&](int i) {
            const int sum = v[i] + a.v[i];
            return sum > 32767 ? 32767 : sum < -32768 ? -32768 : sum;
        });
    }
    // The product divided by 2^15, rounded.
    PlainShorts times(PlainShorts a) const {
        return each([&](int i) { return (v[i] * a.v[i] + (1 << 14)) >> 15; });
    }
    PlainShorts larger(PlainShorts a) const {
        return each([&](int i) { return v[i] > a.v[i] ? v[i] : a.v[i]; });
    }

    static Ints intsAt(const std::int32_t* from) {
        Ints result;
        std::memcpy(result.v, from, sizeof result.v);
        return result;
    }
    static Ints ints(std::int32_t value) {
        Ints result;
        for (std::int32_t& each : result.v) each = value;
        return result;
    }
    static Ints add(Ints a, Ints b) {
        for (int i = 0; i < kCount / 2; ++i) a.v[i] += b.v[i];
        return a;
    }
    static void store(std::int32_t* out, Ints a) { std::memcpy(out, a.v, sizeof a.v); }
    // sum + the products of neighbours, added in pairs
    static Ints dot(Ints sum, PlainShorts a, PlainShorts b) {
        for (int i = 0; i < kCount / 2; ++i) sum.v[i] += a.v[2 * i] * b.v[2 * i] + a.v[2 * i + 1] * b.v[2 * i + 1];
        return sum;
    }
    // Times the factors, rounded to even and clipped to 16 bits. One rounding each, so that all machines agree.
    static Ints scaled(Ints a, const float* factors) {
        for (int i = 0; i < kCount / 2; ++i) {
            const float value = static_cast<float>(a.v[i]) * factors[i];
            const float clipped = value > 32767.0f ? 32767.0f : value < -32767.0f ? -32767.0f : value;
            a.v[i] = static_cast<std::int32_t>(std::nearbyint(clipped));
        }
        return a;
    }
    // The lower halves of sums for even and odd outputs, and the upper ones.
    static PlainShorts lower(Ints evens, Ints odds) {
        return each([&](int i) { return (i % 2 == 0 ? evens : odds).v[i / 2]; });
    }
    static PlainShorts upper(Ints evens, Ints odds) {
        return each([&](int i) { return (i % 2 == 0 ? evens : odds).v[i / 2] >> 16; });
    }
    // What is left to add of four rows, and out[i] = the sum of all numbers in row i, from all rows in fours.
    static Ints four(Ints a, Ints b, Ints c, Ints d) {
        const auto sum = [](const Ints& row) { return (row.v[0] + row.v[1]) + (row.v[2] + row.v[3]); };
        return {{sum(a), sum(b), sum(c), sum(d)}};
    }
    static void totals(const Ints* fours, std::int32_t* out) { store(out, fours[0]); }
};

#if defined(FIVESTONE_AVX512) || defined(FIVESTONE_VNNI) || defined(FIVESTONE_AVX2)

struct Shorts256 {
    static constexpr int kCount = 16;
    static constexpr int kSums = 8;
    using Ints = __m256i;
    __m256i v;

    static Shorts256 at(const std::int16_t* from) {
        return {_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from))};
    }
    static Shorts256 all(std::int16_t value) { return {_mm256_set1_epi16(value)}; }
    static Shorts256 pairs(const std::int16_t* value) {
        std::int32_t both;
        std::memcpy(&both, value, sizeof both);
        return {_mm256_set1_epi32(both)};
    }
    void to(std::int16_t* out) const { _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), v); }
    Shorts256 plus(Shorts256 a) const { return {_mm256_add_epi16(v, a.v)}; }
    Shorts256 plusClipped(Shorts256 a) const { return {_mm256_adds_epi16(v, a.v)}; }
    Shorts256 times(Shorts256 a) const { return {_mm256_mulhrs_epi16(v, a.v)}; }
    Shorts256 larger(Shorts256 a) const { return {_mm256_max_epi16(v, a.v)}; }

    static Ints intsAt(const std::int32_t* from) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)); }
    static Ints ints(std::int32_t value) { return _mm256_set1_epi32(value); }
    static Ints add(Ints a, Ints b) { return _mm256_add_epi32(a, b); }
    static void store(std::int32_t* out, Ints a) { _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), a); }
    static Ints dot(Ints sum, Shorts256 a, Shorts256 b) {
#ifdef FIVESTONE_VNNI
        return _mm256_dpwssd_epi32(sum, a.v, b.v);
#else
        return _mm256_add_epi32(sum, _mm256_madd_epi16(a.v, b.v));
#endif
    }
    static Ints scaled(Ints a, const float* factors) {
        const auto value = _mm256_mul_ps(_mm256_cvtepi32_ps(a), _mm256_loadu_ps(factors));
        const auto most = _mm256_set1_ps(32767.0f), least = _mm256_set1_ps(-32767.0f);
        return _mm256_cvtps_epi32(_mm256_max_ps(_mm256_min_ps(value, most), least));
    }
    static Shorts256 lower(Ints evens, Ints odds) {
        return {_mm256_blend_epi16(evens, _mm256_slli_epi32(odds, 16), 0xaa)};
    }
    static Shorts256 upper(Ints evens, Ints odds) {
        return {_mm256_blend_epi16(_mm256_srli_epi32(evens, 16), odds, 0xaa)};
    }
    static Ints four(Ints a, Ints b, Ints c, Ints d) {
        return _mm256_hadd_epi32(_mm256_hadd_epi32(a, b), _mm256_hadd_epi32(c, d));
    }
    static void totals(const Ints* fours, std::int32_t* out) {
        store(out, _mm256_add_epi32(_mm256_permute2x128_si256(fours[0], fours[1], 0x20),
                                    _mm256_permute2x128_si256(fours[0], fours[1], 0x31)));
    }
};

#endif

#if defined(FIVESTONE_AVX512) || defined(FIVESTONE_VNNI)

struct Shorts512 {
    static constexpr int kCount = 32;
    static constexpr int kSums = 16;
    using Ints = __m512i;
    __m512i v;

    static Shorts512 at(const std::int16_t* from) { return {_mm512_loadu_si512(from)}; }
    static Shorts512 all(std::int16_t value) { return {_mm512_set1_epi16(value)}; }
    static Shorts512 pairs(const std::int16_t* value) {
        std::int32_t both;
        std::memcpy(&both, value, sizeof both);
        return {_mm512_set1_epi32(both)};
    }
    void to(std::int16_t* out) const { _mm512_storeu_si512(out, v); }
    Shorts512 plus(Shorts512 a) const { return {_mm512_add_epi16(v, a.v)}; }
    Shorts512 plusClipped(Shorts512 a) const { return {_mm512_adds_epi16(v, a.v)}; }
    Shorts512 times(Shorts512 a) const { return {_mm512_mulhrs_epi16(v, a.v)}; }
    Shorts512 larger(Shorts512 a) const { return {_mm512_max_epi16(v, a.v)}; }

    static Ints intsAt(const std::int32_t* from) { return _mm512_loadu_si512(from); }
    static Ints ints(std::int32_t value) { return _mm512_set1_epi32(value); }
    static Ints add(Ints a, Ints b) { return _mm512_add_epi32(a, b); }
    static void store(std::int32_t* out, Ints a) { _mm512_storeu_si512(out, a); }
    static Ints dot(Ints sum, Shorts512 a, Shorts512 b) {
#ifdef FIVESTONE_VNNI
        return _mm512_dpwssd_epi32(sum, a.v, b.v);
#else
        return _mm512_add_epi32(sum, _mm512_madd_epi16(a.v, b.v));
#endif
    }
    static Ints scaled(Ints a, const float* factors) {
        const auto value = _mm512_mul_ps(_mm512_cvtepi32_ps(a), _mm512_loadu_ps(factors));
        const auto most = _mm512_set1_ps(32767.0f), least = _mm512_set1_ps(-32767.0f);
        return _mm512_cvtps_epi32(_mm512_max_ps(_mm512_min_ps(value, most), least));
    }
    static Shorts512 lower(Ints evens, Ints odds) {
        return {_mm512_mask_blend_epi16(0xaaaaaaaau, evens, _mm512_slli_epi32(odds, 16))};
    }
    static Shorts512 upper(Ints evens, Ints odds) {
        return {_mm512_mask_blend_epi16(0xaaaaaaaau, _mm512_srli_epi32(evens, 16), odds)};
    }
    static Ints four(Ints a, Ints b, Ints c, Ints d) {
        const Ints first = _mm512_add_epi32(_mm512_unpacklo_epi32(a, b), _mm512_unpackhi_epi32(a, b));
        const Ints second = _mm512_add_epi32(_mm512_unpacklo_epi32(c, d), _mm512_unpackhi_epi32(c, d));
        return _mm512_add_epi32(_mm512_unpacklo_epi64(first, second), _mm512_unpackhi_epi64(first, second));
    }
    static void totals(const Ints* fours, std::int32_t* out) {
        const auto halves = [](Ints a, Ints b) {
            return _mm512_add_epi32(_mm512_shuffle_i32x4(a, b, 0x88), _mm512_shuffle_i32x4(a, b, 0xdd));
        };
        store(out, halves(halves(fours[0], fours[1]), halves(fours[2], fours[3])));
    }
};

#endif

// The widest register that a row of W numbers fills.
template <int W>
struct ShortsOfWidth {
#if defined(FIVESTONE_AVX512) || defined(FIVESTONE_VNNI)
    using Type = Shorts512;
#elif defined(FIVESTONE_AVX2)
    using Type = Shorts256;
#else
    using Type = PlainShorts;
#endif
};
#if defined(FIVESTONE_AVX512) || defined(FIVESTONE_VNNI)
template <>
struct ShortsOfWidth<16> {
    using Type = Shorts256;
};
#endif

}  // namespace
}  // namespace fivestone

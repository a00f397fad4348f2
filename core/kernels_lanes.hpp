// Lanes, a few floats in one register, for each instruction set, and the rows made of them. Included by one translation
// unit for each instruction set; everything is in an unnamed namespace and nothing of the standard library is
// instantiated, so that no code for a newer machine can leak into a function that others share.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#include "kernels.hpp"

#if defined(FIVESTONE_AVX512) || defined(FIVESTONE_AVX2)
#include <immintrin.h>
#endif

namespace fivestone {
namespace {

#if defined(FIVESTONE_AVX512)

constexpr int kLanes = 16;
constexpr int kBlock = 8;
struct Lanes {
    __m512 v;
};
inline Lanes load(const float* from) {
    return {_mm512_loadu_ps(from)};
}
inline void store(float* to, Lanes a) {
    _mm512_storeu_ps(to, a.v);
}
inline Lanes all(float value) {
    return {_mm512_set1_ps(value)};
}
inline Lanes operator+(Lanes a, Lanes b) {
    return {_mm512_add_ps(a.v, b.v)};
}
inline Lanes operator*(Lanes a, Lanes b) {
    return {_mm512_mul_ps(a.v, b.v)};
}
inline Lanes fma(Lanes a, Lanes b, Lanes c) {
    return {_mm512_fmadd_ps(a.v, b.v, c.v)};
}
inline Lanes larger(Lanes a, Lanes b) {
    return {_mm512_max_ps(a.v, b.v)};
}
inline float total(Lanes a) {
    return _mm512_reduce_add_ps(a.v);
}
// a where test is above zero, else b
inline Lanes whenPositive(Lanes test, Lanes a, Lanes b) {
    return {_mm512_mask_blend_ps(_mm512_cmp_ps_mask(test.v, _mm512_setzero_ps(), _CMP_GT_OQ), b.v, a.v)};
}
inline Lanes whenEqual(Lanes x, Lanes y, Lanes a, Lanes b) {
    return {_mm512_mask_blend_ps(_mm512_cmp_ps_mask(x.v, y.v, _CMP_EQ_OQ), b.v, a.v)};
}
inline Lanes roundToInt(Lanes a) {
    return {_mm512_roundscale_ps(a.v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)};
}
inline Lanes powerOf2(Lanes whole) {
    const __m512i exponent = _mm512_add_epi32(_mm512_cvtps_epi32(whole.v), _mm512_set1_epi32(127));
    return {_mm512_castsi512_ps(_mm512_slli_epi32(exponent, 23))};
}

#elif defined(FIVESTONE_AVX2)

constexpr int kLanes = 8;
constexpr int kBlock = 3;
struct Lanes {
    __m256 v;
};
inline Lanes load(const float* from) {
    return {_mm256_loadu_ps(from)};
}
inline void store(float* to, Lanes a) {
    _mm256_storeu_ps(to, a.v);
}
inline Lanes all(float value) {
    return {_mm256_set1_ps(value)};
}
inline Lanes operator+(Lanes a, Lanes b) {
    return {_mm256_add_ps(a.v, b.v)};
}
inline Lanes operator*(Lanes a, Lanes b) {
    return {_mm256_mul_ps(a.v, b.v)};
}
inline Lanes fma(Lanes a, Lanes b, Lanes c) {
    return {_mm256_fmadd_ps(a.v, b.v, c.v)};
}
inline Lanes larger(Lanes a, Lanes b) {
    return {_mm256_max_ps(a.v, b.v)};
}
inline float total(Lanes a) {
    __m128 half = _mm_add_ps(_mm256_castps256_ps128(a.v), _mm256_extractf128_ps(a.v, 1));
    half = _mm_add_ps(half, _mm_movehl_ps(half, half));
    return _mm_cvtss_f32(_mm_add_ss(half, _mm_movehdup_ps(half)));
}
inline Lanes whenPositive(Lanes test, Lanes a, Lanes b) {
    return {_mm256_blendv_ps(b.v, a.v, _mm256_cmp_ps(test.v, _mm256_setzero_ps(), _CMP_GT_OQ))};
}
inline Lanes whenEqual(Lanes x, Lanes y, Lanes a, Lanes b) {
    return {_mm256_blendv_ps(b.v, a.v, _mm256_cmp_ps(x.v, y.v, _CMP_EQ_OQ))};
}
inline Lanes roundToInt(Lanes a) {
    return {_mm256_round_ps(a.v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)};
}
inline Lanes powerOf2(Lanes whole) {
    const __m256i exponent = _mm256_add_epi32(_mm256_cvtps_epi32(whole.v), _mm256_set1_epi32(127));
    return {_mm256_castsi256_ps(_mm256_slli_epi32(exponent, 23))};
}

#else

// Plain loops of four, which compilers turn into whatever the machine has.
constexpr int kLanes = 4;
constexpr int kBlock = 1;
struct Lanes {
    float v[kLanes];
};
template <typename Function>
inline Lanes each(Function function) {
    Lanes result;
    for (int i = 0; i < kLanes; ++i) result.v[i] = function(i);
    return result;
}
inline Lanes load(const float* from) {
    return each([&](int i) { return from[i]; });
}
inline void store(float* to, Lanes a) {
    for (int i = 0; i < kLanes; ++i) to[i] = a.v[i];
}
inline Lanes all(float value) {
    return each([&](int) { return value; });
}
inline Lanes operator+(Lanes a, Lanes b) {
    return each([&](int i) { return a.v[i] + b.v[i]; });
}
inline Lanes operator*(Lanes a, Lanes b) {
    return each([&](int i) { return a.v[i] * b.v[i]; });
}
inline Lanes fma(Lanes a, Lanes b, Lanes c) {
    return each([&](int i) { return a.v[i] * b.v[i] + c.v[i]; });
}
inline Lanes larger(Lanes a, Lanes b) {
    return each([&](int i) { return a.v[i] > b.v[i] ? a.v[i] : b.v[i]; });
}
inline float total(Lanes a) {
    return (a.v[0] + a.v[1]) + (a.v[2] + a.v[3]);
}
inline Lanes whenPositive(Lanes test, Lanes a, Lanes b) {
    return each([&](int i) { return test.v[i] > 0.0f ? a.v[i] : b.v[i]; });
}
inline Lanes whenEqual(Lanes x, Lanes y, Lanes a, Lanes b) {
    return each([&](int i) { return x.v[i] == y.v[i] ? a.v[i] : b.v[i]; });
}
inline Lanes roundToInt(Lanes a) {
    return each([&](int i) { return std::nearbyint(a.v[i]); });
}
inline Lanes powerOf2(Lanes whole) {
    return each([&](int i) {
        const std::int32_t bits = (static_cast<std::int32_t>(whole.v[i]) + 127) << 23;
        float power;
        std::memcpy(&power, &bits, sizeof power);
        return power;
    });
}

#endif

// One row of a net's width, W floats.
template <int W>
struct Row {
    static constexpr int kParts = W / kLanes;
    Lanes part[kParts];

    static Row at(const float* from) {
        Row row;
        for (int i = 0; i < kParts; ++i) row.part[i] = load(from + i * kLanes);
        return row;
    }
    static Row of(float value) {
        Row row;
        for (int i = 0; i < kParts; ++i) row.part[i] = all(value);
        return row;
    }
    void to(float* out) const {
        for (int i = 0; i < kParts; ++i) store(out + i * kLanes, part[i]);
    }
    void addTo(float* out) const { (at(out) + *this).to(out); }

    friend Row operator+(const Row& a, const Row& b) {
        Row row;
        for (int i = 0; i < kParts; ++i) row.part[i] = a.part[i] + b.part[i];
        return row;
    }
    friend Row operator*(const Row& a, const Row& b) {
        Row row;
        for (int i = 0; i < kParts; ++i) row.part[i] = a.part[i] * b.part[i];
        return row;
    }
    friend Row operator*(float factor, const Row& a) { return of(factor) * a; }
    // *this += a * b
    void accumulate(const Row& a, const Row& b) {
        for (int i = 0; i < kParts; ++i) part[i] = fma(a.part[i], b.part[i], part[i]);
    }
    void accumulate(float factor, const float* row) {
        const Lanes lanes = all(factor);
        for (int i = 0; i < kParts; ++i) part[i] = fma(lanes, load(row + i * kLanes), part[i]);
    }
    void raiseTo(const Row& a) {
        for (int i = 0; i < kParts; ++i) part[i] = larger(part[i], a.part[i]);
    }
    Row leaky() const {
        Row row;
        for (int i = 0; i < kParts; ++i) row.part[i] = larger(part[i], part[i] * all(kLeak));
        return row;
    }
    // The gradient before leaky(), from the one after it and the value it gave (leaky keeps the sign).
    Row throughLeaky(const Row& value) const {
        Row row;
        for (int i = 0; i < kParts; ++i) row.part[i] = part[i] * whenPositive(value.part[i], all(1.0f), all(kLeak));
        return row;
    }
    // Takes out of *this, where `value` reaches `maximum` for the first time, the gradient of the maximum.
    Row takeWhere(const Row& value, const Row& maximum) {
        Row taken;
        for (int i = 0; i < kParts; ++i) {
            taken.part[i] = whenEqual(value.part[i], maximum.part[i], part[i], all(0.0f));
            part[i] = whenEqual(value.part[i], maximum.part[i], all(0.0f), part[i]);
        }
        return taken;
    }
    float sum() const {
        Lanes result = part[0];
        for (int i = 1; i < kParts; ++i) result = result + part[i];
        return total(result);
    }
};

}  // namespace
}  // namespace fivestone

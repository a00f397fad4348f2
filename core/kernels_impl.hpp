// The kernels in terms of Lanes, a few floats in one register. Included by one translation unit for each instruction
// set; everything is in an unnamed namespace and nothing of the standard library is instantiated, so that no code for a
// newer machine can leak into a function that others share.
#pragma once

#include <cmath>
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

template <int W>
void cells(const float* table, const std::uint32_t (*rows)[4], const std::uint16_t* slots, int count, const float* bias,
           float* features) {
    const auto offset = Row<W>::at(bias);
    for (int i = 0; i < count; ++i) {
        // Pairs that a symmetry of the board exchanges are added first: the sum is then the same to the last bit.
        const auto straight =
            Row<W>::at(table + rows[i][0] * std::size_t{W}) + Row<W>::at(table + rows[i][1] * std::size_t{W});
        const auto diagonal =
            Row<W>::at(table + rows[i][2] * std::size_t{W}) + Row<W>::at(table + rows[i][3] * std::size_t{W});
        (straight + diagonal + offset).leaky().to(features + slots[i] * W);
    }
}

// The sums over the neighbours of a slot that share a weight of the 3x3 mixing.
template <int W>
struct Neighbours {
    Row<W> centre, edges, corners;

    Neighbours(const float* at, int stride)
        : centre(Row<W>::at(at)),
          edges((Row<W>::at(at - W) + Row<W>::at(at + W)) +
                (Row<W>::at(at - stride * W) + Row<W>::at(at + stride * W))),
          corners((Row<W>::at(at - (stride + 1) * W) + Row<W>::at(at + (stride + 1) * W)) +
                  (Row<W>::at(at - (stride - 1) * W) + Row<W>::at(at + (stride - 1) * W))) {}
};

// out[0..count) = in x matrix (+ start), a block of rows at a time so that each load of the matrix serves several.
template <int W, int Block, typename Finish>
inline void product(const float* in, const float* matrix, const Row<W>& start, int first, const Finish& finish) {
    Row<W> rows[Block];
    for (int b = 0; b < Block; ++b) rows[b] = start;
    const float* from = in + first * W;
    for (int i = 0; i < W; ++i) {
        const auto weights = Row<W>::at(matrix + i * W);
        for (int b = 0; b < Block; ++b) {
            const Lanes factor = all(from[b * W + i]);
            for (int p = 0; p < Row<W>::kParts; ++p) rows[b].part[p] = fma(factor, weights.part[p], rows[b].part[p]);
        }
    }
    for (int b = 0; b < Block; ++b) finish(first + b, rows[b]);
}

template <int W, typename Finish>
inline void products(const float* in, const float* matrix, const Row<W>& start, int count, const Finish& finish) {
    int first = 0;
    for (; first + kBlock <= count; first += kBlock) product<W, kBlock>(in, matrix, start, first, finish);
    for (; first < count; ++first) product<W, 1>(in, matrix, start, first, finish);
}

// start + factors x matrix, for `count` rows of the matrix (a multiple of 4). Four sums at a time, or each addition
// would wait for the one before.
template <int W>
Row<W> weightedSum(const Row<W>& start, const float* factors, const float* matrix, int count) {
    Row<W> sums[4] = {start, Row<W>::of(0.0f), Row<W>::of(0.0f), Row<W>::of(0.0f)};
    for (int i = 0; i < count; i += 4)
        for (int k = 0; k < 4; ++k) sums[k].accumulate(factors[i + k], matrix + (i + k) * W);
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

// out[i] = row i of the matrix . gradient, for `count` rows: the way back through a product.
template <int W>
void backThrough(const float* matrix, const Row<W>& gradient, int count, float* out) {
    for (int i = 0; i < count; ++i) out[i] = (Row<W>::at(matrix + i * W) * gradient).sum();
}

template <int W>
void addOuter(const float* in, const Row<W>& gradient, int count, float* matrixGradient) {
    for (int i = 0; i < count; ++i) (in[i] * gradient).addTo(matrixGradient + i * W);
}

template <int W>
void valueHead(const HeadWeights& net, HeadOutput& out) {
    const auto hidden = weightedSum<W>(Row<W>::at(net.valueBias), out.pools, net.value, kPools * W).leaky();
    hidden.to(out.valueHidden);
    float logits[3], highest = -1e30f, sum = 0.0f;
    for (int k = 0; k < 3; ++k) {
        logits[k] = (hidden * Row<W>::at(net.outcome + k * W)).sum() + net.outcomeBias[k];
        if (logits[k] > highest) highest = logits[k];
    }
    for (int k = 0; k < 3; ++k) sum += out.outcome[k] = std::exp(logits[k] - highest);
    for (int k = 0; k < 3; ++k) out.outcome[k] /= sum;
}

template <int W>
void heads(const HeadWeights& net, const HeadInput& in, HeadOutput& out) {
    auto sum = Row<W>::of(0.0f), highest = Row<W>::of(-1e30f);
    {
        const auto centre = Row<W>::at(net.mix), edge = Row<W>::at(net.mix + W), corner = Row<W>::at(net.mix + 2 * W);
        const auto bias = Row<W>::at(net.mixBias);
        for (int i = 0; i < in.count; ++i) {
            const Neighbours<W> around(in.features + in.slots[i] * W, in.stride);
            auto mixed = bias;
            mixed.accumulate(around.centre, centre);
            mixed.accumulate(around.edges, edge);
            mixed.accumulate(around.corners, corner);
            mixed = mixed.leaky();
            mixed.to(out.mixed + i * W);
            sum = sum + mixed;
            highest.raiseTo(mixed);
        }
    }
    (in.perCell * sum).to(out.pools);
    highest.to(out.pools + W);

    const auto context = weightedSum<W>(Row<W>::at(net.hiddenBias), out.pools, net.context, 2 * W);
    sum = Row<W>::of(0.0f);
    highest = Row<W>::of(-1e30f);
    const auto policy = Row<W>::at(net.policy);
    products<W>(out.mixed, net.hidden, context, in.count, [&](int i, const Row<W>& before) {
        const auto hidden = before.leaky();
        if (out.hidden) hidden.to(out.hidden + i * W);
        out.logits[i] = (hidden * policy).sum();
        sum = sum + hidden;
        highest.raiseTo(hidden);
    });
    (in.perCell * sum).to(out.pools + 2 * W);
    highest.to(out.pools + 3 * W);
    valueHead<W>(net, out);
}

// matrixGradient += in^T x gradient over `count` rows, four rows of the matrix at a time.
template <int W>
void addProductGradient(const float* in, const float* gradient, int count, float* matrixGradient) {
    constexpr int kRows = 4;
    for (int i = 0; i < W; i += kRows) {
        Row<W> rows[kRows];
        for (int r = 0; r < kRows; ++r) rows[r] = Row<W>::at(matrixGradient + (i + r) * W);
        for (int c = 0; c < count; ++c) {
            const auto from = Row<W>::at(gradient + c * W);
            for (int r = 0; r < kRows; ++r) {
                const Lanes factor = all(in[c * W + i + r]);
                for (int p = 0; p < Row<W>::kParts; ++p) rows[r].part[p] = fma(factor, from.part[p], rows[r].part[p]);
            }
        }
        for (int r = 0; r < kRows; ++r) rows[r].to(matrixGradient + (i + r) * W);
    }
}

// The gradients of the four pools, from those of the value head's outcome.
template <int W>
void valueHeadGradient(const HeadWeights& net, const HeadOutput& out, HeadGradient& gradient, float* pools) {
    const auto hidden = Row<W>::at(out.valueHidden);
    auto back = Row<W>::of(0.0f);
    for (int k = 0; k < 3; ++k) {
        back.accumulate(gradient.outcomeLogits[k], net.outcome + k * W);
        (gradient.outcomeLogits[k] * hidden).addTo(gradient.outcome + k * W);
        gradient.outcomeBias[k] += gradient.outcomeLogits[k];
    }
    back = back.throughLeaky(hidden);
    back.addTo(gradient.valueBias);
    addOuter<W>(out.pools, back, kPools * W, gradient.value);
    backThrough<W>(net.value, back, kPools * W, pools);
}

template <int W>
void mixGradient(const HeadWeights& net, const HeadInput& in, const float* mixedGradient, HeadGradient& gradient) {
    const auto centre = Row<W>::at(net.mix), edge = Row<W>::at(net.mix + W), corner = Row<W>::at(net.mix + 2 * W);
    auto toCentre = Row<W>::of(0.0f), toEdge = toCentre, toCorner = toCentre, toBias = toCentre;
    const int stride = in.stride * W;
    for (int i = 0; i < in.count; ++i) {
        const auto from = Row<W>::at(mixedGradient + i * W);
        const Neighbours<W> around(in.features + in.slots[i] * W, in.stride);
        toCentre.accumulate(from, around.centre);
        toEdge.accumulate(from, around.edges);
        toCorner.accumulate(from, around.corners);
        toBias = toBias + from;
        float* at = gradient.features + in.slots[i] * W;
        (from * centre).addTo(at);
        const auto onEdge = from * edge, onCorner = from * corner;
        for (const int step : {-1 * W, 1 * W, -stride, stride}) onEdge.addTo(at + step);
        for (const int step : {-stride - W, stride + W, -stride + W, stride - W}) onCorner.addTo(at + step);
    }
    toCentre.addTo(gradient.mix);
    toEdge.addTo(gradient.mix + W);
    toCorner.addTo(gradient.mix + 2 * W);
    toBias.addTo(gradient.mixBias);
}

template <int W>
void headsGradient(const HeadWeights& net, const HeadInput& in, const HeadOutput& out, HeadGradient& gradient) {
    float pools[kPools * W], contextPools[2 * W];
    valueHeadGradient<W>(net, out, gradient, pools);

    float* hiddenGradient = gradient.scratch;
    float* mixedGradient = gradient.scratch + (in.count + kBlock) * W;
    auto shared = in.perCell * Row<W>::at(pools + 2 * W), peak = Row<W>::at(pools + 3 * W);
    auto highest = Row<W>::at(out.pools + 3 * W);
    auto toPolicy = Row<W>::of(0.0f), toContext = toPolicy;
    const auto policy = Row<W>::at(net.policy);
    for (int i = 0; i < in.count; ++i) {
        const auto hidden = Row<W>::at(out.hidden + i * W);
        toPolicy.accumulate(Row<W>::of(gradient.logits[i]), hidden);
        auto back = shared + peak.takeWhere(hidden, highest);
        back.accumulate(Row<W>::of(gradient.logits[i]), policy);
        back = back.throughLeaky(hidden);
        back.to(hiddenGradient + i * W);
        toContext = toContext + back;
    }
    toPolicy.addTo(gradient.policy);
    toContext.addTo(gradient.hiddenBias);
    addOuter<W>(out.pools, toContext, 2 * W, gradient.context);
    addProductGradient<W>(out.mixed, hiddenGradient, in.count, gradient.hidden);

    backThrough<W>(net.context, toContext, 2 * W, contextPools);
    shared = in.perCell * (Row<W>::at(pools) + Row<W>::at(contextPools));
    peak = Row<W>::at(pools + W) + Row<W>::at(contextPools + W);
    highest = Row<W>::at(out.pools + W);
    products<W>(hiddenGradient, gradient.hiddenTransposed, shared, in.count, [&](int i, const Row<W>& back) {
        const auto mixed = Row<W>::at(out.mixed + i * W);
        (back + peak.takeWhere(mixed, highest)).throughLeaky(mixed).to(mixedGradient + i * W);
    });
    mixGradient<W>(net, in, mixedGradient, gradient);
}

template <int W>
void cellsGradient(const float* features, const float* featureGradient, const std::uint32_t (*rows)[4],
                   const std::uint16_t* slots, int count, float* tableGradient, float* biasGradient) {
    auto toBias = Row<W>::of(0.0f);
    for (int i = 0; i < count; ++i) {
        const auto back = Row<W>::at(featureGradient + slots[i] * W).throughLeaky(Row<W>::at(features + slots[i] * W));
        toBias = toBias + back;
        for (int direction = 0; direction < 4; ++direction)
            back.addTo(tableGradient + rows[i][direction] * std::size_t{W});
    }
    toBias.addTo(biasGradient);
}

// The generator's hidden layer for a window read from behind and from ahead.
struct GeneratorHidden {
    Row<kGenerator> behind, ahead;

    GeneratorHidden(const GeneratorWeights& net, const std::uint8_t* window)
        : behind(Row<kGenerator>::at(net.bias)), ahead(behind) {
        const int cells = net.windowLength - 1;
        const auto input = [&](int place, int digit) {
            return Row<kGenerator>::at(net.input + (place * 4 + digit) * kGenerator);
        };
        for (int place = 0; place < cells; ++place) {
            behind = behind + input(place, window[place]);
            ahead = ahead + input(place, window[cells - 1 - place]);
        }
        const auto player = input(cells, window[cells]);
        behind = (behind + player).leaky();
        ahead = (ahead + player).leaky();
    }
};

template <int W>
void generate(const GeneratorWeights& net, const std::uint8_t* window, float* out) {
    const GeneratorHidden hidden(net, window);
    float both[kGenerator];
    (hidden.behind + hidden.ahead).to(both);
    auto row = Row<W>::at(out);
    for (int i = 0; i < kGenerator; ++i) row.accumulate(both[i], net.output + i * W);
    row.to(out);
}

template <int W>
void generateGradient(const GeneratorWeights& net, const std::uint8_t* window, const float* outGradient,
                      GeneratorGradient& gradient) {
    const GeneratorHidden hidden(net, window);
    float both[kGenerator], back[kGenerator];
    (hidden.behind + hidden.ahead).to(both);
    const auto from = Row<W>::at(outGradient);
    addOuter<W>(both, from, kGenerator, gradient.output);
    backThrough<W>(net.output, from, kGenerator, back);
    const auto toBoth = Row<kGenerator>::at(back);
    const auto toBehind = toBoth.throughLeaky(hidden.behind), toAhead = toBoth.throughLeaky(hidden.ahead);
    (toBehind + toAhead).addTo(gradient.bias);
    const int cells = net.windowLength - 1;
    const auto to = [&](int place, int digit) { return gradient.input + (place * 4 + digit) * kGenerator; };
    for (int place = 0; place < cells; ++place) {
        toBehind.addTo(to(place, window[place]));
        toAhead.addTo(to(place, window[cells - 1 - place]));
    }
    (toBehind + toAhead).addTo(to(cells, window[cells]));
}

// e^x for x <= 0 to about seven digits: 2^n times a polynomial on what is left.
inline Lanes exponential(Lanes x) {
    x = larger(x, all(-87.0f));
    const Lanes whole = roundToInt(x * all(1.44269504f));
    const Lanes rest = fma(whole, all(2.12194440e-4f), fma(whole, all(-0.693359375f), x));
    Lanes sum = all(1.9875691500e-4f);
    for (const float coefficient :
         {1.3981999507e-3f, 8.3334519073e-3f, 4.1665795894e-2f, 1.6666665459e-1f, 0.5f, 1.0f, 1.0f})
        sum = fma(sum, rest, all(coefficient));
    return sum * powerOf2(whole);
}

void softmax(float* values, int count) {
    float highest = -1e30f, sum = 0.0f, tail[kLanes];
    Lanes peaks = all(highest);
    int i = 0;
    for (; i + kLanes <= count; i += kLanes) peaks = larger(peaks, load(values + i));
    store(tail, peaks);
    for (; i < count; ++i) highest = values[i] > highest ? values[i] : highest;
    for (const float peak : tail) highest = peak > highest ? peak : highest;
    const Lanes shift = all(-highest);
    i = 0;
    Lanes sums = all(0.0f);
    for (; i + kLanes <= count; i += kLanes) {
        const Lanes power = exponential(load(values + i) + shift);
        store(values + i, power);
        sums = sums + power;
    }
    for (int k = 0; k < kLanes; ++k) tail[k] = i + k < count ? values[i + k] : -1e30f;
    store(tail, exponential(load(tail) + shift));
    for (int k = 0; i + k < count; ++k) sum += values[i + k] = tail[k];
    const float scale = 1.0f / (sum + total(sums));
    for (i = 0; i < count; ++i) values[i] *= scale;
}

template <int W>
constexpr Kernels kernelsNamed(const char* name) {
    return {name, W, cells<W>, heads<W>, headsGradient<W>, cellsGradient<W>, generate<W>, generateGradient<W>, softmax};
}

// The kernels of this translation unit for a width, or null where there are none.
const Kernels* kernelsOfWidth(int width, const char* name) {
    static const Kernels small = kernelsNamed<16>(name), usual = kernelsNamed<32>(name), wide = kernelsNamed<64>(name);
    return width == 16 ? &small : width == 32 ? &usual : width == 64 ? &wide : nullptr;
}

}  // namespace
}  // namespace fivestone

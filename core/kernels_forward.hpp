// The forward pass of the kernels in terms of Lanes; see kernels_lanes.hpp for how it is compiled.
#pragma once

#include "kernels_lanes.hpp"

namespace fivestone {
namespace {

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

}  // namespace
}  // namespace fivestone

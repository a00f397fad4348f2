// The gradients of the kernels in terms of Lanes.
#pragma once

#include "kernels_forward.hpp"

namespace fivestone {
namespace {

// out[i] = row i of the matrix . gradient, for `count` rows: the way back through a product.
template <int W>
void backThrough(const float* matrix, const Row<W>& gradient, int count, float* out) {
    for (int i = 0; i < count; ++i) out[i] = (Row<W>::at(matrix + i * W) * gradient).sum();
}

template <int W>
void addOuter(const float* in, const Row<W>& gradient, int count, float* matrixGradient) {
    for (int i = 0; i < count; ++i) (in[i] * gradient).addTo(matrixGradient + i * W);
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

}  // namespace
}  // namespace fivestone

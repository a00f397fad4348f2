#include "quantised.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fivestone {
namespace {

// The most a number of 16 or 32 bits is let grow to; the rest is for rounding.
constexpr double kMost16 = 32000.0, kMost32 = 2.1e9;
constexpr double kUpper = 65536.0;    // hidden sums are cut to their upper half
constexpr double kProduct = 32768.0;  // products of the mixing are divided by this
constexpr double kTiny = 1e-20;

std::int16_t short16(double value) {
    return static_cast<std::int16_t>(std::clamp(std::nearbyint(value), -32767.0, 32767.0));
}
std::int32_t int32(double value) {
    return static_cast<std::int32_t>(std::clamp(std::nearbyint(value), -2147483647.0, 2147483647.0));
}

// Where weight (row, column) of a matrix stored in pairs is.
std::size_t inPairs(int row, int column, int width) {
    return static_cast<std::size_t>((row & ~1) + (column & 1)) * width + (column & ~1) + (row & 1);
}
// Where output `column` is among sums.
int evensFirst(int column, int width) {
    return (column & 1) * width / 2 + column / 2;
}

}  // namespace

QuantisedNet::QuantisedNet(std::shared_ptr<const LineNet> net) : net_(std::move(net)), width_(net_->width()) {
    quantiseCells();
    quantiseMixing();
    quantiseHidden();
}

// The bias is shared out among the four rows of a cell.
void QuantisedNet::quantiseCells() {
    const auto table = net_->table(), bias = net_->part(Part::CellBias);
    const int count = net_->rows().count();
    std::vector<double> low(width_, 1e30), high(width_, -1e30);
    for (int row = 0; row < count; ++row)
        for (int d = 0; d < width_; ++d) {
            const double value = table[static_cast<std::size_t>(row) * width_ + d] + bias[d] / 4;
            low[d] = std::min(low[d], value);
            high[d] = std::max(high[d], value);
        }
    features_.resize(width_);
    featureStep_.resize(width_);
    std::vector<float> scale(width_), shift(width_);
    for (int d = 0; d < width_; ++d) {
        features_[d] = {std::min(4 * kLeak * low[d], 0.0), std::max(4 * high[d], 0.0)};
        // Four rows must fit, and so must four neighbours.
        const double most = std::max({-4 * low[d], 4 * features_[d].high, -4 * features_[d].low, kTiny});
        featureStep_[d] = most / kMost16;
        scale[d] = static_cast<float>(1 / featureStep_[d]);
        shift[d] = bias[d] / 4;
    }
    table_.resize(table.size());
    for (int row = 0; row < count; ++row)
        for (int d = 0; d < width_; ++d) {
            const std::size_t at = static_cast<std::size_t>(row) * width_ + d;
            const float value = (table[at] + shift[d]) * scale[d];
            table_[at] = static_cast<std::int16_t>(value + (value < 0 ? -0.5f : 0.5f));
        }
}

void QuantisedNet::quantiseMixing() {
    const auto mix = net_->part(Part::Mix), bias = net_->part(Part::MixBias);
    mixedRange_.resize(width_);
    mixedStep_.resize(width_);
    mix_.resize(mix.size());
    mixBias_.resize(bias.size());
    for (int d = 0; d < width_; ++d) {
        double low = bias[d], high = bias[d], largest = 0;
        for (int kind = 0; kind < 3; ++kind) {
            const double weight = mix[kind * width_ + d], cells = kind == 0 ? 1 : 4;
            const double ends[] = {weight * cells * features_[d].low, weight * cells * features_[d].high};
            low += std::min(ends[0], ends[1]);
            high += std::max(ends[0], ends[1]);
            largest = std::max(largest, std::abs(weight));
        }
        // The sum must fit, and so must the weights.
        mixedStep_[d] = std::max({-low, high, largest * featureStep_[d] * kProduct, kTiny}) / kMost16;
        mixedRange_[d] = {std::min(kLeak * low, 0.0), std::max(high, 0.0)};
        for (int kind = 0; kind < 3; ++kind)
            mix_[kind * width_ + d] = short16(mix[kind * width_ + d] * featureStep_[d] / mixedStep_[d] * kProduct);
        mixBias_[d] = short16(bias[d] / mixedStep_[d]);
    }
}

void QuantisedNet::quantiseHidden() {
    const auto hidden = net_->part(Part::Hidden), policy = net_->part(Part::Policy);
    hidden_.resize(hidden.size());
    policy_.resize(policy.size());
    hiddenStep_.resize(width_);
    double policySum = kTiny, policyLargest = kTiny;
    for (int j = 0; j < width_; ++j) {
        double low = 0, high = 0, largest = kTiny;
        for (int i = 0; i < width_; ++i) {
            const double weight = hidden[i * width_ + j];
            const double ends[] = {weight * mixedRange_[i].low, weight * mixedRange_[i].high};
            low += std::min(ends[0], ends[1]);
            high += std::max(ends[0], ends[1]);
            largest = std::max(largest, std::abs(weight) * mixedStep_[i]);
        }
        const double scale = std::min(kMost16 * kUpper / std::max({-low, high, kTiny}), kMost16 / largest);
        for (int i = 0; i < width_; ++i)
            hidden_[inPairs(i, j, width_)] = short16(hidden[i * width_ + j] * mixedStep_[i] * scale);
        hiddenStep_[j] = kUpper / scale;
        policySum += std::abs(policy[j]) * hiddenStep_[j];
        policyLargest = std::max(policyLargest, std::abs(policy[j]) * hiddenStep_[j]);
    }
    const double scale = std::min(kMost32 / (policySum * 32768), kMost16 / policyLargest);
    for (int j = 0; j < width_; ++j) policy_[j] = short16(policy[j] * hiddenStep_[j] * scale);
    logitScale_ = 1 / scale;
}

QuantisedHeads::Layer QuantisedHeads::layer(std::span<const float> weights, std::span<const float> bias,
                                            const std::vector<double>& inputs, const std::vector<double>& outputs,
                                            double clip) {
    const int width = static_cast<int>(bias.size()), rows = static_cast<int>(inputs.size());
    Layer layer;
    layer.weights.resize(weights.size());
    layer.bias.resize(bias.size());
    layer.factors.resize(bias.size());
    for (int j = 0; j < width; ++j) {
        double sum = std::max<double>(std::abs(bias[j]), kTiny), largest = kTiny;
        for (int i = 0; i < rows; ++i) {
            const double weight = std::abs(weights[i * width + j]) * inputs[i];
            sum += weight * 32768;
            largest = std::max(largest, weight);
        }
        const double scale = std::min(kMost32 / sum, kMost16 / largest);
        for (int i = 0; i < rows; ++i)
            layer.weights[inPairs(i, j, width)] = short16(weights[i * width + j] * inputs[i] * scale);
        layer.steps.push_back(outputs.empty() ? sum / clip / kMost16 : outputs[j]);
        layer.bias[evensFirst(j, width)] = int32(bias[j] * scale);
        layer.factors[evensFirst(j, width)] = static_cast<float>(1 / (scale * layer.steps[j]));
    }
    return layer;
}

QuantisedHeads::QuantisedHeads(const QuantisedNet& quantised, int size) {
    constexpr double kClip = 16;
    const LineNet& net = quantised.net();
    const SizedHeads sized(net, size);
    const int width = net.width();
    const std::size_t square = static_cast<std::size_t>(width) * width;
    std::vector<double> pools;
    for (const auto* steps : {&quantised.mixedStep_, &quantised.hiddenStep_})
        for (const double finer : {static_cast<double>(kMeanScale), 1.0})
            for (const double step : *steps) pools.push_back(step / finer);
    const std::vector<double> mixedPools(pools.begin(), pools.begin() + 2 * width);
    context_ =
        layer({sized.weights().context, 2 * square}, net.part(Part::HiddenBias), mixedPools, quantised.hiddenStep_, 1);
    value_ = layer({sized.weights().value, 4 * square}, net.part(Part::ValueBias), pools, {}, kClip);

    const auto outcome = net.part(Part::Outcome), bias = net.part(Part::OutcomeBias);
    double most = kTiny, largest = kTiny;
    for (int k = 0; k < 3; ++k) {
        double sum = std::abs(bias[k]);
        for (int j = 0; j < width; ++j) {
            const double weight = std::abs(outcome[k * width + j]) * value_.steps[j];
            sum += weight * 32768;
            largest = std::max(largest, weight);
        }
        most = std::max(most, sum);
    }
    const double scale = std::min(kMost32 / most, kMost16 / largest);
    outcome_.resize(outcome.size());
    for (int k = 0; k < 3; ++k) {
        for (int j = 0; j < width; ++j)
            outcome_[k * width + j] = short16(outcome[k * width + j] * value_.steps[j] * scale);
        outcomeBias_[k] = int32(bias[k] * scale);
    }
    meanFactors_.assign(static_cast<std::size_t>(width),
                        static_cast<float>(kMeanScale) / static_cast<float>(size * size));
    weights_ = {quantised.mix_.data(),
                quantised.mixBias_.data(),
                quantised.hidden_.data(),
                context_.view(),
                quantised.policy_.data(),
                value_.view(),
                outcome_.data(),
                outcomeBias_,
                meanFactors_.data(),
                static_cast<float>(quantised.logitScale_),
                static_cast<float>(1 / scale)};
}

}  // namespace fivestone

// A line net in 16-bit whole numbers. Every feature has a step of its own, chosen from the range that its sums can
// reach at most, so that nothing overflows whatever the position; only the pooled context and the value head are
// clipped, far outside of what positions give.
#pragma once

#include <memory>
#include <vector>

#include "kernels16.hpp"
#include "linenet.hpp"

namespace fivestone {

template <typename T>
using Aligned = std::vector<T, CacheLineAllocator<T>>;

class QuantisedNet {
   public:
    explicit QuantisedNet(std::shared_ptr<const LineNet> net);

    const LineNet& net() const { return *net_; }
    // rows x width
    const std::int16_t* table() const { return table_.data(); }

   private:
    friend class QuantisedHeads;

    void quantiseCells();
    void quantiseMixing();
    void quantiseHidden();

    std::shared_ptr<const LineNet> net_;
    int width_;
    // What one unit of a feature stands for.
    std::vector<double> featureStep_, mixedStep_, hiddenStep_;
    // How large f and g can become.
    struct Range {
        double low = 0, high = 0;
    };
    std::vector<Range> features_, mixedRange_;
    Aligned<std::int16_t> table_, mix_, mixBias_, hidden_, policy_;
    double logitScale_ = 0;
};

// The arrays as one board size uses them: the stretched means folded into the plain ones.
class QuantisedHeads {
   public:
    QuantisedHeads(const QuantisedNet& net, int size);
    const HeadWeights16& weights() const { return weights_; }

   private:
    struct Layer {
        Aligned<std::int16_t> weights;
        Aligned<std::int32_t> bias;
        AlignedFloats factors;
        std::vector<double> steps;
        Dense16 view() const { return {weights.data(), bias.data(), factors.data()}; }
    };
    // A layer from inputs with the given steps to outputs with the given steps, or (without those) with steps of its
    // own that hold a 1 / `clip` part of what the sums can reach at most.
    static Layer layer(std::span<const float> weights, std::span<const float> bias, const std::vector<double>& inputs,
                       const std::vector<double>& outputs, double clip);

    Layer context_, value_;
    AlignedFloats meanFactors_;
    Aligned<std::int16_t> outcome_;
    std::int32_t outcomeBias_[3];
    HeadWeights16 weights_;
};

}  // namespace fivestone

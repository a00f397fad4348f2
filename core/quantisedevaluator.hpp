// Judges leaves with a line net in 16-bit numbers: the same whatever was judged before, and on every machine.
#pragma once

#include <array>
#include <memory>

#include "evaluator.hpp"
#include "kernels.hpp"
#include "quantised.hpp"
#include "seen.hpp"

namespace fivestone {

class QuantisedEvaluator : public NetEvaluator {
   public:
    // Kernels other than the best ones are for tests and measurements.
    explicit QuantisedEvaluator(std::shared_ptr<const QuantisedNet> net, const Kernels16* kernels = nullptr);

    float evaluate(const Position& position, std::span<const Cell> moves, std::span<float> policy) override;

    // Of the last evaluation: probabilities of win, draw and loss for the side to move, and the logit of an empty cell.
    std::span<const float> outcome() const { return {out_.outcome, 3}; }
    float logit(Cell cell) const override { return logits_[views_[0].seen.slotOf(cell)]; }

   private:
    // What a side saw last, with everything that holds as long as a cell and its neighbours do not change.
    struct View {
        SeenBoard seen;
        Aligned<std::int16_t> features, mixed, products;
    };

    void prepare(const Board& board);

    std::shared_ptr<const QuantisedNet> net_;
    const Kernels16* kernels_;
    const Kernels* floats_;
    Rule rule_ = Rule::Freestyle;
    const WindowRows* rows_ = nullptr;  // of the windows of the game at hand
    Grid grid_{0};
    std::unique_ptr<QuantisedHeads> heads_;
    std::array<View, 2> views_;
    AlignedFloats logits_;  // by slot
    HeadOutput16 out_{};
};

// The net in 16-bit numbers, or null if they cannot hold it: then it judges random positions unlike the net itself.
std::shared_ptr<const QuantisedNet> quantised(std::shared_ptr<const LineNet> net);

// What judges with a net as it plays: in 16-bit numbers, or in floats if they are wanted or needed.
std::unique_ptr<NetEvaluator> evaluatorOf(std::shared_ptr<const LineNet> net,
                                          const std::shared_ptr<const QuantisedNet>& quantised);

}  // namespace fivestone

// The line net: policy and value from the four line windows through every cell.
//
// With E the table of rows, W the width, and all sums over the empty cells of the board:
//     f = leaky(E[row 0] + .. + E[row 3] + cell_bias)                        every cell; 0 off the board
//     g = leaky(mix: centre f + edge (4 neighbours) + corner (4 neighbours) + mix_bias)
//     h = leaky(g hidden + hidden_bias + pool(g) context)
//     logit = policy . h
//     outcome = softmax(outcome leaky([pool(g), pool(h)] value + value_bias) + outcome_bias)    win, draw, loss
//     pool(x) = [mean, mean * (size - 10) / 10, max], the mean over all cells of the board
// Table rows are learned as generator(window) + a free rest; playing needs the sum only.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "aligned.hpp"
#include "evaluator.hpp"
#include "kernels.hpp"
#include "random.hpp"
#include "seen.hpp"
#include "windowrows.hpp"

namespace fivestone {

// The dense arrays of a net, in the order they are stored in.
enum class Part {
    GeneratorInput,
    GeneratorBias,
    GeneratorOutput,
    CellBias,
    Mix,
    MixBias,
    Hidden,
    HiddenBias,
    Context,
    Policy,
    Value,
    ValueBias,
    Outcome,
    OutcomeBias,
};
constexpr int kParts = 14;

struct PartShape {
    const char* name;
    int rows;  // 0 for a plain vector
    int columns;
    std::size_t offset;
    std::size_t length() const { return static_cast<std::size_t>(rows ? rows : 1) * columns; }
};

// How the mean of a pool is stretched with the board size, for the second of its three parts.
constexpr float sizeStretch(int size) {
    return (size - 10) / 10.0f;
}

class LineNet {
   public:
    // All zeros.
    LineNet(Rule rule, int width);
    // Random weights whose features have mean 0 and variance 1 on random positions.
    static LineNet random(Rule rule, std::uint64_t seed, int width);

    Rule rule() const { return rule_; }
    int width() const { return width_; }
    const WindowRows& rows() const { return *rows_; }

    const std::array<PartShape, kParts>& shapes() const { return shapes_; }
    const PartShape& shape(Part part) const { return shapes_[static_cast<int>(part)]; }
    std::span<float> part(Part part) { return std::span(dense_).subspan(shape(part).offset, shape(part).length()); }
    std::span<const float> part(Part part) const {
        return std::span(dense_).subspan(shape(part).offset, shape(part).length());
    }
    std::span<float> dense() { return dense_; }
    std::span<const float> dense() const { return dense_; }
    // rows().count() x width
    std::span<float> table() { return table_; }
    std::span<const float> table() const { return table_; }

    GeneratorWeights generator() const;
    // out = generated rows of all windows, rows().count() x width.
    void generateAll(std::span<float> out) const;

   private:
    void scaleOnRandomPositions(std::uint64_t seed);

    Rule rule_;
    int width_;
    const WindowRows* rows_;
    std::array<PartShape, kParts> shapes_;
    AlignedFloats dense_;
    AlignedFloats table_;
};

// The arrays of a net as one board size uses them: the stretched means folded into the plain ones.
class SizedHeads {
   public:
    SizedHeads(const LineNet& net, int size);
    const HeadWeights& weights() const { return weights_; }

   private:
    AlignedFloats context_, value_;
    HeadWeights weights_;
};

// Plays random moves near the stones until the position has `stones` of them or is over.
void playRandomly(Position& position, int stones, Random& random);

// Judges leaves with a line net. Keeps the features of the position each side saw last and refreshes only the cells
// whose windows have changed since, so the result does not depend on what was judged before.
class LineNetEvaluator : public NetEvaluator {
   public:
    // Kernels other than the best ones are for tests and measurements.
    explicit LineNetEvaluator(std::shared_ptr<const LineNet> net, const Kernels* kernels = nullptr);

    float evaluate(const Position& position, std::span<const Cell> moves, std::span<float> policy) override;

    // Of the last evaluation: probabilities of win, draw and loss for the side to move, and the logit of an empty cell.
    std::span<const float> outcome() const { return {out_.outcome, 3}; }
    float logit(Cell cell) const override { return logits_[placeOf_[views_[0].seen.slotOf(cell)]]; }
    // Evaluates without a policy.
    float evaluate(const Position& position);
    const LineNet& net() const { return *net_; }

   private:
    // What a side saw last.
    struct View {
        SeenBoard seen;
        AlignedFloats features;
    };

    void prepare(const Board& board);
    void refresh(const Position& position);

    std::shared_ptr<const LineNet> net_;
    const Kernels* kernels_;
    Rule rule_ = Rule::Freestyle;
    const WindowRows* rows_ = nullptr;  // of the windows of the game at hand
    Grid grid_{0};
    std::unique_ptr<SizedHeads> heads_;
    std::array<View, 2> views_;
    std::vector<std::uint16_t> placeOf_;  // of the slot of an empty cell among the empty cells
    std::vector<std::uint16_t> changedSlots_;
    std::vector<std::array<std::uint32_t, 4>> changedRows_;
    AlignedFloats mixed_, logits_, pools_, valueHidden_;
    HeadOutput out_{};
};

}  // namespace fivestone

// The inner loops of the line net, compiled once for every instruction set and chosen when the program runs.
//
// Rows of `width` floats are the unit of everything here. Cells of a board live in "slots" of a grid with a
// border of zeros around it, so that the 3x3 mixing needs no test for the edge.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fivestone {

// max(x, kLeak * x) is the non-linearity of every layer: plain ReLU leaves most gradients at zero at the start.
constexpr float kLeak = 0.125f;
// Hidden units of the generator that makes table rows from windows.
constexpr int kGenerator = 64;
// A window has at most this many cells, and one more digit for the colour (WindowRows::window).
constexpr int kMaxWindow = 12;
// Pools of g and h: the mean and the maximum of each.
constexpr int kPools = 4;

// The arrays of a net as they apply to one board size (W: width).
struct HeadWeights {
    const float* mix;          // 3 x W: centre, edges, corners
    const float* mixBias;      // W
    const float* hidden;       // W in x W out
    const float* hiddenBias;   // W
    const float* context;      // 2W x W: from mean and max of g
    const float* policy;       // W
    const float* value;        // 4W x W: from mean and max of g and of h
    const float* valueBias;    // W
    const float* outcome;      // 3 x W: win, draw, loss
    const float* outcomeBias;  // 3
};

// What the heads see: the cell features of a grid and the slots of its empty cells.
struct HeadInput {
    const float* features;  // slots x W
    int stride;             // slots from one row of the grid to the next
    const std::uint16_t* slots;
    int count;
    float perCell;  // 1 / number of cells on the board
};

struct HeadOutput {
    float* mixed;        // g of every empty cell: count x W (room for a few rows more is needed)
    float* hidden;       // h of every empty cell, or null when nobody needs it (likewise)
    float* logits;       // count (and a few more)
    float* pools;        // kPools x W
    float* valueHidden;  // W
    float outcome[3];    // probabilities of win, draw, loss
};

// Everything the gradient of one sample needs besides the forward pass. Gradients are added to.
struct HeadGradient {
    float* mix;
    float* mixBias;
    float* hidden;
    float* hiddenBias;
    float* context;
    float* policy;
    float* value;
    float* valueBias;
    float* outcome;
    float* outcomeBias;
    const float* hiddenTransposed;  // W out x W in
    const float* logits;            // dLoss/dlogit per empty cell
    const float* outcomeLogits;     // dLoss/dlogit of win, draw, loss
    float* scratch;                 // count x W twice, and a few rows more
    float* features;                // slots x W, zeroed by the caller
};

struct GeneratorWeights {
    const float* input;   // windowLength x 4 x kGenerator
    const float* bias;    // kGenerator
    const float* output;  // kGenerator x W
    int windowLength;
};

struct GeneratorGradient {
    float* input;
    float* bias;
    float* output;
};

struct Kernels {
    const char* name;
    int width;
    // features[slot] = leaky(sum of 4 table rows + bias) for `count` cells.
    void (*cells)(const float* table, const std::uint32_t (*rows)[4], const std::uint16_t* slots, int count,
                  const float* bias, float* features);
    void (*heads)(const HeadWeights&, const HeadInput&, HeadOutput&);
    void (*headsGradient)(const HeadWeights&, const HeadInput&, const HeadOutput&, HeadGradient&);
    // Adds the gradient of the features of `count` cells to the gradients of their table rows and of the bias.
    void (*cellsGradient)(const float* features, const float* featureGradient, const std::uint32_t (*rows)[4],
                          const std::uint16_t* slots, int count, float* tableGradient, float* biasGradient);
    // out += generated row of the window (WindowRows::window).
    void (*generate)(const GeneratorWeights&, const std::uint8_t* window, float* out);
    void (*generateGradient)(const GeneratorWeights&, const std::uint8_t* window, const float* outGradient,
                             GeneratorGradient&);
    void (*softmax)(float* values, int count);
};

// The kernels this machine can run, best first; the last is plain C++.
const std::vector<const Kernels*>& kernelsFor(int width);
// Whether nets of this width can be made.
bool widthIsKnown(int width);

// Set by the translation unit of each instruction set; null where it could not be compiled.
const Kernels* portableKernels(int width);
const Kernels* avx2Kernels(int width);
const Kernels* avx512Kernels(int width);

}  // namespace fivestone

// The line net's loops in 16-bit whole numbers, compiled once for every instruction set and chosen when the program
// runs. All of them give the same numbers to the last bit: nothing here depends on the order of additions.
//
// Rows of `width` numbers are the unit of everything. A matrix of R x W weights is stored in pairs of rows, for
// instructions that multiply and add neighbours: for rows r and r + 1 first the weights towards the even outputs,
// {r 0, r+1 0, r 2, r+1 2, ..}, then those towards the odd ones. Sums of 32 bits are laid out likewise: W/2 for the
// even outputs, then W/2 for the odd ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fivestone {

// Means are kept this many times as fine as the numbers they are taken of.
constexpr int kMeanScale = 4;

// A layer whose 32-bit sums are brought back to 16 bits by a factor of their own.
struct Dense16 {
    const std::int16_t* weights;  // inputs x W in pairs
    const std::int32_t* bias;     // W, evens first
    const float* factors;         // W, evens first
};

// The arrays of a net as they apply to one board size (W: width).
struct HeadWeights16 {
    const std::int16_t* mix;      // 3 x W: centre, edges, corners; products are divided by 2^15
    const std::int16_t* mixBias;  // W
    const std::int16_t* hidden;   // W x W in pairs; products are divided by 2^16
    Dense16 context;              // 2W x W: from mean and max of g
    const std::int16_t* policy;   // W
    Dense16 value;                // 4W x W: from mean and max of g and of h
    const std::int16_t* outcome;  // 3 x W: win, draw, loss
    const std::int32_t* outcomeBias;
    const float* meanFactors;  // W, all the same
    float logitScale;          // of one unit of a logit
    float outcomeScale;
};

// What cells to look up: the windows of a position and the table rows they stand for.
struct CellInput16 {
    const std::int16_t* table;  // rows x W
    const std::uint32_t (*codes)[4];
    const std::uint8_t* stones;
    const std::uint32_t* rows[3];  // by the stone on the cell: the row of each code
    const std::uint16_t* slotOf;   // by cell
    const std::int16_t* cells;
    int count;
};

// The slots of the empty cells: first, `touched` of them, those whose features or whose neighbours' features changed.
struct Slots16 {
    const std::uint16_t* slots;
    int touched;
    int count;
};

// The cells of a grid with a border of zeros, a row of W numbers each.
struct Planes16 {
    std::int16_t* features;  // f of every cell
    std::int16_t* mixed;     // g of the empty cells
    std::int16_t* products;  // g hidden of the empty cells
    int stride;              // slots from one row of the grid to the next
};

struct HeadOutput16 {
    float* logits;     // of the empty cells, by slot
    float outcome[3];  // probabilities of win, draw, loss
};

struct Kernels16 {
    const char* name;
    int width;
    // features = leaky(sum of 4 table rows)
    void (*cells)(const CellInput16&, std::int16_t* features);
    // Computes the mixed features and their products with the hidden weights anew for the touched cells, then
    // everything that depends on all empty cells.
    void (*heads)(const HeadWeights16&, const Planes16&, const Slots16&, HeadOutput16&);
};

// The kernels this machine can run, best first; the last is plain C++.
const std::vector<const Kernels16*>& kernels16For(int width);

// Set by the translation unit of each instruction set; null where it could not be compiled.
const Kernels16* portableKernels16(int width);
const Kernels16* avx2Kernels16(int width);
const Kernels16* avx512Kernels16(int width);
const Kernels16* vnniKernels16(int width);

}  // namespace fivestone

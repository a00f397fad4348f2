#include "vcfbench.hpp"

#include <ctime>

#include "random.hpp"
#include "vcf.hpp"

namespace fivestone {
namespace {

constexpr int kPositions = 40;
constexpr int kStones = 60;
// Positions that are settled sooner are passed over, and none takes longer.
constexpr std::uint64_t kNodesLeast = 1'000;
constexpr std::uint64_t kNodesMost = 100'000;

// Stones strewn over the board that never make more than a three blocked on one side: full of fours to come, most of
// which lead nowhere.
Position strewn(Random& random) {
    Position position{Board(15, Rule::Freestyle)};
    while (position.board().stoneCount() < kStones) {
        const Cell cell = position.board().cellOf(static_cast<int>(random.below(15 * 15)));
        if (position.board().isEmpty(cell) && position.threat(cell, position.turn()) <= MakesTwo) position.push(cell);
    }
    return position;
}

}  // namespace

VcfBench benchVcf() {
    VcfBench bench;
    Random random(2024);
    VcfSolver solver;
    for (int found = 0; found < kPositions;) {
        Position position = strewn(random);
        solver.clear();
        if (solver.solve(position, position.turn(), kNodesLeast).verdict != Verdict::Unknown) continue;
        ++found;
        solver.clear();
        const std::clock_t start = std::clock();  // the processor's time: other work on the machine does not count
        const VcfResult result = solver.solve(position, position.turn(), kNodesMost);
        bench.seconds += static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
        bench.nodes += result.nodes;
        bench.wins += result.won();
    }
    return bench;
}

}  // namespace fivestone

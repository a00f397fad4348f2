// The tree under the sanitizers: both drivers, reuse, a full memory, a Gumbel root.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "mcts.hpp"
#include "treechecks.hpp"

namespace fivestone {
namespace {

Board played(int size, std::initializer_list<int> moves, int winLength = 5) {
    Board board(size, Rule::Freestyle, winLength);
    for (const int move : moves) board.push(board.cellOf(move));
    return board;
}

void testDriversAgree() {
    const Board board = played(9, {40, 41, 31});
    HashEvaluator evaluator;
    Mcts native({}, 7), external({}, 7);
    native.setRoot(board);
    external.setRoot(board);
    native.run(evaluator, 2000);
    std::uint32_t made = 0;
    while (made < 2000) {
        std::vector<float> policy(81, 0.0f);
        float value = 0.0f;
        made += external.collect(1, 2000 - made, [&](const Board& leaf) { value = judge(leaf, leaf.cells(), policy); });
        external.judge(policy, std::span<const float>(&value, 1));
    }
    const auto a = native.rootMoves(), b = external.rootMoves();
    check(a.size() == b.size(), "both drivers list the same moves");
    int differing = 0;
    for (std::size_t i = 0; i < a.size(); ++i) differing += a[i].move != b[i].move || a[i].visits != b[i].visits;
    check(differing == 0, "both drivers make the same visits");
}

// The rules against their formulas, written out.
void testRules() {
    const float visits = 7.0f, parent = 50.0f, mean = 0.2f, square = 0.5f, c = 1.3f;
    const float reward = 0.6f, bonus = std::log(parent) / visits;
    const auto near = [](float a, float b) { return std::fabs(a - b) < 1e-5f; };
    check(near(ucb1(mean, visitTerm(Select::Ucb1, visits), parentTerm(Select::Ucb1, c, parent)),
               reward + c * std::sqrt(bonus)),
          "UCB1");
    const float bound = std::min(0.25f, square - reward * reward + std::sqrt(2.0f * bonus));
    check(near(ucb1Tuned(mean, square, visitTerm(Select::Ucb1Tuned, visits), parentTerm(Select::Ucb1Tuned, c, parent),
                         std::log(parent)),
               reward + c * std::sqrt(bonus * bound)),
          "UCB1-tuned");
    check(near(puct(mean, 0.1f, visitTerm(Select::Puct, visits), parentTerm(Select::Puct, c, parent)),
               mean + c * 0.1f * std::sqrt(parent) / (1.0f + visits)),
          "PUCT");
    const std::vector<std::uint32_t> halving{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5};
    check(halvingSchedule(4, 16) == halving, "sequential halving");
}

void testProofs() {
    // Black has four in a row with one end open.
    HashEvaluator evaluator;
    const Board winning = played(9, {0, 9, 1, 10, 2, 11, 3, 20});
    Mcts search({}, 1);
    search.setRoot(winning);
    search.run(evaluator, 100);
    check(search.rootProof() == Proof::Won && search.bestMove() == winning.cellOf(4), "a win in one is proven");

    // Tic-tac-toe is a draw, and the solver says so without patterns.
    Rollout rollout(3);
    Rollout* players[] = {&rollout};
    MctsConfig config;
    config.forced = false;
    config.near = 0;
    config.tree.select = Select::Ucb1;
    Mcts small(config, 1);
    small.setRoot(Board(3, Rule::Freestyle, 3));
    small.run(std::span<Rollout* const>(players), 200000);
    check(small.rootProof() == Proof::Drawn, "tic-tac-toe is a proven draw");
}

void testReuseAndMemory() {
    HashEvaluator evaluator;
    MctsConfig config;
    config.tree.memoryBytes = 200000;
    config.root = RootSchedule::Gumbel;
    Mcts search(config, 5);
    search.setRoot(played(9, {40, 41, 31}));
    search.run(evaluator, 5000);
    check(search.tree().full() && search.tree().bytes() < 300000, "a full tree stops growing");
    const Cell move = search.bestMove();
    std::uint32_t visits = 0;
    for (const Mcts::RootMove& root : search.rootMoves())
        if (root.move == move) visits = root.visits;
    search.advance(move);
    check(visits > 0 && search.rootVisits() == visits, "the kept subtree keeps its visits");
    search.run(evaluator, 100);
    check(search.rootVisits() == visits + 100, "and goes on from there");
    checkSums(search.tree(), search.tree().root());
}

}  // namespace
}  // namespace fivestone

int main() {
    fivestone::testRules();
    fivestone::testDriversAgree();
    fivestone::testProofs();
    fivestone::testReuseAndMemory();
    return fivestone::failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

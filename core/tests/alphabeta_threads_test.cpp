// Alpha-beta in plain C++: threads that share a table and are stopped from outside, one thread that always does the
// same, and every rule. Meant for the sanitizers.
#include <cstdio>
#include <thread>

#include "alphabeta.hpp"
#include "check.hpp"
#include "random.hpp"

using namespace fivestone;

namespace {

std::unique_ptr<Scorer> patterns(const Weights&) {
    return std::make_unique<PatternScorer>();
}

Board scattered(int size, Rule rule, std::uint64_t seed, int stones) {
    Board board(size, rule);
    Random random(seed);
    for (int i = 0; i < stones && !board.isOver(); ++i) {
        Cell cell = kNoCell;
        while (cell == kNoCell || !board.isLegal(cell)) cell = board.cells()[random.below(size * size)];
        board.push(cell);
    }
    return board;
}

void testRules() {
    for (const Rule rule : {Rule::Freestyle, Rule::Standard, Rule::Renju, Rule::Caro, Rule::CaroExact})
        for (const int size : {5, 9, 20}) {
            const Board board = scattered(size, rule, 7 * size, size);
            if (board.isOver()) continue;
            SearchReport first, second;
            for (SearchReport* report : {&first, &second})
                *report = AlphaBeta({1, 1, 1, {}}, patterns).search(board, Weights::handMade(rule), {0, 3000, 0}, {});
            check(board.isLegal(first.lines[0].move), "a legal move");
            check(first.lines[0].move == second.lines[0].move && first.nodes == second.nodes, "the same search twice");
        }
}

void testThreads() {
    const Board board = scattered(15, Rule::Freestyle, 3, 6);
    AlphaBeta engine({1, 3, 1, {}}, patterns);
    int reports = 0;
    engine.search(board, Weights::handMade(Rule::Freestyle), {0, 30000, 0}, [&](const SearchReport&) { ++reports; });
    check(reports > 0, "reports while it searches");

    std::thread stopper;
    const SearchReport report = engine.search(board, Weights::handMade(Rule::Freestyle), {}, [&](const SearchReport&) {
        if (!stopper.joinable()) stopper = std::thread([&] { engine.stop(); });
    });
    stopper.join();
    check(!report.lines.empty() && board.isLegal(report.lines[0].move), "a legal move when stopped");
}

}  // namespace

int main() {
    testRules();
    testThreads();
    std::printf("%s\n", failures == 0 ? "ok" : "failed");
    return failures == 0 ? 0 : 1;
}

// Proofs on a thread of their own: a win at the root ends the search, a refutation of the best line is told and put
// into the table, and neither outlives its limit. Meant for the sanitizers.
#include <string_view>

#include "alphabeta.hpp"
#include "check.hpp"
#include "place.hpp"
#include "proofhelper.hpp"

using namespace fivestone;

namespace {

// Black makes two threes at once if he is let.
Board doubleThree(Stone turn) {
    Board board(15, Rule::Freestyle);
    place(board, "h8h9i7j7", Black);
    place(board, "a1a15o1o15", White);
    board.finishSetup(turn);
    return board;
}

const Weights& weights() {
    return Weights::handMade(Rule::Freestyle);
}

void testRoot() {
    VctSolver solver(1 << 16);
    Table table(1);
    std::atomic<bool> stop{false};
    ProofLimit limit;
    limit.stop = &stop;
    const Board board = doubleThree(Black);
    ProofHelper helper(solver, table, board, weights(), limit, limit, stop);
    helper.finish();
    check(helper.win().won() && helper.win().proof.holds(board), "the win at the root is found");
    check(stop, "and ends the search");
}

void testLine() {
    VctSolver solver(1 << 16);
    Table table(1);
    std::atomic<bool> stop{false};
    ProofLimit limit;
    limit.stop = &stop;
    const Board board = doubleThree(White);
    const Cell bad = cellAt(1, 1), good = cellAt(7, 6);
    ProofHelper helper(solver, table, board, weights(), limit, limit, stop);
    helper.follow(std::vector<Cell>{bad});
    const auto patience = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (!helper.refutes(bad) && std::chrono::steady_clock::now() < patience) std::this_thread::yield();
    check(helper.refutes(bad), "a move that lets Black win is refuted");
    check(!helper.refutes(good), "nothing is said of other moves");
    Board after = board;
    after.push(bad);
    TableEntry entry;
    check(table.find(after.hash(), entry) && entry.score >= kProven, "the table knows the refutation");
    stop = true;
    helper.finish();
    check(!helper.win().won() && helper.nodes() > 0, "White has no win, and it took some stones to see");
}

void testLimit() {
    VctSolver solver(1 << 16);
    Table table(1);
    std::atomic<bool> stop{false};
    ProofLimit limit;
    limit.stop = &stop;
    limit.nodes = 0;
    const Board board = doubleThree(White);
    ProofHelper helper(solver, table, board, weights(), limit, limit, stop);
    helper.follow(std::vector<Cell>{cellAt(1, 1)});
    helper.finish();
    check(!helper.refutes(cellAt(1, 1)), "no nodes, no proof");
}

// The search of two threads: one of them proves.
void testSearch() {
    AlphaBeta engine({1, 2, 1, {}}, [](const Weights&) { return std::make_unique<PatternScorer>(); });
    const SearchReport won = engine.search(doubleThree(Black), weights(), {0, 20000, 0}, {});
    check(won.lines[0].score >= kProven, "a win is a win with two threads");
    const Board board = doubleThree(White);
    const SearchReport report = engine.search(board, weights(), {0, 40000, 0}, {});
    check(board.isLegal(report.lines[0].move), "a legal move");
    check(report.nodes <= 41000, "the limit of nodes holds for both threads together");
}

}  // namespace

int main() {
    testRoot();
    testLine();
    testLimit();
    testSearch();
    return failures == 0 ? 0 : 1;
}

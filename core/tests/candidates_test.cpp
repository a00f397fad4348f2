// The moves worth thinking about, held to proof search: what is left out where a threat must be answered loses by
// fours, and a three that is said to win does so by threats. Meant for the sanitizers.
#include "candidates.hpp"

#include "check.hpp"
#include "random.hpp"
#include "vcf.hpp"
#include "vct.hpp"

using namespace fivestone;

namespace {

constexpr int kMostStones = 26;

// Stones close to each other, so that there are threats; nobody has five.
Position crowded(Rule rule, int size, Random& random) {
    Position position{Board(size, rule)};
    const int side = std::min(size, 8), left = random.below(size - side + 1), bottom = random.below(size - side + 1);
    for (int stones = 8 + random.below(kMostStones - 8); stones > 0; --stones) {
        const Cell cell = cellAt(left + random.below(side), bottom + random.below(side));
        if (position.board().isLegal(cell) && !position.board().wins(cell, position.turn())) position.push(cell);
    }
    return position;
}

struct Seen {
    int answers = 0, fourThrees = 0, wins = 0;
};

void testAnswers(Position& position, VcfSolver& solver, Seen& seen) {
    const Candidates candidates(position, true);
    if (candidates.urgency() != Urgency::AnswerFour && candidates.urgency() != Urgency::AnswerFourThree) return;
    ++(candidates.urgency() == Urgency::AnswerFour ? seen.answers : seen.fourThrees);
    CellSet listed;
    for (const Cell cell : candidates.cells()) listed.insert(cell);
    for (const Cell cell : position.board().cells()) {
        if (!position.board().isLegal(cell) || listed.contains(cell)) continue;
        position.push(cell);
        check(solver.solve(position, position.turn(), 1000).won(), "a move that is left out loses by fours");
        position.pop();
    }
}

void testWins(Position& position, VctSolver& solver, Seen& seen) {
    if (position.count(MakesFive, Black) + position.count(MakesFive, White) > 0) return;
    const Cell cell = winningThree(position);
    if (cell == kNoCell) return;
    ++seen.wins;
    position.push(cell);
    Candidates answers(position);
    for (const Cell answer : answers.cells()) {
        position.push(answer);
        ProofLimit limit;
        limit.nodes = 1000;
        limit.depth = 2;
        const VctResult win = solver.solve(position, position.turn(), limit);
        check(win.won() && win.length <= 1, "after any answer an open four is next");
        position.pop();
    }
    position.pop();
}

void testRandom(Rule rule, int size) {
    Random random(11 * size + static_cast<int>(rule));
    VcfSolver fours(1 << 12);
    VctSolver threats(1 << 12);
    Seen seen;
    for (int i = 0; i < 4000; ++i) {
        Position position = crowded(rule, size, random);
        const std::uint64_t hash = position.board().hash();
        testAnswers(position, fours, seen);
        testWins(position, threats, seen);
        check(position.board().hash() == hash, "the position is left as it was");
    }
    check(seen.answers > 50 && seen.wins > 50, "there were threats to answer, and threes that win");
    check(seen.fourThrees > 20, "there were fours with open threes to answer");
}

}  // namespace

int main() {
    for (const Rule rule : {Rule::Freestyle, Rule::Standard, Rule::Renju})
        for (const int size : {8, 15}) testRandom(rule, size);
    std::printf("%s\n", failures == 0 ? "ok" : "failed");
    return failures == 0 ? 0 : 1;
}

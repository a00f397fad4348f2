// Threat proofs in plain C++: known wins and refutations, random positions of every rule, and positions left as they
// were. Meant for the sanitizers.
#include <string_view>

#include "check.hpp"
#include "place.hpp"
#include "random.hpp"
#include "vcf.hpp"
#include "vct.hpp"

using namespace fivestone;

namespace {

Position position(Rule rule, std::string_view black, std::string_view white, Stone turn) {
    Board board(15, rule);
    place(board, black, Black);
    place(board, white, White);
    board.finishSetup(turn);
    return Position(board);
}

int vcfLength(Rule rule, std::string_view black, std::string_view white, Stone turn) {
    Position at = position(rule, black, white, turn);
    VcfSolver solver(1 << 14);
    ProofLimit limit;
    limit.shortest = true;
    const VcfResult result = solver.solve(at, turn, limit);
    return result.won() ? result.length : -1;
}

int vctLength(Rule rule, std::string_view black, std::string_view white, Stone turn) {
    Position at = position(rule, black, white, turn);
    VctSolver solver(1 << 16);
    ProofLimit limit;
    limit.shortest = true;
    limit.nodes = 100000;
    const VctResult result = solver.solve(at, turn, limit);
    check(!result.won() || result.proof.holds(at.board()), "a win has a proof that holds");
    return result.won() ? result.length : -1;
}

void testKnown() {
    check(vcfLength(Rule::Freestyle, "d4e4f4g4", "c4", Black) == 0, "a five wins at once");
    check(vcfLength(Rule::Freestyle, "d4e4f4", "a1a2a3", Black) == 1, "an open three becomes an open four");
    check(vcfLength(Rule::Freestyle, "d4e4f4", "a1a2a3a4", Black) == -1, "not against a five of the other side");
    check(vcfLength(Rule::Freestyle, "d4e4f4g8g7g6", "c4g9", Black) == 1, "two fours at once");
    check(vcfLength(Rule::Renju, "d4e4f4g8g7g6", "c4g9", Black) == -1, "Renju forbids two fours to Black");
    check(vcfLength(Rule::Renju, "c4g9", "d4e4f4g8g7g6", White) == 1, "but not to White");
    check(vcfLength(Rule::Caro, "d4e4f4", "b4h4", Black) == -1, "a caro four between two stones can be stopped");
    check(vcfLength(Rule::Freestyle, "d4e4f4", "b4i4", Black) == 1, "and is an open four in freestyle");
    check(vctLength(Rule::Freestyle, "h8h9i7j7", "a1a15o1o15", Black) == 2, "two threes at once");
    check(vctLength(Rule::Renju, "h8h9i7j7", "a1a15o1o15", Black) != 2, "Renju forbids them to Black");
    check(vctLength(Rule::Freestyle, "h8h9i7j7", "a5a6a7o15", Black) == -1, "not against an open three");
}

void testRandom(Rule rule, int size) {
    Random random(7 + size);
    VcfSolver solver(1 << 12);
    VctSolver threats(1 << 14);
    int wins = 0;
    for (int game = 0; game < 60; ++game) {
        Position at{Board(size, rule)};
        for (int ply = random.below(size * size - 2); ply > 0 && !at.board().isOver(); --ply) {
            const Cell cell = at.board().cellOf(random.below(size * size));
            if (at.board().isLegal(cell) && !at.board().wins(cell, at.turn())) at.push(cell);
        }
        const std::uint64_t hash = at.board().hash();
        for (const Stone attacker : {Black, White}) {
            ProofLimit limit;
            limit.nodes = 1000;
            const VctResult threat = threats.solve(at, attacker, limit);
            check(at.board().hash() == hash, "threats leave the position as it was");
            check(!threat.won() || attacker != at.turn() || threat.proof.holds(at.board()), "the proof holds");
            const VcfResult result = solver.solve(at, attacker, 3000);
            check(at.board().hash() == hash, "the position is left as it was");
            if (!result.won()) continue;
            ++wins;
            const auto line = solver.line(at, attacker, result.length);
            check(at.board().hash() == hash, "the line leaves it too");
            check(line.size() % 2 == 1, "a line ends with the attacker's five");
        }
    }
    check(wins > 0, "random positions have some wins");
}

}  // namespace

int main() {
    testKnown();
    for (const Rule rule : {Rule::Freestyle, Rule::Standard, Rule::Renju, Rule::Caro, Rule::CaroExact})
        for (const int size : {6, 9, 15}) testRandom(rule, size);
    return failures == 0 ? 0 : 1;
}

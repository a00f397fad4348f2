// The board, its window codes and its patterns in plain C++: random games of every rule, size and win length, in which
// what push and pop keep must equal what is computed afresh. Meant for the sanitizers.
#include <cstdio>
#include <vector>

#include "position.hpp"
#include "random.hpp"

using namespace fivestone;

namespace {

int failures = 0;

void check(bool holds, const char* what, const Board& board) {
    if (holds) return;
    std::printf("failed: %s (size %d, rule %d, win length %d, %d stones)\n", what, board.size(),
                static_cast<int>(board.rule()), board.winLength(), board.stoneCount());
    ++failures;
}

// The same stones and turn, put on an empty board.
Board afresh(const Board& board) {
    Board copy(board.size(), board.rule(), board.winLength());
    for (const Cell cell : board.cells())
        if (!board.isEmpty(cell)) copy.place(cell, board.at(cell));
    copy.finishSetup(board.turn());
    return copy;
}

void checkBoard(const Board& board) {
    const Board fresh = afresh(board);
    check(board.hash() == fresh.hash(), "hash", board);
    check(board.winner() == fresh.winner(), "winner", board);
    check(board.isOver() == fresh.isOver(), "is over", board);
    check(board.isDeadDraw() == fresh.isDeadDraw(), "dead draw", board);
    check((board.winner() != Empty) == !board.winningLine().empty(), "winning line", board);
    for (const Cell cell : board.winningLine()) check(board.at(cell) == board.winner(), "line colour", board);
    for (const Cell cell : board.cells()) {
        check(board.cellOf(board.moveOf(cell)) == cell, "move of cell", board);
        if (board.isForbidden(cell)) check(!board.wins(cell, Black), "a five is never forbidden", board);
    }
}

void checkPosition(const Position& position) {
    const Board& board = position.board();
    const Position fresh(board);
    int counted[2][kThreatCount] = {};
    check(position.score() == fresh.score(), "score", board);
    for (const Cell cell : board.cells()) {
        check(position.lines().codes(cell) == fresh.lines().codes(cell), "codes", board);
        if (!board.isEmpty(cell)) continue;
        for (const Stone color : {Black, White}) {
            check(position.patterns(cell, color) == fresh.patterns(cell, color), "patterns", board);
            check((position.threat(cell, color) == MakesFive) == board.wins(cell, color), "five", board);
            check(position.fives(color).contains(cell) == board.wins(cell, color), "fives", board);
            check(position.fours(color).contains(cell) == fresh.fours(color).contains(cell), "fours", board);
            check(position.threes(color).contains(cell) == fresh.threes(color).contains(cell), "threes", board);
            ++counted[side(color)][position.threat(cell, color)];
        }
    }
    for (const Stone color : {Black, White})
        for (int threat = MakesOpenThree; threat < kThreatCount; ++threat)
            check(position.count(static_cast<Threat>(threat), color) == counted[side(color)][threat], "count", board);
}

// A random walk forwards and backwards through the game tree.
template <typename Game, typename Check>
void walk(Game& game, const Board& board, Random& random, int steps, Check checkGame) {
    for (int step = 0; step < steps; ++step) {
        std::vector<Cell> legal;
        for (const Cell cell : board.cells())
            if (board.isLegal(cell)) legal.push_back(cell);
        check(legal.empty() == board.isOver(), "legal moves", board);
        if (legal.empty() || (!board.moves().empty() && random.below(3) == 0))
            game.pop();
        else
            game.push(legal[random.below(static_cast<std::uint32_t>(legal.size()))]);
        if (random.below(8) == 0) checkGame(game);
    }
    const std::uint64_t start = Board(board.size(), board.rule(), board.winLength()).hash();
    while (!board.moves().empty()) game.pop();
    check(board.hash() == start && board.stoneCount() == 0, "back at the start", board);
    checkGame(game);
}

void checkCodes(int reach) {
    const Board board(9, reach == 4 ? Rule::Freestyle : Rule::Standard);
    for (Code code = 0; code < static_cast<Code>(codeCount(reach)); code += 7) {
        const int sides = sideCount(reach);
        check(encodeSide(decodeSide(static_cast<int>(code) % sides)) == static_cast<int>(code) % sides, "side", board);
        check(mirrorCode(mirrorCode(code, reach), reach) == code, "mirror", board);
        check(swapColors(swapColors(code, reach), reach) == code, "colours", board);
    }
}

}  // namespace

int main() {
    Random random(20);
    for (const Rule rule : {Rule::Freestyle, Rule::Standard, Rule::Renju, Rule::Caro, Rule::CaroExact})
        for (int size = kMinSize; size <= kMaxSize; ++size)
            for (int winLength = 3; winLength <= 6 && winLength <= size; ++winLength) {
                if (rule == Rule::Renju && winLength != 5) continue;
                Board board(size, rule, winLength);
                walk(board, board, random, 2 * size * size, checkBoard);
                if (winLength != 5 || size % 5 != 0) continue;
                Position position(board);
                walk(position, position.board(), random, 2 * size * size, checkPosition);
            }
    checkCodes(4);
    checkCodes(5);
    if (failures == 0) std::printf("board: all good\n");
    return failures != 0;
}

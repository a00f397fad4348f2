// What is remembered of a search, in plain C++: positions that moves lead to, and no others. Meant for the sanitizers.
#include "asked.hpp"

#include "check.hpp"
#include "place.hpp"

using namespace fivestone;

namespace {

std::vector<Asked::Moves> asked(const Board& board) {
    Asked asked(2);
    asked.add(board);
    return asked.take();
}

void testMoves() {
    Board board(15, Rule::Freestyle, 5);
    board.push(cellAt(7, 7));
    board.push(cellAt(8, 6));
    check(asked(board) == std::vector<Asked::Moves>{{7 * 15 + 7, 6 * 15 + 8}}, "moves as Python counts them");
    board.pass();
    check(asked(board).empty(), "nobody comes where a side has passed");
    board.push(cellAt(3, 3));
    check(asked(board).empty(), "nor to what follows");
}

void testSetUp() {
    Board board(15, Rule::Freestyle, 5);
    place(board, "h8", Black);
    place(board, "i9", White);
    check(asked(board).empty(), "stones that were set up are no moves");
}

void testRoom() {
    Board board(9, Rule::Freestyle, 5);
    Asked asked(3);
    asked.start(1);
    for (int x = 0; x < 9; ++x) {
        board.push(cellAt(x, x % 2));
        asked.add(board);
    }
    const auto kept = asked.take();
    check(kept.size() == 3, "as many as there is room for");
    for (const auto& moves : kept) check(!moves.empty() && moves.size() <= 9, "whole positions");
    check(asked.take().empty(), "taken once");
}

}  // namespace

int main() {
    testMoves();
    testSetUp();
    testRoom();
    return failures;
}

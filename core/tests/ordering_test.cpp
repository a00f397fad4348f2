// The order of a node's moves, in plain C++: every move once, by rank, and the scorer asked no sooner than it has to
// be.
#include "ordering.hpp"

#include <algorithm>
#include <vector>

#include "check.hpp"

using namespace fivestone;

namespace {

// Promises each move a little more than the one before, and counts how often it is asked.
class RisingScorer final : public Scorer {
   public:
    int score(const Position&) override { return 0; }
    void promise(const Position&, std::span<const Cell> moves, std::span<int> promises) override {
        ++asked;
        for (std::size_t i = 0; i < moves.size(); ++i) promises[i] = static_cast<int>(10 * i);
    }
    int asked = 0;
};

std::vector<Cell> someMoves() {
    std::vector<Cell> moves;
    for (int x = 0; x < 5; ++x) moves.push_back(cellAt(x, 3));
    return moves;
}

std::vector<Cell> rest(MovePicker& picker) {
    std::vector<Cell> cells;
    while (!picker.empty()) cells.push_back(picker.next().cell);
    return cells;
}

void testFirst() {
    const Position position{Board(9, Rule::Freestyle)};
    const std::vector<Cell> moves = someMoves();
    const History history;
    RisingScorer scorer;
    MovePicker picker(position, moves, scorer, history, moves[1], 0);
    const RankedMove first = picker.next();
    check(first.cell == moves[1] && first.promise == kFirstPromise, "the first move comes first");
    check(scorer.asked == 0, "nobody is asked about the others before they are wanted");
    check(rest(picker) == std::vector<Cell>({moves[4], moves[3], moves[2], moves[0]}),
          "the others follow by rank, once");
    check(scorer.asked == 1, "the scorer is asked once");
}

void testUnknownFirst() {
    const Position position{Board(9, Rule::Freestyle)};
    const std::vector<Cell> moves = someMoves();
    const History history;
    for (const Cell first : {kNoCell, cellAt(8, 8)}) {
        RisingScorer scorer;
        MovePicker picker(position, moves, scorer, history, first, 0);
        check(rest(picker) == std::vector<Cell>(moves.rbegin(), moves.rend()),
              "a move that is not there is not played");
    }
}

void testFewMoves() {
    const Position position{Board(9, Rule::Freestyle)};
    const std::vector<Cell> one = {cellAt(4, 4)};
    const History history;
    RisingScorer scorer;
    MovePicker single(position, one, scorer, history, one[0], 0);
    check(rest(single) == one && scorer.asked == 0, "an only move needs no scorer");
    MovePicker none(position, {}, scorer, history, one[0], 0);
    check(none.empty(), "no moves, none handed out");
}

void testPast() {
    const Position position{Board(9, Rule::Freestyle)};
    const std::vector<Cell> moves = someMoves();
    History history;
    RisingScorer scorer;
    MovePicker picker(position, moves, scorer, history, moves[1], 0);
    picker.next();
    // What is learned under the first move counts for those after it.
    for (int i = 0; i < 20; ++i) history.reward(position.turn(), moves[0], {}, kNoCell, 0, 10);
    check(picker.next().cell == moves[0], "what refuted other moves is tried early");
}

}  // namespace

int main() {
    testFirst();
    testUnknownFirst();
    testFewMoves();
    testPast();
    return failures == 0 ? 0 : 1;
}

#include "candidates.hpp"

namespace fivestone {
namespace {

// Whether one of the four lines makes a four or more.
bool makesFour(PatternSet set) {
    for (; set != 0; set >>= 4)
        if ((set & 15) >= Four) return true;
    return false;
}

// Visits the empty cells of a line through `cell` that `color` could use together with it.
template <typename Visit>
void forEachBeside(const Board& board, Cell cell, Stone color, int direction, Visit visit) {
    for (const int step : {kSteps[direction], -kSteps[direction]})
        for (int distance = 1; distance <= kMaxReach; ++distance) {
            const Cell at = static_cast<Cell>(cell + distance * step);
            if (board.at(at) == Wall || board.at(at) == other(color)) break;
            if (board.isEmpty(at)) visit(at);
        }
}

// The empty cells from which a stone could change the lines through `cell` that make `least` or more for `color`.
CellSet cellsBeside(const Position& position, Cell cell, Stone color, Pattern least) {
    CellSet result;
    for (int direction = 0; direction < kDirections; ++direction)
        if (position.pattern(cell, color, direction) >= least)
            forEachBeside(position.board(), cell, color, direction, [&](Cell at) { result.insert(at); });
    return result;
}

// The cell and those that take part in a four which `color` makes there.
CellSet partsOfFour(const Position& position, Cell cell, Stone color) {
    CellSet result;
    result.insert(cell);
    for (int direction = 0; direction < kDirections; ++direction)
        if (position.pattern(cell, color, direction) >= Four)
            forEachBeside(position.board(), cell, color, direction, [&](Cell at) {
                if (position.pattern(at, color, direction) >= Four) result.insert(at);
            });
    return result;
}

// Where `color` completes five once it has made a four at the cell: the first gap of the line on either side.
Cell completionOf(const Position& position, Cell cell, Stone color, int direction) {
    for (const int step : {kSteps[direction], -kSteps[direction]}) {
        Cell at = static_cast<Cell>(cell + step);
        while (position.board().at(at) == color) at = static_cast<Cell>(at + step);
        if (position.board().isEmpty(at) && position.pattern(at, color, direction) >= Four) return at;
    }
    return kNoCell;
}

// Whether an open four of `color` wins under the rule whatever stands around it: Renju may forbid it to Black.
bool fourIsSure(Rule rule, Stone color) {
    return fourWins(rule) && (rule != Rule::Renju || color == White);
}

Cell firstWith(const Position& position, const CellSet& cells, Stone color, Threat threat) {
    Cell found = kNoCell;
    cells.forEach([&](Cell cell) {
        if (found == kNoCell && position.threat(cell, color) == threat) found = cell;
    });
    return found;
}

}  // namespace

Candidates::Candidates(const Position& position, bool fourThrees) {
    const Stone own = position.turn(), foe = other(own);
    if (position.count(MakesFive, own) > 0) {
        urgency_ = Urgency::Five;
        addOne(position.fives(own).first());
    } else if (position.count(MakesFive, foe) > 0) {
        urgency_ = Urgency::BlockFive;
        addBlocks(position);
    } else if (const Cell four = winningFour(position); four != kNoCell && fourWins(position.board().rule())) {
        urgency_ = Urgency::OpenFour;
        addOne(four);
    } else if (position.count(MakesOpenFour, foe) + position.count(MakesDoubleFour, foe) > 0) {
        urgency_ = Urgency::AnswerFour;
        addAnswers(position);
    } else if (fourThrees && position.count(MakesFourThree, foe) > 0 && addSpoilers(position)) {
        urgency_ = Urgency::AnswerFourThree;
    } else {
        urgency_ = Urgency::Quiet;
        addNear(position);
        if (count_ == 0) {  // an empty board, or everything near a stone taken or forbidden
            const int middle = position.board().size() / 2;
            if (position.board().stoneCount() == 0)
                add(position, cellAt(middle, middle));
            else
                for (const Cell cell : position.board().cells()) add(position, cell);
        }
    }
}

void Candidates::addOne(Cell cell) {
    cells_[0] = cell;
    count_ = 1;
}

void Candidates::add(const Position& position, Cell cell) {
    if (added_.contains(cell) || !position.board().isEmpty(cell)) return;
    added_.insert(cell);
    // Only Renju's Black has cells of this class, and only those need the slow look.
    if (position.threat(cell, position.turn()) == MaybeForbidden && position.board().isForbidden(cell)) return;
    cells_[count_++] = cell;
}

// All near cells are empty and none was added before.
void Candidates::addNear(const Position& position) {
    if (position.board().rule() == Rule::Renju && position.turn() == Black)
        addAll(position, position.near());
    else
        position.near().forEach([&](Cell cell) { cells_[count_++] = cell; });
}

void Candidates::addAll(const Position& position, const CellSet& cells) {
    cells.forEach([&](Cell cell) { add(position, cell); });
}

void Candidates::addBlocks(const Position& position) {
    addAll(position, stopsOf(position, other(position.turn())));
}

// A four of the opponent's next move takes a cell of his now and a point that completes five later. Playing the point
// first would make a four as well, so the cells of the line where he makes a four are all that can spoil it. Where
// there are several such fours only a cell that spoils them all is of any use.
void Candidates::addAnswers(const Position& position) {
    const Stone own = position.turn(), foe = other(own);
    if (position.board().rule() == Rule::Renju) {  // a four may hide behind MaybeForbidden
        position.near().forEach([&](Cell cell) {
            if (makesFour(position.patterns(cell, own)) || makesFour(position.patterns(cell, foe))) add(position, cell);
        });
        return;
    }
    CellSet spoiling = position.fours(foe), beside;
    position.fours(foe).forEach([&](Cell cell) {
        const Threat threat = position.threat(cell, foe);
        if (threat != MakesDoubleFour && threat != MakesOpenFour) return;
        spoiling &= partsOfFour(position, cell, foe);
        if (!fourWins(position.board().rule())) beside |= cellsBeside(position, cell, foe, Four);
    });
    // Where nothing spoils them all the game is lost, but a move must be made.
    if (spoiling.empty() || !fourWins(position.board().rule())) spoiling = position.fours(foe) | beside;
    addAll(position, position.fours(own));
    addAll(position, spoiling);
}

// The opponent would make a four with an open three; when the four is blocked, an open four. That is spoiled by a stone
// on the line of the three, by one on either cell of the four, or if the block makes a four itself, which it may do
// with the help of a stone placed now.
bool Candidates::addSpoilers(const Position& position) {
    const Stone own = position.turn(), foe = other(own);
    if (!fourIsSure(position.board().rule(), foe)) return false;
    const Cell cell = firstWith(position, position.fours(foe), foe, MakesFourThree);
    CellSet spoiling = cellsBeside(position, cell, foe, OpenThree);
    spoiling.insert(cell);
    for (int direction = 0; direction < kDirections; ++direction) {
        if (position.pattern(cell, foe, direction) != Four) continue;
        const Cell block = completionOf(position, cell, foe, direction);
        if (block == kNoCell || position.threat(block, own) >= MakesFour) return false;
        for (int line = 0; line < kDirections; ++line)
            forEachBeside(position.board(), block, own, line, [&](Cell at) {
                if (position.pattern(at, own, line) >= Three) spoiling.insert(at);
            });
    }
    addAll(position, position.fours(own));
    addAll(position, spoiling);
    return count_ > 0;  // Renju may forbid them all
}

Cell winningThree(Position& position) {
    const Stone own = position.turn(), foe = other(own);
    if (!fourIsSure(position.board().rule(), own)) return kNoCell;
    const bool unanswered = position.fours(foe).empty();
    if (position.count(MakesFourThree, own) > 0) {
        if (unanswered) return firstWith(position, position.fours(own), own, MakesFourThree);
        Cell found = kNoCell;
        const CellSet fours = position.fours(own);
        fours.forEach([&](Cell cell) {
            if (found != kNoCell || position.threat(cell, own) != MakesFourThree) return;
            position.push(cell);
            if (position.threat(position.fives(own).first(), foe) < MakesFour) found = cell;
            position.pop();
        });
        if (found != kNoCell) return found;
    }
    // Without a four to throw in, no single stone stops two threes.
    if (!unanswered || position.count(MakesDoubleThree, own) == 0) return kNoCell;
    return firstWith(position, position.threes(own), own, MakesDoubleThree);
}

std::pair<Cell, Cell> flanksOf(const Board& board, Cell cell, int step, Stone color) {
    int ahead = cell + step, behind = cell - step;
    while (board.at(static_cast<Cell>(ahead)) == color) ahead += step;
    while (board.at(static_cast<Cell>(behind)) == color) behind -= step;
    return {static_cast<Cell>(behind), static_cast<Cell>(ahead)};
}

CellSet stopsOf(const Position& position, Stone attacker) {
    const Board& board = position.board();
    CellSet stops = position.fives(attacker);
    if (board.rule() != Rule::Caro && board.rule() != Rule::CaroExact) return stops;
    const Stone foe = other(attacker);
    position.fives(attacker).forEach([&](Cell point) {
        for (int direction = 0; direction < kDirections; ++direction) {
            if (position.pattern(point, attacker, direction) != Five) continue;
            const auto [behind, ahead] = flanksOf(board, point, kSteps[direction], attacker);
            if (board.at(ahead) == foe && board.isEmpty(behind)) stops.insert(behind);
            if (board.at(behind) == foe && board.isEmpty(ahead)) stops.insert(ahead);
        }
    });
    return stops;
}

Cell winningFour(const Position& position) {
    const Stone own = position.turn();
    if (position.count(MakesOpenFour, own) + position.count(MakesDoubleFour, own) == 0) return kNoCell;
    Cell found = kNoCell;
    position.fours(own).forEach([&](Cell cell) {
        const Threat threat = position.threat(cell, own);
        if (threat == MakesOpenFour || threat == MakesDoubleFour) found = cell;
    });
    return found;
}

GreedyMove greedyMove(Position& position) {
    const Candidates candidates(position);
    GreedyMove best;
    for (const Cell cell : candidates.cells()) {
        const int promise = position.promise(cell);
        position.push(cell);
        const int score = -position.score();
        position.pop();
        // Winning threats are worth more than their cells: the promise says so where the score does not see it.
        if (best.cell == kNoCell || score + promise > best.score) best = {cell, score + promise};
    }
    if (best.cell != kNoCell) return best;
    // Renju can forbid every answer to a threat; the game is lost, but a legal move must still be made.
    for (const Cell cell : position.board().cells())
        if (position.board().isLegal(cell)) return {cell, position.score()};
    return best;
}

}  // namespace fivestone

#include "state.hpp"

#include <bit>
#include <cstdlib>

namespace fivestone {
namespace {

constexpr int kNear = 3;

void addStar(Rows& rows, int x, int y, int size, std::uint32_t fullRow) {
    const std::uint32_t bit = 1u << x;
    rows[y] |= (bit << 1 | bit << 2 | bit << 3 | bit >> 1 | bit >> 2 | bit >> 3) & fullRow;
    for (int distance = 1; distance <= kNear; ++distance) {
        const std::uint32_t three = (bit | bit << distance | bit >> distance) & fullRow;
        if (y >= distance) rows[y - distance] |= three;
        if (y + distance < size) rows[y + distance] |= three;
    }
}

bool isCaro(Rule rule) {
    return rule == Rule::Caro || rule == Rule::CaroExact;
}

}  // namespace

State::State(const Board& board, bool patterns, bool forced, bool near)
    : forced_(patterns && forced), nearOnly_(near), fullRow_((1u << board.size()) - 1) {
    if (patterns)
        position_.emplace(board);
    else
        board_.emplace(board);
    Rows rows{};
    for (const Cell cell : board.cells()) {
        if (board.isEmpty(cell)) continue;
        occupied_[rowOf(cell)] |= 1u << columnOf(cell);
        addStar(rows, columnOf(cell), rowOf(cell), board.size(), fullRow_);
    }
    near_.reserve(board.emptyCount() + 1);
    near_.push_back(rows);
}

void State::push(Cell cell) {
    const int x = columnOf(cell), y = rowOf(cell);
    if (position_)
        position_->push(cell);
    else
        board_->push(cell);
    occupied_[y] |= 1u << x;
    if (nearOnly_) {
        near_.push_back(near_.back());
        addStar(near_.back(), x, y, board().size(), fullRow_);
    } else {
        near_.emplace_back();
    }
}

void State::pop() {
    const Cell cell = board().lastMove();
    occupied_[rowOf(cell)] &= ~(1u << columnOf(cell));
    near_.pop_back();
    if (position_)
        position_->pop();
    else
        board_->pop();
}

void State::popTo(int depth) {
    while (this->depth() > depth) pop();
}

void State::addRows(MoveList& moves, const Rows& rows) const {
    const int size = board().size();
    for (int y = 0; y < size; ++y)
        for (std::uint32_t bits = rows[y] & ~occupied_[y] & fullRow_; bits; bits &= bits - 1)
            moves.add(cellAt(std::countr_zero(bits), y));
}

void State::dropForbidden(MoveList& moves) const {
    const Board& board = this->board();
    if (board.rule() != Rule::Renju || board.turn() != Black) return;
    moves.keep([&](Cell cell) {
        if (position_ && position_->threat(cell, Black) != MaybeForbidden) return true;
        return !board.isForbidden(cell);
    });
}

void State::legalMoves(MoveList& moves) const {
    moves.clear();
    if (board().winner() != Empty) return;
    Rows all;
    all.fill(fullRow_);
    addRows(moves, all);
    dropForbidden(moves);
}

Outline State::outline(MoveList& moves) const {
    Outline outline;
    const Board& board = this->board();
    moves.clear();
    if (board.winner() != Empty) return {Outlook::Loss, false};
    if (board.emptyCount() == 0) return {Outlook::Draw, false};
    if (forced_ && forcedMoves(moves, outline)) return outline;
    if (!nearOnly_) {
        legalMoves(moves);
    } else if (board.stoneCount() == 0) {
        // The first stone: the middle, five cells wide; the rest of the board is a weaker copy of it.
        const int size = board.size(), first = size > 6 ? (size - 5) / 2 : 0, last = size - 1 - first;
        Rows middle{};
        for (int y = first; y <= last; ++y) middle[y] = ((1u << (last + 1)) - 1) & ~((1u << first) - 1);
        addRows(moves, middle);
        outline.limited = first > 0;
    } else {
        addRows(moves, near_.back());
        outline.limited = moves.size() < board.emptyCount();
        dropForbidden(moves);
        if (moves.empty()) {
            legalMoves(moves);
            outline.limited = false;
        }
    }
    if (moves.empty()) return {Outlook::Draw, false};
    return outline;
}

Cell State::firstWith(Threat threat, Stone color) const {
    for (const Cell cell : board().cells())
        if (board().isEmpty(cell) && position_->threat(cell, color) == threat) return cell;
    return kNoCell;
}

// Fills the moves and returns true where the threats on the board leave no other choice. Every cut is exact: a five
// wins; two fives of the opponent cannot both be stopped, one can only be stopped on its cell; with no five about, an
// open four or a double four wins; against one of those to come only a four or a stone on its lines helps. Under the
// Caro rules a stone beside a line can spoil it, so there only one's own five counts.
bool State::forcedMoves(MoveList& moves, Outline& outline) const {
    const Position& position = *position_;
    const Stone me = position.turn(), foe = other(me);
    if (position.count(MakesFive, me) > 0) {
        moves.add(firstWith(MakesFive, me));
        outline.outlook = Outlook::Win;
        return true;
    }
    if (isCaro(board().rule())) return false;
    if (const int fives = position.count(MakesFive, foe); fives > 0) {
        const Cell block = firstWith(MakesFive, foe);
        if (!board().isLegal(block)) return setLost(moves, outline);
        moves.add(block);
        if (fives > 1) outline.outlook = Outlook::Loss;
        return true;
    }
    for (const Threat threat : {MakesOpenFour, MakesDoubleFour})
        if (position.count(threat, me) > 0) {
            moves.add(firstWith(threat, me));
            outline.outlook = Outlook::Win;
            return true;
        }
    if (position.count(MakesOpenFour, foe) + position.count(MakesDoubleFour, foe) == 0) return false;
    defences(moves, foe);
    return moves.empty() ? setLost(moves, outline) : true;
}

// No move helps. Under Renju even then Black may have no legal move at all, which is a draw.
bool State::setLost(MoveList& moves, Outline& outline) const {
    legalMoves(moves);
    outline.outlook = moves.empty() ? Outlook::Draw : Outlook::Loss;
    moves.truncate(1);
    return true;
}

// What can be played against an open or double four that the opponent is about to make: a four of one's own, or a cell
// on the lines of each of those threats.
void State::defences(MoveList& moves, Stone foe) const {
    const Board& board = this->board();
    const Stone me = other(foe);
    MoveList threats;
    for (const Cell cell : board.cells()) {
        if (!board.isEmpty(cell)) continue;
        const Threat threat = position_->threat(cell, foe);
        if (threat == MakesOpenFour || threat == MakesDoubleFour) threats.add(cell);
    }
    for (const Cell cell : board.cells()) {
        if (!board.isEmpty(cell)) continue;
        bool useful = true;
        for (const Cell threat : threats.all()) useful = useful && defends(cell, threat, foe);
        if (!useful) {
            // Black's four may also make a shape that looks forbidden: the rule book decides below.
            for (int direction = 0; direction < kDirections; ++direction)
                useful = useful || position_->pattern(cell, me, direction) >= Four;
        }
        if (useful) moves.add(cell);
    }
    dropForbidden(moves);
}

// Whether the cell is the threat itself or lies on one of its lines that make a four, near enough to touch it.
bool State::defends(Cell cell, Cell threat, Stone foe) const {
    if (cell == threat) return true;
    const int dx = columnOf(cell) - columnOf(threat), dy = rowOf(cell) - rowOf(threat);
    if (std::abs(dx) > kMaxReach || std::abs(dy) > kMaxReach) return false;
    // In the order of kSteps: along the row, up the column, up right, up left.
    const bool on[kDirections] = {dy == 0, dx == 0, dx == dy, dx == -dy};
    for (int direction = 0; direction < kDirections; ++direction)
        if (on[direction]) return position_->pattern(threat, foe, direction) >= Four;
    return false;
}

}  // namespace fivestone

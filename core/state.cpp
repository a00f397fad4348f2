#include "state.hpp"

#include <bit>

#include "candidates.hpp"

namespace fivestone {
namespace {

void addStar(Rows& rows, int x, int y, int size, std::uint32_t fullRow, int farthest) {
    const std::uint32_t bit = 1u << x;
    for (int distance = 1; distance <= farthest; ++distance) {
        const std::uint32_t sides = bit << distance | bit >> distance;
        rows[y] |= sides & fullRow;
        if (y >= distance) rows[y - distance] |= (bit | sides) & fullRow;
        if (y + distance < size) rows[y + distance] |= (bit | sides) & fullRow;
    }
}

}  // namespace

State::State(const Board& board, bool patterns, bool forced, int near)
    : forced_(patterns && forced), distance_(near), fullRow_((1u << board.size()) - 1) {
    if (patterns)
        position_.emplace(board);
    else
        board_.emplace(board);
    Rows rows{};
    for (const Cell cell : board.cells()) {
        if (board.isEmpty(cell)) continue;
        occupied_[rowOf(cell)] |= 1u << columnOf(cell);
        addStar(rows, columnOf(cell), rowOf(cell), board.size(), fullRow_, distance_);
    }
    near_.reserve(board.emptyCount() + 1);
    near_.push_back(rows);
}

// Keeps what is near for a stone that was put down.
void State::mark(Cell cell) {
    const int x = columnOf(cell), y = rowOf(cell);
    occupied_[y] |= 1u << x;
    if (distance_ > 0) {
        near_.push_back(near_.back());
        addStar(near_.back(), x, y, board().size(), fullRow_, distance_);
    } else {
        near_.emplace_back();
    }
}

void State::unmark(Cell cell) {
    occupied_[rowOf(cell)] &= ~(1u << columnOf(cell));
    near_.pop_back();
}

void State::push(Cell cell) {
    if (position_)
        position_->push(cell);
    else
        board_->push(cell);
    mark(cell);
}

void State::pop() {
    unmark(board().lastMove());
    if (position_)
        position_->pop();
    else
        board_->pop();
}

void State::popTo(int depth) {
    while (this->depth() > depth) pop();
}

void State::jump(int depth, std::span<const Cell> moves) {
    if (!position_) {
        popTo(depth);
        for (const Cell move : moves) push(move);
        return;
    }
    const int dropped = this->depth() - depth;
    const auto played = board().moves();
    for (int i = 1; i <= dropped; ++i) unmark(played[played.size() - static_cast<std::size_t>(i)]);
    for (const Cell move : moves) mark(move);
    position_->jump(dropped, moves);
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
    if (distance_ == 0) {
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

// Fills the moves and returns true where the threats on the board leave no other choice. Every cut is exact: a five
// wins; two fives of the opponent cannot both be stopped; with no five about an open four or a double four wins; and
// Candidates lists everything that can help against either. Under Caro a stone beside a line may stop two fives.
bool State::forcedMoves(MoveList& moves, Outline& outline) const {
    const Position& position = *position_;
    const Stone own = position.turn(), foe = other(own);
    const auto any = [&](Threat threat) { return position.count(threat, own) + position.count(threat, foe) > 0; };
    if (!any(MakesFive) && !any(MakesOpenFour) && !any(MakesDoubleFour)) return false;
    const Candidates candidates(position);
    const bool blocking = candidates.urgency() == Urgency::BlockFive;
    if (candidates.urgency() == Urgency::Quiet) return false;
    for (const Cell cell : candidates.cells()) moves.add(cell);
    if (candidates.urgency() == Urgency::Five || candidates.urgency() == Urgency::OpenFour) {
        outline.outlook = Outlook::Win;
    } else if (moves.empty()) {
        // No move helps. Under Renju Black may even have no legal move at all, which is a draw.
        legalMoves(moves);
        outline.outlook = moves.empty() ? Outlook::Draw : Outlook::Loss;
    } else if (blocking && position.count(MakesFive, foe) > 1 && fourWins(board().rule())) {
        outline.outlook = Outlook::Loss;
    }
    if (outline.outlook != Outlook::Open) moves.truncate(1);
    return true;
}

}  // namespace fivestone

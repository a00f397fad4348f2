#include "state.hpp"

#include "candidates.hpp"

namespace fivestone {

State::State(const Board& board, bool patterns, bool forced, int near)
    : forced_(patterns && forced), distance_(near), base_(static_cast<int>(board.moves().size())) {
    if (patterns)
        position_.emplace(board);
    else
        board_.emplace(board);
    for (const Cell cell : board.cells())
        if (!board.isEmpty(cell)) flip(cell);
}

void State::push(Cell cell) {
    flip(cell);
    refresh();
    if (position_)
        position_->push(cell);
    else
        board_->push(cell);
}

void State::pop() {
    flip(board().lastMove());
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
    const auto dropped = board().moves().last(static_cast<std::size_t>(this->depth() - depth));
    for (const Cell move : dropped) flip(move);
    for (const Cell move : moves) flip(move);
    position_->jump(static_cast<int>(dropped.size()), moves);
    if (board().rule() == Rule::Renju) refresh();  // only the threats tell which moves are legal
}

Rows State::near() const {
    const int size = board().size();
    return distance_ == 1   ? starsOf<1>(occupied_, size)
           : distance_ == 2 ? starsOf<2>(occupied_, size)
                            : starsOf<3>(occupied_, size);
}

void State::addEmpty(MoveList& moves, Rows rows) const {
    for (std::size_t row = 0; row < rows.size(); ++row) rows[row] &= ~occupied_[row];
    moves.add(rows, board().size());
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
    all.fill(columnsOf(board().size()));
    addEmpty(moves, all);
    dropForbidden(moves);
}

Outline State::outline(MoveList& moves) {
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
        for (int y = first; y <= last; ++y) middle[y + kPad] = columnsOf(last + 1) & ~columnsOf(first);
        moves.add(middle, size);
        outline.limited = first > 0;
    } else {
        addEmpty(moves, near());
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
bool State::forcedMoves(MoveList& moves, Outline& outline) {
    const Position& position = *position_;
    if (!position.urgent()) return false;
    refresh();
    if (!position.urgent()) return false;
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
    } else if (blocking && position.count(MakesFive, other(position.turn())) > 1 && fourWins(board().rule())) {
        outline.outlook = Outlook::Loss;
    }
    if (outline.outlook != Outlook::Open) moves.truncate(1);
    return true;
}

}  // namespace fivestone

#include "heuristic.hpp"

#include <algorithm>
#include <cmath>

namespace fivestone {
namespace {

// Fills the shares of the moves: softmax of their promise, in units of the score that makes e to 1.
void fillPolicy(const Position& position, std::span<const Cell> moves, std::span<float> policy) {
    const float unit = 1.0f / position.weights().scale();
    float top = -1e30f, sum = 0.0f;
    for (std::size_t i = 0; i < moves.size(); ++i) {
        policy[i] = unit * static_cast<float>(position.promise(moves[i]));
        top = std::max(top, policy[i]);
    }
    for (std::size_t i = 0; i < moves.size(); ++i) sum += policy[i] = std::exp(policy[i] - top);
    for (std::size_t i = 0; i < moves.size(); ++i) policy[i] /= sum;
}

}  // namespace

float HeuristicEvaluator::evaluate(const Position& position, std::span<const Cell> moves, std::span<float> policy) {
    fillPolicy(position, moves, policy);
    follow(position.board());
    const int depth = state_->depth();
    const float value = playOn();
    state_->popTo(depth);
    return value;
}

// Takes its own state to the board: leaves of a tree differ in few moves. The hash tells when that is not all.
void HeuristicEvaluator::follow(const Board& board) {
    const auto moves = board.moves();
    if (state_ && state_->board().size() == board.size()) {
        const auto own = state_->board().moves();
        const std::size_t base = own.size() - static_cast<std::size_t>(state_->depth());
        std::size_t same = 0;
        while (same < own.size() && same < moves.size() && own[same] == moves[same]) ++same;
        if (same >= base) {
            state_->popTo(static_cast<int>(same - base));
            for (std::size_t i = same; i < moves.size() && state_->board().isLegal(moves[i]); ++i)
                state_->push(moves[i]);
            if (state_->board().hash() == board.hash()) return;
        }
    }
    state_.emplace(board, true, true, 3);
}

float HeuristicEvaluator::playOn() {
    const Stone mover = state_->board().turn();
    const auto forMover = [&](float value) { return state_->board().turn() == mover ? value : -value; };
    for (int ply = 0; ply < plies_; ++ply) {
        const Outline outline = state_->outline(moves_);
        if (outline.outlook != Outlook::Open)
            return forMover(outline.outlook == Outlook::Win ? 1.0f : outline.outlook == Outlook::Loss ? -1.0f : 0.0f);
        state_->push(draw(moves_.all()));
    }
    const Position& position = *state_->position();
    return forMover(position.weights().valueOf(position.score()));
}

Cell HeuristicEvaluator::draw(std::span<const Cell> moves) {
    if (moves.size() == 1) return moves[0];
    fillPolicy(*state_->position(), moves, weights_);
    float rest = static_cast<float>(random_.uniform());
    for (std::size_t i = 0; i < moves.size(); ++i)
        if ((rest -= weights_[i]) < 0.0f) return moves[i];
    return moves.back();
}

}  // namespace fivestone

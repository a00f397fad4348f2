// What a search says about its root: moves, values, proofs, the policy it arrived at, the likeliest continuation.
#include <algorithm>

#include "mcts.hpp"

namespace fivestone {
namespace {

Proof opposite(Proof proof) {
    return proof == Proof::Won ? Proof::Lost : proof == Proof::Lost ? Proof::Won : proof;
}

}  // namespace

float Mcts::rootValue() const {
    const Node& root = tree_.root();
    if (config_.tree.drawValue == 0.0f || root.opened == 0) return -root.mean;
    // Where a draw is not worth the same to both sides, the root's own mean is not that of the side to move.
    double sum = 0.0, visits = 0.0;
    tree_.eachChild(root, [&](const Node& child) {
        sum += static_cast<double>(child.visits) * child.mean;
        visits += child.visits;
    });
    return visits > 0.0 ? static_cast<float>(sum / visits) : -root.mean;
}

Proof Mcts::rootProof() const {
    return opposite(tree_.root().proof());
}

std::vector<Mcts::RootMove> Mcts::rootMoves() const {
    std::vector<RootMove> moves;
    const Node& root = tree_.root();
    tree_.eachMove(root, [&](Cell move, float prior, const Node* node) {
        const bool seen = node != nullptr && node->visits > 0;
        moves.push_back({move, seen ? node->visits : 0, seen ? node->mean : rootValue(),
                         rootPriors_.empty() ? prior : rootPriors_[move], seen ? node->proof() : Proof::Open});
    });
    return moves;
}

namespace {

// Proven wins first, then the most visited move that is not lost, the better value on equal visits.
bool betterChild(const Node& a, const Node& b) {
    const auto rank = [](const Node& node) {
        return node.proof() == Proof::Won ? 2 : node.proof() == Proof::Lost ? 0 : 1;
    };
    if (rank(a) != rank(b)) return rank(a) > rank(b);
    if (a.visits != b.visits) return a.visits > b.visits;
    return a.mean > b.mean;
}

}  // namespace

Cell Mcts::bestAt(const Node& node) const {
    const Node *best = nullptr, *draw = nullptr;
    tree_.eachChild(node, [&](const Node& child) {
        if (child.visits == 0) return;
        if (child.proof() == Proof::Drawn)
            draw = &child;
        else if (best == nullptr || betterChild(child, *best))
            best = &child;
    });
    // A sure draw gets no more visits, so it is weighed by value.
    if (draw != nullptr && (best == nullptr || best->mean < draw->mean)) best = draw;
    if (best != nullptr) return best->move;
    Cell likeliest = kNoCell;
    float most = -1.0f;
    tree_.eachMove(node, [&](Cell move, float prior, const Node*) {
        if (prior > most) {
            most = prior;
            likeliest = move;
        }
    });
    return likeliest;
}

Cell Mcts::bestMove() const {
    if (gumbel_ && tree_.root().opened > 0) return gumbel_->best(tree_);
    return bestAt(tree_.root());
}

std::vector<float> Mcts::improvedPolicy() const {
    if (gumbel_ && rootProof() == Proof::Open) return gumbel_->improvedPolicy(tree_);
    const auto moves = rootMoves();
    const Cell best = bestMove();
    // A proof takes the place of visits: all weight is on the move that wins, or that holds the draw.
    const bool decided = std::any_of(moves.begin(), moves.end(), [&](const RootMove& move) {
        return move.move == best && (move.proof == Proof::Won || move.proof == Proof::Drawn);
    });
    std::vector<float> policy;
    float sum = 0.0f;
    for (const RootMove& move : moves) {
        const float weight = decided                     ? static_cast<float>(move.move == best)
                             : move.proof == Proof::Lost ? 0.0f
                                                         : static_cast<float>(move.visits);
        policy.push_back(weight);
        sum += weight;
    }
    // Settled before any move was tried, or lost whatever is played.
    for (float& share : policy) share = sum > 0.0f ? share / sum : 1.0f / static_cast<float>(policy.size());
    return policy;
}

std::vector<Cell> Mcts::principalVariation(int length, Cell first) const {
    std::vector<Cell> moves;
    const Node* node = &tree_.root();
    while (node != nullptr && node->expanded() && static_cast<int>(moves.size()) < length) {
        const Cell move = moves.empty() ? (first != kNoCell ? first : bestMove()) : bestAt(*node);
        moves.push_back(move);
        node = tree_.find(*node, move);
    }
    return moves;
}

}  // namespace fivestone

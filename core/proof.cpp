#include "proof.hpp"

#include <algorithm>

namespace fivestone {

int ProofTree::add(Cell move) {
    nodes_.emplace_back().move = move;
    return static_cast<int>(nodes_.size()) - 1;
}

int ProofTree::lengthOf(int node) const {
    const ProofNode& at = nodes_[node];
    if (at.answers.empty() && at.otherwise == ProofNode::kNone) return 0;
    int longest = at.otherwise == ProofNode::kNone ? 0 : lengthOf(at.otherwise);
    for (const auto& [reply, answer] : at.answers) longest = std::max(longest, lengthOf(answer));
    return longest + 1;
}

std::vector<Cell> ProofTree::mainLine(const Board& board) const {
    Board at = board;
    std::vector<Cell> line;
    for (int node = root; node != ProofNode::kNone;) {
        const ProofNode& attack = nodes_[node];
        line.push_back(attack.move);
        at.push(attack.move);
        if (at.winner() != Empty) break;
        Cell reply = kNoCell;
        int next = attack.otherwise, longest = -1;
        for (const auto& [cell, answer] : attack.answers)
            if (const int length = lengthOf(answer); length > longest) {
                longest = length;
                reply = cell;
                next = answer;
            }
        const bool defaultIsLonger = attack.otherwise != ProofNode::kNone && lengthOf(attack.otherwise) > longest;
        if (reply == kNoCell || defaultIsLonger) {
            const auto answered = [&](Cell cell) {
                return std::ranges::any_of(attack.answers, [&](const auto& answer) { return answer.first == cell; });
            };
            next = attack.otherwise;
            reply = *std::ranges::find_if(at.cells(), [&](Cell cell) { return at.isLegal(cell) && !answered(cell); });
        }
        line.push_back(reply);
        at.push(reply);
        node = next;
    }
    return line;
}

bool ProofTree::holds(const Board& board) const {
    Board at = board;
    return root != ProofNode::kNone && board.winner() == Empty && holdsAt(at, root);
}

bool ProofTree::holdsAt(Board& board, int node) const {
    const ProofNode& attack = nodes_[node];
    if (!board.isEmpty(attack.move)) return false;
    if (board.wins(attack.move, board.turn())) return true;
    if (!board.isLegal(attack.move)) return false;
    board.push(attack.move);
    bool good = board.hasLegalMove();
    const bool five = fiveStands(board, attack.otherwise);
    for (const Cell reply : board.cells()) {
        if (!good) break;
        if (!board.isEmpty(reply)) continue;
        const auto answer = std::ranges::find(attack.answers, reply, &std::pair<Cell, int>::first);
        const int next = answer != attack.answers.end() ? answer->second : attack.otherwise;
        bool answered;
        if (next == ProofNode::kNone || board.wins(reply, board.turn())) {
            answered = false;
        } else if (five && next == attack.otherwise && reply != nodes_[next].move) {
            answered = true;
        } else {
            board.push(reply);
            answered = holdsAt(board, next);
            board.pop();
        }
        // Whether a defence is forbidden is asked last: it costs most and seldom matters.
        good = answered || !board.isLegal(reply);
    }
    board.pop();
    return good;
}

// Whether the node makes five, wherever else the side to move puts its stone. Under Caro that depends on the flanks.
bool ProofTree::fiveStands(const Board& board, int node) const {
    if (node == ProofNode::kNone || board.rule() == Rule::Caro || board.rule() == Rule::CaroExact) return false;
    const Cell move = nodes_[node].move;
    return board.isEmpty(move) && board.wins(move, other(board.turn()));
}

}  // namespace fivestone

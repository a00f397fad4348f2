#include "tree.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace fivestone {
namespace {

// What is proven needs no more visits: such a move is only walked to when there is no other, a draw before a loss.
constexpr float kSettled = 1e6f;

// Counts every pending walk through the node as a loss for the side that chooses it.
struct Seen {
    float mean, visitTerm;
};
Seen withPending(Select rule, const Node& node) {
    const float visits = static_cast<float>(node.visits), pending = node.pending;
    return {(node.mean * visits - pending) / (visits + pending), visitTerm(rule, visits + pending)};
}

}  // namespace

Tree::Tree(const TreeConfig& config) : config_(config) {
    reset();
}

void Tree::reset() {
    nodes_.clear();
    moves_.clear();
    root_ = &nodes_[nodes_.allocate(1)];
    clearNode(*root_, kNoCell, 1.0f);
}

void Tree::clearNode(Node& node, Cell move, float prior) {
    node = Node{};
    node.move = move;
    node.prior = prior;
}

std::uint32_t Tree::pack(float prior, Cell cell) {
    // Round to the nearest number whose lower half is zero; priors are never negative, so words compare like priors.
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(prior) + 0x8000u;
    return (bits & 0xffff0000u) | static_cast<std::uint16_t>(cell);
}

float Tree::priorOf(std::uint32_t word) {
    return std::bit_cast<float>(word & 0xffff0000u);
}

bool Tree::expand(Node& node, std::span<const Cell> moves, std::span<const float> priors, bool limited) {
    if (full()) return false;
    node.moves = moves_.allocate(static_cast<std::uint32_t>(moves.size()));
    std::uint32_t* words = &moves_[node.moves];
    if (priors.empty()) {
        const float prior = 1.0f / static_cast<float>(moves.size());
        for (std::size_t i = 0; i < moves.size(); ++i) words[i] = pack(prior, moves[i]);
    } else {
        for (std::size_t i = 0; i < moves.size(); ++i) words[i] = pack(priors[i], moves[i]);
    }
    node.moveCount = static_cast<std::uint16_t>(moves.size());
    node.limited = limited;
    return true;
}

bool Tree::mayOpen(const Node& node) const {
    if (node.opened >= node.moveCount) return false;
    // The last block may have room even when the tree is full: blocks end after 2, 6, 14, ... children.
    return !full() || !std::has_single_bit(static_cast<unsigned>(node.opened) + kFirstBlock);
}

Node* Tree::open(Node& node, int place) {
    std::uint32_t* words = &moves_[node.moves];
    std::swap(words[node.opened], words[place]);
    const std::uint32_t word = words[node.opened];
    // Block k holds kFirstBlock 2^k children, so this child lies in the block its own number leads to.
    int first = 0, size = kFirstBlock;
    std::uint32_t* link = &node.children;
    while (node.opened >= first + size) {
        link = &nodes_[*link].nextBlock;
        first += size;
        size *= 2;
    }
    if (node.opened == first) *link = nodes_.allocate(static_cast<std::uint32_t>(size));
    Node& child = nodes_[*link + static_cast<std::uint32_t>(node.opened - first)];
    clearNode(child, cellOf(word), priorOf(word));
    ++node.opened;
    return &child;
}

// Keeps the first unopened move the likeliest of them; equals keep their order.
void Tree::bringBestForward(Node& node) {
    if (node.opened == node.moveCount) return;
    std::uint32_t* words = &moves_[node.moves];
    // The largest of all priors, each with its place counted from the end: vector instructions find that, and the words
    // fit signed numbers because priors are not negative.
    constexpr std::int32_t kPlaces = 0xffff;
    std::int32_t best = 0;
    for (std::int32_t i = node.opened, end = node.moveCount; i < end; ++i)
        best = std::max(best, static_cast<std::int32_t>(words[i] & 0xffff0000u) | (kPlaces - i));
    std::swap(words[node.opened], words[kPlaces - (best & kPlaces)]);
}

Node* Tree::select(Node& node, Random& random) {
    const bool mayOpen = this->mayOpen(node);
    if (config_.select == Select::Puct) return scanPuct(node, mayOpen);
    // UCB1 and UCB1-tuned try every move once before they compare.
    if (mayOpen) return open(node, node.opened + static_cast<int>(random.below(node.moveCount - node.opened)));
    return node.opened > 0 ? scanUcb(node) : nullptr;
}

Node* Tree::scanPuct(Node& node, bool mayOpen) {
    if (node.opened == 0) {
        if (!mayOpen) return nullptr;
        bringBestForward(node);
        Node* child = open(node, 0);
        bringBestForward(node);
        return child;
    }
    const float parent =
        parentTerm(Select::Puct, config_.c, static_cast<float>(node.visits) + static_cast<float>(node.pending));
    float best = -std::numeric_limits<float>::infinity(), tried = 0.0f;
    Node* chosen = nullptr;
    eachChild(node, [&](Node& child) {
        tried += child.prior;
        float score;
        if (config_.solver && child.proof() != Proof::Open)
            score = child.mean - kSettled;
        else if (child.pending == 0)
            score = puct(child.mean, child.prior, child.visitTerm, parent);
        else {
            const Seen seen = withPending(Select::Puct, child);
            score = puct(seen.mean, child.prior, seen.visitTerm, parent);
        }
        if (score > best) {
            best = score;
            chosen = &child;
        }
    });
    if (!mayOpen) return chosen;
    const float reduction = &node == root_ ? config_.rootFpuReduction : config_.fpuReduction;
    const float urgency = firstPlayUrgency(-node.mean, reduction, tried);
    if (urgency + parent * priorOf(moves_[node.moves + node.opened]) <= best) return chosen;
    Node* child = open(node, node.opened);
    bringBestForward(node);
    return child;
}

Node* Tree::scanUcb(Node& node) {
    const float visits = static_cast<float>(node.visits) + static_cast<float>(node.pending);
    const float parent = parentTerm(config_.select, config_.c, visits);
    const float logParent = std::log(std::max(visits, 1.0f));
    const bool tuned = config_.select == Select::Ucb1Tuned;
    float best = -std::numeric_limits<float>::infinity();
    Node* chosen = nullptr;
    eachChild(node, [&](Node& child) {
        float score;
        if (config_.solver && child.proof() != Proof::Open)
            score = child.mean - kSettled;
        else if (child.pending == 0)
            score = tuned ? ucb1Tuned(child.mean, child.meanSquare, child.visitTerm, parent, logParent)
                          : ucb1(child.mean, child.visitTerm, parent);
        else {
            const Seen seen = withPending(config_.select, child);
            score = tuned ? ucb1Tuned(seen.mean, child.meanSquare, seen.visitTerm, parent, logParent)
                          : ucb1(seen.mean, seen.visitTerm, parent);
        }
        if (score > best) {
            best = score;
            chosen = &child;
        }
    });
    return chosen;
}

const Node* Tree::find(const Node& node, Cell move) const {
    const Node* found = nullptr;
    eachChild(node, [&](const Node& child) { found = child.move == move ? &child : found; });
    return found;
}

Node* Tree::child(Node& node, Cell move) {
    if (const Node* found = find(node, move)) return const_cast<Node*>(found);
    if (!mayOpen(node)) return nullptr;
    for (int i = node.opened; i < node.moveCount; ++i)
        if (cellOf(moves_[node.moves + i]) == move) {
            Node* opened = open(node, i);
            bringBestForward(node);
            return opened;
        }
    return nullptr;
}

void Tree::addPending(std::span<Node* const> path) {
    for (Node* node : path) ++node->pending;
}

void Tree::removePending(std::span<Node* const> path) {
    for (Node* node : path) --node->pending;
}

float Tree::valueOf(Proof proof) const {
    return proof == Proof::Won ? 1.0f : proof == Proof::Lost ? -1.0f : config_.drawValue;
}

void Tree::record(Node& node, float value) {
    const float visits = static_cast<float>(++node.visits);
    node.visitTerm = visitTerm(config_.select, visits);
    if (config_.solver && node.proof() != Proof::Open) {
        // What was believed before the proof does not count any more.
        node.mean = valueOf(node.proof());
        return;
    }
    node.mean += (value - node.mean) / visits;
    if (config_.select == Select::Ucb1Tuned) {
        const float reward = rewardOf(value);
        node.meanSquare += (reward * reward - node.meanSquare) / visits;
    }
}

void Tree::backup(std::span<Node* const> path, float value, float opposite, State* proven) {
    bool proving = config_.solver && proven != nullptr;
    const int rootDepth = proving ? proven->depth() - static_cast<int>(path.size()) + 1 : 0;
    for (std::size_t i = path.size(); i-- > 0;) {
        Node& node = *path[i];
        if (proving && node.proof() == Proof::Open) {
            if (path[i + 1]->proof() == Proof::Drawn) node.hasDraw = 1;
            Proof proof = proofFromChildren(node);
            if ((proof == Proof::Won || proof == Proof::Drawn) && node.limited) {
                proven->jump(rootDepth + static_cast<int>(i), {});
                if (widen(node, *proven)) proof = Proof::Open;
            }
            node.setProof(proof);
        }
        proving = proving && node.proof() != Proof::Open;
        if (proving) {
            value = valueOf(node.proof());
            opposite = node.proof() == Proof::Drawn ? value : -value;
        } else if (node.hasDraw && opposite < config_.drawValue) {
            opposite = config_.drawValue;
            value = std::min(value, -opposite);
        }
        record(node, value);
        std::swap(value, opposite);
    }
}

// For the side that moved to the node: lost when one answer wins, else known only when every answer is.
Proof Tree::proofFromChildren(const Node& node) const {
    bool open = node.opened < node.moveCount, drawn = false, won = false;
    eachChild(node, [&](const Node& child) {
        won = won || child.proof() == Proof::Won;
        drawn = drawn || child.proof() == Proof::Drawn;
        open = open || child.proof() == Proof::Open;
    });
    if (won) return Proof::Lost;
    if (open) return Proof::Open;
    return drawn ? Proof::Drawn : Proof::Won;
}

// Adds the far moves that were left out, so that nothing is called lost or drawn before every move has been tried.
// `state` stands at the node. Returns whether there is anything more to try.
bool Tree::widen(Node& node, State& state) {
    MoveList legal;
    state.legalMoves(legal);
    const int before = node.moveCount;
    legal.keep([&](Cell cell) {
        for (int i = 0; i < before; ++i)
            if (cellOf(moves_[node.moves + i]) == cell) return false;
        return true;
    });
    node.limited = 0;
    if (legal.empty()) return false;
    const std::uint32_t words = moves_.allocate(static_cast<std::uint32_t>(before + legal.size()));
    for (int i = 0; i < before; ++i) moves_[words + i] = moves_[node.moves + i];
    for (int i = 0; i < legal.size(); ++i) moves_[words + before + i] = pack(1e-3f, legal[i]);
    node.moves = words;
    node.moveCount = static_cast<std::uint16_t>(before + legal.size());
    return true;
}

void Tree::setPriors(Node& node, std::span<const float> byCell) {
    eachChild(node, [&](Node& child) { child.prior = byCell[child.move]; });
    for (int i = 0; i < node.moveCount; ++i) {
        std::uint32_t& word = moves_[node.moves + i];
        word = pack(byCell[cellOf(word)], cellOf(word));
    }
    bringBestForward(node);
}

void Tree::advance(Cell move) {
    const Node* child = find(*root_, move);
    if (child == nullptr) {
        reset();
        return;
    }
    // Copying the part that is kept gives the rest back and brings neighbours together.
    const Node kept = *child;
    std::swap(nodes_, spareNodes_);
    std::swap(moves_, spareMoves_);
    root_ = &nodes_[nodes_.allocate(1)];
    copyFromSpare(*root_, kept);
    spareNodes_.clear();
    spareMoves_.clear();
}

void Tree::copyFromSpare(Node& to, const Node& from) {
    to = from;
    to.nextBlock = 0;
    to.pending = 0;
    if (!from.expanded()) return;
    to.moves = moves_.allocate(from.moveCount);
    std::copy_n(&spareMoves_[from.moves], from.moveCount, &moves_[to.moves]);
    std::uint32_t source = from.children;
    std::uint32_t* link = &to.children;
    for (int first = 0, size = kFirstBlock; first < from.opened; first += size, size *= 2) {
        const std::uint32_t block = nodes_.allocate(static_cast<std::uint32_t>(size));
        *link = block;
        const int count = std::min(size, from.opened - first);
        for (int i = 0; i < count; ++i) copyFromSpare(nodes_[block + i], spareNodes_[source + i]);
        link = &nodes_[block].nextBlock;
        source = spareNodes_[source].nextBlock;
    }
}

}  // namespace fivestone

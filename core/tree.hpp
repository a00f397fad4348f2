// The search tree: nodes in a pool, and the three things a search does to them: select, expand, back up.
//
// A node is a move with what is known about it. The moves of an expanded node wait as packed words (prior and cell)
// until they are first selected; only then do they become nodes, in contiguous blocks of 2, 4, 8, ... children. Most
// moves of most nodes are never selected, so a simulation costs about 4 bytes a legal move and 40 for its own node.
// Nodes never move while a search runs, so pointers to them stay good until advance() or reset().
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "bandit.hpp"
#include "random.hpp"
#include "state.hpp"

namespace fivestone {

// What is proven about a node, for the side that moved there.
enum class Proof : std::uint8_t { Open, Won, Lost, Drawn };

struct Node {
    float mean;        // of the values backed up, for the side that moved here
    float meanSquare;  // of the rewards, kept for UCB1-tuned only
    float prior;       // what the policy of the parent said
    float visitTerm;   // visitTerm(rule, visits)
    std::uint32_t visits;
    std::uint32_t moves;      // the packed moves, opened ones first
    std::uint32_t children;   // the first block of opened moves
    std::uint32_t nextBlock;  // in the first node of a block: the block after it
    std::uint16_t opened;
    std::uint16_t pending;  // walks that passed here and have not been backed up
    Cell move;
    std::uint16_t moveCount : 10;
    std::uint16_t limited : 1;  // far moves were left out
    std::uint16_t hasDraw : 1;  // one of its moves is a proven draw, so the side to move gets at least that
    std::uint16_t proof_ : 2;

    Proof proof() const { return static_cast<Proof>(proof_); }
    void setProof(Proof proof) { proof_ = static_cast<std::uint16_t>(proof); }
    bool expanded() const { return moveCount > 0; }
};
static_assert(sizeof(Node) == 40);

// Chunks that never move; an index is good for the life of the pool.
template <typename T, int kBits>
class Pool {
   public:
    static constexpr std::uint32_t kChunk = 1u << kBits;

    T& operator[](std::uint32_t index) { return chunks_[index >> kBits][index & (kChunk - 1)]; }
    const T& operator[](std::uint32_t index) const { return chunks_[index >> kBits][index & (kChunk - 1)]; }

    // `count` neighbours, uninitialised.
    std::uint32_t allocate(std::uint32_t count) {
        if ((used_ & (kChunk - 1)) + count > kChunk) used_ = (used_ | (kChunk - 1)) + 1;
        const std::uint32_t first = used_;
        used_ += count;
        while (chunks_.size() < (static_cast<std::size_t>(used_) + kChunk - 1) >> kBits)
            chunks_.push_back(std::make_unique_for_overwrite<T[]>(kChunk));
        return first;
    }
    std::size_t bytes() const { return static_cast<std::size_t>(used_) * sizeof(T); }
    // Keeps a few chunks for what comes next.
    void clear() {
        used_ = 0;
        if (chunks_.size() > kSpareChunks) chunks_.resize(kSpareChunks);
    }

   private:
    static constexpr std::size_t kSpareChunks = 64;

    std::vector<std::unique_ptr<T[]>> chunks_;
    std::uint32_t used_ = 0;
};

struct TreeConfig {
    Select select = Select::Puct;
    float c = 1.4f;
    float fpuReduction = 0.25f;
    float rootFpuReduction = 0.1f;
    // Proven results are passed up and never searched again.
    bool solver = true;
    // The value of a draw, for both sides: 0, or less where draws are to be avoided.
    float drawValue = 0.0f;
    std::size_t memoryBytes = std::size_t{256} << 20;
};

class Tree {
   public:
    explicit Tree(const TreeConfig& config);

    const TreeConfig& config() const { return config_; }
    Node& root() { return *root_; }
    const Node& root() const { return *root_; }

    void reset();
    // Makes the child of that move the root and drops the rest; an unopened move leaves a fresh root.
    void advance(Cell move);

    std::size_t bytes() const { return nodes_.bytes() + moves_.bytes(); }
    // At the memory limit the tree stops growing: leaves are judged but not expanded.
    bool full() const { return bytes() >= config_.memoryBytes; }

    // Gives a node its moves. Priors need not be sorted; without any, all are equal (PUCT opens equals in the
    // order given, UCB1 and UCB1-tuned in random order).
    // Does nothing, and returns false, when the tree is full.
    bool expand(Node& node, std::span<const Cell> moves, std::span<const float> priors, bool limited);
    // The child to walk to, opened if need be; null when the tree is full and there is none.
    Node* select(Node& node, Random& random);
    // The child of the move, opened if need be; null when the node has no such move or the tree is full.
    Node* child(Node& node, Cell move);
    const Node* find(const Node& node, Cell move) const;

    // Marks and unmarks a walk that has not been backed up: until then each of its nodes counts it as a loss.
    static void addPending(std::span<Node* const> path);
    static void removePending(std::span<Node* const> path);

    // Adds one visit to every node of the path, root first. The values are for the side that moved to the last node and
    // for its opponent. With a state, which stands at the last node and may be taken back, that node has just been
    // proven: the proof is passed up as far as it goes.
    void backup(std::span<Node* const> path, float value, float opposite, State* proven);
    // The value of a proof for the side it speaks of.
    float valueOf(Proof proof) const;

    template <typename Visit>
    void eachChild(const Node& node, Visit&& visit) const {
        eachChildOf(*this, node, visit);
    }
    template <typename Visit>
    void eachChild(Node& node, Visit&& visit) {
        eachChildOf(*this, node, visit);
    }
    // All moves of a node, opened or not, with their priors; the node is null for an unopened one.
    template <typename Visit>
    void eachMove(const Node& node, Visit&& visit) const {
        eachChild(node, [&](const Node& child) { visit(child.move, child.prior, &child); });
        for (int i = node.opened; i < node.moveCount; ++i) {
            const std::uint32_t word = moves_[node.moves + i];
            visit(cellOf(word), priorOf(word), static_cast<const Node*>(nullptr));
        }
    }
    // New priors for all moves of a node, by cell.
    void setPriors(Node& node, std::span<const float> byCell);

   private:
    static constexpr int kFirstBlock = 2;

    // A move that waits: the upper half of the prior as a float, then the cell. Larger upper halves are likelier moves.
    static std::uint32_t pack(float prior, Cell cell);
    static float priorOf(std::uint32_t word);
    static Cell cellOf(std::uint32_t word) { return static_cast<Cell>(word & 0xffff); }

    template <typename Self, typename N, typename Visit>
    static void eachChildOf(Self& self, N& node, Visit&& visit) {
        std::uint32_t block = node.children;
        for (int first = 0, size = kFirstBlock; first < node.opened; first += size, size *= 2) {
            auto* nodes = &self.nodes_[block];
            const int count = node.opened - first < size ? node.opened - first : size;
            for (int i = 0; i < count; ++i) visit(nodes[i]);
            block = nodes[0].nextBlock;
        }
    }

    void clearNode(Node& node, Cell move, float prior);
    void record(Node& node, float value);
    Node* scanPuct(Node& node, bool mayOpen);
    Node* scanUcb(Node& node);
    bool mayOpen(const Node& node) const;
    // Turns the move at this place into a child.
    Node* open(Node& node, int place);
    void bringBestForward(Node& node);
    Proof proofFromChildren(const Node& node) const;
    bool widen(Node& node, State& state);
    void copyFromSpare(Node& to, const Node& from);

    TreeConfig config_;
    Pool<Node, 12> nodes_, spareNodes_;
    Pool<std::uint32_t, 14> moves_, spareMoves_;
    Node* root_ = nullptr;
};

}  // namespace fivestone

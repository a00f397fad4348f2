// Monte-Carlo tree search: the tree, a root position and the two ways to have leaves judged. The native driver judges
// each leaf at once, on one or several threads; the external one hands leaves out in batches and takes policy and value
// back.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "evaluator.hpp"
#include "gumbel.hpp"
#include "rollout.hpp"
#include "state.hpp"
#include "tree.hpp"
#include "vct.hpp"

namespace fivestone {

enum class RootSchedule : std::uint8_t { Plain, Gumbel };

struct MctsConfig {
    TreeConfig tree;
    // Exact forced moves from patterns; needs win length 5.
    bool forced = true;
    // Only cells with a stone within this distance on one of their lines, at most 3; 0 for all cells.
    int near = 3;
    // Whoever completes a line loses. Goes with rollouts and without forced moves, which are about winning.
    bool misere = false;
    // Stones a leaf's (and the root's) search for a win by continuous fours may place; 0 for none. Needs win length 5.
    std::uint32_t leafVcf = 0;
    std::uint32_t rootVcf = 0;
    // A node that is visited often is searched again for such a win, with so many stones for each of its visits.
    std::uint32_t probeVcf = 0;
    RootSchedule root = RootSchedule::Plain;
    GumbelConfig gumbel;
    // Dirichlet noise on the root policy: its share (0 for none) and its alpha.
    float noiseShare = 0.0f;
    float noiseAlpha = 0.15f;
};

// Whether a win by threats was found at the end of a line, and the stones placed for it.
struct LineProof {
    bool won = false;
    std::uint64_t nodes = 0;
};

class Mcts {
   public:
    struct RootMove {
        Cell move;
        std::uint32_t visits;
        float value;  // for the side to move at the root; that of the root itself without visits
        float prior;  // of the evaluator, without noise
        Proof proof;  // for the side to move at the root
    };

    Mcts(const MctsConfig& config, std::uint64_t seed);
    ~Mcts();

    const MctsConfig& config() const { return config_; }
    const Board& board() const { return board_; }
    const Tree& tree() const { return tree_; }

    // Starts afresh from the board. Where moves are given, legal ones, the root has no others, and what is proven of it
    // is proven of these.
    void setRoot(const Board& board, std::vector<Cell> only = {});
    // Moves on to a child and keeps what is known about it.
    void advance(Cell move);
    // Moves on to the board if it continues the root's game, else starts afresh. Returns whether the tree was kept.
    bool follow(const Board& board);
    // Draws the noise of this root (Dirichlet or Gumbel) from the seed; without a call it comes from the search's own
    // seed.
    void setNoise(std::uint64_t seed) { noiseSeed_ = seed; }
    // How much noise the roots to come get: self-play explores in some searches and not in others.
    void setNoiseShare(float share) { config_.noiseShare = share; }
    // Gumbel: how many simulations the schedule is to share out, where several calls of run() make up one search.
    void plan(std::uint32_t simulations) { planned_ = simulations; }

    // Runs up to `simulations` more and returns how many were made: fewer when the root is proven or `stop` is set.
    // One evaluator a thread; all must judge alike.
    std::uint32_t run(Evaluator& evaluator, std::uint32_t simulations, const std::atomic<bool>* stop = nullptr);
    std::uint32_t run(std::span<Evaluator* const> evaluators, std::uint32_t simulations,
                      const std::atomic<bool>* stop = nullptr);
    std::uint32_t run(std::span<Rollout* const> rollouts, std::uint32_t simulations,
                      const std::atomic<bool>* stop = nullptr);

    // Looks for a win by threes and fours for the side to move after a line from the root; a win is passed up the tree.
    // Nothing happens where the tree does not go, or where the result is known.
    LineProof proveLine(std::span<const Cell> line, const ProofLimit& limit);

    // The external driver. collect() walks until `most` leaves wait for judgement, `simulations` are under way, or
    // nothing more can be collected before the waiting ones are judged; it shows each leaf's board to `onLeaf`. judge()
    // then takes the policy of every leaf over all cells of the board, row by row, and its value for the side to move.
    // Walks that end in a known result are backed up at once; collect() returns how many simulations it started in all.
    std::uint32_t collect(int most, std::uint32_t simulations, const std::function<void(const Board&)>& onLeaf);
    void judge(std::span<const float> policies, std::span<const float> values);
    int waiting() const { return static_cast<int>(leaves_.size()); }

    std::vector<RootMove> rootMoves() const;
    // For the side to move at the root.
    float rootValue() const;
    Proof rootProof() const;
    std::uint32_t rootVisits() const { return tree_.root().visits; }
    // The move to play: a proven win, else the most visited one that is not lost (under Gumbel, the schedule's winner).
    Cell bestMove() const;
    // The policy the search arrived at, in the order of rootMoves(): shares of visits, under Gumbel the policy
    // improved by the completed values.
    std::vector<float> improvedPolicy() const;
    // The likeliest continuation, at most `length` moves, from a root move or from the root itself.
    std::vector<Cell> principalVariation(int length, Cell first = kNoCell) const;
    int deepest() const { return deepest_; }

   private:
    struct Walker;
    struct Leaf {
        std::vector<Node*> path;
        std::vector<Cell> moves;
        bool limited;
    };
    class Work;

    struct EvaluatorJudge;
    struct RolloutJudge;

    template <typename Judge>
    std::uint32_t runWith(std::span<Judge> judges, std::uint32_t simulations, const std::atomic<bool>* stop);
    template <typename Judge>
    void simulate(Walker& walker, Judge& judge, Work& work);
    void judgeLeaf(Walker& walker, EvaluatorJudge& judge, Work& work, bool seen);
    void judgeLeaf(Walker& walker, RolloutJudge& judge, Work& work, bool seen);
    Walker& walker(std::size_t index, bool patterns);
    bool walk(Walker& walker, bool shared, bool probes);
    bool probeDue(const Node& node) const;
    bool probe(Walker& walker, Work& work);
    bool playWin(Walker& walker, Cell move, bool shared);
    Node* choose(Node& node, Walker& walker);
    Outline outlineOf(Walker& walker) const;
    bool settle(Node& leaf, const MoveList& moves, const Outline& outline);
    void finish(Walker& walker, float value, float opposite, bool shared, bool proven);
    void finishKnown(Walker& walker, bool shared, bool proven);
    void prepareRoot(std::uint32_t simulations);
    void forgetRoot();
    Cell bestAt(const Node& node) const;
    bool done() const { return config_.tree.solver && tree_.root().proof() != Proof::Open; }

    MctsConfig config_;
    Tree tree_;
    Board board_;
    std::uint64_t seed_;
    std::vector<Cell> only_;
    std::vector<std::unique_ptr<Walker>> walkers_;
    std::unique_ptr<VctSolver> threats_;
    int deepest_ = 0;
    std::vector<Leaf> leaves_;
    // The root's policy as the evaluator gave it, by cell; empty until the root is expanded.
    std::vector<float> rootPriors_;
    std::optional<std::uint64_t> noiseSeed_;
    std::optional<std::uint32_t> planned_;
    std::optional<GumbelRoot> gumbel_;
};

}  // namespace fivestone

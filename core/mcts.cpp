#include "mcts.hpp"

#include <algorithm>
#include <bit>
#include <thread>

#include "walker.hpp"
#include "work.hpp"

namespace fivestone {
namespace {

// Visits at which a node is first probed, and by how many powers of two they grow until the next time.
constexpr std::uint32_t kFirstProbe = 64;
constexpr int kProbeStep = 4;

Proof proofFor(Outlook outlook) {
    // The outlook is for the side to move, a proof for the side that moved.
    switch (outlook) {
        case Outlook::Win:
            return Proof::Lost;
        case Outlook::Loss:
            return Proof::Won;
        case Outlook::Draw:
            return Proof::Drawn;
        default:
            return Proof::Open;
    }
}

}  // namespace

struct Mcts::EvaluatorJudge {
    static constexpr bool kPolicy = true;
    Evaluator* evaluator;
};

struct Mcts::RolloutJudge {
    static constexpr bool kPolicy = false;
    Rollout* rollout;
};

Mcts::Mcts(const MctsConfig& config, std::uint64_t seed) : config_(config), tree_(config.tree), seed_(seed) {}
Mcts::~Mcts() = default;

void Mcts::setRoot(const Board& board, std::vector<Cell> only) {
    board_ = board;
    tree_.reset();
    walkers_.clear();
    deepest_ = 0;
    forgetRoot();
    only_ = std::move(only);
}

void Mcts::advance(Cell move) {
    board_.push(move);
    tree_.advance(move);
    // What a probe has proven has no moves yet, but the root must offer some.
    if (!tree_.root().expanded()) tree_.root().setProof(Proof::Open);
    for (const auto& walker : walkers_) {
        walker->state.jump(walker->rootDepth++, std::span(&move, 1));
    }
    deepest_ = std::max(0, deepest_ - 1);
    forgetRoot();
}

void Mcts::forgetRoot() {
    leaves_.clear();
    only_.clear();
    rootPriors_.clear();
    noiseSeed_.reset();
    planned_.reset();
    gumbel_.reset();
}

bool Mcts::follow(const Board& board) {
    const auto now = board_.moves(), then = board.moves();
    bool continues =
        board.size() == board_.size() && then.size() >= now.size() && std::equal(now.begin(), now.end(), then.begin());
    if (continues) {
        // The moves agree; the hash tells whether what was set up before them does, too.
        Board replayed = board_;
        for (std::size_t i = now.size(); i < then.size() && continues; ++i) {
            continues = replayed.isLegal(then[i]);
            if (continues) replayed.push(then[i]);
        }
        continues = continues && replayed.hash() == board.hash();
    }
    if (!continues) {
        setRoot(board);
        return false;
    }
    const std::vector<Cell> played(then.begin() + static_cast<std::ptrdiff_t>(now.size()), then.end());
    for (const Cell move : played) advance(move);
    return tree_.root().visits > 0;
}

Mcts::Walker& Mcts::walker(std::size_t index, bool patterns) {
    patterns = board_.winLength() == 5 && (patterns || config_.forced || board_.rule() == Rule::Renju);
    if (!walkers_.empty() && patterns && walkers_.front()->state.position() == nullptr) walkers_.clear();
    while (walkers_.size() <= index) {
        const std::uint64_t seed = seed_ + 0x9e3779b97f4a7c15ULL * walkers_.size();
        walkers_.push_back(std::make_unique<Walker>(board_, patterns, config_, seed));
    }
    return *walkers_[index];
}

// A node is probed for a longer win by fours each time its visits have grown sixteenfold.
bool Mcts::probeDue(const Node& node) const {
    return config_.probeVcf > 0 && node.visits >= kFirstProbe && std::has_single_bit(node.visits) && node.expanded() &&
           node.proof() == Proof::Open &&
           (std::countr_zero(node.visits) - std::countr_zero(kFirstProbe)) % kProbeStep == 0;
}

// Walks from the end of the path (the root at first) to a node that has no moves yet, whose result is known, or that is
// due for a probe. False when another walk to the same node waits for its judgement.
bool Mcts::walk(Walker& walker, bool shared, bool probes) {
    const std::size_t from = walker.path.size();
    Node* node = from == 0 ? &tree_.root() : walker.path.back();
    if (from == 0) walker.path.push_back(node);
    walker.probing = probes && from == 0 && probeDue(*node);
    while (!walker.probing && node->expanded() && (node->proof() == Proof::Open || node == &tree_.root())) {
        Node* child = choose(*node, walker);
        if (child == nullptr) break;
        node = child;
        walker.path.push_back(node);
        walker.probing = probes && probeDue(*node);
    }
    if (shared && node->pending > 0 && node->visits == 0) {
        if (gumbel_) gumbel_->takeBack();
        if (from > 0) Tree::removePending(std::span(walker.path).first(from));
        return false;
    }
    if (shared) Tree::addPending(std::span(walker.path).subspan(from));
    return true;
}

Node* Mcts::choose(Node& node, Walker& walker) {
    if (gumbel_ && &node == &tree_.root())
        if (Node* child = tree_.child(node, gumbel_->next(tree_))) return child;
    return tree_.select(node, walker.random);
}

// Ends a walk: `value` is for the side to move at its leaf.
void Mcts::finish(Walker& walker, float value, float opposite, bool shared, bool proven) {
    if (shared) Tree::removePending(walker.path);
    deepest_ = std::max(deepest_, static_cast<int>(walker.path.size()) - 1);
    tree_.backup(walker.path, opposite, value, proven ? &walker.state : nullptr);
}

void Mcts::finishKnown(Walker& walker, bool shared, bool proven) {
    const Proof proof = walker.path.back()->proof();
    const float value = tree_.valueOf(proof);
    finish(walker, proof == Proof::Drawn ? value : -value, value, shared, proven);
}

// The moves at the walker's leaf and what is certain there: by the rules, by forced moves, by continuous fours.
Outline Mcts::outlineOf(Walker& walker) const {
    Outline outline = walker.state.outline(walker.moves);
    if (config_.misere && outline.outlook == Outlook::Loss) outline.outlook = Outlook::Win;
    const bool root = walker.path.size() == 1;
    if (root && !only_.empty() && outline.outlook == Outlook::Open) {
        walker.moves.clear();
        for (const Cell cell : only_) walker.moves.add(cell);
        return {Outlook::Open, false};
    }
    const std::uint32_t nodes = root ? config_.rootVcf : config_.leafVcf;
    Position* position = walker.state.position();
    if (outline.outlook != Outlook::Open || nodes == 0 || position == nullptr) return outline;
    const Cell win = walker.winByFours(nodes);
    if (win == kNoCell) return outline;
    walker.moves.clear();
    walker.moves.add(win);
    return {Outlook::Win, false};
}

// What is known about the leaf; true when that settles it.
bool Mcts::settle(Node& leaf, const MoveList& moves, const Outline& outline) {
    if (outline.outlook == Outlook::Open) return false;
    if (!leaf.expanded() && !moves.empty()) tree_.expand(leaf, moves.all(), {}, false);
    leaf.setProof(proofFor(outline.outlook));
    return true;
}

template <typename Judge>
void Mcts::simulate(Walker& walker, Judge& judge, Work& work) {
    for (;;) {
        work.lock();
        if (work.left == 0 || done() || work.stopped()) {
            work.unlock();
            return;
        }
        prepareRoot(work.left);
        walker.path.clear();
        const bool probes = walker.state.position() != nullptr;
        bool walked = walk(walker, work.shared, probes);
        while (walked && walker.probing && !probe(walker, work)) walked = walk(walker, work.shared, probes);
        if (!walked) {
            work.unlock();
            std::this_thread::yield();
            continue;
        }
        --work.left;
        if (walker.probing) {
            finishKnown(walker, work.shared, true);
            work.unlock();
            continue;
        }
        const Node& leaf = *walker.path.back();
        if (leaf.proof() != Proof::Open) {
            finishKnown(walker, work.shared, false);
            work.unlock();
            continue;
        }
        const bool seen = leaf.visits > 0;
        work.unlock();
        walker.goToLeaf();
        judgeLeaf(walker, judge, work, seen);
    }
}

// Looks for a win by fours at the last node of the path. True when there is one: the path then ends with its first
// move. Called with the lock held, and gives it up meanwhile.
bool Mcts::probe(Walker& walker, Work& work) {
    Node& node = *walker.path.back();
    const std::uint64_t stones = std::uint64_t{config_.probeVcf} * node.visits;
    work.unlock();
    walker.goToLeaf();
    const Cell win = walker.winByFours(stones);
    work.lock();
    return win != kNoCell && playWin(walker, win, work.shared);
}

LineProof Mcts::proveLine(std::span<const Cell> line, const ProofLimit& limit) {
    if (!tree_.root().expanded() || board_.winLength() != 5) return {};
    Walker& walker = this->walker(0, true);
    walker.path.assign(1, &tree_.root());
    for (const Cell move : line) {
        Node* child = tree_.child(*walker.path.back(), move);
        if (child == nullptr) return {};
        walker.path.push_back(child);
    }
    Node& node = *walker.path.back();
    if (!node.expanded() || node.proof() != Proof::Open) return {};
    walker.goToLeaf();
    walker.state.refresh();
    Position& position = *walker.state.position();
    if (!threats_) threats_ = std::make_unique<VctSolver>();
    const VctResult found = threats_->solve(position, position.turn(), limit);
    const bool won = found.won() && playWin(walker, found.move, false);
    if (won) finishKnown(walker, false, true);
    return {won, found.nodes};
}

// Adds the first move of a win to the path, as proven. False when the tree has no room for it.
bool Mcts::playWin(Walker& walker, Cell move, bool shared) {
    Node* child = tree_.child(*walker.path.back(), move);
    if (child == nullptr) return false;
    walker.path.push_back(child);
    if (shared) ++child->pending;
    child->setProof(Proof::Won);
    walker.goToLeaf();
    return true;
}

// Policy and value come together, so the leaf gets its moves at once.
void Mcts::judgeLeaf(Walker& walker, EvaluatorJudge& judge, Work& work, bool) {
    Node& leaf = *walker.path.back();
    const Outline outline = outlineOf(walker);
    float value = 0.0f;
    const std::size_t count = static_cast<std::size_t>(walker.moves.size());
    const std::span<float> policy(walker.policy.data(), count);
    if (outline.outlook == Outlook::Open) {
        if (judge.evaluator->readsThreats()) walker.state.refresh();
        value = judge.evaluator->evaluate(*walker.state.position(), walker.moves.all(), policy);
    }
    work.lock();
    if (settle(leaf, walker.moves, outline)) {
        finishKnown(walker, work.shared, true);
    } else {
        if (!leaf.expanded()) tree_.expand(leaf, walker.moves.all(), policy, outline.limited);
        finish(walker, value, -value, work.shared, false);
    }
    work.unlock();
}

// A rollout knows no policy, so a leaf gets its moves when it is reached again, and one of them is played out.
void Mcts::judgeLeaf(Walker& walker, RolloutJudge& judge, Work& work, bool seen) {
    if (seen) {
        Node& leaf = *walker.path.back();
        const Outline outline = outlineOf(walker);
        // Nothing tells these moves apart: PUCT must not always begin in the same corner.
        if (config_.tree.select == Select::Puct) walker.moves.shuffle(walker.random);
        work.lock();
        if (settle(leaf, walker.moves, outline)) {
            finishKnown(walker, work.shared, true);
            work.unlock();
            return;
        }
        if (!leaf.expanded()) tree_.expand(leaf, walker.moves.all(), {}, outline.limited);
        Node* child = leaf.expanded() ? tree_.select(leaf, walker.random) : nullptr;
        if (child != nullptr) {
            walker.path.push_back(child);
            if (work.shared) ++child->pending;
        }
        work.unlock();
        if (child != nullptr) walker.state.push(child->move);
    }
    const Board& board = walker.state.board();
    Outline outline;
    walker.moves.clear();
    if (config_.forced && walker.state.position() != nullptr)
        outline = outlineOf(walker);
    else if (board.winner() != Empty || board.emptyCount() == 0)
        outline.outlook = board.winner() == Empty ? Outlook::Draw : config_.misere ? Outlook::Win : Outlook::Loss;
    Stone winner = Empty;
    if (outline.outlook == Outlook::Open)
        winner = config_.misere ? judge.rollout->playMisere(board) : judge.rollout->play(board);
    work.lock();
    if (outline.outlook != Outlook::Open) {
        settle(*walker.path.back(), walker.moves, outline);
        finishKnown(walker, work.shared, true);
    } else if (winner == Empty) {
        finish(walker, config_.tree.drawValue, config_.tree.drawValue, work.shared, false);
    } else {
        const float value = (winner == board.turn()) != config_.misere ? 1.0f : -1.0f;
        finish(walker, value, -value, work.shared, false);
    }
    work.unlock();
}

template <typename Judge>
std::uint32_t Mcts::runWith(std::span<Judge> judges, std::uint32_t simulations, const std::atomic<bool>* stop) {
    Work work(simulations, judges.size() > 1, stop);
    // Made before the threads start: they share the list.
    for (std::size_t i = 0; i < judges.size(); ++i) walker(i, Judge::kPolicy);
    std::vector<std::thread> threads;
    for (std::size_t i = 1; i < judges.size(); ++i)
        threads.emplace_back([this, &work, &judges, i] { simulate(*walkers_[i], judges[i], work); });
    simulate(*walkers_[0], judges[0], work);
    for (std::thread& thread : threads) thread.join();
    return simulations - work.left;
}

std::uint32_t Mcts::run(Evaluator& evaluator, std::uint32_t simulations, const std::atomic<bool>* stop) {
    Evaluator* one = &evaluator;
    return run(std::span<Evaluator* const>(&one, 1), simulations, stop);
}

std::uint32_t Mcts::run(std::span<Evaluator* const> evaluators, std::uint32_t simulations,
                        const std::atomic<bool>* stop) {
    std::vector<EvaluatorJudge> judges;
    for (Evaluator* evaluator : evaluators) judges.push_back({evaluator});
    return runWith(std::span<EvaluatorJudge>(judges), simulations, stop);
}

std::uint32_t Mcts::run(std::span<Rollout* const> rollouts, std::uint32_t simulations, const std::atomic<bool>* stop) {
    std::vector<RolloutJudge> judges;
    for (Rollout* rollout : rollouts) judges.push_back({rollout});
    return runWith(std::span<RolloutJudge>(judges), simulations, stop);
}

// Once the root has its moves: remembers the policy, mixes noise into it, makes the Gumbel schedule.
void Mcts::prepareRoot(std::uint32_t simulations) {
    Node& root = tree_.root();
    if (!root.expanded()) return;
    const std::uint64_t seed = noiseSeed_.value_or(seed_ ^ board_.hash());
    if (rootPriors_.empty()) {
        rootPriors_.assign(kArea, 0.0f);
        tree_.eachMove(root, [&](Cell move, float prior, const Node*) { rootPriors_[move] = prior; });
        if (config_.noiseShare > 0.0f && config_.root == RootSchedule::Plain) {
            Random random(seed);
            std::vector<float> noisy(kArea, 0.0f);
            double sum = 0.0;
            for (const Cell cell : board_.cells())
                if (rootPriors_[cell] > 0.0f) {
                    noisy[cell] = static_cast<float>(random.gamma(config_.noiseAlpha));
                    sum += noisy[cell];
                }
            for (const Cell cell : board_.cells())
                noisy[cell] = (1.0f - config_.noiseShare) * rootPriors_[cell] +
                              config_.noiseShare * noisy[cell] / static_cast<float>(std::max(sum, 1e-30));
            tree_.setPriors(root, noisy);
        }
    }
    if (config_.root == RootSchedule::Gumbel && (!gumbel_ || gumbel_->exhausted())) {
        gumbel_.emplace(config_.gumbel, tree_, planned_.value_or(simulations), seed);
        planned_.reset();
    }
}

}  // namespace fivestone

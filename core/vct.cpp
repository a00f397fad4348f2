#include "vct.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "candidates.hpp"

namespace fivestone {
namespace {

constexpr std::uint32_t kInfinite = std::uint32_t{1} << 30;
// Nodes between two looks at the clock.
constexpr std::uint64_t kCheckEvery = 256;
// For the searches by fours: of the attacker at the root, and before he looks at threes, of the win that a three
// threatens, and of the defender who may win first.
constexpr std::uint64_t kRootVcfNodes = 100'000;
constexpr std::uint64_t kVcfNodes = 2000;
constexpr std::uint64_t kThreatNodes = 1000;
constexpr std::uint64_t kCounterNodes = 500;

constexpr std::uint64_t saltOf(int stones) {
    return (static_cast<std::uint64_t>(stones) + 1) * 0x9e3779b97f4a7c15ULL;
}

}  // namespace

VctSolver::VctSolver(std::size_t tableBytes)
    : vcf_(tableBytes / 4), table_(std::max<std::size_t>(1, std::bit_floor(tableBytes * 3 / 4 / sizeof(Bucket)))) {
    children_.reserve(4096);
}

void VctSolver::clear() {
    vcf_.clear();
    std::fill(table_.begin(), table_.end(), Bucket{});
}

VctResult VctSolver::solve(Position& position, Stone attacker, const ProofLimit& limit) {
    VctResult result;
    if (position.board().winner() != Empty) {
        result.verdict = Verdict::NoWin;
        return result;
    }
    const bool passed = position.turn() != attacker;
    if (passed) position.pass();
    position_ = &position;
    attacker_ = attacker;
    limit_ = limit;
    nodes_ = 0;
    nextCheck_ = 0;
    stopped_ = false;
    children_.clear();
    ++generation_;
    result.verdict = deepen();
    if (result.verdict == Verdict::Win) {
        // A win that is found is written down whatever the nodes; the clock still rules.
        limit_.nodes = std::numeric_limits<std::uint64_t>::max();
        stopped_ = false;
        nextCheck_ = 0;
        result.proof.root = addNode(limit_.depth, kRootVcfNodes, result.proof);
        if (result.proof.root != ProofNode::kNone) {
            result.move = result.proof[result.proof.root].move;
            result.length = result.proof.length();
        } else {
            result.verdict = Verdict::Unknown;
        }
    }
    result.nodes = nodes_;
    if (passed) position.pass();
    return result;
}

// Searches to growing depths; a win is at limit_.depth, which is lowered to the depth where it was found.
Verdict VctSolver::deepen() {
    const int deepest = std::min(limit_.depth, position_->board().emptyCount() / 2 + 1);
    if (!limit_.shortest) {
        // Fours alone are so much cheaper that they come first.
        const VcfResult fours = vcf(attacker_, deepest, kRootVcfNodes, false);
        if (fours.won()) {
            limit_.depth = fours.length;
            return Verdict::Win;
        }
    }
    const int step = limit_.shortest ? 1 : 2;
    for (int depth = std::min(limit_.shortest ? 0 : 2, deepest);;) {
        salt_ = saltOf(position_->board().stoneCount() + 2 * depth);
        cut_ = false;
        const Numbers numbers = attack({kInfinite, kInfinite}, depth);
        if (numbers.proof == 0) {
            limit_.depth = depth;
            return Verdict::Win;
        }
        if (stopped_) return Verdict::Unknown;
        if (!cut_ || depth == deepest) return Verdict::NoWin;
        depth = std::min(deepest, depth + step);
    }
}

// The attacker is to move and has `depth` moves before the five.
VctSolver::Numbers VctSolver::attack(Numbers limits, int depth) {
    const std::uint64_t key = keyNow();
    const std::size_t first = children_.size();
    const bool cutBefore = std::exchange(cut_, false);
    const Entry* seen = find(key);
    if (seen != nullptr) cut_ = seen->cut;
    if (const auto settled = beginAttack(depth, seen != nullptr)) {
        children_.resize(first);
        if (!stopped_) store(key, *settled, kNoCell);
        cut_ = cut_ || cutBefore;
        return *settled;
    }
    const std::size_t last = children_.size();
    Numbers numbers{kInfinite, 0};
    std::size_t best = first;
    for (;;) {
        std::uint32_t second = kInfinite, hardest = 0, open = 0;
        numbers = {kInfinite, 0};
        for (std::size_t i = first; i < last; ++i) {
            const Numbers& child = children_[i].numbers;
            if (child.proof < numbers.proof) {
                second = numbers.proof;
                numbers.proof = child.proof;
                best = i;
            } else {
                second = std::min(second, child.proof);
            }
            hardest = std::max(hardest, child.disproof);
            open += child.disproof != 0;
        }
        // The hardest child and one for each other: a sum would count shared positions many times over.
        if (open > 0) numbers.disproof = numbers.proof == 0 ? kInfinite : std::min(kInfinite - 1, hardest + open - 1);
        if (stopped_ || numbers.proof >= limits.proof || numbers.disproof >= limits.disproof) break;
        const Numbers childLimits{std::min(limits.proof, second + second / 4 + 1),
                                  limits.disproof - (numbers.disproof - children_[best].numbers.disproof)};
        push(children_[best].cell);
        const Numbers found = defend(childLimits, depth - 1);
        position_->pop();
        children_[best].numbers = found;
    }
    if (!stopped_) store(key, numbers, numbers.proof == 0 ? children_[best].cell : kNoCell);
    children_.resize(first);
    cut_ = cut_ || cutBefore;
    return numbers;
}

// The attacker has just moved and has `depth` more moves before the five.
VctSolver::Numbers VctSolver::defend(Numbers limits, int depth) {
    const std::uint64_t key = keyNow();
    const std::size_t first = children_.size();
    const bool cutBefore = std::exchange(cut_, false);
    if (const auto settled = beginDefence(depth)) {
        children_.resize(first);
        if (!stopped_) store(key, *settled, kNoCell);
        cut_ = cut_ || cutBefore;
        return *settled;
    }
    const std::size_t last = children_.size();
    Numbers numbers{0, kInfinite};
    for (;;) {
        std::uint32_t second = kInfinite, hardest = 0, open = 0;
        std::size_t best = first;
        numbers = {0, kInfinite};
        for (std::size_t i = first; i < last; ++i) {
            const Numbers& child = children_[i].numbers;
            if (child.disproof < numbers.disproof) {
                second = numbers.disproof;
                numbers.disproof = child.disproof;
                best = i;
            } else {
                second = std::min(second, child.disproof);
            }
            hardest = std::max(hardest, child.proof);
            open += child.proof != 0;
        }
        if (open > 0) numbers.proof = numbers.disproof == 0 ? kInfinite : std::min(kInfinite - 1, hardest + open - 1);
        if (stopped_ || numbers.proof >= limits.proof || numbers.disproof >= limits.disproof) break;
        const Numbers childLimits{limits.proof - (numbers.proof - children_[best].numbers.proof),
                                  std::min(limits.disproof, second + second / 4 + 1)};
        push(children_[best].cell);
        const Numbers found = attack(childLimits, depth);
        position_->pop();
        children_[best].numbers = found;
    }
    if (!stopped_) store(key, numbers, kNoCell);
    children_.resize(first);
    cut_ = cut_ || cutBefore;
    return numbers;
}

// Lists the attacking moves, unless the position is settled without them.
std::optional<VctSolver::Numbers> VctSolver::beginAttack(int depth, bool seen) {
    constexpr Numbers won{0, kInfinite}, lost{kInfinite, 0};
    if (position_->count(MakesFive, attacker_) > 0) return won;
    if (depth == 0) {
        cut_ = true;
        return lost;
    }
    if (!seen) {
        const VcfResult fours = vcf(attacker_, depth, kVcfNodes, false);
        if (fours.won()) return won;
        cut_ = cut_ || fours.cut || fours.verdict == Verdict::Unknown;
    }
    const std::size_t first = children_.size();
    if (position_->count(MakesFive, other(attacker_)) > 0) {
        stopsOf(*position_, other(attacker_)).forEach([&](Cell cell) { addAttack(cell); });
    } else {
        position_->fours(attacker_).forEach([&](Cell cell) { addAttack(cell); });
        position_->threes(attacker_).forEach([&](Cell cell) { addAttack(cell); });
    }
    if (children_.size() == first) return lost;
    return std::nullopt;
}

void VctSolver::addAttack(Cell cell) {
    // A three has a few defences to get through, a four one.
    static constexpr std::uint32_t kFirst[kThreatCount] = {4, 4, 3, 2, 2, 1, 1, 1, 1, 3};
    const Threat threat = position_->threat(cell, attacker_);
    if (threat == MaybeForbidden && position_->board().isForbidden(cell)) return;
    addChild(cell, {kFirst[threat], 1});
}

// Lists the defences, unless the position is settled without them.
std::optional<VctSolver::Numbers> VctSolver::beginDefence(int depth) {
    constexpr Numbers won{0, kInfinite}, lost{kInfinite, 0};
    const Board& board = position_->board();
    if (position_->count(MakesFive, other(attacker_)) > 0 || !board.hasLegalMove()) return lost;
    const std::size_t first = children_.size();
    if (position_->count(MakesFive, attacker_) > 0) {
        stopsOf(*position_, attacker_).forEach([&](Cell cell) { addDefence(cell); });
    } else {
        CellSet defences;
        int length;
        if (!threatened(depth, defences, length)) return lost;
        if (vcf(other(attacker_), kMaxCells / 2, kCounterNodes, false).won()) return lost;
        defences.forEach([&](Cell cell) { addDefence(cell); });
    }
    if (children_.size() == first) return won;
    return std::nullopt;
}

void VctSolver::addDefence(Cell cell) {
    if (position_->board().isLegal(cell)) addChild(cell, {1, 1});
}

// What the table knows about a move, else a first guess.
void VctSolver::addChild(Cell cell, Numbers guess) {
    const Entry* entry = find(keyAfter(cell));
    if (entry != nullptr) cut_ = cut_ || entry->cut;
    children_.push_back({cell, entry != nullptr ? entry->numbers : guess});
}

// Whether the attacker would win by fours if the defender passed, and what the defender has against it.
bool VctSolver::threatened(int depth, CellSet& defences, int& length) {
    const VcfResult threat = vcf(attacker_, depth, kThreatNodes, true);
    cut_ = cut_ || threat.cut || threat.verdict == Verdict::Unknown;
    if (!threat.won()) return false;
    length = threat.length;
    if (!vcf_.addFootprint(*position_, attacker_, length, limitLeft(), defences)) return false;
    defences |= position_->fours(other(attacker_));
    return true;
}

VcfResult VctSolver::vcf(Stone attacker, int depth, std::uint64_t nodes, bool shortest) {
    ProofLimit limit = limitLeft();
    limit.nodes = std::min(limit.nodes, nodes);
    limit.depth = depth;
    limit.shortest = shortest;
    const VcfResult result = vcf_.solve(*position_, attacker, limit);
    countNodes(result.nodes);
    return result;
}

ProofLimit VctSolver::limitLeft() const {
    ProofLimit limit = limit_;
    limit.nodes = nodes_ < limit_.nodes ? limit_.nodes - nodes_ : 0;
    return limit;
}

void VctSolver::push(Cell cell) {
    position_->push(cell);
    countNodes(1);
}

void VctSolver::countNodes(std::uint64_t nodes) {
    nodes_ += nodes;
    if (nodes_ >= limit_.nodes) stopped_ = true;
    if (nodes_ < nextCheck_) return;
    nextCheck_ = nodes_ + kCheckEvery;
    if (limit_.stop != nullptr && limit_.stop->load(std::memory_order_relaxed)) stopped_ = true;
    if (limit_.deadline != ProofLimit::Clock::time_point::max() && ProofLimit::Clock::now() >= limit_.deadline)
        stopped_ = true;
}

std::uint64_t VctSolver::keyAfter(Cell cell) const {
    return keyNow() ^ stoneKey(cell, position_->turn()) ^ turnKey();
}

const VctSolver::Entry* VctSolver::find(std::uint64_t key) const {
    for (const Entry& entry : table_[key & (table_.size() - 1)])
        if (entry.used && entry.key == key) return &entry;
    return nullptr;
}

// What is settled and what is recent is kept longest.
void VctSolver::store(std::uint64_t key, Numbers numbers, Cell move) {
    Bucket& bucket = table_[key & (table_.size() - 1)];
    const auto worth = [&](const Entry& entry) {
        if (!entry.used) return 0;
        const bool settled = entry.numbers.proof == 0 || entry.numbers.disproof == 0;
        return 1 + 2 * (entry.generation == generation_) + settled;
    };
    Entry* slot = &bucket[key >> 62];
    for (Entry& entry : bucket) {
        if (entry.used && entry.key == key) {
            slot = &entry;
            break;
        }
        if (worth(entry) < worth(*slot)) slot = &entry;
    }
    *slot = {key, numbers, move, generation_, true, cut_};
}

// Adds the proof of a position that the search has won; it searches again only where the table has forgotten.
int VctSolver::addNode(int depth, std::uint64_t vcfNodes, ProofTree& tree) {
    const VcfResult fours = vcf(attacker_, depth, vcfNodes, limit_.shortest);
    if (fours.won()) {
        const int node = vcf_.addProof(*position_, attacker_, fours.length, limitLeft(), tree);
        Board board = position_->board();
        return node != ProofNode::kNone && tree.holdsAt(board, node) ? node : ProofNode::kNone;
    }
    const Entry* entry = find(keyNow());
    if (entry == nullptr || entry->move == kNoCell) {
        if (attack({kInfinite, kInfinite}, depth).proof != 0) return ProofNode::kNone;
        entry = find(keyNow());
        if (entry == nullptr || entry->move == kNoCell) return ProofNode::kNone;
    }
    const Cell move = entry->move;
    const int node = tree.add(move);
    nextCheck_ = 0;  // a node takes long to check: look at the clock at each
    push(move);
    const bool complete = !stopped_ && addAnswers(node, depth - 1, tree) && addRest(node, depth - 1, tree);
    position_->pop();
    return complete ? node : ProofNode::kNone;
}

bool VctSolver::addAnswers(int node, int depth, ProofTree& tree) {
    CellSet defences;
    int otherwise;
    if (position_->count(MakesFive, attacker_) > 0) {
        defences = stopsOf(*position_, attacker_);
        otherwise = tree.add(position_->fives(attacker_).first());
    } else {
        int length;
        if (!threatened(depth, defences, length)) return false;
        otherwise = vcf_.addProof(*position_, attacker_, length, limitLeft(), tree);
        if (otherwise == ProofNode::kNone) return false;
    }
    tree[node].otherwise = otherwise;
    bool complete = true;
    defences.forEach([&](Cell reply) {
        if (!complete || !position_->board().isLegal(reply)) return;
        push(reply);
        const int answer = addNode(depth, kVcfNodes, tree);
        position_->pop();
        tree[node].answers.emplace_back(reply, answer);
        complete = answer != ProofNode::kNone;
    });
    return complete;
}

// Checks the default answer against all other replies, and answers one by one those against which it fails.
bool VctSolver::addRest(int node, int depth, ProofTree& tree) {
    Board board = position_->board();
    CellSet answered;
    for (const auto& [reply, answer] : tree[node].answers) answered.insert(reply);
    for (const Cell reply : board.cells()) {
        if (!board.isEmpty(reply) || answered.contains(reply)) continue;
        if (board.wins(reply, board.turn())) return false;
        board.push(reply);
        const bool holds = tree.holdsAt(board, tree[node].otherwise);
        board.pop();
        if (holds || !board.isLegal(reply)) continue;
        push(reply);
        const int answer = stopped_ ? ProofNode::kNone : addNode(depth, kVcfNodes, tree);
        position_->pop();
        if (answer == ProofNode::kNone) return false;
        tree[node].answers.emplace_back(reply, answer);
    }
    return true;
}

}  // namespace fivestone

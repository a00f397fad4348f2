#include "vcf.hpp"

#include <algorithm>

#include "candidates.hpp"

namespace fivestone {
namespace {

// Nodes between two looks at the clock: well under a millisecond.
constexpr std::uint64_t kCheckEvery = 512;

bool makesFour(const Position& position, Cell cell, Stone color) {
    for (int direction = 0; direction < kDirections; ++direction) {
        const Pattern pattern = position.pattern(cell, color, direction);
        if (pattern >= Four && pattern <= OpenFour) return true;
    }
    return false;
}

// The flanks of the fives that a stone on the cell makes, where a stone of the other side could block them (Caro).
void addFlanks(const Position& position, Cell point, Stone color, CellSet& cells) {
    const Board& board = position.board();
    if (board.rule() != Rule::Caro && board.rule() != Rule::CaroExact) return;
    for (int direction = 0; direction < kDirections; ++direction) {
        if (position.pattern(point, color, direction) != Five) continue;
        const auto [behind, ahead] = flanksOf(board, point, kSteps[direction], color);
        for (const Cell flank : {behind, ahead})
            if (board.isEmpty(flank)) cells.insert(flank);
    }
}

// Gives a side the turn for as long as it lives.
class Turn {
   public:
    Turn(Position& position, Stone color) : position_(position), passed_(position.turn() != color) {
        if (passed_) position_.pass();
    }
    ~Turn() {
        if (passed_) position_.pass();
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    Position& position_;
    bool passed_;
};

}  // namespace

VcfSolver::VcfSolver(std::size_t tableBytes) : table_(tableBytes) {
    candidates_.reserve(1024);
}

VcfResult VcfSolver::solve(Position& position, Stone attacker, std::uint64_t nodeLimit) {
    ProofLimit limit;
    limit.nodes = nodeLimit;
    return solve(position, attacker, limit);
}

VcfResult VcfSolver::solve(Position& position, Stone attacker, const ProofLimit& limit) {
    const Board& board = position.board();
    VcfResult result;
    if (board.winner() != Empty) {
        result.verdict = Verdict::NoWin;
        return result;
    }
    const Turn turn(position, attacker);
    begin(position, attacker, limit);
    table_.newGeneration();
    Outcome outcome = Outcome::TooShallow;
    for (int depth = limit.shortest ? 0 : limit.depth; outcome == Outcome::TooShallow && depth <= limit.depth; ++depth)
        outcome = attack(depth);
    result.nodes = nodes_;
    if (outcome == Outcome::Win) {
        result.verdict = Verdict::Win;
        result.move = bestMove_;
        result.length = length_;
    } else if (outcome != Outcome::Stopped) {
        result.verdict = Verdict::NoWin;
        result.cut = outcome == Outcome::TooShallow;
    }
    return result;
}

void VcfSolver::begin(Position& position, Stone attacker, const ProofLimit& limit) {
    const Rule rule = position.board().rule();
    position_ = &position;
    attacker_ = attacker;
    caro_ = rule == Rule::Caro || rule == Rule::CaroExact;
    forbidsDefender_ = rule == Rule::Renju && attacker == White;
    limit_ = limit;
    nodes_ = 0;
    nextCheck_ = kCheckEvery;
    candidates_.clear();
}

bool VcfSolver::countNode() {
    if (++nodes_ >= limit_.nodes) return false;
    if (nodes_ < nextCheck_) return true;
    nextCheck_ = nodes_ + kCheckEvery;
    if (limit_.stop != nullptr && limit_.stop->load(std::memory_order_relaxed)) return false;
    return limit_.deadline == ProofLimit::Clock::time_point::max() || ProofLimit::Clock::now() < limit_.deadline;
}

// The attacker is to move and may make `depth` fours before the five.
VcfSolver::Outcome VcfSolver::attack(int depth) {
    const CellSet& fives = position_->fives(attacker_);
    if (position_->count(MakesFive, attacker_) > 0) {
        bestMove_ = fives.first();
        length_ = 0;
        return Outcome::Win;
    }
    const CellSet& fours = position_->fours(attacker_);
    if (fours.empty()) return Outcome::NoWin;
    Cell forced = kNoCell;
    if (const int threatened = position_->count(MakesFive, other(attacker_)); threatened > 0) {
        // Under Caro one stone may stop two fives, or stop one from its flank; both are looked for in collect().
        if (!caro_ && threatened > 1) return Outcome::NoWin;
        forced = position_->fives(other(attacker_)).first();
        if (!caro_ && !fours.contains(forced)) return Outcome::NoWin;
    }
    if (depth == 0) return Outcome::TooShallow;
    const std::uint64_t key = position_->board().hash();
    if (const ProofEntry* entry = table_.find(key)) {
        if (entry->kind == ProofEntry::Win && entry->depth <= depth) {
            bestMove_ = entry->move;
            length_ = entry->depth;
            return Outcome::Win;
        }
        if (entry->kind == ProofEntry::NoWin && entry->depth == ProofEntry::kFinal) return Outcome::NoWin;
        if (entry->kind == ProofEntry::NoWin && entry->depth >= depth) return Outcome::TooShallow;
    }
    const Outcome outcome = tryMoves(depth, forced);
    if (outcome == Outcome::Win) table_.store(key, ProofEntry::Win, length_, bestMove_);
    if (outcome == Outcome::NoWin) table_.store(key, ProofEntry::NoWin, ProofEntry::kFinal, kNoCell);
    if (outcome == Outcome::TooShallow)
        table_.store(key, ProofEntry::NoWin, std::min<int>(depth, ProofEntry::kFinal - 1), kNoCell);
    return outcome;
}

VcfSolver::Outcome VcfSolver::tryMoves(int depth, Cell forced) {
    const std::size_t first = candidates_.size();
    const bool all = collect(forced, depth);
    const std::size_t last = candidates_.size();
    std::sort(candidates_.begin() + first, candidates_.end(), [](const Candidate& a, const Candidate& b) {
        return a.score != b.score ? a.score > b.score : a.cell < b.cell;
    });
    Outcome result = all ? Outcome::NoWin : Outcome::TooShallow;
    for (std::size_t i = first; i < last; ++i) {
        const Cell cell = candidates_[i].cell;
        if (position_->threat(cell, attacker_) == MaybeForbidden && position_->board().isForbidden(cell)) continue;
        if (!countNode()) {
            result = Outcome::Stopped;
            break;
        }
        position_->push(cell);
        const Outcome outcome = defend(depth - 1);
        position_->pop();
        if (outcome == Outcome::Win) {
            bestMove_ = cell;
            ++length_;
        }
        if (outcome == Outcome::TooShallow) result = Outcome::TooShallow;
        if (outcome == Outcome::Win || outcome == Outcome::Stopped) {
            result = outcome;
            break;
        }
    }
    candidates_.resize(first);
    return result;
}

// The fours that may be played: where the defender threatens five, only those that stop it. Says whether none was left
// out for want of depth: with one four to go, only a double one wins (unless a five can be blocked from its flank, or
// the point that stops it may be forbidden).
bool VcfSolver::collect(Cell forced, int depth) {
    const bool doubleOnly = depth == 1 && !caro_ && !forbidsDefender_;
    bool all = true;
    const auto add = [&](Cell cell) {
        const Threat threat = position_->threat(cell, attacker_);
        if (threat == MaybeForbidden && !makesFour(*position_, cell, attacker_)) return;
        if (doubleOnly && (threat == MakesFour || threat == MakesFourThree)) {
            all = false;
            return;
        }
        candidates_.push_back({cell, static_cast<std::int16_t>(order(cell))});
    };
    if (forced == kNoCell) {
        position_->fours(attacker_).forEach(add);
    } else if (!caro_) {
        add(forced);
    } else {
        stopsOf(*position_, other(attacker_)).forEach([&](Cell cell) {
            if (position_->fours(attacker_).contains(cell)) add(cell);
        });
    }
    return all;
}

// Moves that win at once first, then those that leave most behind on their other lines; near the last stone before far
// from it.
int VcfSolver::order(Cell cell) const {
    static constexpr int kWorth[kPatternCount] = {0, 0, 0, 1, 2, 6, 8, 30, 10, 200, 400, 0};
    int score = 0;
    for (int direction = 0; direction < kDirections; ++direction)
        score += kWorth[position_->pattern(cell, attacker_, direction)];
    if (position_->threat(cell, attacker_) == MakesDoubleFour) score += 200;
    return score;
}

// The attacker has just made a four; he has `depth` more.
VcfSolver::Outcome VcfSolver::defend(int depth) {
    const Stone defender = other(attacker_);
    if (caro_) return defendCaro(depth);
    const int points = position_->count(MakesFive, attacker_);
    if (points == 0 || position_->count(MakesFive, defender) > 0) return Outcome::NoWin;
    if (points > 1) {
        length_ = 0;
        return Outcome::Win;
    }
    const Cell point = position_->fives(attacker_).first();
    if (forbidsDefender_ && position_->threat(point, Black) == MaybeForbidden &&
        position_->board().isForbidden(point)) {
        // Black may not stop the five; if he has no move at all the game is drawn.
        if (!position_->board().hasLegalMove()) return Outcome::NoWin;
        length_ = 0;
        return Outcome::Win;
    }
    return reply(point, depth);
}

VcfSolver::Outcome VcfSolver::reply(Cell cell, int depth) {
    if (!countNode()) return Outcome::Stopped;
    position_->push(cell);
    const Outcome outcome = attack(depth);
    position_->pop();
    return outcome;
}

VcfSolver::Outcome VcfSolver::defendCaro(int depth) {
    const int points = position_->count(MakesFive, attacker_);
    if (points == 0 || position_->count(MakesFive, other(attacker_)) > 0) return Outcome::NoWin;
    Outcome result = Outcome::Win;
    int longest = 0;
    stopsOf(*position_, attacker_).forEach([&](Cell cell) {
        if (result != Outcome::Win) return;
        result = reply(cell, depth);
        longest = std::max(longest, length_);
    });
    length_ = longest;
    return result;
}

std::vector<Cell> VcfSolver::line(Position& position, Stone attacker, int length, const ProofLimit& limit) {
    const Turn turn(position, attacker);
    ProofTree tree;
    tree.root = addProof(position, attacker, length, limit, tree);
    if (tree.root == ProofNode::kNone) return {};
    return tree.mainLine(position.board());
}

int VcfSolver::addProof(Position& position, Stone attacker, int length, const ProofLimit& limit, ProofTree& tree) {
    const Turn turn(position, attacker);
    begin(position, attacker, limit);
    return addNode(length, tree);
}

int VcfSolver::addNode(int depth, ProofTree& tree) {
    if (attack(depth) != Outcome::Win) return ProofNode::kNone;
    const int length = length_;
    const Cell move = bestMove_;
    const int node = tree.add(move);
    if (length == 0) return node;
    bool complete = true;
    position_->push(move);
    const Cell five = position_->fives(attacker_).first();
    stopsOf(*position_, attacker_).forEach([&](Cell reply) {
        if (!complete || !position_->board().isLegal(reply)) return;
        position_->push(reply);
        const int answer = addNode(length - 1, tree);
        position_->pop();
        tree[node].answers.emplace_back(reply, answer);
        complete = answer != ProofNode::kNone;
    });
    position_->pop();
    const int otherwise = tree.add(five);
    tree[node].otherwise = otherwise;
    return complete ? node : ProofNode::kNone;
}

bool VcfSolver::addFootprint(Position& position, Stone attacker, int length, const ProofLimit& limit, CellSet& cells) {
    const Turn turn(position, attacker);
    begin(position, attacker, limit);
    return addCells(length, cells);
}

bool VcfSolver::addCells(int depth, CellSet& cells) {
    if (attack(depth) != Outcome::Win) return false;
    const int length = length_;
    const Cell move = bestMove_;
    cells.insert(move);
    if (length == 0) {
        addFlanks(*position_, move, attacker_, cells);
        return true;
    }
    bool complete = true;
    position_->push(move);
    position_->fives(attacker_).forEach([&](Cell point) { addFlanks(*position_, point, attacker_, cells); });
    stopsOf(*position_, attacker_).forEach([&](Cell reply) {
        if (!complete) return;
        cells.insert(reply);
        addReplyCells(reply, cells);
        if (!position_->board().isLegal(reply)) return;
        position_->push(reply);
        complete = addCells(length - 1, cells);
        position_->pop();
    });
    position_->pop();
    return complete;
}

// The cells that with this reply would make a four or five of the defender's; and, for a reply that Renju forbids,
// all that stand on its lines, since one more stone may make it legal.
void VcfSolver::addReplyCells(Cell reply, CellSet& cells) const {
    const Board& board = position_->board();
    const Stone defender = other(attacker_);
    const bool forbidden = position_->threat(reply, defender) == MaybeForbidden;
    for (int direction = 0; direction < kDirections; ++direction) {
        if (!forbidden && position_->pattern(reply, defender, direction) < Three) continue;
        for (const int step : {-kSteps[direction], kSteps[direction]})
            for (int distance = 1; distance <= kMaxReach; ++distance) {
                const Cell cell = static_cast<Cell>(reply + distance * step);
                if (board.at(cell) == Wall || board.at(cell) == attacker_) break;
                if (board.isEmpty(cell)) cells.insert(cell);
            }
    }
}

}  // namespace fivestone

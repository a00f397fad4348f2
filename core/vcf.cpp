#include "vcf.hpp"

#include <algorithm>

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

}  // namespace

void collectCaroDefences(const Position& position, Stone attacker, CellSet& defences) {
    const Board& board = position.board();
    const Stone foe = other(attacker);
    position.fives(attacker).forEach([&](Cell point) {
        defences.insert(point);
        for (int direction = 0; direction < kDirections; ++direction) {
            if (position.pattern(point, attacker, direction) != Five) continue;
            const int step = kSteps[direction];
            int ahead = point + step, behind = point - step;
            while (board.at(static_cast<Cell>(ahead)) == attacker) ahead += step;
            while (board.at(static_cast<Cell>(behind)) == attacker) behind -= step;
            const Stone front = board.at(static_cast<Cell>(ahead)), back = board.at(static_cast<Cell>(behind));
            if (front == foe && back == Empty) defences.insert(static_cast<Cell>(behind));
            if (back == foe && front == Empty) defences.insert(static_cast<Cell>(ahead));
        }
    });
}

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
    const bool passed = position.turn() != attacker;
    if (passed) position.pass();
    position_ = &position;
    attacker_ = attacker;
    caro_ = board.rule() == Rule::Caro || board.rule() == Rule::CaroExact;
    forbidsAttacker_ = board.rule() == Rule::Renju && attacker == Black;
    forbidsDefender_ = board.rule() == Rule::Renju && attacker == White;
    limit_ = limit;
    nodes_ = 0;
    nextCheck_ = kCheckEvery;
    bestMove_ = kNoCell;
    candidates_.clear();
    table_.newGeneration();

    Outcome outcome = Outcome::TooShallow;
    for (int depth = limit.shortest ? 0 : limit.depth; outcome == Outcome::TooShallow && depth <= limit.depth; ++depth)
        outcome = attack(depth);
    if (passed) position.pass();
    result.nodes = nodes_;
    if (outcome == Outcome::Win) {
        result.verdict = Verdict::Win;
        result.move = bestMove_;
        result.length = length_;
    } else if (outcome != Outcome::Stopped) {
        result.verdict = Verdict::NoWin;
    }
    return result;
}

std::vector<Cell> VcfSolver::line(Position& position, Stone attacker) {
    ProofLimit limit;
    limit.shortest = true;
    const bool passed = position.turn() != attacker;
    if (passed) position.pass();
    std::vector<Cell> moves;
    for (;;) {
        const VcfResult result = solve(position, attacker, limit);
        moves.push_back(result.move);
        position.push(result.move);
        if (result.length == 0) break;
        CellSet defences;
        if (caro_)
            collectCaroDefences(position, attacker, defences);
        else
            defences = position.fives(attacker);
        // The five itself is the answer to every move but these; of these, the one that holds out longest.
        Cell best = kNoCell;
        int longest = -1;
        defences.forEach([&](Cell cell) {
            if (!position.board().isLegal(cell)) return;
            position.push(cell);
            const int length = solve(position, attacker, limit).length;
            position.pop();
            if (length > longest) {
                longest = length;
                best = cell;
            }
        });
        if (best == kNoCell)
            for (const Cell cell : position.board().cells())
                if (best == kNoCell && position.board().isLegal(cell)) best = cell;
        moves.push_back(best);
        position.push(best);
    }
    for (std::size_t i = 0; i < moves.size(); ++i) position.pop();
    if (passed) position.pass();
    return moves;
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
        CellSet blocks;
        collectCaroDefences(*position_, other(attacker_), blocks);
        blocks.forEach([&](Cell cell) {
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
    CellSet defences;
    collectCaroDefences(*position_, attacker_, defences);
    Outcome result = Outcome::Win;
    int longest = 0;
    defences.forEach([&](Cell cell) {
        if (result != Outcome::Win) return;
        result = reply(cell, depth);
        longest = std::max(longest, length_);
    });
    length_ = longest;
    return result;
}

}  // namespace fivestone

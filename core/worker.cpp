#include "worker.hpp"

#include <algorithm>
#include <cmath>

namespace fivestone {
namespace {

constexpr std::uint64_t kPollEvery = 256;
// With so few cells left every move is looked at to the end.
constexpr int kExactCells = 12;
constexpr int kFoursSlots = 1 << 15;
// Answers to a five below the horizon where there was a choice of them.
constexpr int kFreeAnswers = 4;
// Under Caro, how many times the usual count of moves is looked at while all of them lose.
constexpr int kLostMoves = 3;

// More moves than any board has cells: all of them.
constexpr double kAllMoves = 1000;

int toTable(int score, int ply) {
    return score >= kProven ? score + ply : score <= -kProven ? score - ply : score;
}
int fromTable(int score, int ply) {
    return score >= kProven ? score - ply : score <= -kProven ? score + ply : score;
}

}  // namespace

Worker::Worker(SearchState& state, const Board& board, const Weights& weights, std::unique_ptr<Scorer> scorer)
    : state_(state),
      tuning_(state.tuning),
      position_(board, weights),
      scorer_(std::move(scorer)),
      frames_(kMaxPly + 2),
      foursTable_(kFoursSlots),
      rootStones_(board.moves().size()) {
    for (int depth = 0; depth <= kMaxPly; ++depth)
        counts_[depth] =
            tuning_.countBase + static_cast<int>(std::min(kAllMoves, std::pow(depth, tuning_.countPower / 100.0)));
    const Candidates candidates(position_, true);
    // The greedy answer comes first: it is played if there is no time for anything else.
    MovePicker picker(position_, candidates.cells(), *scorer_, history_, greedyMove(position_).cell, 0);
    while (!picker.empty()) {
        const Cell cell = picker.next().cell;
        rootMoves_.push_back({cell, -kWin, 0, {cell}});
    }
    if (!rootMoves_.empty()) return;
    // Every answer to a threat is forbidden: see greedyMove.
    for (const Cell cell : board.cells())
        if (board.isLegal(cell)) rootMoves_.push_back({cell, -kWin, 0, {cell}});
}

void Worker::play(Cell cell) {
    position_.push(cell);
    const std::uint64_t nodes = nodes_.load(std::memory_order_relaxed) + 1;
    nodes_.store(nodes, std::memory_order_relaxed);
    if (nodes % kPollEvery == 0 || nodes >= state_.nodeLimit.load(std::memory_order_relaxed)) poll();
}

void Worker::poll() {
    if (state_.stop.load(std::memory_order_relaxed) || nodes() >= state_.nodeLimit.load(std::memory_order_relaxed) ||
        std::chrono::steady_clock::now() >= state_.deadline)
        stopped_ = true;
}

void Worker::keepLine(int ply, Cell cell) {
    Frame& frame = frames_[ply];
    const Frame& next = frames_[ply + 1];
    frame.line[0] = cell;
    std::copy_n(next.line.begin(), next.length, frame.line.begin() + 1);
    frame.length = next.length + 1;
}

int Worker::searchRoot(int depth, int alpha, int beta, int from) {
    rootDepth_ = depth;
    frames_[0].judged = scorer_->score(position_);
    const Node node{alpha, beta, depth, 0, false, true};
    const Urgency urgency = Candidates(position_).urgency();
    for (std::size_t i = from; i < rootMoves_.size(); ++i) rootMoves_[i].score = -kWin;
    int best = -kWin;
    for (std::size_t i = from; i < rootMoves_.size(); ++i) {
        RootMove& move = rootMoves_[i];
        const std::uint64_t before = nodes();
        const int number = static_cast<int>(i) - from + 1;
        const RankedMove ranked{move.cell, kFirstPromise};
        const int reduced = number > 1 ? reduction(node, ranked, number, urgency) : 0;
        play(move.cell);
        frames_[1].length = 0;
        // Below the root no five is ever played out: the node before it is settled.
        const int score = position_.board().winner() != Empty
                              ? kWin - 1
                              : searchMove(node, std::max(alpha, best), depth - 1, reduced, number == 1);
        position_.pop();
        move.nodes += nodes() - before;
        if (stopped_) break;
        if (number == 1 || score > std::max(alpha, best)) {
            move.score = score;
            move.line.assign(1, move.cell);
            const Frame& next = frames_[1];
            move.line.insert(move.line.end(), next.line.begin(), next.line.begin() + next.length);
        }
        best = std::max(best, score);
        if (best >= beta) break;
    }
    std::stable_sort(rootMoves_.begin() + from, rootMoves_.end(),
                     [](const RootMove& a, const RootMove& b) { return a.score > b.score; });
    return best;
}

// Whether the position needs no search: five now, a four or three that nothing stops, or no cell left.
bool Worker::settled(int ply, int& score) {
    const Stone own = position_.turn(), foe = other(own);
    if (position_.count(MakesFive, own) > 0) {
        keepLine(ply, position_.fives(own).first());
        score = kWin - ply - 1;
        return true;
    }
    if (position_.board().emptyCount() == 0) {
        score = 0;
        return true;
    }
    if (!fourWins(position_.board().rule()) || position_.count(MakesFive, foe) > 0) return false;
    const Cell four = winningFour(position_);
    const Cell cell = four != kNoCell ? four : winningThree(position_);
    if (cell == kNoCell) return false;
    keepLine(ply, cell);
    score = kWin - ply - (four != kNoCell ? 3 : 5);
    return true;
}

int Worker::search(int alpha, int beta, int depth, int ply, bool cut) {
    if (halted()) return 0;
    Node node{alpha, beta, depth, ply, cut, beta - alpha > 1};
    frames_[ply].length = 0;
    frames_[ply + 1].length = 0;
    deepest_ = std::max(deepest_, ply);
    int score;
    if (settled(ply, score)) return score;
    if (ply >= kMaxPly) return scorer_->score(position_);
    // Nothing here can be better than the next stone's five, nor worse than losing to the one after it.
    node.alpha = std::max(alpha, -(kWin - ply - 2));
    node.beta = std::min(beta, kWin - ply - 3);
    if (node.alpha >= node.beta) return node.alpha;
    if (position_.count(MakesFive, other(position_.turn())) > 0)
        return blockFive(node.alpha, node.beta, depth, ply, cut);
    const Candidates candidates(position_, true);
    const bool answering = candidates.urgency() == Urgency::AnswerFour;
    if (answering) node.depth = std::max(node.depth, tuning_.answerDepth);
    if (node.depth <= 0) return leaf(node.beta, ply);
    if (tableCut(node, score)) return score;
    if (pruned(node, candidates.urgency(), score)) return score;
    if (node.tableMove == kNoCell && node.depth >= 5 && position_.board().emptyCount() > kExactCells) --node.depth;
    return searchMoves(node, candidates);
}

// The opponent threatens five: the answer is forced and costs no depth.
int Worker::blockFive(int alpha, int beta, int depth, int ply, bool cut) {
    const Rule rule = position_.board().rule();
    const int lost = -(kWin - ply - 2);
    const Candidates candidates(position_);
    if (candidates.cells().empty()) return position_.board().hasLegalMove() ? lost : 0;
    if (fourWins(rule) && position_.count(MakesFive, other(position_.turn())) > 1) return lost;
    // Under Caro there are several answers, and each may threaten five itself: below the horizon they are counted.
    if (depth <= 0 && candidates.cells().size() > 1 && --depth < -kFreeAnswers) return scorer_->score(position_);
    frames_[ply].judged = -frames_[ply - 1].judged;
    int best = -kWin;
    for (const Cell cell : candidates.cells()) {
        play(cell);
        const int score = -search(-beta, -alpha, depth, ply + 1, !cut);
        position_.pop();
        if (halted()) return 0;
        if (score <= best) continue;
        best = score;
        if (score <= alpha) continue;
        alpha = score;
        keepLine(ply, cell);
        if (alpha >= beta) break;
    }
    return best;
}

int Worker::leaf(int beta, int ply) {
    const int judged = scorer_->score(position_);
    if (judged >= beta) return judged;
    foursEnd_ = nodes() + tuning_.foursNodes;
    Cell first = kNoCell;
    const int plies = fours(tuning_.foursDepth, first);
    if (plies == 0) return judged;
    keepLine(ply, first);
    return kWin - ply - plies;
}

// Plies to five by fours alone, or 0 if none was found; for the side to move.
int Worker::fours(int left, Cell& first) {
    const Stone own = position_.turn(), foe = other(own);
    if (position_.count(MakesFive, own) > 0) return 1;
    if (position_.count(MakesFive, foe) > 1) return 0;
    const bool blocking = position_.count(MakesFive, foe) == 1;
    const bool simple = fourWins(position_.board().rule());
    if (!blocking && simple && position_.count(MakesOpenFour, own) + position_.count(MakesDoubleFour, own) > 0)
        return 3;
    int count = 0, strong = 0;
    std::array<Cell, kMaxCells> cells;
    position_.fours(own).forEach([&](Cell cell) {
        if (blocking && position_.threat(cell, foe) != MakesFive) return;
        if (position_.threat(cell, own) == MaybeForbidden && position_.board().isForbidden(cell)) return;
        cells[count++] = cell;
        // Fours that make more than a four come first.
        if (position_.threat(cell, own) != MakesFour) std::swap(cells[count - 1], cells[strong++]);
    });
    if (count == 0 || left == 0 || nodes() >= foursEnd_ || stopped_) return 0;
    const std::uint64_t key = position_.board().hash();
    FoursEntry& entry = foursTable_[key % kFoursSlots];
    if (entry.key == key && (entry.plies > 0 || entry.left >= left)) {
        first = entry.first;
        return entry.plies;
    }
    int found = 0;
    for (int i = 0; i < count && found == 0; ++i) {
        play(cells[i]);
        int longest = 0;
        if (position_.count(MakesFive, foe) == 0) {
            const Candidates blocks(position_);
            longest = 2;
            for (const Cell cell : blocks.cells()) {
                play(cell);
                Cell next = kNoCell;
                const int plies = fours(left - 1, next);
                position_.pop();
                longest = plies == 0 ? 0 : std::max(longest, plies + 1);
                if (longest == 0) break;
            }
        }
        position_.pop();
        if (longest == 0) continue;
        found = longest + 1;
        first = cells[i];
    }
    if (found > 0 || (nodes() < foursEnd_ && !stopped_))
        entry = {key, first, static_cast<std::int16_t>(found), static_cast<std::int16_t>(left)};
    return found;
}

bool Worker::tableCut(Node& node, int& score) {
    if (frames_[node.ply].excluded != kNoCell) return false;
    TableEntry& entry = node.entry;
    node.found = state_.table.find(position_.board().hash(), entry);
    if (!node.found) return false;
    entry.score = static_cast<std::int16_t>(fromTable(entry.score, node.ply));
    if (entry.move != kNoCell && position_.board().isEmpty(entry.move)) node.tableMove = entry.move;
    score = entry.score;
    // A proof needs no window: it is as good as the five itself.
    if ((score >= kProven && entry.bound != Bound::Upper) || (score <= -kProven && entry.bound != Bound::Lower)) {
        if (node.tableMove != kNoCell) keepLine(node.ply, node.tableMove);
        return true;
    }
    if (node.pv || entry.depth < node.depth) return false;
    return entry.bound == Bound::Exact || (entry.bound == Bound::Lower && score >= node.beta) ||
           (entry.bound == Bound::Upper && score <= node.alpha);
}

// Whether the node's score is clear enough without looking at its moves.
bool Worker::pruned(Node& node, Urgency urgency, int& score) {
    Frame& frame = frames_[node.ply];
    node.judged = node.found ? node.entry.judged : scorer_->score(position_);
    frame.judged = node.judged;
    node.improving = node.ply >= 2 && node.judged > frames_[node.ply - 2].judged;
    if (node.pv || frame.excluded != kNoCell || urgency == Urgency::AnswerFour) return false;
    if (isProven(node.alpha) || isProven(node.beta) || position_.board().emptyCount() <= kExactCells) return false;
    int judged = node.judged;
    if (node.found && !isProven(node.entry.score) &&
        (node.entry.bound == Bound::Exact || (node.entry.bound == Bound::Lower && node.entry.score > judged) ||
         (node.entry.bound == Bound::Upper && node.entry.score < judged)))
        judged = node.entry.score;
    if (node.depth <= tuning_.razorDepth && judged + tuning_.razorMargin * node.depth <= node.alpha) {
        score = leaf(node.beta, node.ply);
        if (score <= node.alpha) return true;
    }
    if (node.depth <= tuning_.futilityDepth &&
        judged - tuning_.futilityMargin * (node.depth - node.improving) >= node.beta) {
        score = judged;
        return true;
    }
    return judged >= node.beta && nullCut(node, score);
}

bool Worker::nullCut(const Node& node, int& score) {
    if (node.depth < tuning_.nullDepth || frames_[node.ply - 1].null) return false;
    if (node.judged < node.beta + tuning_.nullMargin) return false;
    const int depth = node.depth - 4 - node.depth / 4;
    position_.pass();
    frames_[node.ply].null = true;
    score = -search(-node.beta, -node.beta + 1, depth, node.ply + 1, !node.cut);
    frames_[node.ply].null = false;
    position_.pass();
    if (halted()) return true;
    if (score < node.beta) return false;
    if (isProven(score)) score = node.beta;
    return true;
}

// One ply more for the table's move if every other move falls well short of it; a score if several reach beta.
int Worker::extension(const Node& node, Cell cell, int& cutScore) {
    if (cell != node.tableMove || node.depth < tuning_.singularDepth || !node.found || node.ply == 0 ||
        node.ply >= 2 * rootDepth_ || frames_[node.ply].excluded != kNoCell || isProven(node.entry.score) ||
        node.entry.bound == Bound::Upper || node.entry.depth < node.depth - 3)
        return 0;
    const int limit = node.entry.score - 2 * node.depth;
    Frame& frame = frames_[node.ply];
    frame.excluded = cell;
    const int score = search(limit - 1, limit, (node.depth - 1) / 2, node.ply, node.cut);
    frame.excluded = kNoCell;
    frame.judged = node.judged;
    if (score < limit) return 1;
    if (limit >= node.beta) cutScore = limit;
    return 0;
}

// Whether more moves have been looked at than a node of this depth gets.
bool Worker::overCount(const Node& node, int number) const {
    const int most = mostMoves(node.depth);
    return node.depth <= tuning_.countDepth && number > (node.improving || node.pv ? most : most * 2 / 3);
}

bool Worker::skips(const Node& node, const RankedMove& move, Urgency urgency, int number, int best) const {
    if (urgency != Urgency::Quiet && best <= -kProven) return false;
    if (position_.board().emptyCount() <= kExactCells) return false;
    // Where everything loses all moves are looked at. Under Caro that may mean hundreds at each of several plies, as no
    // four settles a position by itself; there a limit holds.
    if (best <= -kProven) return !fourWins(position_.board().rule()) && number > kLostMoves * mostMoves(node.depth);
    if (overCount(node, number)) return true;
    if (node.pv || node.depth > tuning_.childDepth) return false;
    const Threat own = position_.threat(move.cell, position_.turn());
    if (own >= MakesOpenThree) return false;
    return node.judged + tuning_.childBase + tuning_.childMargin * node.depth + move.promise <= node.alpha;
}

int Worker::reduction(const Node& node, const RankedMove& move, int number, Urgency urgency) const {
    if (node.depth < 2 || position_.board().emptyCount() <= kExactCells) return 0;
    int hundredths =
        tuning_.reductionBase + static_cast<int>(tuning_.reductionSlope * std::log(node.depth) * std::log(number));
    hundredths += tuning_.promiseReduction * (kFirstPromise - move.promise) / 100;
    if (node.cut) hundredths += 60;
    if (node.pv) hundredths -= 60;
    if (!node.improving) hundredths += 30;
    if (position_.threat(move.cell, position_.turn()) >= MakesOpenThree) hundredths -= 80;
    if (urgency == Urgency::AnswerFour) hundredths -= 100;
    hundredths -= history_.worth(position_.turn(), move.cell) * 100 / History::kMost;
    return std::clamp(hundredths / 100, 0, node.depth - 1);
}

// The played move's score by a narrow window first, and wider and deeper only if it surprises.
int Worker::searchMove(const Node& node, int alpha, int depth, int reduced, bool first) {
    const int ply = node.ply + 1;
    if (!first) {
        int score = -search(-alpha - 1, -alpha, depth - reduced, ply, true);
        if (score > alpha && reduced > 0) score = -search(-alpha - 1, -alpha, depth, ply, !node.cut);
        if (!node.pv || score <= alpha || score >= node.beta) return score;
    }
    return -search(-node.beta, -alpha, depth, ply, node.pv ? false : !node.cut);
}

int Worker::searchMoves(Node& node, const Candidates& candidates) {
    Frame& frame = frames_[node.ply];
    const int depth = node.depth;
    const Urgency urgency = candidates.urgency();
    const Cell before = position_.board().lastMove();
    const Stone own = position_.turn();
    MovePicker picker(position_, candidates.cells(), *scorer_, history_, node.tableMove, node.ply);
    std::array<Cell, 64> tried;
    Progress progress{-kWin, node.alpha, kNoCell, node.depth};
    int number = 0;
    std::size_t triedCount = 0;
    while (!picker.empty() && progress.alpha < node.beta) {
        if (number > 0 && mayShare(node, progress)) {
            share(node, picker, urgency, number, progress);
            if (halted()) return 0;
            break;
        }
        const RankedMove move = picker.next();
        if (move.cell == frame.excluded) continue;
        ++number;
        if (skips(node, move, urgency, number, progress.best)) {
            progress.skipped = true;
            if (progress.best > -kProven && overCount(node, number)) break;
            continue;
        }
        int cutScore = -kWin;
        const int extended = extension(node, move.cell, cutScore);
        if (halted()) return 0;
        if (cutScore > -kWin) return cutScore;
        const int reduced = number > 1 ? reduction(node, move, number, urgency) : 0;
        play(move.cell);
        const int score = searchMove(node, progress.alpha, node.depth - 1 + extended, reduced, number == 1);
        position_.pop();
        if (halted()) return 0;
        if (improve(progress, node, move.cell, score)) keepLine(node.ply, move.cell);
        node.depth = progress.depth;
        if (progress.alpha < node.beta && triedCount < tried.size()) tried[triedCount++] = move.cell;
    }
    if (number == 0) return frame.excluded != kNoCell ? node.alpha : 0;  // Renju: only forbidden points left
    if (progress.alpha >= node.beta)
        history_.reward(own, progress.bestCell, {tried.data(), triedCount}, before, node.ply, progress.depth);
    int best = progress.best;
    if (progress.skipped && best <= -kProven) best = -kMaxScore;  // what was not looked at may not lose
    if (frame.excluded == kNoCell) {
        const Bound bound = best >= node.beta              ? Bound::Lower
                            : progress.bestCell != kNoCell ? Bound::Exact
                                                           : Bound::Upper;
        state_.table.store(position_.board().hash(),
                           {static_cast<std::int16_t>(toTable(best, node.ply)), static_cast<std::int16_t>(node.judged),
                            progress.bestCell, static_cast<std::int8_t>(std::min(depth, 120)), bound});
    }
    return best;
}

}  // namespace fivestone

#include "alphabeta.hpp"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "lineprover.hpp"
#include "proofhelper.hpp"

namespace fivestone {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kMaxDepth = 100;
// A forced move on a clock is looked at no deeper than this: enough for a score to show.
constexpr int kForcedDepth = 4;

// The share of a clock or of the nodes that goes to a proof by threats before the search begins.
constexpr std::uint64_t kProofShare = 16;
// The same of the share of a thread that does nothing but proofs.
constexpr std::uint64_t kApartShare = 2;

Clock::duration inClockTicks(double seconds) {
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

double secondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

// Searches the moves from `from` on with a window around what the last iteration found.
void searchWindow(Worker& worker, const Tuning& tuning, int depth, int from, int guess) {
    int alpha = -kWin, beta = kWin, margin = tuning.aspiration;
    if (depth >= 4 && !isProven(guess)) {
        alpha = std::max(guess - margin, -kWin);
        beta = std::min(guess + margin, kWin);
    }
    while (true) {
        const int score = worker.searchRoot(depth, alpha, beta, from);
        if (worker.stopped()) return;
        margin *= 2;
        if (margin > 2000) margin = 2 * kWin;
        if (score <= alpha && alpha > -kWin) {
            beta = (alpha + beta) / 2;
            alpha = std::max(score - margin, -kWin);
        } else if (score >= beta && beta < kWin) {
            beta = std::min(score + margin, kWin);
        } else {
            return;
        }
    }
}

void reportWin(const Board& board, const VctResult& win, SearchReport& report) {
    report.lines = {{win.move, kWin - 2 * win.length - 1, win.proof.mainLine(board), win.nodes}};
    report.depth = report.deepest = 2 * win.length + 1;
}

// Whether a helper sees a win, or has looked deeper than the thread that reports.
bool saysMore(const SearchReport& helper, const SearchReport& report) {
    if (helper.lines.empty() || isProven(report.lines[0].score)) return false;
    return helper.lines[0].score >= kProven || helper.depth > report.depth;
}

}  // namespace

AlphaBeta::AlphaBeta(const Options& options, MakeScorer makeScorer)
    : options_(options), makeScorer_(std::move(makeScorer)), table_(options.hashMegabytes) {}

void AlphaBeta::clear() {
    table_.clear();
    threats_.clear();
}

// One iteration; false if it was cut short, in which case the report keeps what is still known to be best.
bool AlphaBeta::iterate(Worker& worker, int depth, SearchReport& report) const {
    auto& moves = worker.rootMoves();
    const int lines = std::min<int>(options_.multiPv, static_cast<int>(moves.size()));
    for (int from = 0; from < lines; ++from) {
        const bool known = from < static_cast<int>(report.lines.size());
        searchWindow(worker, options_.tuning, depth, from, known ? report.lines[from].score : kWin);
        if (worker.stopped()) break;
    }
    const bool whole = !worker.stopped();
    // A later line may turn out better than an earlier one: the table knew more by then.
    if (whole)
        std::stable_sort(moves.begin(), moves.begin() + lines,
                         [](const RootMove& a, const RootMove& b) { return a.score > b.score; });
    // Of an iteration that was cut short only a better first move counts.
    if (!whole && moves[0].score == -kWin && !report.lines.empty()) return false;
    const int count = whole ? lines : 1;
    std::vector<SearchLine> found;
    for (int i = 0; i < count; ++i) found.push_back({moves[i].cell, moves[i].score, moves[i].line, moves[i].nodes});
    if (!whole)
        for (const SearchLine& line : report.lines)
            if (line.move != found[0].move && static_cast<int>(found.size()) < lines) found.push_back(line);
    report.lines = std::move(found);
    if (whole) report.depth = depth;
    return whole;
}

// One search: its threads and what they have found so far.
class AlphaBeta::Run {
   public:
    Run(AlphaBeta& engine, const Board& board, const Weights& weights, const SearchLimit& limit);
    // Also when a callback has thrown no thread is left behind.
    ~Run() { end(); }
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;

    // Whether the side to move wins by threats alone, as far as their share of the limit shows. With more than one
    // thread that is found out beside the search.
    bool wonAtOnce();
    void deepen(const OnReport& onReport);
    // Ends all threads and puts together what they found.
    void finish();
    const SearchReport& report() const { return report_; }

   private:
    ProofLimit proofLimit(std::uint64_t share) const;
    void startHelpers();
    void end();
    bool decided(int depth) const;
    bool refuted();
    void playAnother();
    void count();

    AlphaBeta& engine_;
    const Board& board_;
    const Weights& weights_;
    const SearchLimit limit_;
    const Clock::time_point start_ = Clock::now();
    const bool oneLine_;  // is asked for
    const bool proving_;  // without a limit to take a share of, and with several lines, there are no proofs
    const bool apart_;    // proofs have a thread of their own
    const int threads_;
    const int most_;  // the deepest iteration
    SearchState state_;
    LineProver prover_;
    SearchReport report_;
    std::uint64_t rootNodes_ = 0;
    CellSet lost_;  // moves whose refutation was proven
    std::vector<std::unique_ptr<Worker>> workers_;
    std::vector<SearchReport> found_;  // by the helpers
    std::vector<std::thread> helpers_;
    std::unique_ptr<ProofHelper> proofs_;
};

AlphaBeta::Run::Run(AlphaBeta& engine, const Board& board, const Weights& weights, const SearchLimit& limit)
    : engine_(engine),
      board_(board),
      weights_(weights),
      limit_(limit),
      oneLine_(engine.options_.multiPv == 1),
      proving_(oneLine_ && (limit.seconds > 0 || limit.nodes > 0)),
      apart_(proving_ && engine.options_.threads > 1),
      threads_(std::max(1, engine.options_.threads)),
      most_(std::min({limit.depth > 0 ? limit.depth : kMaxDepth, kMaxDepth, board.emptyCount()})),
      state_{engine.table_, engine.options_.tuning, engine.stop_},
      prover_(engine.threats_, engine.table_) {
    engine.table_.age();
    if (limit.seconds > 0) state_.deadline = start_ + inClockTicks(limit.seconds);
}

// What one in `share` parts of the limit allows.
ProofLimit AlphaBeta::Run::proofLimit(std::uint64_t share) const {
    ProofLimit result;
    result.stop = &engine_.stop_;
    if (limit_.nodes > 0) result.nodes = limit_.nodes / share;
    if (limit_.seconds > 0) result.deadline = start_ + inClockTicks(limit_.seconds / static_cast<double>(share));
    return result;
}

bool AlphaBeta::Run::wonAtOnce() {
    if (!proving_ || apart_) return false;
    Position position(board_, weights_);
    const VctResult win = engine_.threats_.solve(position, board_.turn(), proofLimit(kProofShare));
    rootNodes_ = win.nodes;
    if (win.won()) reportWin(board_, win, report_);
    count();
    return win.won();
}

void AlphaBeta::Run::startHelpers() {
    if (limit_.nodes > 0)
        state_.nodeLimit = std::max<std::uint64_t>(1, (limit_.nodes - std::min(limit_.nodes, rootNodes_)) / threads_);
    for (int i = 0; i < threads_ - apart_; ++i)
        workers_.push_back(std::make_unique<Worker>(state_, board_, weights_, engine_.makeScorer_(weights_)));
    if (apart_) {
        ProofLimit all = proofLimit(1);
        all.nodes = std::min<std::uint64_t>(all.nodes, state_.nodeLimit);
        proofs_ = std::make_unique<ProofHelper>(engine_.threats_, engine_.table_, board_, weights_, all,
                                                proofLimit(kApartShare * threads_), engine_.stop_);
    }
    found_.resize(workers_.size());
    for (std::size_t i = 1; i < workers_.size(); ++i)
        helpers_.emplace_back([this, i, &worker = *workers_[i]] {
            for (int depth = 1 + i % 2; depth <= most_ && !worker.stopped(); ++depth)
                engine_.iterate(worker, depth, found_[i]);
        });
}

// Whether another iteration would change nothing.
bool AlphaBeta::Run::decided(int depth) const {
    const int score = report_.lines[0].score;
    if (oneLine_ && isProven(score) && kWin - std::abs(score) <= depth + 2) return true;
    return workers_[0]->rootMoves().size() == 1 && limit_.seconds > 0 && depth >= kForcedDepth;
}

void AlphaBeta::Run::deepen(const OnReport& onReport) {
    startHelpers();
    Worker& main = *workers_[0];
    for (int depth = 1; depth <= most_; ++depth) {
        const bool whole = engine_.iterate(main, depth, report_);
        count();
        if (!whole) break;
        if (onReport) onReport(report_);
        if (decided(depth)) break;
        if (!proving_ || !refuted()) continue;
        lost_.insert(report_.lines[0].move);
        main.demoteFirst();
        report_.lines.clear();
        --depth;
    }
}

// Looks for wins by threats along the best line. Whether the opponent has one after the best move.
bool AlphaBeta::Run::refuted() {
    const SearchLine& line = report_.lines[0];
    if (isProven(line.score)) return false;
    if (apart_) {
        proofs_->follow(line.moves);
        return proofs_->refutes(line.move) && !lost_.contains(line.move);
    }
    ProofLimit limit;
    limit.nodes = report_.nodes / engine_.options_.tuning.lineShare;
    limit.stop = &engine_.stop_;
    limit.deadline = state_.deadline;
    const std::uint64_t before = prover_.nodes();
    const int won = prover_.prove(board_, weights_, line.moves, limit);
    state_.nodeLimit -= std::min(state_.nodeLimit - 1, prover_.nodes() - before);
    return won == 1;
}

void AlphaBeta::Run::end() {
    engine_.stop_.store(true);
    for (std::thread& helper : helpers_)
        if (helper.joinable()) helper.join();
    if (proofs_) proofs_->finish();
    engine_.resume();
}

void AlphaBeta::Run::finish() {
    end();
    for (const SearchReport& helper : found_)
        if (oneLine_ && saysMore(helper, report_) && !lost_.contains(helper.lines[0].move)) {
            report_.lines = helper.lines;
            report_.depth = helper.depth;
        }
    if (apart_ && proofs_->win().won())
        reportWin(board_, proofs_->win(), report_);
    else if (apart_ && !isProven(report_.lines[0].score) && proofs_->refutes(report_.lines[0].move))
        playAnother();
    count();
}

// What is left when the best move was refuted at the last moment: the next one that the table does not know to be lost.
void AlphaBeta::Run::playAnother() {
    for (const RootMove& move : workers_[0]->rootMoves()) {
        if (proofs_->refutes(move.cell)) continue;
        Board after = board_;
        after.push(move.cell);
        TableEntry entry;
        const bool known = engine_.table_.find(after.hash(), entry);
        if (known && entry.score >= kProven && entry.bound != Bound::Upper) continue;
        const int score = known ? std::clamp<int>(-entry.score, -kMaxScore, kMaxScore) : 0;
        report_.lines = {{move.cell, score, {move.cell}, move.nodes}};
        return;
    }
}

void AlphaBeta::Run::count() {
    report_.nodes = rootNodes_ + prover_.nodes() + (proofs_ ? proofs_->nodes() : 0);
    for (const auto& worker : workers_) report_.nodes += worker->nodes();
    if (!workers_.empty()) report_.deepest = std::max(report_.deepest, workers_[0]->deepest());
    report_.seconds = secondsSince(start_);
}

SearchReport AlphaBeta::search(const Board& board, const Weights& weights, const SearchLimit& limit,
                               const OnReport& onReport) {
    Run run(*this, board, weights, limit);
    if (run.wonAtOnce()) {
        if (onReport) onReport(run.report());
    } else {
        run.deepen(onReport);
        run.finish();
    }
    return run.report();
}

}  // namespace fivestone

#include "alphabeta.hpp"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "lineprover.hpp"

namespace fivestone {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kMaxDepth = 100;
// A forced move on a clock is looked at no deeper than this: enough for a score to show.
constexpr int kForcedDepth = 4;

// The share of a clock or of the nodes that goes to a proof by threats before the search begins.
constexpr std::uint64_t kProofShare = 16;

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

    // Whether the side to move wins by threats alone, as far as their share of the limit shows.
    bool wonAtOnce();
    void deepen(const OnReport& onReport);
    // Ends all threads and counts what they did.
    void finish();
    const SearchReport& report() const { return report_; }

   private:
    ProofLimit proofLimit(std::uint64_t share) const;
    void startHelpers();
    void end();
    bool decided(int depth) const;
    bool refuted();
    void count();

    AlphaBeta& engine_;
    const Board& board_;
    const Weights& weights_;
    const SearchLimit limit_;
    const Clock::time_point start_ = Clock::now();
    const bool oneLine_;  // is asked for
    const bool proving_;  // without a limit to take a share of, and with several lines, there are no proofs
    const int threads_;
    const int most_;  // the deepest iteration
    SearchState state_;
    LineProver prover_;
    SearchReport report_;
    std::uint64_t rootNodes_ = 0;
    SplitPool splits_;
    std::vector<std::unique_ptr<Worker>> workers_;
    std::vector<std::thread> helpers_;
};

AlphaBeta::Run::Run(AlphaBeta& engine, const Board& board, const Weights& weights, const SearchLimit& limit)
    : engine_(engine),
      board_(board),
      weights_(weights),
      limit_(limit),
      oneLine_(engine.options_.multiPv == 1),
      proving_(oneLine_ && (limit.seconds > 0 || limit.nodes > 0)),
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
    if (!proving_) return false;
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
    if (threads_ > 1) state_.splits = &splits_;
    for (int i = 0; i < threads_; ++i)
        workers_.push_back(std::make_unique<Worker>(state_, board_, weights_, engine_.makeScorer_(weights_)));
    for (int i = 1; i < threads_; ++i) helpers_.emplace_back([&worker = *workers_[i]] { worker.help(); });
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
        main.demoteFirst();
        report_.lines.clear();
        --depth;
    }
}

// Looks for wins by threats along the best line. Whether the opponent has one after the best move.
bool AlphaBeta::Run::refuted() {
    const SearchLine& line = report_.lines[0];
    if (isProven(line.score)) return false;
    ProofLimit limit;
    limit.nodes = report_.nodes / engine_.options_.tuning.lineShare;
    limit.stop = &engine_.stop_;
    limit.deadline = state_.deadline;
    const std::uint64_t before = prover_.nodes();
    const int won = prover_.prove(board_, weights_, line.moves, limit);
    state_.nodeLimit -= std::min(state_.nodeLimit - 1, prover_.nodes() - before);
    return won == 1;
}

void AlphaBeta::Run::finish() {
    end();
    count();
}

void AlphaBeta::Run::end() {
    engine_.stop_.store(true);
    splits_.close();
    for (std::thread& helper : helpers_) helper.join();
    helpers_.clear();
    engine_.resume();
}

void AlphaBeta::Run::count() {
    report_.nodes = rootNodes_ + prover_.nodes();
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

#include "alphabeta.hpp"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

namespace fivestone {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kMaxDepth = 100;
// A forced move on a clock is looked at no deeper than this: enough for a score to show.
constexpr int kForcedDepth = 4;

// The share of a clock or of the nodes that goes to a proof by threats before the search begins.
constexpr int kProofShare = 16;

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

}  // namespace

AlphaBeta::AlphaBeta(const Options& options, MakeScorer makeScorer)
    : options_(options), makeScorer_(std::move(makeScorer)), table_(options.hashMegabytes) {}

void AlphaBeta::clear() {
    table_.clear();
    threats_.clear();
}

// Whether the side to move wins by threats alone, as far as its share of the limit shows.
bool AlphaBeta::proveThreats(const Board& board, const Weights& weights, const SearchLimit& limit,
                             SearchReport& report) {
    if (options_.multiPv > 1 || (limit.seconds == 0 && limit.nodes == 0)) return false;
    ProofLimit share;
    share.stop = &stop_;
    if (limit.nodes > 0) share.nodes = limit.nodes / kProofShare;
    if (limit.seconds > 0)
        share.deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                            std::chrono::duration<double>(limit.seconds / kProofShare));
    Position position(board, weights);
    const VctResult result = threats_.solve(position, board.turn(), share);
    report.nodes = result.nodes;
    if (!result.won()) return false;
    report.lines = {{result.move, kWin - 2 * result.length - 1, result.proof.mainLine(board), result.nodes}};
    report.depth = report.deepest = 2 * result.length + 1;
    return true;
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

// Looks for wins by threats along the best line. Whether the opponent has one after the best move.
bool AlphaBeta::refuted(LineProver& prover, const Board& board, const Weights& weights, SearchState& state,
                        const SearchReport& report) const {
    const SearchLine& line = report.lines[0];
    if (options_.multiPv > 1 || isProven(line.score)) return false;
    ProofLimit limit;
    limit.nodes = report.nodes / options_.tuning.lineShare;
    limit.stop = &stop_;
    limit.deadline = state.deadline;
    const std::uint64_t before = prover.nodes();
    const int won = prover.prove(board, weights, line.moves, limit);
    // What a proof takes of a limit of nodes is taken from every thread alike.
    state.nodeLimit -= std::min(state.nodeLimit - 1, (prover.nodes() - before) / options_.threads);
    return won == 1;
}

SearchReport AlphaBeta::search(const Board& board, const Weights& weights, const SearchLimit& limit,
                               const OnReport& onReport) {
    const Clock::time_point start = Clock::now();
    SearchState state{table_, options_.tuning, stop_};
    table_.age();
    if (limit.seconds > 0)
        state.deadline =
            start + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(limit.seconds));
    SearchReport report;
    if (proveThreats(board, weights, limit, report)) {
        resume();
        report.seconds = secondsSince(start);
        if (onReport) onReport(report);
        return report;
    }
    const std::uint64_t rootNodes = report.nodes;
    const int threads = std::max(1, options_.threads);
    if (limit.nodes > 0)
        state.nodeLimit = std::max<std::uint64_t>(1, (limit.nodes - std::min(limit.nodes, rootNodes)) / threads);

    std::vector<std::unique_ptr<Worker>> workers;
    for (int i = 0; i < threads; ++i)
        workers.push_back(std::make_unique<Worker>(state, board, weights, makeScorer_(weights)));
    const int most = std::min({limit.depth > 0 ? limit.depth : kMaxDepth, kMaxDepth, board.emptyCount()});
    std::vector<std::thread> helpers;
    for (int i = 1; i < threads; ++i)
        helpers.emplace_back([this, i, most, &worker = *workers[i]] {
            SearchReport own;
            for (int depth = 1 + i % 2; depth <= most && !worker.stopped(); ++depth) iterate(worker, depth, own);
        });

    Worker& main = *workers[0];
    LineProver prover(threats_, table_);
    const bool limited = limit.seconds > 0 || limit.nodes > 0;
    const auto count = [&] {
        report.nodes = rootNodes + prover.nodes();
        for (const auto& worker : workers) report.nodes += worker->nodes();
        report.deepest = main.deepest();
        report.seconds = secondsSince(start);
    };
    for (int depth = 1; depth <= most; ++depth) {
        const bool whole = iterate(main, depth, report);
        count();
        if (!whole) break;
        if (onReport) onReport(report);
        const int score = report.lines[0].score;
        if (options_.multiPv == 1 && isProven(score) && kWin - std::abs(score) <= depth + 2) break;
        if (main.rootMoves().size() == 1 && limit.seconds > 0 && depth >= kForcedDepth) break;
        if (limited && refuted(prover, board, weights, state, report)) {
            main.demoteFirst();
            report.lines.clear();
            --depth;
        }
    }
    stop_.store(true);
    for (std::thread& helper : helpers) helper.join();
    resume();
    count();
    return report;
}

}  // namespace fivestone

// The alpha-beta engine: iterative deepening over one or more threads that share a transposition table.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "vct.hpp"
#include "worker.hpp"

namespace fivestone {

// Zero means no limit.
struct SearchLimit {
    double seconds = 0;
    std::uint64_t nodes = 0;
    int depth = 0;
};

struct SearchLine {
    Cell move = kNoCell;
    int score = 0;  // for the side to move at the root
    std::vector<Cell> moves;
    std::uint64_t nodes = 0;
};

struct SearchReport {
    std::vector<SearchLine> lines;  // best first
    int depth = 0;                  // of the last iteration that was completed
    int deepest = 0;
    std::uint64_t nodes = 0;
    double seconds = 0;
};

class AlphaBeta {
   public:
    struct Options {
        std::size_t hashMegabytes = 64;
        int threads = 1;
        int multiPv = 1;
        Tuning tuning;
    };
    using MakeScorer = std::function<std::unique_ptr<Scorer>(const Weights&)>;
    using OnReport = std::function<void(const SearchReport&)>;

    AlphaBeta(const Options& options, MakeScorer makeScorer);

    // The board is not over and for win length 5. `onReport` is called in this thread after every iteration.
    SearchReport search(const Board& board, const Weights& weights, const SearchLimit& limit, const OnReport& onReport);
    // Ends the search that is running, from any thread; if none is, the next one, unless resume() comes first.
    void stop() { stop_.store(true); }
    void resume() { stop_.store(false); }
    // Forgets what earlier searches learned.
    void clear();
    std::size_t tableBytes() const { return table_.bytes(); }

   private:
    class Run;

    bool iterate(Worker& worker, int depth, SearchReport& report) const;

    static constexpr std::size_t kThreatsBytes = std::size_t{8} << 20;

    Options options_;
    MakeScorer makeScorer_;
    Table table_;
    VctSolver threats_{kThreatsBytes};
    std::atomic<bool> stop_{false};
};

}  // namespace fivestone

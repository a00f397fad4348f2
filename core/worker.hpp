// One thread's share of an alpha-beta search: the recursion from a node to its score.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "candidates.hpp"
#include "ordering.hpp"
#include "split.hpp"
#include "table.hpp"

namespace fivestone {

// The search's own numbers, in plies, moves and score units. Self-matches chose reductionSlope and answerDepth; the
// others are estimates that no match has told apart from their neighbours yet.
struct Tuning {
    int razorMargin = 90;  // a ply
    int razorDepth = 3;
    int futilityMargin = 60;  // a ply: above beta by that much is good enough
    int futilityDepth = 7;
    int childMargin = 60;  // a ply: moves that cannot lift the score to alpha are skipped
    int childBase = 80;
    int childDepth = 5;
    int countBase = 6;     // moves searched at a node of no depth
    int countPower = 200;  // hundredths: the depth to this power is how many more
    int countDepth = 12;
    int reductionBase = 30;    // hundredths of a ply
    int reductionSlope = 65;   // hundredths, times ln(depth) ln(move number)
    int promiseReduction = 0;  // hundredths, for every 100 that a promise falls short of kFirstPromise
    int patternShare = 0;      // hundredths of the patterns' score that are added to a net's
    int nullDepth = 6;
    int nullMargin = 40;
    int answerDepth = 0;  // plies given to the answers to an open three at the horizon
    int singularDepth = 7;
    int foursDepth = 10;  // fours in a row looked at from the horizon
    int foursNodes = 200;
    int aspiration = 30;
    int lineShare = 12;  // of all nodes so far, one in so many may go to a proof at each ply of the best line
};

// A net orders moves so well that its late ones are reduced by what it thinks of them, and fewer are looked at. It also
// sees most wins by threats coming: what a longer search for them costs is better spent on other positions.
constexpr Tuning netTuning() {
    Tuning tuning;
    tuning.promiseReduction = 120;
    tuning.patternShare = 30;
    tuning.countBase = 3;
    tuning.countPower = 139;
    tuning.countDepth = kMaxPly;
    tuning.foursNodes = 60;
    tuning.lineShare = 36;
    return tuning;
}

// What the threads of a search have in common.
struct SearchState {
    Table& table;
    const Tuning& tuning;
    const std::atomic<bool>& stop;
    std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
    std::atomic<std::uint64_t> nodeLimit = std::numeric_limits<std::uint64_t>::max();  // for each thread
    SplitPool* splits = nullptr;                                                       // with more than one thread
};

struct RootMove {
    Cell cell = kNoCell;
    int score = -kWin;  // of the running iteration, if the move was searched first or rose above alpha
    std::uint64_t nodes = 0;
    std::vector<Cell> line;
};

class Worker {
   public:
    Worker(SearchState& state, const Board& board, const Weights& weights, std::unique_ptr<Scorer> scorer);

    // Searches the root moves from `from` on to the depth within the window and sorts them, best first.
    int searchRoot(int depth, int alpha, int beta, int from);
    // Looks at moves of nodes that other threads share, until there are no more to come.
    void help();
    std::vector<RootMove>& rootMoves() { return rootMoves_; }
    // What was thought best has been refuted: it is looked at last from now on.
    void demoteFirst() { std::rotate(rootMoves_.begin(), rootMoves_.begin() + 1, rootMoves_.end()); }
    std::uint64_t nodes() const { return nodes_.load(std::memory_order_relaxed); }
    int deepest() const { return deepest_; }
    bool stopped() const { return stopped_; }

   private:
    struct Frame {
        int judged = 0;
        bool null = false;
        Cell excluded = kNoCell;
        std::array<Cell, kMaxPly + 1> line;
        int length = 0;
    };
    void play(Cell cell);
    void poll();
    // Whether what is being looked at has no more use.
    bool halted() const { return stopped_ || (split_ != nullptr && split_->over()); }
    int search(int alpha, int beta, int depth, int ply, bool cut);
    bool settled(int ply, int& score);
    int blockFive(int alpha, int beta, int depth, int ply, bool cut);
    int leaf(int beta, int ply);
    bool tableCut(Node& node, int& score);
    bool pruned(Node& node, Urgency urgency, int& score);
    bool nullCut(const Node& node, int& score);
    int extension(const Node& node, Cell cell, int& cutScore);
    int searchMoves(Node& node, const Candidates& candidates);
    bool mayShare(const Node& node, const Progress& progress) const;
    void share(const Node& node, MovePicker& picker, Urgency urgency, int number, Progress& progress);
    void lookAt(Split& split, int from);
    void work(Split& split);
    int mostMoves(int depth) const { return counts_[std::clamp(depth, 0, kMaxPly)]; }
    bool overCount(const Node& node, int number) const;
    bool skips(const Node& node, const RankedMove& move, Urgency urgency, int number, int best) const;
    int reduction(const Node& node, const RankedMove& move, int number, Urgency urgency) const;
    int searchMove(const Node& node, int alpha, int depth, int reduced, bool first);
    int fours(int left, Cell& first);
    void keepLine(int ply, Cell cell);

    struct FoursEntry {
        std::uint64_t key = 0;
        Cell first = kNoCell;
        std::int16_t plies = 0;
        std::int16_t left = -1;
    };

    SearchState& state_;
    const Tuning& tuning_;
    Position position_;
    std::unique_ptr<Scorer> scorer_;
    History history_;
    std::vector<RootMove> rootMoves_;
    std::vector<Frame> frames_;
    std::vector<FoursEntry> foursTable_;
    std::array<int, kMaxPly + 1> counts_;  // moves looked at, by depth
    std::atomic<std::uint64_t> nodes_{0};
    std::uint64_t foursEnd_ = 0;
    const std::size_t rootStones_;
    const Split* split_ = nullptr;  // the innermost one it is at work for
    int rootDepth_ = 0;
    int deepest_ = 0;
    bool stopped_ = false;
};

}  // namespace fivestone

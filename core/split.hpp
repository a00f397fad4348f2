// Nodes whose moves several threads look at together. The thread that comes to such a node looks at its first move
// alone, for that is often enough; of the rest, threads that have nothing else to do may take their share.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <vector>

#include "scorer.hpp"
#include "table.hpp"

namespace fivestone {

// What a node of the search knows before its first move.
struct Node {
    int alpha, beta, depth, ply;
    bool cut, pv;
    int judged = 0;
    bool improving = false;
    Cell tableMove = kNoCell;
    TableEntry entry{};
    bool found = false;
};

// What came of the moves of a node so far.
struct Progress {
    int best, alpha;
    Cell bestCell = kNoCell;
    int depth;             // for the moves to come
    bool skipped = false;  // some moves were passed over
};

// Below this depth a ply is taken from the moves that follow one better than the window's floor.
constexpr int kRaisedDepth = 12;

// A score that was found; true if the move is the best one so far and better than the window's floor.
bool improve(Progress& progress, const Node& node, Cell cell, int score);

class SplitPool;

class Split {
   public:
    // How the node is reached from the root, and what its ancestors were judged.
    struct Step {
        Cell move;  // kNoCell for a pass
        int judged;
    };
    struct Move {
        Cell cell;
        int reduced;
    };

    // `above` is the split that the node's own thread is at work for, if any.
    Split(SplitPool& pool, const Split* above, const Node& node, const Progress& progress)
        : pool_(pool), above_(above), node_(node), progress_(progress) {}

    const Node& node() const { return node_; }
    std::vector<Step> path;
    std::vector<Move> moves;
    int rootDepth = 0;

    // Whether this node, or one above it that is shared as well, needs no more looking at.
    bool over() const {
        for (const Split* split = this; split != nullptr; split = split->above_)
            if (split->over_.load(std::memory_order_relaxed)) return true;
        return false;
    }
    bool isBelow(const Split& other) const {
        for (const Split* split = above_; split != nullptr; split = split->above_)
            if (split == &other) return true;
        return false;
    }

    // The next move with the window's floor and the depth as they are now; false if there is none.
    bool take(Move& move, int& alpha, int& depth);
    // The score of a move and the line behind it.
    void report(Cell cell, int score, const Cell* line, int length);
    // A move was taken that will have no score.
    void abandon();
    void leave();

    // For the thread that made it, once all others have left.
    const Progress& progress() const { return progress_; }
    const std::vector<Cell>& line() const { return line_; }
    bool abandoned() const { return abandoned_; }

   private:
    friend class SplitPool;

    SplitPool& pool_;
    const Split* const above_;
    const Node node_;
    // Guarded by the pool.
    Progress progress_;
    std::vector<Cell> line_;
    std::size_t next_ = 0;
    int helpers_ = 0;
    bool abandoned_ = false;
    std::atomic<bool> over_{false};
};

class SplitPool {
   public:
    // Whether a thread waits for moves to look at.
    bool wanted() const { return waiting_.load(std::memory_order_relaxed) > 0; }
    void offer(Split& split);
    // From now on nobody joins.
    void withdraw(Split& split);
    // Waits for a split and joins it, the deepest of those there are; null when the pool is closed.
    Split* join();
    // Joins one below the given split, which is withdrawn. Null once all of its helpers have left.
    Split* joinBelow(const Split& split);
    void close();

   private:
    friend class Split;

    template <typename Ready>
    void wait(std::unique_lock<std::mutex>& lock, Ready ready);
    Split* find(const Split* above) const;

    std::mutex mutex_;
    std::condition_variable changed_;
    std::atomic<int> waiting_{0};
    std::atomic<int> version_{0};  // goes up with everything a waiting thread may wait for
    std::vector<Split*> open_;
    bool closed_ = false;
};

}  // namespace fivestone

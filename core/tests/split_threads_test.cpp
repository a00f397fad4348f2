// Splits in plain C++: every move is taken once, a score that is good enough ends the node and all below it, a thread
// that waits for its helpers helps them, and nobody waits for ever. Meant for the sanitizers.
#include <cstdio>
#include <thread>

#include "check.hpp"
#include "split.hpp"

using namespace fivestone;

namespace {

constexpr int kMoves = 40;
constexpr int kBeta = 1000;

Node nodeAt(int ply) {
    return {0, kBeta, 20, ply, false, true};
}

void fill(Split& split) {
    for (Cell cell = 1; cell <= kMoves; ++cell) split.moves.push_back({cell, 0});
}

// Takes moves until there are none; the score of one is its cell, but `winner` is good enough to end the node.
int takeAll(Split& split, Cell winner) {
    Split::Move move;
    int alpha, depth, taken = 0;
    while (split.take(move, alpha, depth)) {
        ++taken;
        std::this_thread::yield();
        split.report(move.cell, move.cell == winner ? kBeta : move.cell, &move.cell, 1);
    }
    return taken;
}

struct Helpers {
    Helpers(SplitPool& pool, int count, Cell winner) : pool_(pool) {
        for (int i = 0; i < count; ++i)
            threads_.emplace_back([this, winner] {
                while (Split* split = pool_.join()) {
                    taken += takeAll(*split, winner);
                    split->leave();
                }
            });
    }
    ~Helpers() {
        pool_.close();
        for (std::thread& thread : threads_) thread.join();
    }

    std::atomic<int> taken{0};

   private:
    SplitPool& pool_;
    std::vector<std::thread> threads_;
};

// One node shared by this thread and the helpers: how many of its moves were taken.
int shareOut(SplitPool& pool, const Helpers& helpers, Split& split, Cell winner) {
    while (!pool.wanted()) std::this_thread::yield();
    const int before = helpers.taken;
    fill(split);
    pool.offer(split);
    const int own = takeAll(split, winner);
    pool.withdraw(split);
    check(pool.joinBelow(split) == nullptr, "nothing is below it");
    return own + helpers.taken - before;
}

void testEveryMoveOnce() {
    SplitPool pool;
    Helpers helpers(pool, 3, kNoCell);
    for (int round = 0; round < 200; ++round) {
        Split split(pool, nullptr, nodeAt(0), {-kWin, 0, kNoCell, 20});
        check(shareOut(pool, helpers, split, kNoCell) == kMoves, "every move is taken once");
        check(split.progress().best == kMoves && split.progress().bestCell == kMoves, "the best move is known");
        check(split.line().size() == 1 && split.line()[0] == kMoves, "and the line behind it");
    }
}

void testGoodEnough() {
    SplitPool pool;
    Helpers helpers(pool, 2, 3);
    for (int round = 0; round < 200; ++round) {
        Split split(pool, nullptr, nodeAt(0), {-kWin, 0, kNoCell, 20});
        check(shareOut(pool, helpers, split, 3) < kMoves, "what comes after it is not looked at");
        check(split.over() && split.progress().bestCell == 3, "the node is over");
    }
}

// The helper shares a node below the one it helps with; the first thread, which waits for it, joins that.
void testHelpsItsHelper() {
    SplitPool pool;
    std::atomic<bool> joined{false};
    Split outer(pool, nullptr, nodeAt(0), {-kWin, 0, kNoCell, 20});
    outer.moves.push_back({1, 0});
    std::thread helper([&] {
        Split* split = pool.join();
        Split::Move move;
        int alpha, depth;
        check(split->take(move, alpha, depth), "there is a move");
        Split inner(pool, split, nodeAt(2), {-kWin, 0, kNoCell, 20});
        fill(inner);
        pool.offer(inner);
        check(inner.isBelow(outer), "the inner node is below the outer one");
        while (!joined) std::this_thread::yield();
        takeAll(inner, kNoCell);
        pool.withdraw(inner);
        check(pool.joinBelow(inner) == nullptr, "nothing is below it");
        split->report(1, 7, nullptr, 0);
        split->leave();
    });
    while (!pool.wanted()) std::this_thread::yield();
    pool.offer(outer);
    while (pool.wanted()) std::this_thread::yield();
    pool.withdraw(outer);
    while (Split* below = pool.joinBelow(outer)) {
        joined = true;
        takeAll(*below, kNoCell);
        below->leave();
    }
    helper.join();
    check(joined && outer.progress().best == 7, "both came to their end");
}

void testAbandoned() {
    SplitPool pool;
    Split outer(pool, nullptr, nodeAt(0), {-kWin, 0, kNoCell, 20});
    Split inner(pool, &outer, nodeAt(1), {-kWin, 0, kNoCell, 20});
    fill(inner);
    outer.abandon();
    Split::Move move;
    int alpha, depth;
    check(inner.over() && !inner.take(move, alpha, depth), "what is above ends what is below");
    check(outer.abandoned() && !inner.abandoned(), "only one of them was left unfinished");
}

}  // namespace

int main() {
    testEveryMoveOnce();
    testGoodEnough();
    testHelpsItsHelper();
    testAbandoned();
    std::printf("%s\n", failures == 0 ? "ok" : "failed");
    return failures == 0 ? 0 : 1;
}

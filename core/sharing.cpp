// A worker's part in the nodes that several threads look at together.
#include <algorithm>
#include <utility>

#include "worker.hpp"

namespace fivestone {
namespace {

// Nodes of less depth are not worth the trouble.
constexpr int kSharedDepth = 4;

}  // namespace

bool Worker::mayShare(const Node& node, const Progress& progress) const {
    return state_.splits != nullptr && node.depth >= kSharedDepth && progress.best > -kProven &&
           (node.pv || state_.splits->wanted());
}

// Looks at the moves that the picker still holds together with threads that have nothing else to do.
void Worker::share(const Node& node, MovePicker& picker, Urgency urgency, int number, Progress& progress) {
    std::vector<Split::Move> moves;
    while (!picker.empty()) {
        const RankedMove move = picker.next();
        if (move.cell == frames_[node.ply].excluded) continue;
        ++number;
        if (skips(node, move, urgency, number, progress.best)) {
            progress.skipped = true;
            if (overCount(node, number)) break;
            continue;
        }
        moves.push_back({move.cell, reduction(node, move, number, urgency)});
    }
    Split split(*state_.splits, split_, node, progress);
    split.moves = std::move(moves);
    std::size_t stone = rootStones_;
    for (int ply = 0; ply < node.ply; ++ply)
        split.path.push_back({frames_[ply].null ? kNoCell : position_.board().moves()[stone++], frames_[ply].judged});
    split.rootDepth = rootDepth_;
    state_.splits->offer(split);
    work(split);
    state_.splits->withdraw(split);
    // A thread that waits for its helpers may help them.
    while (Split* below = state_.splits->joinBelow(split)) lookAt(*below, node.ply);
    if (split.abandoned()) stopped_ = true;
    const Cell bestCell = progress.bestCell;
    progress = split.progress();
    if (progress.bestCell == bestCell) return;
    Frame& frame = frames_[node.ply];
    frame.line[0] = progress.bestCell;
    std::copy(split.line().begin(), split.line().end(), frame.line.begin() + 1);
    frame.length = static_cast<int>(split.line().size()) + 1;
}

void Worker::help() {
    while (!stopped_) {
        Split* split = state_.splits->join();
        if (split == nullptr) return;
        rootDepth_ = split->rootDepth;
        lookAt(*split, 0);
    }
}

// Goes to a split that it has joined, from the ply where it stands on the way there, and back.
void Worker::lookAt(Split& split, int from) {
    const int to = split.node().ply;
    for (int ply = from; ply < to; ++ply) {
        const Split::Step& step = split.path[ply];
        frames_[ply].judged = step.judged;
        frames_[ply].null = step.move == kNoCell;
        if (step.move == kNoCell)
            position_.pass();
        else
            position_.push(step.move);
    }
    frames_[to].judged = split.node().judged;
    work(split);
    for (int ply = to; ply-- > from;) {
        if (split.path[ply].move == kNoCell)
            position_.pass();
        else
            position_.pop();
        frames_[ply].null = false;
    }
    split.leave();
}

void Worker::work(Split& split) {
    const Split* const outer = std::exchange(split_, &split);
    const Node& node = split.node();
    Split::Move move;
    int alpha, depth;
    while (split.take(move, alpha, depth)) {
        play(move.cell);
        const int score = searchMove(node, alpha, depth - 1, move.reduced, false);
        position_.pop();
        if (stopped_) split.abandon();
        if (halted()) break;
        const Frame& next = frames_[node.ply + 1];
        split.report(move.cell, score, next.line.data(), next.length);
    }
    split_ = outer;
}

}  // namespace fivestone

#include "split.hpp"

#include <algorithm>
#include <thread>

namespace fivestone {
namespace {

// A thread looks so often before it sleeps: waking it takes longer than most waits.
constexpr int kLooks = 2000;

}  // namespace

bool improve(Progress& progress, const Node& node, Cell cell, int score) {
    if (score <= progress.best) return false;
    progress.best = score;
    if (score <= progress.alpha) return false;
    progress.alpha = score;
    progress.bestCell = cell;
    // What comes now has to be better still.
    if (score < node.beta && progress.depth > 2 && progress.depth < kRaisedDepth && !isProven(score)) --progress.depth;
    return true;
}

bool Split::take(Move& move, int& alpha, int& depth) {
    const std::lock_guard lock(pool_.mutex_);
    if (next_ == moves.size() || over()) return false;
    move = moves[next_++];
    alpha = progress_.alpha;
    depth = progress_.depth;
    return true;
}

void Split::report(Cell cell, int score, const Cell* line, int length) {
    const std::lock_guard lock(pool_.mutex_);
    if (over_.load(std::memory_order_relaxed) || !improve(progress_, node_, cell, score)) return;
    line_.assign(line, line + length);
    if (progress_.alpha >= node_.beta) over_.store(true, std::memory_order_relaxed);
}

void Split::abandon() {
    const std::lock_guard lock(pool_.mutex_);
    abandoned_ = true;
    over_.store(true, std::memory_order_relaxed);
}

void Split::leave() {
    const std::lock_guard lock(pool_.mutex_);
    --helpers_;
    ++pool_.version_;
    pool_.changed_.notify_all();
}

void SplitPool::offer(Split& split) {
    const std::lock_guard lock(mutex_);
    open_.push_back(&split);
    ++version_;
    changed_.notify_all();
}

void SplitPool::withdraw(Split& split) {
    const std::lock_guard lock(mutex_);
    std::erase(open_, &split);
}

// The split with moves left that promises the most work.
Split* SplitPool::find(const Split* above) const {
    Split* found = nullptr;
    for (Split* split : open_)
        if (split->next_ < split->moves.size() && (above == nullptr || split->isBelow(*above)) && !split->over() &&
            (found == nullptr || split->node_.depth > found->node_.depth))
            found = split;
    return found;
}

// Until ready() holds. It is asked again only after something has changed.
template <typename Ready>
void SplitPool::wait(std::unique_lock<std::mutex>& lock, Ready ready) {
    if (ready()) return;
    waiting_.fetch_add(1, std::memory_order_relaxed);
    do {
        const int seen = version_.load();
        lock.unlock();
        for (int look = 0; look < kLooks && version_.load() == seen; ++look) std::this_thread::yield();
        lock.lock();
        changed_.wait(lock, [&] { return version_.load() != seen; });
    } while (!ready());
    waiting_.fetch_sub(1, std::memory_order_relaxed);
}

Split* SplitPool::join() {
    std::unique_lock lock(mutex_);
    Split* found = nullptr;
    wait(lock, [&] { return closed_ || (found = find(nullptr)) != nullptr; });
    if (closed_) return nullptr;
    ++found->helpers_;
    return found;
}

Split* SplitPool::joinBelow(const Split& split) {
    std::unique_lock lock(mutex_);
    Split* found = nullptr;
    wait(lock, [&] { return split.helpers_ == 0 || (found = find(&split)) != nullptr; });
    if (split.helpers_ == 0) return nullptr;
    ++found->helpers_;
    return found;
}

void SplitPool::close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    ++version_;
    changed_.notify_all();
}

}  // namespace fivestone

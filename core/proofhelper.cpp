#include "proofhelper.hpp"

#include <algorithm>

namespace fivestone {
namespace {

// What a proof at a position of the line may take at first, and how many times as much when it is looked at again.
constexpr std::uint64_t kFirstNodes = 2000;
constexpr std::uint64_t kMoreNodes = 4;
constexpr std::uint64_t kMostNodes = std::uint64_t{1} << 26;

}  // namespace

ProofHelper::ProofHelper(VctSolver& solver, Table& table, const Board& board, const Weights& weights,
                         const ProofLimit& limit, const ProofLimit& root, std::atomic<bool>& stop)
    : solver_(solver),
      prover_(solver, table),
      board_(board),
      weights_(weights),
      limit_(limit),
      root_(root),
      stop_(stop),
      thread_([this] { run(); }) {}

void ProofHelper::follow(std::span<const Cell> line) {
    {
        const std::lock_guard lock(mutex_);
        if (std::ranges::equal(line_, line)) return;
        line_.assign(line.begin(), line.end());
        version_.fetch_add(1);
    }
    changed_.notify_one();
}

bool ProofHelper::refutes(Cell move) const {
    const std::lock_guard lock(mutex_);
    return refuted_.contains(move);
}

void ProofHelper::finish() {
    {
        const std::lock_guard lock(mutex_);
        finished_ = true;
    }
    changed_.notify_one();
    if (thread_.joinable()) thread_.join();
}

bool ProofHelper::over() const {
    return stop_.load(std::memory_order_relaxed) || nodes() >= limit_.nodes ||
           ProofLimit::Clock::now() >= limit_.deadline;
}

void ProofHelper::run() {
    if (proveRoot()) {
        stop_.store(true);
        return;
    }
    std::uint64_t seen = 0;
    while (!over()) {
        const std::vector<Cell> line = nextLine(seen);
        if (line.empty()) return;
        proveLine(line, seen);
    }
}

bool ProofHelper::proveRoot() {
    Position position(board_, weights_);
    win_ = solver_.solve(position, board_.turn(), root_);
    nodes_.store(win_.nodes, std::memory_order_relaxed);
    return win_.won();
}

std::vector<Cell> ProofHelper::nextLine(std::uint64_t& seen) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return finished_ || version_.load() != seen; });
    seen = version_.load();
    return finished_ ? std::vector<Cell>{} : line_;
}

// Looks at the positions of the line again and again, with more each time, until there is another line.
void ProofHelper::proveLine(const std::vector<Cell>& line, std::uint64_t seen) {
    const std::uint64_t before = nodes() - prover_.nodes();
    for (std::uint64_t most = kFirstNodes; most <= kMostNodes && !over() && version_.load() == seen;
         most *= kMoreNodes) {
        ProofLimit limit = limit_;
        limit.nodes = std::min(most, limit_.nodes - nodes());
        const int won = prover_.prove(board_, weights_, line, limit);
        nodes_.store(before + prover_.nodes(), std::memory_order_relaxed);
        if (won == 0) continue;
        if (won == 1) {
            const std::lock_guard lock(mutex_);
            refuted_.insert(line[0]);
        }
        return;  // whoever searches comes up with another line
    }
}

}  // namespace fivestone

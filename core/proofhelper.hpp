// Proofs by threats on a thread of their own, while other threads search: first a win at the root, then what the best
// line runs into. Two searches of one tree look at much the same positions; a proof looks elsewhere.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "cellset.hpp"
#include "lineprover.hpp"

namespace fivestone {

class ProofHelper {
   public:
    // Everything together takes at most `limit`, whose `stop` is set here once the root is won; the win at the root is
    // looked for within `root`.
    ProofHelper(VctSolver& solver, Table& table, const Board& board, const Weights& weights, const ProofLimit& limit,
                const ProofLimit& root, std::atomic<bool>& stop);
    // Whoever destroys it before finish() has set `stop`.
    ~ProofHelper() { finish(); }
    ProofHelper(const ProofHelper&) = delete;
    ProofHelper& operator=(const ProofHelper&) = delete;

    // The best line from now on.
    void follow(std::span<const Cell> line);
    // Whether the opponent was found to win after the move.
    bool refutes(Cell move) const;
    std::uint64_t nodes() const { return nodes_.load(std::memory_order_relaxed); }
    // Waits for the thread, which ends when `stop` is set.
    void finish();
    // After finish(): the win at the root, if there is one.
    const VctResult& win() const { return win_; }

   private:
    void run();
    bool proveRoot();
    // The line to work on, once it is another than `seen`; empty when there is nothing more to do.
    std::vector<Cell> nextLine(std::uint64_t& seen);
    void proveLine(const std::vector<Cell>& line, std::uint64_t seen);
    bool over() const;

    VctSolver& solver_;
    LineProver prover_;
    const Board board_;
    const Weights& weights_;
    const ProofLimit limit_, root_;
    std::atomic<bool>& stop_;
    VctResult win_;
    std::atomic<std::uint64_t> nodes_{0};

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<Cell> line_;
    std::atomic<std::uint64_t> version_{0};  // of the line
    CellSet refuted_;
    bool finished_ = false;
    std::thread thread_;  // last: it uses all of the above
};

}  // namespace fivestone

// Proofs by threats along the principal variation, between the iterations of an alpha-beta search. What is won there
// goes into the transposition table, so that the next iteration knows it.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>

#include "table.hpp"
#include "vct.hpp"

namespace fivestone {

class LineProver {
   public:
    LineProver(VctSolver& solver, Table& table) : solver_(solver), table_(table) {}

    // Looks at the positions along `line`, the nearest first, with at most so much for each as `limit` says, until one
    // of them is found to be won. Returns after how many moves of the line that is, or 0.
    int prove(const Board& board, const Weights& weights, std::span<const Cell> line, const ProofLimit& limit);
    std::uint64_t nodes() const { return nodes_; }

   private:
    bool proveAt(Position& position, const ProofLimit& limit);

    VctSolver& solver_;
    Table& table_;
    std::unordered_map<std::uint64_t, std::uint64_t> tried_;  // nodes spent in vain on a position, by its hash
    std::uint64_t nodes_ = 0;
};

}  // namespace fivestone

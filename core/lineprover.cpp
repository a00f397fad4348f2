#include "lineprover.hpp"

#include <algorithm>

#include "scorer.hpp"

namespace fivestone {
namespace {

// Plies of the variation that are looked at.
constexpr std::size_t kPlies = 4;
// With less than this nothing is found that the search does not see itself.
constexpr std::uint64_t kLeastNodes = 500;
// A position is looked at again when so many times as much may be spent on it.
constexpr std::uint64_t kAgain = 4;
// Deeper than any search: the entry stays, and no search asks for more.
constexpr std::int8_t kProvenDepth = 120;

}  // namespace

int LineProver::prove(const Board& board, const Weights& weights, std::span<const Cell> line, const ProofLimit& limit) {
    if (limit.nodes < kLeastNodes) return 0;
    Position position(board, weights);
    for (std::size_t i = 0; i < std::min(line.size(), kPlies); ++i) {
        position.push(line[i]);
        if (position.board().isOver()) return 0;
        if (proveAt(position, limit)) return static_cast<int>(i) + 1;
    }
    return 0;
}

bool LineProver::proveAt(Position& position, const ProofLimit& limit) {
    std::uint64_t& tried = tried_[position.board().hash()];
    if (tried * kAgain > limit.nodes) return false;
    const VctResult found = solver_.solve(position, position.turn(), limit);
    nodes_ += found.nodes;
    if (!found.won()) {
        tried = found.verdict == Verdict::NoWin ? limit.nodes : found.nodes;
        return false;
    }
    const int score = kWin - 2 * found.length - 1;
    table_.store(position.board().hash(), {static_cast<std::int16_t>(score), static_cast<std::int16_t>(kMaxScore),
                                           found.move, kProvenDepth, Bound::Lower});
    tried = limit.nodes;
    return true;
}

}  // namespace fivestone

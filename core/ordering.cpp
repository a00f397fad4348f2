#include "ordering.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace fivestone {
namespace {

// How much the past counts against the scorer's promise.
constexpr int kKiller = 40;
constexpr int kAnswer = 30;
constexpr int kHistoryShare = 100;   // what the best history adds
constexpr int kFirstRank = 1 << 20;  // above all others

}  // namespace

void History::clear() {
    for (auto& table : worth_) table.fill(0);
    for (auto& table : answers_) table.fill(kNoCell);
    for (auto& pair : killers_) pair.fill(kNoCell);
}

// Moves towards the bonus, the slower the nearer it is: worth stays within kMost.
void History::shift(Stone color, Cell cell, int bonus) {
    int& worth = worth_[side(color)][cell];
    worth += bonus - worth * std::abs(bonus) / kMost;
}

void History::reward(Stone color, Cell best, std::span<const Cell> tried, Cell before, int ply, int depth) {
    const int bonus = std::min(depth * depth * 16, 2048);
    shift(color, best, bonus);
    for (const Cell cell : tried) shift(color, cell, -bonus);
    answers_[side(color)][before] = best;
    auto& killers = killers_[ply];
    if (killers[0] != best) killers = {best, killers[0]};
}

int History::rank(Stone color, Cell cell, Cell before, int ply) const {
    int rank = worth_[side(color)][cell] * kHistoryShare / kMost;
    if (killers_[ply][0] == cell || killers_[ply][1] == cell) rank += kKiller;
    if (answers_[side(color)][before] == cell) rank += kAnswer;
    return rank;
}

MovePicker::MovePicker(const Position& position, std::span<const Cell> moves, Scorer& scorer, const History& history,
                       Cell first, int ply)
    : count_(static_cast<int>(moves.size())) {
    std::array<int, kMaxCells> promises;
    scorer.promise(position, moves, {promises.data(), moves.size()});
    const Cell before = position.board().lastMove();
    for (int i = 0; i < count_; ++i) {
        moves_[i] = {moves[i], promises[i]};
        const int rank = promises[i] + history.rank(position.turn(), moves[i], before, ply);
        ranks_[i] = moves[i] == first ? kFirstRank : std::clamp(rank, -kFirstRank, kFirstRank - 1);
    }
}

RankedMove MovePicker::next() {
    // The highest rank with its place counted from the end, so that of equals the first wins: one pass of vector
    // instructions.
    constexpr int kPlaces = 512;
    static_assert(kMaxCells < kPlaces);
    int highest = std::numeric_limits<int>::min();
    for (int i = next_; i < count_; ++i) highest = std::max(highest, ranks_[i] * kPlaces + (kPlaces - 1 - i));
    const int best = kPlaces - 1 - (highest & (kPlaces - 1));
    std::swap(moves_[next_], moves_[best]);
    std::swap(ranks_[next_], ranks_[best]);
    return moves_[next_++];
}

}  // namespace fivestone

// What alpha-beta asks of whatever judges its quiet positions and orders its moves.
#pragma once

#include <algorithm>
#include <span>

#include "position.hpp"

namespace fivestone {

// Scores beyond this are proven results: kWin - n is a five n plies from the root.
constexpr int kWin = 30000;
constexpr int kMaxPly = 250;
constexpr int kProven = kWin - 2 * kMaxPly;
constexpr int kMaxScore = 20000;

constexpr bool isProven(int score) {
    return score >= kProven || score <= -kProven;
}

// What a scorer that knows moves well promises of the one it would play.
constexpr int kFirstPromise = 100;

// One scorer serves one thread.
class Scorer {
   public:
    virtual ~Scorer() = default;
    // For the side to move, within kMaxScore; nobody makes five with the next stone.
    virtual int score(const Position& position) = 0;
    // Fills promises[i] with how much moves[i] deserves to be searched, a few hundred for a strong move.
    virtual void promise(const Position& position, std::span<const Cell> moves, std::span<int> promises) = 0;
};

// The patterns' own opinion, which the position keeps up to date.
class PatternScorer final : public Scorer {
   public:
    int score(const Position& position) override { return std::clamp(position.score(), -kMaxScore, kMaxScore); }
    void promise(const Position& position, std::span<const Cell> moves, std::span<int> promises) override {
        for (std::size_t i = 0; i < moves.size(); ++i) promises[i] = position.promise(moves[i]);
    }
};

}  // namespace fivestone

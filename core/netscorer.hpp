// The line net as alpha-beta's scorer: its value judges positions, its policy orders moves. A search looks for what its
// judge is wrong about, so a share of the patterns' score is added: they are wrong elsewhere.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "evaluator.hpp"
#include "scorer.hpp"

namespace fivestone {

class NetScorer final : public Scorer {
   public:
    // A score of `scale` is a winning probability of 1 / (1 + 1/e), as with the pattern weights. The share of the
    // patterns' score is in hundredths.
    NetScorer(std::unique_ptr<NetEvaluator> evaluator, float scale, int patternShare);

    int score(const Position& position) override;
    void promise(const Position& position, std::span<const Cell> moves, std::span<int> promises) override;

   private:
    int judge(const Position& position);

    // Searches come back to the same positions: their scores are kept, the newest of those that share a slot.
    struct Slot {
        std::uint64_t key = 0;
        std::int32_t score = 0;
    };

    std::unique_ptr<NetEvaluator> evaluator_;
    float scale_;
    int patternShare_;
    std::vector<Slot> slots_;
    std::uint64_t judged_ = 0;  // the key of the position the evaluator holds
};

}  // namespace fivestone

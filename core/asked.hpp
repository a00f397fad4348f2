// Some of the positions that a search asks its scorer about, each as likely to be kept as any other: what a net that
// judges them has to know, as opposed to the positions of games.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "random.hpp"
#include "scorer.hpp"

namespace fivestone {

// For the searches of one thread.
class Asked {
   public:
    using Moves = std::vector<int>;  // from the first stone on, as Board::moveOf counts

    explicit Asked(std::size_t room) : room_(room) {}

    // Forgets everything; what is kept from here on depends on the seed.
    void start(std::uint64_t seed);
    void add(const Board& board);
    // What was kept since the last time.
    std::vector<Moves> take();

   private:
    const std::size_t room_;
    Random random_;
    std::uint32_t met_ = 0;
    std::vector<Moves> kept_;
};

// Says what another scorer says, and remembers about what.
class AskedScorer final : public Scorer {
   public:
    AskedScorer(std::unique_ptr<Scorer> scorer, std::shared_ptr<Asked> asked)
        : scorer_(std::move(scorer)), asked_(std::move(asked)) {}

    int score(const Position& position) override {
        asked_->add(position.board());
        return scorer_->score(position);
    }
    void promise(const Position& position, std::span<const Cell> moves, std::span<int> promises) override {
        scorer_->promise(position, moves, promises);
    }

   private:
    std::unique_ptr<Scorer> scorer_;
    std::shared_ptr<Asked> asked_;
};

}  // namespace fivestone

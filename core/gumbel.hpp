// Gumbel root search (Danihelka et al. 2022): sample a few root moves without replacement, share the simulations out
// among them by sequential halving, and read an improved policy off the values.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tree.hpp"

namespace fivestone {

struct GumbelConfig {
    // How many root moves are compared at first.
    int moves = 16;
    // A value moves the logits by (visits + largest visit count) * scale * reward.
    float visits = 50.0f;
    float scale = 1.0f;
};

// For each simulation, how often the move it goes to has been visited before: sequential halving written as a list.
std::vector<std::uint32_t> halvingSchedule(int moves, std::uint32_t simulations);

class GumbelRoot {
   public:
    GumbelRoot(const GumbelConfig& config, const Tree& tree, std::uint32_t simulations, std::uint64_t seed);

    bool exhausted() const { return next_ >= schedule_.size(); }
    // The move the next simulation goes to.
    Cell next(const Tree& tree);
    // The simulation that next() was asked for last did not take place.
    void takeBack() { --next_; }
    // The best of the most visited moves.
    Cell best(const Tree& tree) const;
    // softmax(logits + transformed completed values), in the order of Tree::eachMove.
    std::vector<float> improvedPolicy(const Tree& tree) const;

   private:
    struct Entry {
        Cell move;
        float logit, gumbel;
        std::uint32_t before;  // visits from earlier searches
    };
    struct Standing {
        std::uint32_t visits;
        float value, score;
        Proof proof;
    };
    std::vector<Standing> standings(const Tree& tree, bool withNoise) const;

    GumbelConfig config_;
    std::vector<Entry> entries_;
    std::vector<std::uint32_t> schedule_;
    std::size_t next_ = 0;
};

}  // namespace fivestone

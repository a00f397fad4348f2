// What self-play leaves behind and the learner reads: positions with the visits of their moves and how the game ended.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "types.hpp"

namespace fivestone {

// One sample, pointing into its block.
struct Sample {
    int size;
    Stone turn;
    std::span<const std::uint8_t> stones;   // size x size, absolute colours
    std::span<const std::uint16_t> moves;   // that were visited; none where the policy says nothing
    std::span<const std::uint16_t> visits;  // of each of them
    int z;                                  // 1, 0, -1: how the game ended for the side to move
    float q;                                // what the search thought, in [-1, 1], for the side to move
};

// Samples as compact arrays, in the order they were made.
struct SampleBlock {
    std::vector<std::uint8_t> size, turn;
    std::vector<std::uint8_t> stones;         // size * size for each sample
    std::vector<std::uint16_t> policyCount;   // moves of each sample
    std::vector<std::uint16_t> policyMoves;   // of all samples, one after the other
    std::vector<std::uint16_t> policyVisits;  // as many
    std::vector<std::int8_t> z;
    std::vector<float> q;
    std::vector<std::uint32_t> game;  // which game of the block it is from
    std::vector<std::uint16_t> ply;   // stones on the board

    std::size_t count() const { return size.size(); }
    Sample at(std::size_t index) const;
    // Finds where each sample starts; to be called once the arrays are complete.
    void index();
    // What is wrong with the arrays, or "" if they hold legal samples. Blocks from files are checked before use.
    std::string problem() const;

   private:
    std::vector<std::size_t> stonesAt_, policyAt_;
};

// The newest samples of a run, block after block.
class SampleWindow {
   public:
    void add(std::shared_ptr<const SampleBlock> block);
    // Drops the oldest blocks as long as `keep` samples remain.
    void trim(std::size_t keep);
    std::size_t count() const { return count_; }
    Sample at(std::size_t index) const;

   private:
    std::deque<std::shared_ptr<const SampleBlock>> blocks_;
    std::vector<std::size_t> starts_;  // of each block; kept in step with blocks_
    std::size_t count_ = 0;
};

}  // namespace fivestone

// Games of a line net against itself, on native threads, and the samples they yield.
//
// Game i is a function of (net, config, seed, i), and the games of one call are the shortest row of them from i = 0
// that yields the samples asked for: the number of threads changes the time they take and nothing else.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "linenet.hpp"
#include "mcts.hpp"
#include "samples.hpp"

namespace fivestone {

struct Opening {
    int size;
    std::vector<int> moves;
};

struct SelfPlayConfig {
    std::vector<int> sizes = {9};
    std::vector<double> sizeWeights;  // how often each is drawn; empty: equally often
    // A share of the moves is searched in full, with noise, and recorded; the others only take the game on.
    std::uint32_t simulations = 200;
    std::uint32_t fastSimulations = 40;
    double fullShare = 0.25;
    float c = 1.4f;
    float fpuReduction = 0.25f, rootFpuReduction = 0.1f;
    // Stones that a leaf's search for a win by continuous fours may place; 0 for none.
    std::uint32_t leafVcf = 0;
    float noiseShare = 0.25f;
    float noiseAlpha = 0.15f;  // on 9x9; less on larger boards, in proportion to the cells
    // Moves are drawn in proportion to visits for this many plies, then from visits ^ (1 / lateTemperature); 0
    // takes the most visited.
    int temperaturePlies = 8;
    double lateTemperature = 0.25;
    // A game starts from a given opening (if one of its size was drawn), or from 1 to randomPlies random plies.
    std::vector<Opening> openings;
    double openingShare = 0.0;
    int randomPlies = 4;
    double randomShare = 0.75;
    // Of so many random openings the one is played that the net thinks most even; 1 takes the first.
    int balanceTries = 1;
    // A side resigns when its value has been below this at two of its moves in a row; -1: never. Some games are
    // played on to see how often that was wrong.
    float resignBelow = -1.0f;
    double resignCheck = 0.1;
};

struct PlayedGame {
    int size = 0;
    Stone winner = Empty;
    bool resigned = false;
    bool proven = false;  // ended by a proof, before the last stone
    int openingPlies = 0;
    std::vector<int> moves;
};

struct SelfPlayStats {
    std::uint64_t simulations = 0;  // new ones: visits taken over with the tree are not counted
    std::uint64_t plies = 0;        // searched
    std::uint64_t checkedResignations = 0, wrongResignations = 0;
};

struct SelfPlayResult {
    SampleBlock samples;
    std::vector<PlayedGame> games;
    SelfPlayStats stats;
};

// What is wrong with the config, or "".
std::string problemOf(const SelfPlayConfig& config, Rule rule);

// Plays until there are `samples` samples (or exactly `games` games if that is not 0). Nothing when stopped before.
std::optional<SelfPlayResult> playGames(std::shared_ptr<const LineNet> net, const SelfPlayConfig& config,
                                        std::uint64_t seed, std::size_t samples, std::size_t games, int threads,
                                        const std::atomic<bool>& stop);

}  // namespace fivestone

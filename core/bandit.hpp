// The selection rules of the tree as pure functions.
//
// Each rule is a child's mean plus an exploration term, and that term is a factor all children of a node share times a
// factor of the child's own visits. The tree keeps the second one in the child, so a scan multiplies and never divides.
// Means are values in [-1, 1] for the side that chooses; UCB1 and UCB1-tuned see the reward (value + 1) / 2, and
// their c is on that scale.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace fivestone {

enum class Select : std::uint8_t { Ucb1, Ucb1Tuned, Puct };

inline float rewardOf(float value) {
    return 0.5f * (value + 1.0f);
}

// The factor of a child's own visits. Under PUCT it is defined for a child without visits, too.
inline float visitTerm(Select rule, float visits) {
    return rule == Select::Puct ? 1.0f / (1.0f + visits) : 1.0f / std::sqrt(visits);
}

// The factor all children share, from the visits of their parent.
inline float parentTerm(Select rule, float c, float visits) {
    return rule == Select::Puct ? c * std::sqrt(visits) : c * std::sqrt(std::log(std::max(visits, 1.0f)));
}

// reward + c sqrt(ln N / n)
inline float ucb1(float mean, float visitTerm, float parentTerm) {
    return rewardOf(mean) + parentTerm * visitTerm;
}

// reward + c sqrt(ln N / n * min(1/4, V)),  V = variance of the rewards + sqrt(2 ln N / n)
inline float ucb1Tuned(float mean, float meanSquare, float visitTerm, float parentTerm, float logParent) {
    const float reward = rewardOf(mean);
    const float variance = std::max(0.0f, meanSquare - reward * reward) + std::sqrt(2.0f * logParent) * visitTerm;
    return reward + parentTerm * visitTerm * std::sqrt(std::min(0.25f, variance));
}

// value + c P sqrt(N) / (1 + n)
inline float puct(float mean, float prior, float visitTerm, float parentTerm) {
    return mean + parentTerm * prior * visitTerm;
}

// What PUCT takes for the mean of a move not yet tried: the parent's own mean, less the more policy has been tried.
inline float firstPlayUrgency(float parentMean, float reduction, float triedPolicy) {
    return parentMean - reduction * std::sqrt(triedPolicy);
}

}  // namespace fivestone

// What patterns are worth: the score of an empty cell for each side, the promise of a move, and what the threats on the
// board add for the side to move. All of it is data: one set of weights for a rule, hand-made here, learned elsewhere.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "patterns.hpp"

namespace fivestone {

// Pattern sets that differ only in the order of their directions are worth the same: they share a class.
constexpr int kSetClasses = 1365;  // multisets of 4 out of 12 patterns
int setClass(PatternSet set);
// The patterns of a class, lowest first, as a set.
PatternSet setOfClass(int index);

// The tables below are looked up in every push, so they should fit the cache: directions are taken in two pairs, and
// each pair in any order, which leaves a tenth of all sets.
constexpr int kPairs = kPatternCount * (kPatternCount + 1) / 2;
constexpr int kSetIndices = kPairs * kPairs;
constexpr auto kPairOf = [] {
    std::array<std::uint8_t, 256> pairs{};
    int next = 0;
    for (int high = 0; high < kPatternCount; ++high)
        for (int low = 0; low <= high; ++low, ++next)
            pairs[high << 4 | low] = pairs[low << 4 | high] = static_cast<std::uint8_t>(next);
    return pairs;
}();
// Where the tables hold a set.
constexpr int setIndex(PatternSet set) {
    return kPairOf[set & 255] * kPairs + kPairOf[set >> 8];
}

// Which threats stand on the board, a bit each, as far as a search does not settle them at once.
enum ThreatFlag : std::uint16_t {
    OwnOpenThree = 1 << 0,
    OwnDoubleThree = 1 << 1,
    OwnFour = 1 << 2,
    OwnFourThree = 1 << 3,
    FoeOpenThree = 1 << 4,
    FoeDoubleThree = 1 << 5,
    FoeFour = 1 << 6,
    FoeFourThree = 1 << 7,
    FoeOpenFour = 1 << 8,  // the opponent makes an open or double four unless it is answered
};
constexpr int kThreatFlags = 1 << 9;

// The weights as they are learned and stored, in score units.
struct WeightCard {
    // Worth of an empty cell to the side that holds the patterns; Black and White differ under Renju alone.
    std::array<std::vector<std::int16_t>, 2> cell;
    // Promise of a move: what it makes for the mover, and what it takes from the opponent.
    std::array<std::vector<std::int16_t>, 2> moveOwn, moveFoe;
    // By ThreatFlag, for the side to move.
    std::vector<std::int16_t> threats;
    // A score of `scale` is a winning probability of 1 / (1 + 1/e).
    float scale = 1.0F;

    static WeightCard handMade(Rule rule);
    // Whether every table has its size and no cell is worth too much to count with.
    bool fits() const;
};

// A card unrolled for one rule, so that everything about a pattern set is one look-up.
class Weights {
   public:
    // What the patterns of one cell make and are worth, for both sides in one word. A byte for each side holds the
    // threat in its low half and once more, if it is an open three or better, in its high half; above them is the worth
    // to Black less that to White. Either side contributes a word of its own, and nothing carries when they are added.
    struct CellWorth {
        std::uint32_t bits = 0;

        Threat threat(Stone color) const { return static_cast<Threat>((bits >> (8 * side(color))) & 15); }
        // The threat, or NoThreat for less than an open three.
        Threat forcing(Stone color) const { return static_cast<Threat>((bits >> (8 * side(color) + 4)) & 15); }
        bool sameForcing(CellWorth other) const { return ((bits ^ other.bits) & 0xf0f0) == 0; }
        int balance() const { return static_cast<std::int32_t>(bits) >> 16; }
    };

    Weights(Rule rule, const WeightCard& card);
    // The hand-made weights of a rule, built at first use and shared.
    static const Weights& handMade(Rule rule);

    CellWorth worth(PatternSet black, PatternSet white) const {
        return {worths_[side(Black)][setIndex(black)] + worths_[side(White)][setIndex(white)]};
    }
    int moveOwn(PatternSet set, Stone color) const { return moves_[side(color)][setIndex(set)].own; }
    int moveFoe(PatternSet set, Stone color) const { return moves_[side(color)][setIndex(set)].foe; }
    int threats(int flags) const { return threats_[flags]; }
    float scale() const { return scale_; }
    // The value in [-1, 1] of a score that is not a proven result.
    float valueOf(int score) const;

   private:
    struct Promise {
        std::int16_t own, foe;
    };
    std::array<std::vector<std::uint32_t>, 2> worths_;
    std::array<std::vector<Promise>, 2> moves_;
    std::vector<std::int16_t> threats_;
    float scale_;
};

}  // namespace fivestone

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
    struct SetInfo {
        std::int16_t score;
        Threat threat;
    };

    Weights(Rule rule, const WeightCard& card);
    // The hand-made weights of a rule, built at first use and shared.
    static const Weights& handMade(Rule rule);

    const SetInfo& info(PatternSet set, Stone color) const { return infos_[side(color)][set]; }
    int moveOwn(PatternSet set, Stone color) const { return moves_[side(color)][set].own; }
    int moveFoe(PatternSet set, Stone color) const { return moves_[side(color)][set].foe; }
    int threats(int flags) const { return threats_[flags]; }
    float scale() const { return scale_; }
    // The value in [-1, 1] of a score that is not a proven result.
    float valueOf(int score) const;

   private:
    struct Promise {
        std::int16_t own, foe;
    };
    std::array<std::vector<SetInfo>, 2> infos_;
    std::array<std::vector<Promise>, 2> moves_;
    std::vector<std::int16_t> threats_;
    float scale_;
};

}  // namespace fivestone

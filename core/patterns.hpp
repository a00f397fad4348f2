// What a stone on an empty cell would make: a pattern in each direction, a threat over all four.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "lines.hpp"
#include "types.hpp"

namespace fivestone {

// What playing the centre of a window makes on that line, for one side. Each pattern but the first three is "one more
// stone turns it into the next one up of its kind".
enum Pattern : std::uint8_t {
    Dead,       // can never be five
    Overline,   // six or more where only exactly five wins
    One,        // one more makes a two
    OpenOne,    // one more makes an open two
    Two,        // one more makes a three
    OpenTwo,    // one more makes an open three
    Three,      // one more makes a four
    OpenThree,  // one more makes an open four (or, where it wins, a double four on this line)
    Four,       // one more makes five, and one opposing stone can prevent it
    LineFours,  // as OpenFour, but the stones are not a straight four (X.XXX.X and the like)
    OpenFour,   // a straight four: two points complete five, and no single opposing stone stops both
    Five,
    kPatternCount
};

// What playing a cell makes over its four lines, strongest wins. Under Renju, Black's DoubleFour, DoubleThree,
// FourThree with a second three, and Overline cells are candidates for Board::isForbidden, which alone decides.
enum Threat : std::uint8_t {
    NoThreat,
    MakesTwo,  // an open two or a three: nothing that must be answered
    MakesOpenThree,
    MakesDoubleThree,
    MakesFour,
    MakesFourThree,  // a four and an open three
    MakesDoubleFour,
    MakesOpenFour,
    MakesFive,
    MaybeForbidden,  // Renju, Black: overline, double-four or double-three on paper
    kThreatCount
};

// Patterns of the four directions packed a nibble each.
using PatternSet = std::uint16_t;

class PatternTable {
   public:
    // The table of a rule, built at first use and shared.
    static const PatternTable& of(Rule rule);

    // What `color` makes on this line by playing the centre.
    Pattern pattern(Code code, Stone color) const {
        return static_cast<Pattern>((both_[code] >> (4 * side(color))) & 15);
    }
    // Black's pattern in the low half of the byte, White's in the high half.
    std::uint8_t both(Code code) const { return both_[code]; }
    // What the line adds to the fours of the cell, Black's in the low half of the byte, White's in the high half: 1 for
    // a four, 2 for an open four, line fours or five. A cell whose four lines add up to less than 2 makes at most a
    // four.
    std::uint8_t fours(Code code) const { return fours_[code]; }
    static constexpr bool severalFours(std::uint8_t sum) { return (sum & 0xee) != 0; }
    Threat threat(PatternSet set, Stone color) const { return threats_[side(color)][set]; }
    int reach() const { return reach_; }

   private:
    explicit PatternTable(Rule rule);

    int reach_;
    std::vector<std::uint8_t> both_, fours_;
    std::array<std::vector<Threat>, 2> threats_;
};

}  // namespace fivestone

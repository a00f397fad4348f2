#include "patterns.hpp"

#include <cstdlib>

namespace fivestone {
namespace {

constexpr int kUnknown = -1;
constexpr int kWindow = 2 * kMaxReach + 1;

// Classifies every window for a player whose stones are Black in the code, by asking what one more stone makes.
class Classifier {
   public:
    Classifier(int reach, bool exact, bool caro, bool lineFoursWin)
        : reach_(reach),
          sides_(sideCount(reach)),
          exact_(exact),
          caro_(caro),
          lineFoursWin_(lineFoursWin),
          known_(codeCount(reach), kUnknown) {
        for (int side = 0; side < sides_; ++side) decoded_.push_back(decodeSide(side));
    }

    Pattern classify(Code code) {
        if (known_[code] == kUnknown) known_[code] = compute(code);
        return static_cast<Pattern>(known_[code]);
    }

   private:
    using Window = std::array<Stone, kWindow + 2>;

    // The window as a row of cells with the played stone in the middle and walls where the board ends.
    Window windowOf(Code code) const {
        Window window;
        window.fill(Wall);
        const int middle = kMaxReach + 1;
        const WindowSide& behind = decoded_[code / sides_];
        const WindowSide& ahead = decoded_[code % sides_];
        window[middle] = Black;
        for (int i = 0; i < behind.length; ++i) window[middle - 1 - i] = behind.stones[i];
        for (int i = 0; i < ahead.length; ++i) window[middle + 1 + i] = ahead.stones[i];
        return window;
    }

    // Whether the run through the middle wins; `run` is set to its length in either case.
    bool winsThroughMiddle(const Window& window, int& run) const {
        int first = kMaxReach + 1, last = first;
        while (window[first - 1] == Black) --first;
        while (window[last + 1] == Black) ++last;
        run = last - first + 1;
        if (run < 5 || (exact_ && run > 5)) return false;
        return !(caro_ && window[first - 1] == White && window[last + 1] == White);
    }

    // Visits every empty cell of the window: its place, and what a Black stone on it adds to the code.
    template <typename Visit>
    void forEachEmpty(Code code, Visit visit) const {
        Code weight = 1;
        const WindowSide& ahead = decoded_[code % sides_];
        for (int i = 0; i < ahead.length; ++i, weight *= 3)
            if (ahead.stones[i] == Empty) visit(kMaxReach + 2 + i, weight);
        weight = sides_;
        const WindowSide& behind = decoded_[code / sides_];
        for (int i = 0; i < behind.length; ++i, weight *= 3)
            if (behind.stones[i] == Empty) visit(kMaxReach - i, weight);
    }

    // The points that complete five through the middle; at most one on either side.
    int fivePoints(Code code, int points[2]) {
        int count = 0;
        forEachEmpty(code, [&](int at, Code weight) {
            if (classify(code + Black * weight) == Five) points[count++] = at;
        });
        return count;
    }

    // Under caro a stone at one end of a four can also be the second stone that blocks the five at the other end, as
    // in O.XXXX.O; elsewhere one stone stops one point only.
    bool oneStoneStopsAll(Code code) {
        bool stops = false;
        forEachEmpty(code, [&](int, Code weight) {
            int points[2];
            stops = stops || fivePoints(code + White * weight, points) == 0;
        });
        return stops;
    }

    Pattern compute(Code code) {
        int run;
        const Window window = windowOf(code);
        if (winsThroughMiddle(window, run)) return Five;
        if (exact_ && run > 5) return Overline;
        int points[2];
        const int wins = fivePoints(code, points);
        if (wins == 1 || (wins == 2 && caro_ && oneStoneStopsAll(code))) return Four;
        if (wins == 2) return run == 4 && std::abs(points[0] - points[1]) == 5 ? OpenFour : LineFours;
        bool makes[kPatternCount] = {};
        forEachEmpty(code, [&](int, Code weight) { makes[classify(code + Black * weight)] = true; });
        if (makes[OpenFour] || (lineFoursWin_ && makes[LineFours])) return OpenThree;
        if (makes[Four] || makes[LineFours]) return Three;
        if (makes[OpenThree]) return OpenTwo;
        if (makes[Three]) return Two;
        if (makes[OpenTwo]) return OpenOne;
        return makes[Two] ? One : Dead;
    }

    int reach_;
    int sides_;
    bool exact_, caro_, lineFoursWin_;
    std::vector<std::int8_t> known_;
    std::vector<WindowSide> decoded_;
};

Threat combine(PatternSet set, bool renjuBlack) {
    int count[16] = {};
    for (int direction = 0; direction < kDirections; ++direction) ++count[(set >> (4 * direction)) & 15];
    const int fours = count[Four] + 2 * count[LineFours] + count[OpenFour];
    if (count[Five]) return MakesFive;
    if (renjuBlack && (count[Overline] || fours >= 2 || count[OpenThree] >= 2)) return MaybeForbidden;
    if (count[OpenFour]) return MakesOpenFour;
    if (fours >= 2) return MakesDoubleFour;
    if (fours == 1) return count[OpenThree] ? MakesFourThree : MakesFour;
    if (count[OpenThree] >= 2) return MakesDoubleThree;
    if (count[OpenThree]) return MakesOpenThree;
    return count[OpenTwo] || count[Three] ? MakesTwo : NoThreat;
}

}  // namespace

PatternTable::PatternTable(Rule rule) : reach_(reachOf(rule)) {
    const bool caro = rule == Rule::Caro || rule == Rule::CaroExact;
    both_.assign(codeCount(reach_), 0);
    for (const Stone color : {Black, White}) {
        const bool renjuBlack = rule == Rule::Renju && color == Black;
        const bool exact = rule == Rule::Standard || rule == Rule::CaroExact || renjuBlack;
        Classifier classifier(reach_, exact, caro, !renjuBlack);
        for (Code code = 0; code < both_.size(); ++code)
            both_[code] |= classifier.classify(color == Black ? code : swapColors(code, reach_)) << (4 * side(color));
        auto& threats = threats_[side(color)];
        threats.resize(1 << (4 * kDirections));
        for (std::size_t set = 0; set < threats.size(); ++set)
            threats[set] = combine(static_cast<PatternSet>(set), renjuBlack);
    }
    const auto foursOf = [](int pattern) { return pattern > Four ? 2 : pattern == Four ? 1 : 0; };
    for (const std::uint8_t both : both_)
        fours_.push_back(static_cast<std::uint8_t>(foursOf(both & 15) | foursOf(both >> 4) << 4));
}

const PatternTable& PatternTable::of(Rule rule) {
    switch (rule) {
        case Rule::Freestyle: {
            static const PatternTable table(Rule::Freestyle);
            return table;
        }
        case Rule::Standard: {
            static const PatternTable table(Rule::Standard);
            return table;
        }
        case Rule::Renju: {
            static const PatternTable table(Rule::Renju);
            return table;
        }
        case Rule::Caro: {
            static const PatternTable table(Rule::Caro);
            return table;
        }
        default: {
            static const PatternTable table(Rule::CaroExact);
            return table;
        }
    }
}

}  // namespace fivestone

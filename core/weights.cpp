#include "weights.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>

namespace fivestone {
namespace {

constexpr int kSets = 1 << (4 * kDirections);

struct ClassTable {
    std::vector<std::uint16_t> classes = std::vector<std::uint16_t>(kSets, 0);
    std::vector<PatternSet> sets;

    ClassTable() {
        for (int set = 0; set < kSets; ++set)
            if (valid(set) && sorted(set) == set) {
                classes[set] = static_cast<std::uint16_t>(sets.size());
                sets.push_back(static_cast<PatternSet>(set));
            }
        for (int set = 0; set < kSets; ++set)
            if (valid(set)) classes[set] = classes[sorted(set)];
    }

    static std::array<int, kDirections> patternsOf(int set) {
        return {set & 15, (set >> 4) & 15, (set >> 8) & 15, (set >> 12) & 15};
    }
    static bool valid(int set) { return std::ranges::max(patternsOf(set)) < kPatternCount; }
    static int sorted(int set) {
        auto patterns = patternsOf(set);
        std::ranges::sort(patterns);
        return patterns[0] | patterns[1] << 4 | patterns[2] << 8 | patterns[3] << 12;
    }
};

const ClassTable& classTable() {
    static const ClassTable table;
    return table;
}

// Worth of a pattern on one line, from Dead to Five: to its owner, to a mover, and to whoever takes the cell away.
// A lone stone touches some thirty cells, a pair only six: the worth of a cell must rise faster than that falls.
constexpr std::int16_t kCell[kPatternCount] = {0, 0, 0, 0, 1, 2, 5, 11, 26, 40, 40, 60};
constexpr std::int16_t kOwn[kPatternCount] = {0, 0, 2, 6, 10, 25, 30, 70, 80, 200, 400, 2000};
constexpr std::int16_t kFoe[kPatternCount] = {0, 0, 2, 5, 7, 20, 22, 60, 65, 150, 300, 1500};
// What the whole cell adds to the sum of its lines, by Threat.
constexpr std::int16_t kCellThreat[kThreatCount] = {0, 0, 0, 25, 0, 80, 80, 0, 0, 0};
constexpr std::int16_t kOwnThreat[kThreatCount] = {0, 0, 0, 60, 0, 150, 300, 0, 0, 0};

// By bit of ThreatFlag.
constexpr int kFlag[9] = {10, 60, 10, 300, -5, -20, -5, -80, -100};
constexpr int kTempo = 40;

int handMadeThreats(int flags) {
    int score = kTempo;
    for (int bit = 0; bit < 9; ++bit)
        if (flags >> bit & 1) score += kFlag[bit];
    return score;
}

}  // namespace

int setClass(PatternSet set) {
    return classTable().classes[set];
}
PatternSet setOfClass(int index) {
    return classTable().sets[index];
}

WeightCard WeightCard::handMade(Rule rule) {
    WeightCard card;
    for (const Stone color : {Black, White}) {
        const int i = side(color);
        for (int index = 0; index < kSetClasses; ++index) {
            const PatternSet set = setOfClass(index);
            const Threat threat = PatternTable::of(rule).threat(set, color);
            int cell = kCellThreat[threat], own = kOwnThreat[threat], foe = kOwnThreat[threat] * 3 / 4;
            for (int direction = 0; direction < kDirections; ++direction) {
                const int pattern = (set >> (4 * direction)) & 15;
                cell += kCell[pattern];
                own += kOwn[pattern];
                foe += kFoe[pattern];
            }
            if (threat == MaybeForbidden) cell = own = foe = 0;
            card.cell[i].push_back(static_cast<std::int16_t>(cell));
            card.moveOwn[i].push_back(static_cast<std::int16_t>(own));
            card.moveFoe[i].push_back(static_cast<std::int16_t>(foe));
        }
    }
    for (int flags = 0; flags < kThreatFlags; ++flags)
        card.threats.push_back(static_cast<std::int16_t>(handMadeThreats(flags)));
    card.scale = 400.0F;
    return card;
}

bool WeightCard::fits() const {
    const auto full = [](const std::array<std::vector<std::int16_t>, 2>& tables) {
        return std::ranges::all_of(tables, [](const auto& table) { return table.size() == kSetClasses; });
    };
    // The difference of two cells must fit a position's short numbers.
    const auto modest = [](std::int16_t score) { return score > -(1 << 14) && score < 1 << 14; };
    for (const auto& table : cell)
        if (!std::ranges::all_of(table, modest)) return false;
    return full(cell) && full(moveOwn) && full(moveFoe) && threats.size() == kThreatFlags && scale > 0.0F;
}

Weights::Weights(Rule rule, const WeightCard& card) : threats_(card.threats), scale_(card.scale) {
    const PatternTable& patterns = PatternTable::of(rule);
    for (const Stone color : {Black, White}) {
        const int i = side(color);
        worths_[i].resize(kSetIndices);
        moves_[i].resize(kSetIndices);
        for (int at = 0; at < kSets; ++at) {
            if (!ClassTable::valid(at)) continue;
            const PatternSet set = static_cast<PatternSet>(at);
            const int index = setIndex(set), kind = setClass(set);
            const int cell = card.cell[i][kind];
            const std::uint32_t threat = patterns.threat(set, color);
            const std::uint32_t forcing = threat >= MakesOpenThree ? threat : NoThreat;
            worths_[i][index] =
                static_cast<std::uint32_t>(color == Black ? cell : -cell) << 16 | (threat | forcing << 4) << (8 * i);
            moves_[i][index] = {card.moveOwn[i][kind], card.moveFoe[i][kind]};
        }
    }
}

const Weights& Weights::handMade(Rule rule) {
    static std::array<std::unique_ptr<const Weights>, 5> weights;
    static std::array<std::once_flag, 5> flags;
    const auto index = static_cast<std::size_t>(rule);
    std::call_once(flags[index],
                   [&] { weights[index] = std::make_unique<const Weights>(rule, WeightCard::handMade(rule)); });
    return *weights[index];
}

float Weights::valueOf(int score) const {
    return std::tanh(static_cast<float>(score) / (2.0F * scale_));
}

}  // namespace fivestone

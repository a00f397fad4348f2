#include "windowrows.hpp"

#include <algorithm>
#include <cassert>

namespace fivestone {

WindowRows::WindowRows(Rule rule) : reach_(reachOf(rule)) {
    const Code codes = codeCount(reach_);
    const int players = rule == Rule::Renju ? 2 : 1;
    for (auto& ofTurn : rows_)
        for (auto& ofCentre : ofTurn) ofCentre.resize(codes);
    std::vector<Code> swapped(codes);
    for (Code code = 0; code < codes; ++code) swapped[code] = swapColors(code, reach_);
    for (int player = 0; player < players; ++player)
        for (int centre = 0; centre < 3; ++centre)
            for (Code code = 0; code < codes; ++code) {
                const Code mirror = mirrorCode(code, reach_);
                if (mirror < code) continue;
                const auto row = static_cast<std::uint32_t>(count_++);
                appendWindow(code, centre, player);
                // A window written in own and opponent's stones is Black's as it stands and White's with colours
                // exchanged.
                const int whiteCentre = centre == 0 ? 0 : 3 - centre;
                for (const Code either : {code, mirror}) {
                    if (player == 0) rows_[0][centre][either] = row;
                    if (player == players - 1) rows_[1][whiteCentre][swapped[either]] = row;
                }
            }
}

namespace {

// For whom six in a row are no five.
bool needsExactlyFive(Stone color, Rule rule) {
    return rule == Rule::Standard || (rule == Rule::Renju && color == Black);
}

// The side without its outermost cell. Where that cell and the one before it hold two stones of a colour that needs
// exactly five, no five of the window's centre can use either: it is as if the board ended there.
int shortened(int side, Rule rule) {
    WindowSide window = decodeSide(side);
    if (window.length == kMaxReach) {
        const Stone last = window.stones[kMaxReach - 1];
        const bool dead = last != Empty && last == window.stones[kMaxReach - 2] && needsExactlyFive(last, rule);
        window.length = dead ? kMaxReach - 2 : kMaxReach - 1;
    }
    return encodeSide(window);
}

}  // namespace

WindowRows::WindowRows(const WindowRows& shorter, Rule game) : reach_(reachOf(game)), count_(shorter.count_) {
    assert(reach_ == kMaxReach && shorter.reach_ == kMaxReach - 1);
    const Code sides = sideCount(reach_);
    std::vector<Code> shortSides(sides);
    for (Code side = 0; side < sides; ++side) shortSides[side] = shortened(static_cast<int>(side), game);
    for (int turn = 0; turn < 2; ++turn)
        for (int centre = 0; centre < 3; ++centre) {
            auto& rows = rows_[turn][centre];
            rows.reserve(codeCount(reach_));
            for (const Code behind : shortSides)
                for (const Code ahead : shortSides)
                    rows.push_back(shorter.rows_[turn][centre][behind * sideCount(shorter.reach_) + ahead]);
        }
}

void WindowRows::appendWindow(Code code, int centre, int player) {
    const WindowSide behind = decodeSide(code / sideCount(reach_)), ahead = decodeSide(code % sideCount(reach_));
    for (int i = reach_; i-- > 0;) windows_.push_back(i < behind.length ? behind.stones[i] : Wall);
    windows_.push_back(static_cast<std::uint8_t>(centre));
    for (int i = 0; i < reach_; ++i) windows_.push_back(i < ahead.length ? ahead.stones[i] : Wall);
    windows_.push_back(static_cast<std::uint8_t>(player));
}

const WindowRows& WindowRows::of(Rule rule) {
    if (rule == Rule::Renju) {
        static const WindowRows rows(Rule::Renju);
        return rows;
    }
    if (rule == Rule::Freestyle) {
        static const WindowRows rows(Rule::Freestyle);
        return rows;
    }
    static const WindowRows rows(Rule::Standard);
    return rows;
}

const WindowRows* WindowRows::of(Rule net, Rule game) {
    if (net == game) return &of(net);
    if (net != Rule::Freestyle) return nullptr;
    if (game == Rule::Standard) {
        static const WindowRows rows(of(net), game);
        return &rows;
    }
    if (game == Rule::Renju) {
        static const WindowRows rows(of(net), game);
        return &rows;
    }
    return nullptr;
}

}  // namespace fivestone

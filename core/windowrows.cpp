#include "windowrows.hpp"

#include <algorithm>

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

}  // namespace fivestone

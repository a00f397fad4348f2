// The moves worth thinking about: threats come first, and when one must be answered only the answers remain.
#pragma once

#include <array>
#include <span>
#include <utility>

#include "position.hpp"

namespace fivestone {

enum class Urgency : std::uint8_t {
    Five,             // the side to move completes five: the one candidate does it
    BlockFive,        // the opponent threatens five: only blocks (none at all if they are forbidden)
    OpenFour,         // the side to move makes an open or double four that nothing stops: the one candidate does it
    AnswerFour,       // the opponent threatens an open or double four: fours of one's own and what spoils that one
    AnswerFourThree,  // the opponent threatens a four with an open three: as above
    Quiet,            // every legal cell near a stone
};

class Candidates {
   public:
    // A four with an open three is a threat to be answered only where `fourThrees` says so.
    explicit Candidates(const Position& position, bool fourThrees = false);

    Urgency urgency() const { return urgency_; }
    std::span<const Cell> cells() const { return {cells_.data(), static_cast<std::size_t>(count_)}; }

   private:
    void addOne(Cell cell);
    void add(const Position& position, Cell cell);
    void addNear(const Position& position);
    void addAll(const Position& position, const CellSet& cells);
    void addBlocks(const Position& position);
    void addAnswers(const Position& position);
    bool addSpoilers(const Position& position);

    Urgency urgency_;
    int count_ = 0;
    CellSet added_;
    std::array<Cell, kMaxCells> cells_;
};

// Whether an open four always wins: under the Caro rules a stone beyond the line can still spoil its five.
constexpr bool fourWins(Rule rule) {
    return rule != Rule::Caro && rule != Rule::CaroExact;
}

// A cell where the side to move makes an open or double four, or kNoCell.
Cell winningFour(const Position& position);

// A cell where the side to move makes a four with an open three, or two open threes, that nothing stops: five is five
// plies away at most. kNoCell if there is none. The opponent does not threaten five.
Cell winningThree(Position& position);

// The cells at both ends of the run that a stone of `color` on the cell belongs to: against the step, and along it.
std::pair<Cell, Cell> flanksOf(const Board& board, Cell cell, int step, Stone color);

// The cells where the other side may stop a five that the attacker threatens to make: the five points themselves and,
// under Caro, the open flank of a five whose other flank is already blocked. Where there are two fives, one stone may
// not be enough.
CellSet stopsOf(const Position& position, Stone attacker);

struct GreedyMove {
    Cell cell = kNoCell;
    int score = 0;  // for the side to move
};
// The candidate after which the scorer likes the position best, or any legal move; kNoCell if there is none.
GreedyMove greedyMove(Position& position);

}  // namespace fivestone

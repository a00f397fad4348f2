// Victory by continuous fours: a win in which every move of the attacker makes a four, so that the defender has at
// each step only the moves that stop the five.
//
// Sound: a win is reported only if every reply has been answered, counting the defender's own fours and fives, Renju's
// forbidden points and the flanks that block a five under Caro. Complete within its limits: every move that makes a
// four is tried.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "position.hpp"
#include "proof.hpp"
#include "prooftable.hpp"

namespace fivestone {

struct ProofLimit {
    using Clock = std::chrono::steady_clock;

    std::uint64_t nodes = std::numeric_limits<std::uint64_t>::max();
    // The attacker's moves before the five.
    int depth = kMaxCells / 2;
    Clock::time_point deadline = Clock::time_point::max();
    const std::atomic<bool>* stop = nullptr;
    // Deepen move by move, so that the win found is the shortest there is.
    bool shortest = false;
};

enum class Verdict : std::uint8_t {
    Unknown,  // the limit was reached first
    Win,
    NoWin,  // there is none within the depth of the limit
};

struct VcfResult {
    Verdict verdict = Verdict::Unknown;
    Cell move = kNoCell;  // the first move of a win
    int length = 0;       // the attacker's moves before the five (against the longest defence)
    std::uint64_t nodes = 0;
    bool cut = false;  // of NoWin: the depth ran out, and more of it could find one

    bool won() const { return verdict == Verdict::Win; }
};

class VcfSolver {
   public:
    explicit VcfSolver(std::size_t tableBytes = std::size_t{1} << 20);

    // Leaves the position as it was. If it is not the attacker's turn, the question is what happens if the other side
    // passes. A node is a stone placed.
    VcfResult solve(Position& position, Stone attacker, std::uint64_t nodeLimit);
    VcfResult solve(Position& position, Stone attacker, const ProofLimit& limit);

    // The next three are about a win that solve() has just found; they look no further than its length, and search
    // again, within the limit, only where the table has forgotten.
    // Its moves in turn, ending with the five; the defender chooses the longest way. Empty if the limit was reached.
    std::vector<Cell> line(Position& position, Stone attacker, int length, const ProofLimit& limit = {});
    // Adds it to a proof; the node, or ProofNode::kNone if the limit was reached.
    int addProof(Position& position, Stone attacker, int length, const ProofLimit& limit, ProofTree& tree);
    // Adds the cells where a stone of the defender could make a difference to it. A stone anywhere else that does not
    // itself make a four leaves the win as it is. False if the limit was reached.
    bool addFootprint(Position& position, Stone attacker, int length, const ProofLimit& limit, CellSet& cells);

    void clear() { table_.clear(); }

   private:
    // Why a position is not won: nothing deeper helps, the depth ran out, or the search was stopped.
    enum class Outcome : std::uint8_t { Win, NoWin, TooShallow, Stopped };

    struct Candidate {
        Cell cell;
        std::int16_t score;
    };

    void begin(Position& position, Stone attacker, const ProofLimit& limit);
    int addNode(int depth, ProofTree& tree);
    bool addCells(int depth, CellSet& cells);
    void addReplyCells(Cell reply, CellSet& cells) const;
    Outcome attack(int depth);
    Outcome tryMoves(int depth, Cell forced);
    Outcome defend(int depth);
    Outcome defendCaro(int depth);
    Outcome reply(Cell cell, int depth);
    bool collect(Cell forced, int depth);
    int order(Cell cell) const;
    bool countNode();

    ProofTable table_;
    std::vector<Candidate> candidates_;  // of all nodes on the path, one after the other
    Position* position_ = nullptr;
    Stone attacker_ = Black;
    bool caro_ = false;
    bool forbidsDefender_ = false;
    ProofLimit limit_;
    std::uint64_t nodes_ = 0;
    std::uint64_t nextCheck_ = 0;
    Cell bestMove_ = kNoCell;  // of the last node that attack() has won
    int length_ = 0;
};

}  // namespace fivestone

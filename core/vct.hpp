// Victory by continuous threats: every move of the attacker makes a four, or an open three or the like that threatens
// to win by fours.
//
// A depth-first proof-number search. After a threat that is not a four, the defences looked at are the cells where a
// stone could make a difference to the win it threatens, and every four of the defender's; all other moves are answered
// by that win. Before a win is reported its whole proof is built and replayed against every legal defence by the rules
// of the board, so a win is a win whatever the search has overlooked.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "position.hpp"
#include "proof.hpp"
#include "vcf.hpp"

namespace fivestone {

struct VctResult {
    Verdict verdict = Verdict::Unknown;
    Cell move = kNoCell;
    int length = 0;  // the attacker's moves before the five, against the longest defence
    std::uint64_t nodes = 0;
    ProofTree proof;

    bool won() const { return verdict == Verdict::Win; }
};

class VctSolver {
   public:
    explicit VctSolver(std::size_t tableBytes = std::size_t{16} << 20);

    // Leaves the position as it was. NoWin: none of at most `limit.depth` moves before the five was found by the
    // threats this search knows. Nodes are the stones placed, those of the searches by fours included.
    VctResult solve(Position& position, Stone attacker, const ProofLimit& limit);

    void clear();

   private:
    // How far a position is from being proven won and from being proven not won; 0 is there.
    struct Numbers {
        std::uint32_t proof;
        std::uint32_t disproof;
    };
    struct Entry {
        std::uint64_t key = 0;
        Numbers numbers{1, 1};
        Cell move = kNoCell;  // the attacker's, where the position is won other than by fours
        std::uint8_t generation = 0;
        bool used = false;
        bool cut = false;  // the depth ran out below it
    };
    using Bucket = std::array<Entry, 4>;
    struct Child {
        Cell cell;
        Numbers numbers;
    };

    Verdict deepen();
    Numbers attack(Numbers limits, int depth);
    Numbers defend(Numbers limits, int depth);
    std::optional<Numbers> beginAttack(int depth, bool seen);
    std::optional<Numbers> beginDefence(int depth);
    void addAttack(Cell cell);
    void addDefence(Cell cell);
    void addChild(Cell cell, Numbers guess);
    bool threatened(int depth, CellSet& defences, int& length);
    VcfResult vcf(Stone attacker, int depth, std::uint64_t nodes, bool shortest);

    int addNode(int depth, std::uint64_t vcfNodes, ProofTree& tree);
    bool addAnswers(int node, int depth, ProofTree& tree);
    bool addRest(int node, int depth, ProofTree& tree);

    std::uint64_t keyNow() const { return position_->board().hash() ^ salt_; }
    std::uint64_t keyAfter(Cell cell) const;
    const Entry* find(std::uint64_t key) const;
    void store(std::uint64_t key, Numbers numbers, Cell move);
    void push(Cell cell);
    void countNodes(std::uint64_t nodes);
    ProofLimit limitLeft() const;

    VcfSolver vcf_;
    std::vector<Bucket> table_;
    std::vector<Child> children_;  // of all nodes on the path, one after the other
    Position* position_ = nullptr;
    Stone attacker_ = Black;
    ProofLimit limit_;
    std::uint64_t salt_ = 0;  // keeps what was found at one depth apart from the others
    std::uint64_t nodes_ = 0;
    std::uint64_t nextCheck_ = 0;
    bool stopped_ = false;
    bool cut_ = false;  // the depth ran out somewhere below the node at hand
    std::uint8_t generation_ = 0;
};

}  // namespace fivestone

// Weights, and the one-ply player on them.
#include "weights.hpp"

#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <stdexcept>

#include "candidates.hpp"
#include "module.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace fivestone {
namespace {

using Tables = std::array<std::vector<std::int16_t>, 2>;

Weights makeWeights(Rule rule, Tables cell, Tables moveOwn, Tables moveFoe, std::vector<std::int16_t> threats,
                    float scale) {
    const WeightCard card{std::move(cell), std::move(moveOwn), std::move(moveFoe), std::move(threats), scale};
    if (!card.fits()) throw std::invalid_argument("weights of the wrong size or out of range");
    return Weights(rule, card);
}

std::pair<int, int> greedyOf(const Board& board, const Weights& weights) {
    if (board.winLength() != 5) throw std::invalid_argument("patterns are for win length 5");
    if (board.isOver()) throw std::invalid_argument("the game is over");
    Position position(board, weights);
    const GreedyMove best = greedyMove(position);
    return {board.moveOf(best.cell), best.score};
}

// What the scorer looks at, for learning its weights.
struct Features {
    std::array<std::vector<int>, 2> cells;           // the classes of all empty cells, for Black and for White
    int flags;                                       // ThreatFlag, for the side to move
    bool quiet;                                      // a search would ask the scorer here, not settle it at once
    std::vector<int> moves, ownClasses, foeClasses;  // the candidates of the side to move
};

Features featuresOf(const Board& board) {
    if (board.winLength() != 5) throw std::invalid_argument("patterns are for win length 5");
    const Position position(board);
    const Candidates candidates(position);
    Features result{{}, position.threatFlags(), candidates.urgency() >= Urgency::AnswerFour, {}, {}, {}};
    for (const Cell cell : board.cells())
        if (board.isEmpty(cell))
            for (const Stone color : {Black, White})
                result.cells[side(color)].push_back(setClass(position.patterns(cell, color)));
    for (const Cell cell : candidates.cells()) {
        result.moves.push_back(board.moveOf(cell));
        result.ownClasses.push_back(setClass(position.patterns(cell, board.turn())));
        result.foeClasses.push_back(setClass(position.patterns(cell, other(board.turn()))));
    }
    return result;
}

// The patterns of every class, a nibble each, lowest first.
std::vector<int> classSets() {
    std::vector<int> sets;
    for (int index = 0; index < kSetClasses; ++index) sets.push_back(setOfClass(index));
    return sets;
}

}  // namespace

void bindWeights(nb::module_& module) {
    module.attr("SET_CLASSES") = kSetClasses;
    module.attr("THREAT_FLAGS") = kThreatFlags;
    nb::class_<Weights>(module, "Weights")
        .def(
            "__init__",
            [](Weights* self, Rule rule, const Tables& cell, const Tables& moveOwn, const Tables& moveFoe,
               const std::vector<std::int16_t>& threats,
               float scale) { new (self) Weights(makeWeights(rule, cell, moveOwn, moveFoe, threats, scale)); },
            "rule"_a, "cell"_a, "move_own"_a, "move_foe"_a, "threats"_a, "scale"_a)
        .def_prop_ro("scale", &Weights::scale)
        .def("value_of", &Weights::valueOf, "score"_a);
    module.def(
        "hand_made_tables",
        [](Rule rule) {
            const WeightCard card = WeightCard::handMade(rule);
            return std::make_tuple(card.cell, card.moveOwn, card.moveFoe, card.threats, card.scale);
        },
        "rule"_a);
    nb::class_<Features>(module, "Features")
        .def_ro("cells", &Features::cells)
        .def_ro("flags", &Features::flags)
        .def_ro("quiet", &Features::quiet)
        .def_ro("moves", &Features::moves)
        .def_ro("own_classes", &Features::ownClasses)
        .def_ro("foe_classes", &Features::foeClasses);
    module.def("features", &featuresOf, "board"_a);
    module.def("class_sets", &classSets);
    module.def("greedy_move", &greedyOf, "board"_a, "weights"_a);
}

}  // namespace fivestone

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
    if (!card.fits()) throw std::invalid_argument("weights of the wrong size");
    return Weights(rule, card);
}

std::pair<int, int> greedyOf(const Board& board, const Weights& weights) {
    if (board.winLength() != 5) throw std::invalid_argument("patterns are for win length 5");
    if (board.isOver()) throw std::invalid_argument("the game is over");
    Position position(board, weights);
    const GreedyMove best = greedyMove(position);
    return {board.moveOf(best.cell), best.score};
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
    module.def("greedy_move", &greedyOf, "board"_a, "weights"_a);
}

}  // namespace fivestone

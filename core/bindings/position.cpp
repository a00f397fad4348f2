// Window codes, patterns and threats for tests, analysis and teaching.
#include "position.hpp"

#include <nanobind/stl/array.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>

#include "module.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace fivestone {

void bindPosition(nb::module_& module) {
    nb::enum_<Pattern>(module, "Pattern", nb::is_arithmetic())
        .value("DEAD", Dead)
        .value("OVERLINE", Overline)
        .value("ONE", One)
        .value("OPEN_ONE", OpenOne)
        .value("TWO", Two)
        .value("OPEN_TWO", OpenTwo)
        .value("THREE", Three)
        .value("OPEN_THREE", OpenThree)
        .value("FOUR", Four)
        .value("LINE_FOURS", LineFours)
        .value("OPEN_FOUR", OpenFour)
        .value("FIVE", Five);
    nb::enum_<Threat>(module, "Threat", nb::is_arithmetic())
        .value("NONE", NoThreat)
        .value("TWO", MakesTwo)
        .value("OPEN_THREE", MakesOpenThree)
        .value("DOUBLE_THREE", MakesDoubleThree)
        .value("FOUR", MakesFour)
        .value("FOUR_THREE", MakesFourThree)
        .value("DOUBLE_FOUR", MakesDoubleFour)
        .value("OPEN_FOUR", MakesOpenFour)
        .value("FIVE", MakesFive)
        .value("MAYBE_FORBIDDEN", MaybeForbidden);

    nb::class_<Position>(module, "Position")
        .def(
            "__init__",
            [](Position* self, const Board& board) {
                if (board.winLength() != 5) throw std::invalid_argument("patterns are for win length 5");
                new (self) Position(board);
            },
            "board"_a)
        .def(
            "push",
            [](Position& self, int move) {
                const Board& board = self.board();
                if (move < 0 || move >= board.size() * board.size() || !board.isEmpty(board.cellOf(move)) ||
                    board.winner() != Empty)
                    throw std::invalid_argument("not a legal move");
                self.push(board.cellOf(move));
            },
            "move"_a)
        .def("pop",
             [](Position& self) {
                 if (self.board().moves().empty()) throw std::invalid_argument("no move to take back");
                 self.pop();
             })
        .def(
            "codes", [](const Position& self, int move) { return self.lines().codes(self.board().cellOf(move)); },
            "move"_a)
        .def(
            "pattern",
            [](const Position& self, int move, int color, int direction) {
                return self.pattern(self.board().cellOf(move), static_cast<Stone>(color), direction);
            },
            "move"_a, "color"_a, "direction"_a)
        .def(
            "threat",
            [](const Position& self, int move, int color) {
                return self.threat(self.board().cellOf(move), static_cast<Stone>(color));
            },
            "move"_a, "color"_a)
        .def(
            "count",
            [](const Position& self, Threat threat, int color) {
                return self.count(threat, static_cast<Stone>(color));
            },
            "threat"_a, "color"_a);
}

}  // namespace fivestone

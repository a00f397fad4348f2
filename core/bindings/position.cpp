// Window codes, patterns and threats for tests, analysis and teaching.
#include "position.hpp"

#include <nanobind/stl/array.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <string>

#include "module.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace fivestone {
namespace {

Cell checkedCell(const Position& position, int move) {
    const Board& board = position.board();
    if (move < 0 || move >= board.size() * board.size()) throw std::out_of_range("no such cell on the board");
    return board.cellOf(move);
}

Stone checkedColor(int color) {
    if (color != Black && color != White) throw std::invalid_argument("a colour is 1 (Black) or 2 (White)");
    return static_cast<Stone>(color);
}

// The pattern of every window code, a byte each.
nb::bytes patternTable(Rule rule, int color) {
    const PatternTable& table = PatternTable::of(rule);
    std::string patterns;
    for (Code code = 0; code < static_cast<Code>(codeCount(table.reach())); ++code)
        patterns.push_back(static_cast<char>(table.pattern(code, checkedColor(color))));
    return nb::bytes(patterns.data(), patterns.size());
}

// The inner loop of `fivestone bench`: a stone on each cell near another one in turn, and off again.
void benchPosition(const Board& board, long count) {
    if (board.winLength() != 5 || board.winner() != Empty)
        throw std::invalid_argument("patterns are for win length 5 and a game that goes on");
    Position position(board);
    std::vector<Cell> cells;
    position.near().forEach([&](Cell cell) { cells.push_back(cell); });
    if (cells.empty()) throw std::invalid_argument("no cell is near a stone");
    for (std::size_t next = 0; count-- > 0; next = next + 1 == cells.size() ? 0 : next + 1) {
        position.push(cells[next]);
        position.pop();
    }
}

}  // namespace

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
                const Cell cell = checkedCell(self, move);
                if (!self.board().isEmpty(cell) || self.board().winner() != Empty)
                    throw std::invalid_argument("not a legal move");
                self.push(cell);
            },
            "move"_a)
        .def("pop",
             [](Position& self) {
                 if (self.board().moves().empty()) throw std::invalid_argument("no move to take back");
                 self.pop();
             })
        .def(
            "jump",
            [](Position& self, int dropped, const std::vector<int>& moves) {
                Board after = self.board();
                if (dropped < 0 || dropped > static_cast<int>(after.moves().size()))
                    throw std::invalid_argument("not so many moves to take back");
                for (int i = 0; i < dropped; ++i) after.pop();
                std::vector<Cell> cells;
                for (const int move : moves) {
                    cells.push_back(checkedCell(self, move));
                    if (!after.isEmpty(cells.back()) || after.winner() != Empty)
                        throw std::invalid_argument("not a legal move");
                    after.push(cells.back());
                }
                self.jump(dropped, cells);
                const auto seen = nb::make_tuple(self.urgent(), self.mayMakeFour(Black), self.mayMakeFour(White));
                self.refresh();
                return seen;
            },
            "dropped"_a, "moves"_a,
            nb::sig("def jump(self, dropped: int, moves: Sequence[int]) -> tuple[bool, bool, bool]"),
            "Takes back moves and plays others. Whether a cell may be urgent, and whether Black and White may make a "
            "four.")
        .def_prop_ro("score", &Position::score)
        .def_prop_ro("cell_score", &Position::cellScore)
        .def(
            "promise", [](const Position& self, int move) { return self.promise(self.board().cellOf(move)); }, "move"_a)
        .def(
            "codes", [](const Position& self, int move) { return self.lines().codes(checkedCell(self, move)); },
            "move"_a)
        .def(
            "pattern",
            [](const Position& self, int move, int color, int direction) {
                if (direction < 0 || direction >= kDirections) throw std::out_of_range("a direction is 0 to 3");
                return self.pattern(checkedCell(self, move), checkedColor(color), direction);
            },
            "move"_a, "color"_a, "direction"_a)
        .def(
            "threat",
            [](const Position& self, int move, int color) {
                return self.threat(checkedCell(self, move), checkedColor(color));
            },
            "move"_a, "color"_a)
        .def(
            "count",
            [](const Position& self, Threat threat, int color) { return self.count(threat, checkedColor(color)); },
            "threat"_a, "color"_a);

    module.def("pattern_table", &patternTable, "rule"_a, "color"_a,
               "What playing the centre makes for a colour, a byte for every window code.");
    module.def(
        "bench_position",
        [](const Board& board, long count) {
            const Board copy = board;
            nb::gil_scoped_release release;
            benchPosition(copy, count);
        },
        "board"_a, "count"_a, "Pushes and pops `count` stones with everything that patterns keep.");
}

}  // namespace fivestone

// Board for Python: moves are row * size + column, row 0 at the bottom.
#include "board.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <string>

#include "module.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace fivestone {
namespace {

std::vector<int> movesOf(const Board& board, std::span<const Cell> cells) {
    std::vector<int> moves;
    moves.reserve(cells.size());
    for (const Cell cell : cells) moves.push_back(board.moveOf(cell));
    return moves;
}

template <typename Keep>
std::vector<int> movesWhere(const Board& board, Keep keep) {
    std::vector<int> moves;
    for (const Cell cell : board.cells())
        if (keep(cell)) moves.push_back(board.moveOf(cell));
    return moves;
}

Cell checkedCell(const Board& board, int move) {
    if (move < 0 || move >= board.size() * board.size()) throw std::out_of_range("no such cell on the board");
    return board.cellOf(move);
}

Stone checkedColor(int color) {
    if (color != Black && color != White) throw std::invalid_argument("a colour is 1 (Black) or 2 (White)");
    return static_cast<Stone>(color);
}

std::optional<int> winnerOf(const Board& board) {
    if (board.winner() == Empty) return std::nullopt;
    return board.winner();
}

nb::bytes stonesOf(const Board& board) {
    std::string stones;
    for (const Cell cell : board.cells()) stones.push_back(static_cast<char>(board.at(cell)));
    return nb::bytes(stones.data(), stones.size());
}

Board makeBoard(int size, Rule rule, int winLength) {
    if (size < kMinSize || size > kMaxSize || winLength < 3 || winLength > 6 || winLength > size)
        throw std::invalid_argument("size must be 3..20, win length 3..6 and no more than the size");
    if (rule == Rule::Renju && winLength != 5) throw std::invalid_argument("renju is played for five");
    return Board(size, rule, winLength);
}

// Pushes and pops the empty cells in turn, `count` times in all, and returns how many of the pushes won: the inner loop
// of benchmarks/board.py, whose answer can be checked.
long benchPushPop(Board board, long count) {
    std::vector<Cell> empty;
    for (const Cell cell : board.cells())
        if (board.isEmpty(cell)) empty.push_back(cell);
    if (empty.empty() || board.winner() != Empty) throw std::invalid_argument("the game is over");
    long wins = 0;
    std::size_t next = 0;
    for (long i = 0; i < count; ++i) {
        board.push(empty[next]);
        wins += board.winner() != Empty;
        board.pop();
        if (++next == empty.size()) next = 0;
    }
    return wins;
}

}  // namespace

void bindBoard(nb::module_& module) {
    nb::enum_<Rule>(module, "Rule")
        .value("FREESTYLE", Rule::Freestyle)
        .value("STANDARD", Rule::Standard)
        .value("RENJU", Rule::Renju)
        .value("CARO", Rule::Caro)
        .value("CARO_EXACT", Rule::CaroExact);

    nb::class_<Board>(module, "CoreBoard")
        .def(
            "__init__",
            [](Board* self, int size, Rule rule, int winLength) { new (self) Board(makeBoard(size, rule, winLength)); },
            "size"_a, "rule"_a, "win_length"_a)
        .def(nb::init<const Board&>(), "other"_a)
        .def(
            "_place",
            [](Board& self, int move, int color) {
                const Cell cell = checkedCell(self, move);
                if (!self.isEmpty(cell) || !self.moves().empty()) throw std::invalid_argument("the cell is taken");
                self.place(cell, checkedColor(color));
            },
            "move"_a, "color"_a)
        .def(
            "_finish_setup", [](Board& self, int turn) { self.finishSetup(checkedColor(turn)); }, "turn"_a)
        .def(
            "_push",
            [](Board& self, int move) {
                const Cell cell = checkedCell(self, move);
                if (!self.isEmpty(cell) || self.winner() != Empty) throw std::invalid_argument("not a legal move");
                self.push(cell);
            },
            "move"_a)
        .def(
            "_try_push",
            [](Board& self, int move) {
                const Cell cell = checkedCell(self, move);
                const bool legal = self.isLegal(cell);
                if (legal) self.push(cell);
                return legal;
            },
            "move"_a)
        .def("_pop",
             [](Board& self) {
                 if (self.moves().empty()) throw std::invalid_argument("no move to take back");
                 const int move = self.moveOf(self.lastMove());
                 self.pop();
                 return move;
             })
        .def_prop_ro("size", &Board::size)
        .def_prop_ro("_rule", &Board::rule)
        .def_prop_ro("win_length", &Board::winLength)
        .def_prop_ro("turn", [](const Board& self) { return static_cast<int>(self.turn()); })
        .def_prop_ro("winner", &winnerOf)
        .def_prop_ro("hash", &Board::hash)
        .def_prop_ro("is_over", &Board::isOver)
        .def_prop_ro("is_dead_draw", &Board::isDeadDraw)
        .def_prop_ro("stone_count", &Board::stoneCount)
        .def_prop_ro("moves", [](const Board& self) { return movesOf(self, self.moves()); })
        .def_prop_ro("move_count", [](const Board& self) { return self.moves().size(); })
        .def_prop_ro("stones", &stonesOf)
        .def_prop_ro("winning_line", [](const Board& self) { return movesOf(self, self.winningLine()); })
        .def_prop_ro("legal_moves",
                     [](const Board& self) { return movesWhere(self, [&](Cell cell) { return self.isLegal(cell); }); })
        .def_prop_ro(
            "forbidden_moves",
            [](const Board& self) { return movesWhere(self, [&](Cell cell) { return self.isForbidden(cell); }); })
        .def(
            "_is_legal", [](const Board& self, int move) { return self.isLegal(checkedCell(self, move)); }, "move"_a)
        .def(
            "_is_forbidden", [](const Board& self, int move) { return self.isForbidden(checkedCell(self, move)); },
            "move"_a)
        .def(
            "_wins",
            [](const Board& self, int move, int color) {
                return self.isEmpty(checkedCell(self, move)) && self.wins(self.cellOf(move), checkedColor(color));
            },
            "move"_a, "color"_a)
        .def(
            "_at", [](const Board& self, int move) { return static_cast<int>(self.at(checkedCell(self, move))); },
            "move"_a);

    module.def("bench_push_pop", &benchPushPop, "board"_a, "count"_a, nb::call_guard<nb::gil_scoped_release>(),
               "Pushes and pops empty cells in turn and returns how many pushes won.");
}

}  // namespace fivestone

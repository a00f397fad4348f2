// Threat proofs for Python: boards in, moves out; the clock is watched by the core, the GIL is free meanwhile.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <optional>
#include <stdexcept>
#include <tuple>

#include "module.hpp"
#include "vcf.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace fivestone {
namespace {

// A solver with the flag that stops it from another thread.
struct Prover {
    explicit Prover(std::size_t tableBytes) : vcf(tableBytes) {}

    VcfSolver vcf;
    std::atomic<bool> stop{false};
};

ProofLimit limitOf(std::uint64_t nodes, std::optional<double> seconds, bool shortest, const std::atomic<bool>& stop) {
    ProofLimit limit;
    limit.nodes = nodes;
    limit.shortest = shortest;
    limit.stop = &stop;
    if (seconds)
        limit.deadline = ProofLimit::Clock::now() + std::chrono::duration_cast<ProofLimit::Clock::duration>(
                                                        std::chrono::duration<double>(*seconds));
    return limit;
}

Position positionOf(const Board& board) {
    if (board.winLength() != 5) throw std::invalid_argument("threat proofs are for win length 5");
    return Position(board);
}

using Found = std::tuple<Verdict, std::optional<int>, int, std::uint64_t>;

Found solveVcf(Prover& self, const Board& board, std::uint64_t nodes, std::optional<double> seconds, bool shortest) {
    Position position = positionOf(board);
    self.stop = false;
    const VcfResult result = self.vcf.solve(position, board.turn(), limitOf(nodes, seconds, shortest, self.stop));
    std::optional<int> move;
    if (result.won()) move = board.moveOf(result.move);
    return {result.verdict, move, result.length, result.nodes};
}

std::vector<int> lineVcf(Prover& self, const Board& board) {
    Position position = positionOf(board);
    std::vector<int> moves;
    for (const Cell cell : self.vcf.line(position, board.turn())) moves.push_back(board.moveOf(cell));
    return moves;
}

}  // namespace

void bindProofs(nb::module_& module) {
    nb::enum_<Verdict>(module, "Verdict")
        .value("UNKNOWN", Verdict::Unknown)
        .value("WIN", Verdict::Win)
        .value("NO_WIN", Verdict::NoWin);

    nb::class_<Prover>(module, "Prover")
        .def(nb::init<std::size_t>(), "table_bytes"_a)
        .def("solve_vcf", &solveVcf, "board"_a, "nodes"_a, "seconds"_a.none(), "shortest"_a,
             nb::call_guard<nb::gil_scoped_release>())
        .def("line_vcf", &lineVcf, "board"_a, nb::call_guard<nb::gil_scoped_release>())
        .def("stop", [](Prover& self) { self.stop = true; })
        .def("clear", [](Prover& self) { self.vcf.clear(); });
}

}  // namespace fivestone

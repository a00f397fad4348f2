// Threat proofs for Python: boards in, proofs out; the clock is watched by the core, the GIL is free meanwhile.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <atomic>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "module.hpp"
#include "proof.hpp"
#include "vcf.hpp"
#include "vcfbench.hpp"
#include "vct.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace fivestone {
namespace {

// The solvers with the flag that stops them from another thread.
class Prover {
   public:
    explicit Prover(std::size_t tableBytes) : tableBytes_(tableBytes) {}

    // Verdict, the proof of a win, nodes.
    using Found = std::tuple<Verdict, std::optional<ProofTree>, std::uint64_t>;

    Found solve(const Board& board, bool threes, std::uint64_t nodes, std::optional<double> seconds, int depth,
                bool shortest) {
        if (board.winLength() != 5) throw std::invalid_argument("threat proofs are for win length 5");
        Position position(board);
        ProofLimit limit;
        limit.nodes = nodes;
        limit.depth = std::min(depth, limit.depth);
        limit.shortest = shortest;
        limit.stop = &stop_;
        if (seconds)
            limit.deadline = ProofLimit::Clock::now() + std::chrono::duration_cast<ProofLimit::Clock::duration>(
                                                            std::chrono::duration<double>(*seconds));
        return threes ? solveVct(position, limit) : solveVcf(position, limit);
    }

    // Ends the search under way, and any later one until resume().
    void stop() { stop_ = true; }
    void resume() { stop_ = false; }

   private:
    Found solveVcf(Position& position, const ProofLimit& limit) {
        if (!vcf_) vcf_.emplace(tableBytes_);
        const VcfResult result = vcf_->solve(position, position.turn(), limit);
        if (!result.won()) return {result.verdict, std::nullopt, result.nodes};
        ProofTree tree;
        tree.root = vcf_->addProof(position, position.turn(), result.length, limit, tree);
        if (tree.root == ProofNode::kNone) return {Verdict::Unknown, std::nullopt, result.nodes};
        return {Verdict::Win, std::move(tree), result.nodes};
    }

    Found solveVct(Position& position, const ProofLimit& limit) {
        if (!vct_) vct_.emplace(tableBytes_);
        VctResult result = vct_->solve(position, position.turn(), limit);
        if (!result.won()) return {result.verdict, std::nullopt, result.nodes};
        return {Verdict::Win, std::move(result.proof), result.nodes};
    }

    std::size_t tableBytes_;
    std::optional<VcfSolver> vcf_;
    std::optional<VctSolver> vct_;
    std::atomic<bool> stop_{false};
};

using Node = std::tuple<int, std::vector<std::pair<int, int>>, int>;

std::vector<Node> nodesOf(const ProofTree& tree, const Board& board) {
    std::vector<Node> nodes;
    for (const ProofNode& node : tree.nodes()) {
        std::vector<std::pair<int, int>> answers;
        for (const auto& [reply, answer] : node.answers) answers.emplace_back(board.moveOf(reply), answer);
        nodes.emplace_back(board.moveOf(node.move), answers, node.otherwise);
    }
    return nodes;
}

std::vector<int> mainLineOf(const ProofTree& tree, const Board& board) {
    std::vector<int> moves;
    for (const Cell cell : tree.mainLine(board)) moves.push_back(board.moveOf(cell));
    return moves;
}

}  // namespace

void bindProofs(nb::module_& module) {
    nb::enum_<Verdict>(module, "Verdict")
        .value("UNKNOWN", Verdict::Unknown)
        .value("WIN", Verdict::Win)
        .value("NO_WIN", Verdict::NoWin);

    nb::class_<ProofTree>(module, "ProofTree")
        .def_ro("root", &ProofTree::root)
        .def_prop_ro("length", &ProofTree::length)
        .def("nodes", &nodesOf, "board"_a)
        .def("main_line", &mainLineOf, "board"_a)
        .def("holds", &ProofTree::holds, "board"_a, nb::call_guard<nb::gil_scoped_release>());

    nb::class_<Prover>(module, "Prover")
        .def(nb::init<std::size_t>(), "table_bytes"_a)
        .def("solve", &Prover::solve, "board"_a, "threes"_a, "nodes"_a, "seconds"_a.none(), "depth"_a, "shortest"_a,
             nb::call_guard<nb::gil_scoped_release>())
        .def("stop", &Prover::stop)
        .def("resume", &Prover::resume);

    module.def(
        "bench_vcf",
        [] {
            const VcfBench bench = benchVcf();
            return std::make_tuple(bench.nodes, bench.seconds, bench.wins);
        },
        nb::call_guard<nb::gil_scoped_release>(),
        "Searches fixed positions by fours: nodes (the same everywhere), seconds, wins.");
}

}  // namespace fivestone

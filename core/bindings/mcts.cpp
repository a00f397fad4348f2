// Monte-Carlo tree search for Python: a tree, native evaluators, and leaves handed out in batches.
#include "mcts.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>

#include "arrays.hpp"
#include "heuristic.hpp"
#include "module.hpp"
#include "quantisedevaluator.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace fivestone {
namespace {

// What judges leaves natively: evaluators or rollouts, one a thread.
class Judges {
   public:
    Judges() = default;
    Judges(const Judges&) = delete;
    Judges& operator=(const Judges&) = delete;

    void add(std::unique_ptr<Evaluator> evaluator) { evaluators_.push_back(std::move(evaluator)); }
    void add(std::unique_ptr<Rollout> rollout) { rollouts_.push_back(std::move(rollout)); }

    std::uint32_t run(Mcts& mcts, std::uint32_t simulations, const std::atomic<bool>& stop) {
        if (!rollouts_.empty()) {
            std::vector<Rollout*> rollouts;
            for (const auto& rollout : rollouts_) rollouts.push_back(rollout.get());
            return mcts.run(std::span<Rollout* const>(rollouts), simulations, &stop);
        }
        std::vector<Evaluator*> evaluators;
        for (const auto& evaluator : evaluators_) evaluators.push_back(evaluator.get());
        return mcts.run(std::span<Evaluator* const>(evaluators), simulations, &stop);
    }
    bool needsPatterns() const { return !evaluators_.empty(); }

   private:
    std::vector<std::unique_ptr<Evaluator>> evaluators_;
    std::vector<std::unique_ptr<Rollout>> rollouts_;
};

// Mcts with the flag that stops it from another thread.
struct PyMcts : Mcts {
    using Mcts::Mcts;
    std::atomic<bool> stop{false};
};

std::vector<int> movesOf(const Board& board, const std::vector<Cell>& cells) {
    std::vector<int> moves;
    for (const Cell cell : cells) moves.push_back(board.moveOf(cell));
    return moves;
}

Cell checkedCell(const Board& board, int move) {
    if (move < 0 || move >= board.size() * board.size()) throw std::out_of_range("no such cell on the board");
    return board.cellOf(move);
}

void checkBoard(const Mcts& mcts, const Board& board) {
    const MctsConfig& config = mcts.config();
    if (config.near < 0 || config.near > 3) throw std::invalid_argument("near is 0 to 3");
    if (board.winLength() != 5 && (config.forced || config.leafVcf > 0 || config.rootVcf > 0 || config.probeVcf > 0))
        throw std::invalid_argument("forced moves and proofs are for win length 5");
    if (board.isOver()) throw std::invalid_argument("the game is over");
}

std::uint32_t runOf(PyMcts& self, Judges& judges, std::uint32_t simulations) {
    if (judges.needsPatterns() && self.board().winLength() != 5)
        throw std::invalid_argument("this evaluator is for win length 5");
    nb::gil_scoped_release release;
    return judges.run(self, simulations, self.stop);
}

// How many simulations were started; then for each leaf its stones, whose turn it is, the last move or -1, and its
// hash.
nb::tuple collectOf(PyMcts& self, int most, std::uint32_t simulations) {
    const std::size_t size = static_cast<std::size_t>(self.board().size());
    std::vector<std::uint8_t> stones, turns;
    std::vector<std::int32_t> lasts;
    std::vector<std::uint64_t> hashes;
    std::uint32_t started = 0;
    {
        nb::gil_scoped_release release;
        started = self.collect(most, simulations, [&](const Board& board) {
            for (const Cell cell : board.cells()) stones.push_back(board.at(cell));
            turns.push_back(board.turn());
            lasts.push_back(board.lastMove() == kNoCell ? -1 : board.moveOf(board.lastMove()));
            hashes.push_back(board.hash());
        });
    }
    const std::size_t count = turns.size();
    return nb::make_tuple(started, toArray(std::move(stones), {count, size, size}), toArray(std::move(turns)),
                          toArray(std::move(lasts)), toArray(std::move(hashes)));
}

void judgeOf(PyMcts& self, const ArrayIn<float>& policies, const ArrayIn<float>& values) {
    const std::size_t count = static_cast<std::size_t>(self.waiting());
    const std::size_t cells = static_cast<std::size_t>(self.board().size() * self.board().size());
    if (policies.size() != count * cells || values.size() != count)
        throw std::invalid_argument("one policy over all cells and one value for every leaf that waits");
    const auto policy = valuesOf<float>(policies), value = valuesOf<float>(values);
    for (const float number : value)
        if (!(number >= -1.0f && number <= 1.0f)) throw std::invalid_argument("a value lies in [-1, 1]");
    for (const float number : policy)
        if (!(number >= 0.0f && number < 1e30f)) throw std::invalid_argument("a policy is not negative");
    nb::gil_scoped_release release;
    self.judge(policy, value);
}

nb::tuple proveLineOf(PyMcts& self, const std::vector<int>& line, std::optional<std::uint64_t> nodes,
                      std::optional<double> seconds) {
    std::vector<Cell> cells;
    for (const int move : line) cells.push_back(checkedCell(self.board(), move));
    ProofLimit limit;
    limit.stop = &self.stop;
    if (nodes) limit.nodes = *nodes;
    if (seconds)
        limit.deadline = ProofLimit::Clock::now() + std::chrono::duration_cast<ProofLimit::Clock::duration>(
                                                        std::chrono::duration<double>(*seconds));
    LineProof proof;
    {
        nb::gil_scoped_release release;
        proof = self.proveLine(cells, limit);
    }
    return nb::make_tuple(proof.won, proof.nodes);
}

struct PyRootMove {
    int move;
    std::uint32_t visits;
    float value, prior;
    Proof proof;
};

std::vector<PyRootMove> rootMovesOf(const PyMcts& self) {
    std::vector<PyRootMove> moves;
    for (const Mcts::RootMove& root : self.rootMoves())
        moves.push_back({self.board().moveOf(root.move), root.visits, root.value, root.prior, root.proof});
    return moves;
}

}  // namespace

void bindMcts(nb::module_& module) {
    nb::enum_<Select>(module, "Select")
        .value("UCB1", Select::Ucb1)
        .value("UCB1_TUNED", Select::Ucb1Tuned)
        .value("PUCT", Select::Puct);
    nb::enum_<RootSchedule>(module, "RootSchedule")
        .value("PLAIN", RootSchedule::Plain)
        .value("GUMBEL", RootSchedule::Gumbel);
    nb::enum_<Proof>(module, "Proof")
        .value("OPEN", Proof::Open)
        .value("WON", Proof::Won)
        .value("LOST", Proof::Lost)
        .value("DRAWN", Proof::Drawn);

    nb::class_<TreeConfig>(module, "TreeConfig")
        .def(nb::init<>())
        .def_rw("select", &TreeConfig::select)
        .def_rw("c", &TreeConfig::c)
        .def_rw("fpu_reduction", &TreeConfig::fpuReduction)
        .def_rw("root_fpu_reduction", &TreeConfig::rootFpuReduction)
        .def_rw("solver", &TreeConfig::solver)
        .def_rw("draw_value", &TreeConfig::drawValue)
        .def_rw("memory_bytes", &TreeConfig::memoryBytes);
    nb::class_<GumbelConfig>(module, "GumbelConfig")
        .def(nb::init<>())
        .def_rw("moves", &GumbelConfig::moves)
        .def_rw("visits", &GumbelConfig::visits)
        .def_rw("scale", &GumbelConfig::scale);
    nb::class_<MctsConfig>(module, "MctsConfig")
        .def(nb::init<>())
        .def_rw("tree", &MctsConfig::tree)
        .def_rw("forced", &MctsConfig::forced)
        .def_rw("near", &MctsConfig::near)
        .def_rw("misere", &MctsConfig::misere)
        .def_rw("leaf_vcf", &MctsConfig::leafVcf)
        .def_rw("probe_vcf", &MctsConfig::probeVcf)
        .def_rw("root_vcf", &MctsConfig::rootVcf)
        .def_rw("root", &MctsConfig::root)
        .def_rw("gumbel", &MctsConfig::gumbel)
        .def_rw("noise_share", &MctsConfig::noiseShare)
        .def_rw("noise_alpha", &MctsConfig::noiseAlpha);
    nb::class_<PyRootMove>(module, "RootMove")
        .def_ro("move", &PyRootMove::move)
        .def_ro("visits", &PyRootMove::visits)
        .def_ro("value", &PyRootMove::value)
        .def_ro("prior", &PyRootMove::prior)
        .def_ro("proof", &PyRootMove::proof);

    nb::class_<Judges>(module, "Judges");
    module.def(
        "rollout_judges",
        [](int threads, std::uint64_t seed) {
            auto* judges = new Judges;
            for (int i = 0; i < threads; ++i) judges->add(std::make_unique<Rollout>(seed + static_cast<unsigned>(i)));
            return judges;
        },
        "threads"_a, "seed"_a);
    module.def(
        "heuristic_judges",
        [](int threads, std::uint64_t seed, int plies) {
            auto* judges = new Judges;
            for (int i = 0; i < threads; ++i)
                judges->add(std::make_unique<HeuristicEvaluator>(seed + static_cast<unsigned>(i), plies));
            return judges;
        },
        "threads"_a, "seed"_a, "plies"_a);

    module.def(
        "line_net_judges",
        [](const std::shared_ptr<const LineNet>& net, const std::shared_ptr<const QuantisedNet>& quantised,
           int threads) {
            auto* judges = new Judges;
            for (int i = 0; i < threads; ++i) judges->add(evaluatorOf(net, quantised));
            return judges;
        },
        "net"_a, "quantised"_a.none(), "threads"_a, "In 16-bit numbers if the net is given in them, else in floats.");

    nb::class_<PyMcts>(module, "Mcts")
        .def(nb::init<const MctsConfig&, std::uint64_t>(), "config"_a, "seed"_a)
        .def(
            "set_root",
            [](PyMcts& self, const Board& board, const std::vector<int>& only) {
                checkBoard(self, board);
                std::vector<Cell> cells;
                for (const int move : only) {
                    cells.push_back(checkedCell(board, move));
                    if (!board.isLegal(cells.back())) throw std::invalid_argument("not a legal move");
                }
                self.setRoot(board, std::move(cells));
            },
            "board"_a, "only"_a = std::vector<int>())
        .def(
            "follow",
            [](PyMcts& self, const Board& board) {
                checkBoard(self, board);
                return self.follow(board);
            },
            "board"_a)
        .def(
            "advance",
            [](PyMcts& self, int move) {
                if (!self.board().isLegal(checkedCell(self.board(), move)))
                    throw std::invalid_argument("not a legal move");
                self.advance(self.board().cellOf(move));
            },
            "move"_a)
        .def("set_noise", &PyMcts::setNoise, "seed"_a)
        .def("plan", &PyMcts::plan, "simulations"_a)
        .def("prove_line", &proveLineOf, "line"_a, "nodes"_a.none(), "seconds"_a.none(),
             nb::sig("def prove_line(self, line: Sequence[int], nodes: int | None, seconds: float | None) -> "
                     "tuple[bool, int]"),
             "Whether there is a win by threats at the end of a line from the root, and the stones placed for it.")
        .def("run", &runOf, "judges"_a, "simulations"_a)
        .def("collect", &collectOf, "most"_a, "simulations"_a,
             nb::sig("def collect(self, most: int, simulations: int) -> tuple[int, NDArray[numpy.uint8], "
                     "NDArray[numpy.uint8], NDArray[numpy.int32], NDArray[numpy.uint64]]"))
        .def("judge", &judgeOf, "policies"_a, "values"_a,
             nb::sig("def judge(self, policies: NDArray[numpy.float32], values: NDArray[numpy.float32]) -> None"))
        .def_prop_ro("waiting", &PyMcts::waiting)
        .def("stop", [](PyMcts& self) { self.stop = true; })
        .def("resume", [](PyMcts& self) { self.stop = false; })
        .def_prop_ro("stopped", [](const PyMcts& self) { return self.stop.load(); })
        .def_prop_ro("root_moves", &rootMovesOf)
        .def_prop_ro("root_value", &PyMcts::rootValue)
        .def_prop_ro("root_proof", &PyMcts::rootProof)
        .def_prop_ro("root_visits", &PyMcts::rootVisits)
        .def_prop_ro("best_move", [](const PyMcts& self) { return self.board().moveOf(self.bestMove()); })
        .def_prop_ro("improved_policy", &PyMcts::improvedPolicy)
        .def(
            "pv",
            [](const PyMcts& self, int length, int first) {
                const Cell cell = first < 0 ? kNoCell : checkedCell(self.board(), first);
                return movesOf(self.board(), self.principalVariation(length, cell));
            },
            "length"_a, "first"_a = -1)
        .def_prop_ro("deepest", &PyMcts::deepest)
        .def_prop_ro("bytes", [](const PyMcts& self) { return self.tree().bytes(); })
        .def_prop_ro("full", [](const PyMcts& self) { return self.tree().full(); });
}

}  // namespace fivestone

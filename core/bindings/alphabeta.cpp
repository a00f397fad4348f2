// The alpha-beta engine for Python.
#include "alphabeta.hpp"

#include <nanobind/stl/function.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <map>
#include <optional>
#include <stdexcept>
#include <string>

#include "asked.hpp"
#include "module.hpp"
#include "netscorer.hpp"
#include "quantisedevaluator.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace fivestone {
namespace {

const std::map<std::string, int Tuning::*>& tuningNames() {
    static const std::map<std::string, int Tuning::*> names = {
        {"razor_margin", &Tuning::razorMargin},       {"razor_depth", &Tuning::razorDepth},
        {"futility_margin", &Tuning::futilityMargin}, {"futility_depth", &Tuning::futilityDepth},
        {"child_margin", &Tuning::childMargin},       {"child_base", &Tuning::childBase},
        {"child_depth", &Tuning::childDepth},         {"count_base", &Tuning::countBase},
        {"count_power", &Tuning::countPower},         {"count_depth", &Tuning::countDepth},
        {"reduction_base", &Tuning::reductionBase},   {"reduction_slope", &Tuning::reductionSlope},
        {"null_depth", &Tuning::nullDepth},           {"promise_reduction", &Tuning::promiseReduction},
        {"line_share", &Tuning::lineShare},           {"null_margin", &Tuning::nullMargin},
        {"answer_depth", &Tuning::answerDepth},       {"singular_depth", &Tuning::singularDepth},
        {"fours_depth", &Tuning::foursDepth},         {"fours_nodes", &Tuning::foursNodes},
        {"aspiration", &Tuning::aspiration},          {"pattern_share", &Tuning::patternShare},
    };
    return names;
}

// A report with moves as Python knows them.
struct PyLine {
    int move;
    int score;
    std::vector<int> pv;
    std::uint64_t nodes;
};
struct PyReport {
    std::vector<PyLine> lines;
    int depth, deepest;
    std::uint64_t nodes;
    double seconds;
};

PyReport reportOf(const Board& board, const SearchReport& report) {
    PyReport result{{}, report.depth, report.deepest, report.nodes, report.seconds};
    for (const SearchLine& line : report.lines) {
        std::vector<int> pv;
        for (const Cell cell : line.moves) pv.push_back(board.moveOf(cell));
        result.lines.push_back({board.moveOf(line.move), line.score, std::move(pv), line.nodes});
    }
    return result;
}

using PyCallback = std::function<void(const PyReport&)>;

PyReport searchOf(AlphaBeta& self, const Board& board, const Weights& weights, double seconds, std::uint64_t nodes,
                  int depth, const std::optional<PyCallback>& onReport) {
    if (board.winLength() != 5) throw std::invalid_argument("patterns are for win length 5");
    if (board.isOver()) throw std::invalid_argument("the game is over");
    AlphaBeta::OnReport callback;
    if (onReport)
        callback = [&](const SearchReport& report) {
            nb::gil_scoped_acquire gil;
            (*onReport)(reportOf(board, report));
        };
    const Board copy = board;
    nb::gil_scoped_release release;
    const SearchReport report = self.search(copy, weights, {seconds, nodes, depth}, callback);
    return reportOf(copy, report);
}

}  // namespace

void bindAlphaBeta(nb::module_& module) {
    module.attr("WIN_SCORE") = kWin;
    module.attr("PROVEN_SCORE") = kProven;
    nb::class_<PyLine>(module, "SearchLine")
        .def_ro("move", &PyLine::move)
        .def_ro("score", &PyLine::score)
        .def_ro("pv", &PyLine::pv)
        .def_ro("nodes", &PyLine::nodes);
    nb::class_<PyReport>(module, "SearchReport")
        .def_ro("lines", &PyReport::lines)
        .def_ro("depth", &PyReport::depth)
        .def_ro("deepest", &PyReport::deepest)
        .def_ro("nodes", &PyReport::nodes)
        .def_ro("seconds", &PyReport::seconds);
    nb::class_<Asked>(module, "Asked")
        .def(nb::init<std::size_t>(), "room"_a)
        .def("start", &Asked::start, "seed"_a)
        .def("take", &Asked::take);
    nb::class_<AlphaBeta>(module, "AlphaBeta")
        .def(
            "__init__",
            [](AlphaBeta* self, std::size_t hashMegabytes, int threads, int multiPv,
               const std::map<std::string, int>& tuning, const std::shared_ptr<const LineNet>& net,
               const std::shared_ptr<const QuantisedNet>& quantised, const std::shared_ptr<Asked>& asked) {
                if (asked && threads != 1) throw std::invalid_argument("one thread can be asked");
                AlphaBeta::Options options{hashMegabytes, threads, multiPv, net ? netTuning() : Tuning{}};
                for (const auto& [name, value] : tuning) {
                    const auto found = tuningNames().find(name);
                    if (found == tuningNames().end()) throw std::invalid_argument("no such number: " + name);
                    options.tuning.*found->second = value;
                }
                AlphaBeta::MakeScorer scorer = [](const Weights&) { return std::make_unique<PatternScorer>(); };
                if (net)
                    scorer = [net, quantised, share = options.tuning.patternShare](const Weights& weights) {
                        return std::make_unique<NetScorer>(evaluatorOf(net, quantised), weights.scale(), share);
                    };
                if (asked)
                    scorer = [asked, judge = std::move(scorer)](const Weights& weights) {
                        return std::make_unique<AskedScorer>(judge(weights), asked);
                    };
                new (self) AlphaBeta(options, std::move(scorer));
            },
            "hash_mb"_a, "threads"_a, "multipv"_a, "tuning"_a, "net"_a = nb::none(), "quantised"_a = nb::none(),
            "asked"_a = nb::none())
        .def("search", &searchOf, "board"_a, "weights"_a, "seconds"_a, "nodes"_a, "depth"_a, "on_report"_a = nb::none())
        .def("stop", &AlphaBeta::stop)
        .def("resume", &AlphaBeta::resume)
        .def("clear", &AlphaBeta::clear)
        .def_prop_ro("table_bytes", &AlphaBeta::tableBytes)
        .def_static("tuning", [] {
            const Tuning tuning;
            std::map<std::string, int> numbers;
            for (const auto& [name, member] : tuningNames()) numbers[name] = tuning.*member;
            return numbers;
        });
}

}  // namespace fivestone

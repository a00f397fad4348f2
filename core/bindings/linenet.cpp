// The line net for Python.
#include "linenet.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <stdexcept>

#include "arrays.hpp"
#include "module.hpp"
#include "netbench.hpp"
#include "quantisedevaluator.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace fivestone {
namespace {

void checkWidth(int width) {
    if (!widthIsKnown(width)) throw std::invalid_argument("the width of a line net is 16, 32 or 64");
}

nb::dict arraysOf(const LineNet& net) {
    nb::dict arrays;
    const auto copy = [](std::span<const float> values) { return std::vector<float>(values.begin(), values.end()); };
    for (int i = 0; i < kParts; ++i) {
        const PartShape& shape = net.shapes()[i];
        const auto rows = static_cast<std::size_t>(shape.rows), columns = static_cast<std::size_t>(shape.columns);
        auto values = copy(net.part(static_cast<Part>(i)));
        arrays[shape.name] = rows ? toArray(std::move(values), {rows, columns}) : toArray(std::move(values));
    }
    arrays["table"] = toArray(copy(net.table()),
                              {static_cast<std::size_t>(net.rows().count()), static_cast<std::size_t>(net.width())});
    return arrays;
}

void setArray(LineNet& net, const std::string& name, const ArrayIn<float>& array) {
    std::span<float> to;
    if (name == "table") to = net.table();
    for (int i = 0; i < kParts; ++i)
        if (net.shapes()[i].name == name) to = net.part(static_cast<Part>(i));
    if (to.empty()) throw std::invalid_argument("a line net has no array '" + name + "'");
    const auto values = valuesOf<float>(array);
    if (values.size() != to.size()) throw std::invalid_argument("the array '" + name + "' has the wrong size");
    std::copy(values.begin(), values.end(), to.begin());
}

template <typename AnyKernels>
const AnyKernels* named(const std::vector<const AnyKernels*>& known, const std::optional<std::string>& name) {
    if (!name) return nullptr;
    for (const AnyKernels* kernels : known)
        if (kernels->name == *name) return kernels;
    throw std::invalid_argument("this machine has no kernels '" + *name + "'");
}

template <typename AnyEvaluator>
nb::tuple evaluate(AnyEvaluator evaluator, Rule rule, const std::vector<const Board*>& boards) {
    const std::size_t cells = boards.empty() ? 0 : static_cast<std::size_t>(boards[0]->size()) * boards[0]->size();
    for (const Board* board : boards) {
        if (static_cast<std::size_t>(board->size()) * board->size() != cells)
            throw std::invalid_argument("the boards of one call must have the same size");
        if (board->winLength() != 5 || WindowRows::of(rule, board->rule()) == nullptr)
            throw std::invalid_argument("the net is for another rule or win length");
        if (board->isOver()) throw std::invalid_argument("there is nothing to judge in a game that is over");
    }
    std::vector<float> policies(boards.size() * cells), outcomes(boards.size() * 3);
    {
        nb::gil_scoped_release release;
        std::vector<Cell> moves;
        std::vector<float> policy(cells);
        for (std::size_t i = 0; i < boards.size(); ++i) {
            const Position position(*boards[i]);
            moves.clear();
            for (const Cell cell : boards[i]->cells())
                if (boards[i]->isLegal(cell)) moves.push_back(cell);
            evaluator.evaluate(position, moves, std::span(policy).first(moves.size()));
            for (std::size_t k = 0; k < moves.size(); ++k)
                policies[i * cells + boards[i]->moveOf(moves[k])] = policy[k];
            std::copy_n(evaluator.outcome().begin(), 3, outcomes.begin() + i * 3);
        }
    }
    return nb::make_tuple(toArray(std::move(policies), {boards.size(), cells}),
                          toArray(std::move(outcomes), {boards.size(), 3}));
}

template <typename AnyKernels>
std::vector<std::string> namesOf(const std::vector<const AnyKernels*>& kernels) {
    std::vector<std::string> names;
    for (const AnyKernels* each : kernels) names.push_back(each->name);
    return names;
}

}  // namespace

void bindLineNet(nb::module_& module) {
    nb::class_<LineNet>(module, "CoreLineNet")
        .def(
            "__init__",
            [](LineNet* self, Rule rule, int width) {
                checkWidth(width);
                new (self) LineNet(rule, width);
            },
            "rule"_a, "width"_a)
        .def_static(
            "random",
            [](Rule rule, std::uint64_t seed, int width) {
                checkWidth(width);
                return std::make_shared<LineNet>(LineNet::random(rule, seed, width));
            },
            "rule"_a, "seed"_a, "width"_a)
        .def_prop_ro("rule", &LineNet::rule)
        .def(
            "judges", [](const LineNet& self, Rule game) { return WindowRows::of(self.rule(), game) != nullptr; },
            "rule"_a, "Whether the net can judge games by a rule, its own or another.")
        .def_prop_ro("width", &LineNet::width)
        .def_prop_ro("row_count", [](const LineNet& self) { return self.rows().count(); })
        .def("arrays", &arraysOf, nb::sig("def arrays(self) -> dict[str, NDArray[numpy.float32]]"),
             "Copies of all arrays by name, the table of rows among them.")
        .def("set_array", &setArray, "name"_a, "values"_a,
             nb::sig("def set_array(self, name: str, values: NDArray[numpy.float32]) -> None"))
        .def(
            "row",
            [](const LineNet& self, int turn, int centre, Code code) {
                if ((turn != Black && turn != White) || centre < 0 || centre > 2 ||
                    code >= static_cast<Code>(codeCount(self.rows().reach())))
                    throw std::out_of_range("no such window");
                return self.rows().row(static_cast<Stone>(turn), static_cast<Stone>(centre), code);
            },
            "turn"_a, "centre"_a, "code"_a, "The table row of a window code with its centre, for the side to move.")
        .def(
            "windows",
            [](const LineNet& self) {
                const auto rows = static_cast<std::size_t>(self.rows().count());
                const auto length = static_cast<std::size_t>(self.rows().windowLength());
                const std::uint8_t* first = self.rows().window(0).data();
                return toArray(std::vector<std::uint8_t>(first, first + rows * length), {rows, length});
            },
            "What each table row stands for, rows x digits (docs/line-net.md).")
        .def(
            "evaluate",
            [](std::shared_ptr<const LineNet> self, const std::vector<const Board*>& boards,
               const std::optional<std::string>& kernels) {
                return evaluate(LineNetEvaluator(self, named(kernelsFor(self->width()), kernels)), self->rule(),
                                boards);
            },
            "boards"_a, "kernels"_a = nb::none(),
            nb::sig("def evaluate(self, boards: collections.abc.Sequence[CoreBoard], kernels: str | None = None) -> "
                    "tuple[NDArray[numpy.float32], NDArray[numpy.float32]]"),
            "Policies (boards x cells) and probabilities of win, draw and loss (boards x 3) for the side to move.");
    nb::class_<QuantisedNet>(module, "QuantisedNet")
        .def(
            "evaluate",
            [](std::shared_ptr<const QuantisedNet> self, const std::vector<const Board*>& boards,
               const std::optional<std::string>& kernels) {
                const LineNet& net = self->net();
                return evaluate(QuantisedEvaluator(self, named(kernels16For(net.width()), kernels)), net.rule(),
                                boards);
            },
            "boards"_a, "kernels"_a = nb::none(),
            nb::sig("def evaluate(self, boards: collections.abc.Sequence[CoreBoard], kernels: str | None = None) -> "
                    "tuple[NDArray[numpy.float32], NDArray[numpy.float32]]"),
            "What CoreLineNet.evaluate gives, in 16-bit numbers.");
    module.def("quantised", &quantised, "net"_a, nb::sig("def quantised(net: CoreLineNet) -> QuantisedNet | None"),
               "The net in 16-bit numbers, or None where they cannot hold it.");
    module.def(
        "kernel_names", [](int width) { return namesOf(kernelsFor(width)); }, "width"_a,
        "The compiled forms of a net of this width that the machine can run, best first.");
    module.def(
        "kernel16_names", [](int width) { return namesOf(kernels16For(width)); }, "width"_a,
        "The same for nets in 16-bit numbers.");
    module.def(
        "bench_line_net",
        [](const std::shared_ptr<const LineNet>& net, const std::shared_ptr<const QuantisedNet>& quantised, int size,
           int leaves) {
            std::vector<std::unique_ptr<Evaluator>> made;
            std::vector<std::string> names;
            for (const Kernels* kernels : kernelsFor(net->width())) {
                made.push_back(std::make_unique<LineNetEvaluator>(net, kernels));
                names.push_back(std::string("float ") + kernels->name);
            }
            for (const Kernels16* kernels : kernels16For(net->width())) {
                made.push_back(std::make_unique<QuantisedEvaluator>(quantised, kernels));
                names.push_back(std::string("int16 ") + kernels->name);
            }
            std::vector<Evaluator*> evaluators;
            for (const auto& each : made) evaluators.push_back(each.get());
            const auto seconds = benchEvaluators(evaluators, net->rule(), size, leaves);
            nb::dict result;
            for (std::size_t i = 0; i < names.size(); ++i) result[names[i].c_str()] = seconds[i];
            return result;
        },
        "net"_a, "quantised"_a, "size"_a, "leaves"_a,
        nb::sig("def bench_line_net(net: CoreLineNet, quantised: QuantisedNet, size: int, leaves: int) -> "
                "dict[str, float]"),
        "Seconds an evaluation, for every compiled form of the net in floats and in 16-bit numbers.");
}

}  // namespace fivestone

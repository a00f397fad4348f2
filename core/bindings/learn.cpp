// Samples and the learner for Python.
#include "learn.hpp"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <atomic>
#include <stdexcept>

#include "arrays.hpp"
#include "module.hpp"
#include "sampledict.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace fivestone {

nb::dict samplesToDict(SampleBlock block) {
    nb::dict arrays;
    arrays["size"] = toArray(std::move(block.size));
    arrays["turn"] = toArray(std::move(block.turn));
    arrays["stones"] = toArray(std::move(block.stones));
    arrays["policy_count"] = toArray(std::move(block.policyCount));
    arrays["policy_moves"] = toArray(std::move(block.policyMoves));
    arrays["policy_visits"] = toArray(std::move(block.policyVisits));
    arrays["z"] = toArray(std::move(block.z));
    arrays["q"] = toArray(std::move(block.q));
    arrays["game"] = toArray(std::move(block.game));
    arrays["ply"] = toArray(std::move(block.ply));
    return arrays;
}

SampleBlock samplesFromDict(const nb::dict& arrays) {
    SampleBlock block;
    block.size = takeArray<std::uint8_t>(arrays, "size");
    block.turn = takeArray<std::uint8_t>(arrays, "turn");
    block.stones = takeArray<std::uint8_t>(arrays, "stones");
    block.policyCount = takeArray<std::uint16_t>(arrays, "policy_count");
    block.policyMoves = takeArray<std::uint16_t>(arrays, "policy_moves");
    block.policyVisits = takeArray<std::uint16_t>(arrays, "policy_visits");
    block.z = takeArray<std::int8_t>(arrays, "z");
    block.q = takeArray<float>(arrays, "q");
    block.game = takeArray<std::uint32_t>(arrays, "game");
    block.ply = takeArray<std::uint16_t>(arrays, "ply");
    if (const std::string problem = block.problem(); !problem.empty())
        throw std::invalid_argument("not samples: " + problem);
    block.index();
    return block;
}

namespace {

// A learner that another thread can tell to stop.
struct LearnerHandle {
    Learner learner;
    std::atomic<bool> stop{false};

    LearnerHandle(const LineNet& net, const LearnConfig& config) : learner(net, config) {}
};

nb::dict lossesToDict(const Losses& losses) {
    nb::dict dict;
    dict["policy"] = losses.policy / std::max(losses.policies, 1.0);
    dict["entropy"] = losses.entropy / std::max(losses.policies, 1.0);
    dict["value"] = losses.value / std::max(losses.samples, 1.0);
    dict["policy_right"] = losses.policiesRight / std::max(losses.policies, 1.0);
    dict["value_right"] = losses.valuesRight / std::max(losses.samples, 1.0);
    dict["samples"] = losses.samples;
    return dict;
}

nb::dict train(LearnerHandle& self, const SampleWindow& window, int steps, int batch, float rate, std::uint64_t seed,
               int threads) {
    if (window.count() == 0) throw std::invalid_argument("there is nothing to learn from: the window is empty");
    if (steps < 0 || batch <= 0) throw std::invalid_argument("steps and batch must be above zero");
    Losses losses;
    self.stop = false;
    {
        nb::gil_scoped_release release;
        losses = self.learner.train(window, steps, batch, rate, seed, threads, &self.stop);
    }
    return lossesToDict(losses);
}

std::vector<Sample> samplesOf(const SampleBlock& block) {
    std::vector<Sample> samples;
    for (std::size_t i = 0; i < block.count(); ++i) samples.push_back(block.at(i));
    if (samples.empty()) throw std::invalid_argument("there is nothing to learn from");
    return samples;
}

nb::dict step(LearnerHandle& self, const nb::dict& arrays, float rate, int threads) {
    const SampleBlock block = samplesFromDict(arrays);
    const auto samples = samplesOf(block);
    Workers workers(threads);
    return lossesToDict(self.learner.step(samples, rate, workers));
}

nb::tuple gradient(LearnerHandle& self, const nb::dict& arrays) {
    const SampleBlock block = samplesFromDict(arrays);
    const auto samples = samplesOf(block);
    std::vector<float> dense, table;
    const Losses losses = self.learner.gradient(samples, dense, table);
    const LineNet net = self.learner.net(false);
    nb::dict gradients;
    for (const PartShape& shape : net.shapes()) {
        const auto from = dense.begin() + static_cast<std::ptrdiff_t>(shape.offset);
        gradients[shape.name] = toArray(std::vector<float>(from, from + static_cast<std::ptrdiff_t>(shape.length())));
    }
    gradients["table"] = toArray(std::move(table));
    return nb::make_tuple(lossesToDict(losses), gradients);
}

nb::dict stateToDict(const LearnerHandle& self) {
    LearnState state = self.learner.state();
    nb::dict arrays;
    arrays["step"] = toArray(std::vector<std::int64_t>{state.step});
    arrays["dense"] = toArray(std::move(state.dense));
    arrays["dense_first"] = toArray(std::move(state.denseFirst));
    arrays["dense_second"] = toArray(std::move(state.denseSecond));
    arrays["dense_mean"] = toArray(std::move(state.denseMean));
    arrays["rest"] = toArray(std::move(state.rest));
    arrays["rest_first"] = toArray(std::move(state.restFirst));
    arrays["rest_second"] = toArray(std::move(state.restSecond));
    arrays["rest_mean"] = toArray(std::move(state.restMean));
    arrays["row_steps"] = toArray(std::move(state.rowSteps));
    arrays["row_mean_steps"] = toArray(std::move(state.rowMeanSteps));
    return arrays;
}

void restore(LearnerHandle& self, const nb::dict& arrays) {
    const LearnState own = self.learner.state();
    LearnState state;
    const auto floats = [&](const char* name, std::vector<float>& to, std::size_t length) {
        to = takeArray<float>(arrays, name);
        if (to.size() != length) throw std::invalid_argument("the state is that of another net");
    };
    const auto steps = takeArray<std::int64_t>(arrays, "step");
    if (steps.size() != 1 || steps[0] < 0) throw std::invalid_argument("the state has no step count");
    state.step = steps[0];
    floats("dense", state.dense, own.dense.size());
    floats("dense_first", state.denseFirst, own.dense.size());
    floats("dense_second", state.denseSecond, own.dense.size());
    floats("dense_mean", state.denseMean, own.dense.size());
    floats("rest", state.rest, own.rest.size());
    floats("rest_first", state.restFirst, own.rest.size());
    floats("rest_second", state.restSecond, own.rest.size());
    floats("rest_mean", state.restMean, own.rest.size());
    state.rowSteps = takeArray<std::int32_t>(arrays, "row_steps");
    state.rowMeanSteps = takeArray<std::int32_t>(arrays, "row_mean_steps");
    if (state.rowSteps.size() != own.rowSteps.size() || state.rowMeanSteps.size() != own.rowSteps.size())
        throw std::invalid_argument("the state is that of another net");
    for (std::size_t i = 0; i < state.rowSteps.size(); ++i)
        if (state.rowSteps[i] < 0 || state.rowMeanSteps[i] < 0 || state.rowMeanSteps[i] > state.step)
            throw std::invalid_argument("the state counts steps wrongly");
    self.learner.restore(std::move(state));
}

}  // namespace

void bindLearn(nb::module_& module) {
    nb::class_<SampleWindow>(module, "SampleWindow")
        .def(nb::init<>())
        .def(
            "add",
            [](SampleWindow& self, const nb::dict& arrays) {
                self.add(std::make_shared<SampleBlock>(samplesFromDict(arrays)));
            },
            "samples"_a, nb::sig("def add(self, samples: dict[str, NDArray[typing.Any]]) -> None"),
            "Appends a block of samples (the arrays that self-play gives); other keys are left alone.")
        .def("trim", &SampleWindow::trim, "keep"_a, "Drops the oldest blocks as long as `keep` samples remain.")
        .def("__len__", &SampleWindow::count);

    nb::class_<LearnerHandle>(module, "Learner")
        .def(
            "__init__",
            [](LearnerHandle* self, const LineNet& net, double valueWeight, double searchShare, double decay,
               double average) {
                LearnConfig config;
                config.valueWeight = static_cast<float>(valueWeight);
                config.searchShare = static_cast<float>(searchShare);
                config.decay = static_cast<float>(decay);
                config.average = static_cast<float>(average);
                new (self) LearnerHandle(net, config);
            },
            "net"_a, "value_weight"_a = 1.0, "search_share"_a = 0.3, "decay"_a = 1e-4, "average"_a = 0.999)
        .def("train", &train, "window"_a, "steps"_a, "batch"_a, "rate"_a, "seed"_a, "threads"_a = 1,
             nb::sig("def train(self, window: SampleWindow, steps: int, batch: int, rate: float, seed: int, "
                     "threads: int = 1) -> dict[str, float]"),
             "Learns from random batches of the window, without the interpreter lock; returns the mean losses.\n"
             "The result does not depend on the number of threads.")
        .def("step", &step, "samples"_a, "rate"_a, "threads"_a = 1,
             nb::sig("def step(self, samples: dict[str, NDArray[typing.Any]], rate: float, threads: int = 1) -> "
                     "dict[str, float]"),
             "One step on these samples.")
        .def("gradient", &gradient, "samples"_a,
             nb::sig("def gradient(self, samples: dict[str, NDArray[typing.Any]]) -> "
                     "tuple[dict[str, float], dict[str, NDArray[numpy.float32]]]"),
             "The losses and their gradient by array, without a step.")
        .def(
            "stop", [](LearnerHandle& self) { self.stop = true; }, "Ends a train() that runs in another thread.")
        .def_prop_ro("steps", [](const LearnerHandle& self) { return self.learner.state().step; })
        .def("state", &stateToDict, nb::sig("def state(self) -> dict[str, NDArray[typing.Any]]"),
             "Everything that changes while learning, as flat arrays.")
        .def("restore", &restore, "state"_a,
             nb::sig("def restore(self, state: dict[str, NDArray[typing.Any]]) -> None"))
        .def(
            "net",
            [](const LearnerHandle& self, bool mean) { return std::make_shared<LineNet>(self.learner.net(mean)); },
            "mean"_a = true, "The net to play with: the running mean of the weights, or the weights as they stand.");
}

}  // namespace fivestone

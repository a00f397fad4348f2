// Self-play for Python.
#include "selfplay.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <stdexcept>

#include "arrays.hpp"
#include "module.hpp"
#include "sampledict.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace fivestone {
namespace {

// Self-play that another thread can tell to stop.
struct SelfPlayHandle {
    std::shared_ptr<const LineNet> net;
    SelfPlayConfig config;
    std::atomic<bool> stop{false};
};

// Takes the settings one by one, so that an unknown one can be named.
SelfPlayConfig configFrom(const nb::dict& settings) {
    SelfPlayConfig config;
    for (const auto [key, value] : settings) {
        const auto name = nb::cast<std::string>(key);
        const auto set = [&](auto& to) { to = nb::cast<std::remove_reference_t<decltype(to)>>(value); };
        if (name == "sizes")
            set(config.sizes);
        else if (name == "size_weights")
            set(config.sizeWeights);
        else if (name == "simulations")
            set(config.simulations);
        else if (name == "fast_simulations")
            set(config.fastSimulations);
        else if (name == "full_share")
            set(config.fullShare);
        else if (name == "cpuct")
            set(config.c);
        else if (name == "fpu_reduction")
            set(config.fpuReduction);
        else if (name == "root_fpu_reduction")
            set(config.rootFpuReduction);
        else if (name == "noise_share")
            set(config.noiseShare);
        else if (name == "noise_alpha")
            set(config.noiseAlpha);
        else if (name == "temperature_plies")
            set(config.temperaturePlies);
        else if (name == "late_temperature")
            set(config.lateTemperature);
        else if (name == "openings")
            for (auto& [size, moves] : nb::cast<std::vector<std::pair<int, std::vector<int>>>>(value))
                config.openings.push_back({size, std::move(moves)});
        else if (name == "opening_share")
            set(config.openingShare);
        else if (name == "random_plies")
            set(config.randomPlies);
        else if (name == "random_share")
            set(config.randomShare);
        else if (name == "balance_tries")
            set(config.balanceTries);
        else if (name == "leaf_vcf")
            set(config.leafVcf);
        else if (name == "resign_below")
            set(config.resignBelow);
        else if (name == "resign_check")
            set(config.resignCheck);
        else
            throw std::invalid_argument("self-play has no setting '" + name + "'");
    }
    return config;
}

nb::dict gamesToDict(const std::vector<PlayedGame>& games) {
    std::vector<std::uint8_t> size, winner, opening, resigned, proven;
    std::vector<std::uint16_t> count, moves;
    for (const PlayedGame& game : games) {
        size.push_back(static_cast<std::uint8_t>(game.size));
        winner.push_back(game.winner);
        opening.push_back(static_cast<std::uint8_t>(game.openingPlies));
        resigned.push_back(game.resigned);
        proven.push_back(game.proven);
        count.push_back(static_cast<std::uint16_t>(game.moves.size()));
        for (const int move : game.moves) moves.push_back(static_cast<std::uint16_t>(move));
    }
    nb::dict arrays;
    arrays["size"] = toArray(std::move(size));
    arrays["winner"] = toArray(std::move(winner));
    arrays["opening_plies"] = toArray(std::move(opening));
    arrays["resigned"] = toArray(std::move(resigned));
    arrays["proven"] = toArray(std::move(proven));
    arrays["move_count"] = toArray(std::move(count));
    arrays["moves"] = toArray(std::move(moves));
    return arrays;
}

nb::dict statsToDict(const SelfPlayResult& result, double seconds) {
    double draws = 0, black = 0, plies = 0, proven = 0, resigned = 0;
    for (const PlayedGame& game : result.games) {
        draws += game.winner == Empty;
        black += game.winner == Black;
        proven += game.proven;
        resigned += game.resigned;
        plies += static_cast<double>(game.moves.size());
    }
    nb::dict stats;
    stats["games"] = static_cast<double>(result.games.size());
    stats["draws"] = draws;
    stats["black_wins"] = black;
    stats["plies"] = plies;
    stats["proven"] = proven;
    stats["resigned"] = resigned;
    stats["checked_resignations"] = static_cast<double>(result.stats.checkedResignations);
    stats["wrong_resignations"] = static_cast<double>(result.stats.wrongResignations);
    stats["searches"] = static_cast<double>(result.stats.plies);
    stats["simulations"] = static_cast<double>(result.stats.simulations);
    stats["seconds"] = seconds;
    return stats;
}

nb::object generate(SelfPlayHandle& self, std::uint64_t seed, std::size_t samples, std::size_t games, int threads) {
    if ((samples == 0) == (games == 0)) throw std::invalid_argument("ask for a number of samples, or of games");
    self.stop = false;
    std::optional<SelfPlayResult> result;
    const auto started = std::chrono::steady_clock::now();
    {
        nb::gil_scoped_release release;
        result = playGames(self.net, self.config, seed, samples, games, threads, self.stop);
    }
    if (!result) return nb::none();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    const nb::dict played = gamesToDict(result->games), stats = statsToDict(*result, seconds);
    return nb::make_tuple(samplesToDict(std::move(result->samples)), played, stats);
}

}  // namespace

void bindSelfPlay(nb::module_& module) {
    nb::class_<SelfPlayHandle>(module, "SelfPlay")
        .def(
            "__init__",
            [](SelfPlayHandle* self, std::shared_ptr<LineNet> net, const nb::dict& settings) {
                SelfPlayConfig config = configFrom(settings);
                if (const std::string problem = problemOf(config, net->rule()); !problem.empty())
                    throw std::invalid_argument(problem);
                new (self) SelfPlayHandle{std::move(net), std::move(config)};
            },
            "net"_a, "settings"_a,
            nb::sig("def __init__(self, net: CoreLineNet, settings: dict[str, typing.Any]) -> None"))
        .def("generate", &generate, "seed"_a, "samples"_a = 0, "games"_a = 0, "threads"_a = 1,
             nb::sig("def generate(self, seed: int, samples: int = 0, games: int = 0, threads: int = 1) -> "
                     "tuple[dict[str, NDArray[typing.Any]], dict[str, NDArray[typing.Any]], dict[str, float]] | None"),
             "Plays until there are so many samples, or exactly so many games, without the interpreter lock.\n"
             "Returns samples, games and stats, or None when stopped; the number of threads changes none of the first "
             "two.")
        .def("stop", [](SelfPlayHandle& self) { self.stop = true; }, "Ends a generate() that runs in another thread.");
}

}  // namespace fivestone

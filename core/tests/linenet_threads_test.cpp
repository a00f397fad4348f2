// The line net in plain C++: an evaluator that refreshes only what changed judges as a fresh one does, to the last bit;
// self-play and learning give the same on one thread and on several. Meant for the sanitizers.
#include <cmath>
#include <cstring>

#include "check.hpp"
#include "learn.hpp"
#include "random.hpp"
#include "selfplay.hpp"

using namespace fivestone;

namespace {

bool sameBits(const std::vector<float>& a, const std::vector<float>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

std::vector<Cell> legalMoves(const Board& board) {
    std::vector<Cell> moves;
    for (const Cell cell : board.cells())
        if (board.isLegal(cell)) moves.push_back(cell);
    return moves;
}

std::vector<float> judge(LineNetEvaluator& evaluator, const Position& position) {
    const auto moves = legalMoves(position.board());
    std::vector<float> policy(moves.size());
    policy.push_back(evaluator.evaluate(position, moves, std::span(policy).first(moves.size())));
    return policy;
}

void testIncremental(Rule rule, const Kernels* kernels) {
    const auto net = std::make_shared<const LineNet>(LineNet::random(rule, 5, kernels->width));
    LineNetEvaluator kept(net, kernels);
    Random random(7);
    for (const int size : {6, 15, 9}) {
        Position position{Board(size, rule)};
        for (int i = 0; i < 60; ++i) {
            const auto moves = legalMoves(position.board());
            const bool back = moves.empty() || random.uniform() < 0.4;
            if (back && !position.board().moves().empty())
                position.pop();
            else if (!moves.empty())
                position.push(moves[random.below(static_cast<std::uint32_t>(moves.size()))]);
            if (position.board().isOver() || random.uniform() < 0.3) continue;
            LineNetEvaluator fresh(net, kernels);
            const auto found = judge(kept, position);
            check(sameBits(found, judge(fresh, position)), "an incremental evaluation differs from a fresh one");
            float sum = 0;
            for (std::size_t k = 0; k + 1 < found.size(); ++k) sum += found[k];
            check(std::abs(sum - 1) < 1e-4f && std::abs(found.back()) <= 1, "a policy or value is out of range");
        }
    }
}

void testThreads() {
    const auto net = std::make_shared<const LineNet>(LineNet::random(Rule::Freestyle, 1, 16));
    SelfPlayConfig config;
    config.sizes = {6, 8};
    config.simulations = 16;
    config.fastSimulations = 6;
    const std::atomic<bool> stop{false};
    const auto one = playGames(net, config, 3, 60, 0, 1, stop), three = playGames(net, config, 3, 60, 0, 3, stop);
    check(one && three, "self-play stopped by itself");
    check(one->samples.count() >= 60 && one->samples.problem().empty(), "self-play gave bad samples");
    check(one->samples.stones == three->samples.stones && one->samples.q == three->samples.q &&
              one->samples.policyVisits == three->samples.policyVisits && one->games.size() == three->games.size(),
          "threads changed the games");
    const std::atomic<bool> stopped{true};
    check(!playGames(net, config, 3, 60, 0, 2, stopped), "self-play went on when stopped");

    SampleWindow window;
    window.add(std::make_shared<SampleBlock>(one->samples));
    Learner alone(*net, {}), together(*net, {});
    const Losses first = alone.train(window, 4, 32, 1e-3f, 9, 1);
    together.train(window, 4, 32, 1e-3f, 9, 3);
    check(sameBits(alone.state().dense, together.state().dense) && sameBits(alone.state().rest, together.state().rest),
          "threads changed what was learned");
    check(std::isfinite(first.policy) && first.samples == 4 * 32, "a loss is not a number");
}

}  // namespace

int main() {
    for (const int width : {16, 32, 64})
        for (const Kernels* kernels : kernelsFor(width)) testIncremental(Rule::Freestyle, kernels);
    testIncremental(Rule::Renju, kernelsFor(16).front());
    testThreads();
    return failures == 0 ? 0 : 1;
}

// The line net in 16-bit numbers, in plain C++: an evaluator that keeps what did not change judges as a fresh one does,
// all kernels alike and close to floats, for every width and rule. Meant for the sanitizers.
#include <cmath>
#include <cstring>

#include "check.hpp"
#include "quantisedevaluator.hpp"

using namespace fivestone;

namespace {

// Logits of all empty cells, then the outcome.
std::vector<float> judge(QuantisedEvaluator& evaluator, const Position& position) {
    evaluator.evaluate(position, {}, {});
    std::vector<float> result;
    for (const Cell cell : position.board().cells())
        if (position.board().isEmpty(cell)) result.push_back(evaluator.logit(cell));
    result.insert(result.end(), evaluator.outcome().begin(), evaluator.outcome().end());
    return result;
}

bool sameBits(const std::vector<float>& a, const std::vector<float>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

void testWalk(Rule rule, int width) {
    const auto net = std::make_shared<const LineNet>(LineNet::random(rule, 5, width));
    const auto shorts = quantised(net);
    check(shorts != nullptr, "a random net does not fit in 16 bits");
    if (!shorts) return;
    LineNetEvaluator floats(net);
    std::vector<QuantisedEvaluator> kept;
    for (const Kernels16* kernels : kernels16For(width)) kept.emplace_back(shorts, kernels);
    Random random(7);
    for (const int size : {6, 20, 9, 15}) {
        Position position{Board(size, rule)};
        for (int i = 0; i < 40; ++i) {
            if (random.uniform() < 0.4 && !position.board().moves().empty())
                position.pop();
            else
                playRandomly(position, position.board().stoneCount() + 1, random);
            if (position.board().isOver() || random.uniform() < 0.3) continue;
            QuantisedEvaluator fresh(shorts, kernels16For(width).back());
            const auto expected = judge(fresh, position);
            for (std::size_t k = 0; k < kept.size(); ++k)
                check(sameBits(judge(kept[k], position), expected), kernels16For(width)[k]->name);
            check(std::abs(floats.evaluate(position) - (expected[expected.size() - 3] - expected.back())) < 0.02f,
                  "the value is far from that of floats");
        }
    }
}

// Weights of any size must not overflow a sum, and what is found to fit must give numbers.
void testExtremes() {
    Random random(3);
    int fitting = 0;
    for (const float factor : {0.0f, 1e-30f, 1e-3f, 100.0f, 1e8f, 1e25f}) {
        auto net = LineNet::random(Rule::Freestyle, 2, 16);
        for (float& weight : net.dense()) weight *= factor;
        for (float& weight : net.table()) weight *= factor;
        const auto shared = std::make_shared<const LineNet>(net);
        QuantisedEvaluator evaluator(std::make_shared<const QuantisedNet>(shared));
        Position position{Board(9)};
        playRandomly(position, 12, random);
        const auto judged = judge(evaluator, position);
        if (!quantised(shared)) continue;
        ++fitting;
        for (const float value : judged) check(std::isfinite(value), "not a number");
    }
    check(fitting >= 2, "too few nets fit in 16 bits");
}

}  // namespace

int main() {
    for (const int width : {16, 32, 64}) testWalk(Rule::Freestyle, width);
    testWalk(Rule::Renju, 16);
    testWalk(Rule::Caro, 32);
    testExtremes();
    return failures == 0 ? 0 : 1;
}

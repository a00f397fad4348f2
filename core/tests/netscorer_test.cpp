// The line net as alpha-beta's scorer, in plain C++: what it says of a position does not depend on what it was asked
// before, and its promises follow the policy. Meant for the sanitizers.
#include "netscorer.hpp"

#include <cmath>
#include <map>
#include <vector>

#include "alphabeta.hpp"
#include "check.hpp"
#include "quantisedevaluator.hpp"
#include "random.hpp"

using namespace fivestone;

namespace {

constexpr float kScale = 300.0F;

struct Net {
    std::shared_ptr<const LineNet> net;
    std::shared_ptr<const QuantisedNet> shorts;

    std::unique_ptr<NetEvaluator> evaluator() const { return evaluatorOf(net, shorts); }
};

Net randomNet(Rule rule) {
    const auto net = std::make_shared<const LineNet>(LineNet::random(rule, 11, 32));
    return {net, quantised(net)};
}

std::vector<Cell> emptyCells(const Board& board) {
    std::vector<Cell> cells;
    for (const Cell cell : board.cells())
        if (board.isEmpty(cell)) cells.push_back(cell);
    return cells;
}

// What the scorer should say, worked out anew from the evaluator and the patterns.
double expectedScore(const Net& net, const Position& position, int patternShare) {
    const double value = net.evaluator()->evaluate(position, {}, {});
    return kScale * std::log((1 + value) / (1 - value)) + position.score() * patternShare / 100.0;
}

void testPromises(NetScorer& scorer, const Net& net, const Position& position) {
    const std::vector<Cell> moves = emptyCells(position.board());
    std::vector<int> promises(moves.size());
    scorer.promise(position, moves, promises);
    const auto fresh = net.evaluator();
    fresh->evaluate(position, {}, {});
    for (std::size_t i = 1; i < moves.size(); ++i) {
        const float step = fresh->logit(moves[i]) - fresh->logit(moves[i - 1]);
        const int rise = promises[i] - promises[i - 1];
        check(step > 0 ? rise >= 0 : rise <= 0, "promises follow the policy");
    }
}

void testScorer(Rule rule, int patternShare) {
    const Net net = randomNet(rule);
    NetScorer scorer(net.evaluator(), kScale, patternShare);
    Random random(3);
    for (const int size : {6, 15}) {
        Position position{Board(size, rule)};
        std::map<std::uint64_t, int> said;
        for (int i = 0; i < 30; ++i) {
            if (position.board().isOver() || (i % 3 == 2 && position.board().stoneCount() > 4))
                position.pop();
            else
                playRandomly(position, position.board().stoneCount() + 1, random);
            if (position.board().isOver()) continue;
            const int score = scorer.score(position);
            const auto [known, first] = said.emplace(position.board().hash(), score);
            check(known->second == score, "the same score again");
            if (first)
                check(std::abs(score - expectedScore(net, position, patternShare)) <= 2,
                      "the net's value and the share");
            if (i % 2) testPromises(scorer, net, position);
        }
    }
}

void testSearch() {
    const Net net = randomNet(Rule::Freestyle);
    const auto scorer = [&](const Weights& weights) {
        return std::make_unique<NetScorer>(net.evaluator(), weights.scale(), 30);
    };
    Board board(15, Rule::Freestyle);
    for (const Cell cell : {cellAt(7, 7), cellAt(8, 8), cellAt(7, 8)}) board.push(cell);
    const auto search = [&](int threads) {
        return AlphaBeta({1, threads, 1, {}}, scorer)
            .search(board, Weights::handMade(Rule::Freestyle), {0, 20000, 0}, {});
    };
    const SearchReport first = search(1), second = search(1);
    check(first.lines[0].move == second.lines[0].move && first.nodes == second.nodes, "the same search twice");
    check(board.isLegal(search(2).lines[0].move), "a legal move with two threads");
}

}  // namespace

int main() {
    for (const Rule rule : {Rule::Freestyle, Rule::Standard, Rule::Renju})
        for (const int patternShare : {0, 30}) testScorer(rule, patternShare);
    testSearch();
    return failures;
}

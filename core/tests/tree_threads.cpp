// One tree, several threads.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "mcts.hpp"
#include "treechecks.hpp"

namespace fivestone {
namespace {

Board threeStones() {
    Board board(9);
    for (const int move : {40, 41, 31}) board.push(board.cellOf(move));
    return board;
}

void testThreads() {
    const Board board = threeStones();
    MctsConfig probing;
    probing.leafVcf = 20;
    probing.probeVcf = 20;
    Mcts search(probing, 1);
    search.setRoot(board);
    std::vector<HashEvaluator> evaluators(4);
    std::vector<Evaluator*> judges;
    for (auto& evaluator : evaluators) judges.push_back(&evaluator);
    check(search.run(judges, 20000) == 20000, "four threads make every simulation");
    check(search.rootVisits() == 20000, "the root saw every simulation");
    checkSums(search.tree(), search.tree().root());

    std::vector<Rollout> rollouts{Rollout(1), Rollout(2), Rollout(3)};
    std::vector<Rollout*> players;
    for (auto& rollout : rollouts) players.push_back(&rollout);
    MctsConfig plain;
    plain.forced = false;
    plain.near = 0;
    plain.tree.select = Select::Ucb1;
    Mcts uct(plain, 1);
    uct.setRoot(board);
    check(uct.run(players, 20000) == 20000, "three threads of rollouts make every simulation");
    checkSums(uct.tree(), uct.tree().root());
    std::atomic<bool> stop{true};
    check(uct.run(players, 1000, &stop) == 0, "a stopped search stops");
}

}  // namespace
}  // namespace fivestone

int main() {
    fivestone::testThreads();
    return fivestone::failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

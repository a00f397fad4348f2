// One tree, several threads.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "mcts.hpp"

namespace fivestone {
namespace {

int failures = 0;

void check(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "tree_threads: failed: %s\n", what);
    ++failures;
}

// A policy and value that are a function of the position alone.
float judge(const Board& board, std::span<const Cell> moves, std::span<float> policy) {
    float sum = 0.0f;
    for (std::size_t i = 0; i < moves.size(); ++i)
        sum += policy[i] = 1.0f + static_cast<float>((board.hash() >> (moves[i] % 50)) & 15);
    for (float& share : policy) share /= sum;
    return static_cast<float>((board.hash() >> 30) & 1023) / 1024.0f - 0.5f;
}

class HashEvaluator : public Evaluator {
   public:
    float evaluate(const Position& position, std::span<const Cell> moves, std::span<float> policy) override {
        return judge(position.board(), moves, policy);
    }
};

// Visits and means of every node agree with those of its children.
void checkSums(const Tree& tree, const Node& node) {
    std::uint32_t sum = 0;
    tree.eachChild(node, [&](const Node& child) {
        sum += child.visits;
        check(child.pending == 0, "no walk is left pending");
        check(child.mean >= -1.0f && child.mean <= 1.0f, "means stay in [-1, 1]");
        checkSums(tree, child);
    });
    check(sum <= node.visits, "children are not visited more often than their parent");
}

Board threeStones() {
    Board board(9);
    for (const int move : {40, 41, 31}) board.push(board.cellOf(move));
    return board;
}

void testThreads() {
    const Board board = threeStones();
    Mcts search({}, 1);
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

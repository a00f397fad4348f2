#include "netbench.hpp"

#include <algorithm>
#include <chrono>

#include "linenet.hpp"

namespace fivestone {
namespace {

double usualMean(std::vector<double> times) {
    std::sort(times.begin(), times.end());
    const double most = 2 * times[times.size() / 2];
    double sum = 0;
    std::size_t count = 0;
    for (; count < times.size() && times[count] <= most; ++count) sum += times[count];
    return sum / static_cast<double>(count);
}

// A tree goes down a few moves from its root, at first mostly the same ones, and comes back.
class Walk {
   public:
    Walk(Rule rule, int size) : position_(Board(size, rule)), policy_(kMaxCells), random_(size) {
        playRandomly(position_, size, random_);
    }

    // Judges the next leaves and adds the seconds each took.
    void judge(Evaluator& evaluator, int leaves, std::vector<double>& times) {
        using Clock = std::chrono::steady_clock;
        for (int leaf = 0; leaf < leaves; ++leaf) {
            const int plies = descend();
            if (!position_.board().isOver()) {
                listMoves();
                const auto started = Clock::now();
                evaluator.evaluate(position_, moves_, std::span(policy_).first(moves_.size()));
                times.push_back(std::chrono::duration<double>(Clock::now() - started).count());
            }
            for (int i = 0; i < plies; ++i) position_.pop();
        }
    }

   private:
    int descend() {
        constexpr std::uint32_t kDeepest = 7, kUsualPlies = 3, kUsualMoves = 4;
        std::uint32_t plies = 0;
        const std::uint32_t depth = 1 + random_.below(kDeepest);
        for (; plies < depth && !position_.board().isOver(); ++plies) {
            listMoves();
            const auto count = static_cast<std::uint32_t>(moves_.size());
            position_.push(moves_[random_.below(plies < kUsualPlies ? std::min(count, kUsualMoves) : count)]);
        }
        return static_cast<int>(plies);
    }
    void listMoves() {
        moves_.clear();
        position_.near().forEach([&](Cell cell) { moves_.push_back(cell); });
    }

    Position position_;
    std::vector<Cell> moves_;
    std::vector<float> policy_;
    Random random_;
};

}  // namespace

std::vector<double> benchEvaluators(const std::vector<Evaluator*>& evaluators, Rule rule, int size, int leaves) {
    constexpr int kTurn = 500;
    std::vector<Walk> walks(evaluators.size(), Walk(rule, size));
    std::vector<std::vector<double>> times(evaluators.size());
    for (int done = 0; done < leaves; done += kTurn)
        for (std::size_t i = 0; i < evaluators.size(); ++i)
            walks[i].judge(*evaluators[i], std::min(kTurn, leaves - done), times[i]);
    std::vector<double> means;
    for (auto& each : times) means.push_back(each.empty() ? 0.0 : usualMean(std::move(each)));
    return means;
}

}  // namespace fivestone

#include "gumbel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fivestone {
namespace {

float standardGumbel(Random& random) {
    return static_cast<float>(-std::log(-std::log(std::max(random.uniform(), 1e-300))));
}

}  // namespace

std::vector<std::uint32_t> halvingSchedule(int moves, std::uint32_t simulations) {
    std::vector<std::uint32_t> schedule;
    schedule.reserve(simulations);
    if (moves <= 1) {
        for (std::uint32_t i = 0; i < simulations; ++i) schedule.push_back(i);
        return schedule;
    }
    int rounds = 0;
    while ((1 << rounds) < moves) ++rounds;
    std::vector<std::uint32_t> visits(moves, 0);
    for (int considered = moves; schedule.size() < simulations; considered = std::max(2, considered / 2)) {
        const std::uint32_t each = std::max(1u, simulations / static_cast<std::uint32_t>(rounds * considered));
        for (std::uint32_t i = 0; i < each; ++i)
            for (int move = 0; move < considered; ++move) schedule.push_back(visits[move]++);
    }
    schedule.resize(simulations);
    return schedule;
}

GumbelRoot::GumbelRoot(const GumbelConfig& config, const Tree& tree, std::uint32_t simulations, std::uint64_t seed)
    : config_(config) {
    Random random(seed);
    // Noise goes to the moves in the order of their cells, which does not depend on what was opened before.
    tree.eachMove(tree.root(), [&](Cell move, float prior, const Node* node) {
        const float logit = std::log(std::max(prior, 1e-9f));
        entries_.push_back({move, logit, 0.0f, node ? node->visits : 0});
    });
    std::vector<Entry*> byCell;
    for (Entry& entry : entries_) byCell.push_back(&entry);
    std::sort(byCell.begin(), byCell.end(), [](const Entry* a, const Entry* b) { return a->move < b->move; });
    for (Entry* entry : byCell) entry->gumbel = standardGumbel(random);
    schedule_ = halvingSchedule(std::min<int>(config.moves, static_cast<int>(entries_.size())), simulations);
}

// Visits of this search and score of every entry. Values never seen are completed with that of the root.
std::vector<GumbelRoot::Standing> GumbelRoot::standings(const Tree& tree, bool withNoise) const {
    std::vector<const Node*> byCell(kArea, nullptr);
    tree.eachChild(tree.root(), [&](const Node& child) { byCell[child.move] = &child; });
    std::uint32_t most = 0;
    for (const Entry& entry : entries_)
        if (const Node* node = byCell[entry.move]) most = std::max(most, node->visits + node->pending - entry.before);
    const float factor = (config_.visits + static_cast<float>(most)) * config_.scale;
    std::vector<Standing> standings;
    for (const Entry& entry : entries_) {
        const Node* node = byCell[entry.move];
        const float value = node && node->visits > 0 ? node->mean : -tree.root().mean;
        standings.push_back({node ? node->visits + node->pending - entry.before : 0, value,
                             (withNoise ? entry.gumbel : 0.0f) + entry.logit + factor * rewardOf(value),
                             node ? node->proof() : Proof::Open});
    }
    return standings;
}

Cell GumbelRoot::next(const Tree& tree) {
    const std::uint32_t wanted = schedule_[next_++];
    const auto standings = this->standings(tree, true);
    // What is proven drops out of the race; should none be left at the wanted count, the best of the others goes on.
    Cell chosen = kNoCell;
    for (const bool exact : {true, false}) {
        float best = -std::numeric_limits<float>::infinity();
        for (std::size_t i = 0; i < entries_.size(); ++i) {
            if (standings[i].proof != Proof::Open || (exact && standings[i].visits != wanted)) continue;
            if (standings[i].score > best) {
                best = standings[i].score;
                chosen = entries_[i].move;
            }
        }
        if (chosen != kNoCell) return chosen;
    }
    return entries_.front().move;
}

Cell GumbelRoot::best(const Tree& tree) const {
    const auto standings = this->standings(tree, true);
    const auto better = [](const Standing& a, const Standing& b) {
        if ((a.proof == Proof::Lost) != (b.proof == Proof::Lost)) return b.proof == Proof::Lost;
        // A sure draw gets no more visits, so it is weighed by its value.
        if (a.proof == Proof::Drawn || b.proof == Proof::Drawn) return a.value > b.value;
        if (a.visits != b.visits) return a.visits > b.visits;
        return a.score > b.score;
    };
    std::size_t best = 0;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        if (standings[i].proof == Proof::Won) return entries_[i].move;
        const bool seen = standings[i].visits > 0 || entries_[i].before > 0;
        if (seen && better(standings[i], standings[best])) best = i;
    }
    return entries_[best].move;
}

std::vector<float> GumbelRoot::improvedPolicy(const Tree& tree) const {
    const auto standings = this->standings(tree, false);
    float top = -std::numeric_limits<float>::infinity();
    for (const Standing& standing : standings) top = std::max(top, standing.score);
    std::vector<float> byCell(kArea, 0.0f), policy;
    float sum = 0.0f;
    for (std::size_t i = 0; i < entries_.size(); ++i)
        sum += byCell[entries_[i].move] = std::exp(standings[i].score - top);
    tree.eachMove(tree.root(), [&](Cell move, float, const Node*) { policy.push_back(byCell[move] / sum); });
    return policy;
}

}  // namespace fivestone

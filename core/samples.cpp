#include "samples.hpp"

#include <algorithm>
#include <cassert>

namespace fivestone {

Sample SampleBlock::at(std::size_t i) const {
    assert(stonesAt_.size() == count());
    const std::size_t cells = static_cast<std::size_t>(size[i]) * size[i];
    return {size[i],
            static_cast<Stone>(turn[i]),
            std::span(stones).subspan(stonesAt_[i], cells),
            std::span(policyMoves).subspan(policyAt_[i], policyCount[i]),
            std::span(policyVisits).subspan(policyAt_[i], policyCount[i]),
            z[i],
            q[i]};
}

void SampleBlock::index() {
    stonesAt_.resize(count());
    policyAt_.resize(count());
    std::size_t stonesAt = 0, policyAt = 0;
    for (std::size_t i = 0; i < count(); ++i) {
        stonesAt_[i] = stonesAt;
        policyAt_[i] = policyAt;
        stonesAt += static_cast<std::size_t>(size[i]) * size[i];
        policyAt += policyCount[i];
    }
}

std::string SampleBlock::problem() const {
    const std::size_t n = count();
    if (turn.size() != n || policyCount.size() != n || z.size() != n || q.size() != n || game.size() != n ||
        ply.size() != n)
        return "arrays of different lengths";
    std::size_t stonesAt = 0, policyAt = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t cells = static_cast<std::size_t>(size[i]) * size[i];
        if (size[i] < 5 || size[i] > kMaxSize) return "a board size out of range";
        if (turn[i] != Black && turn[i] != White) return "a turn that is neither 1 nor 2";
        if (z[i] < -1 || z[i] > 1 || !(q[i] >= -1.0f && q[i] <= 1.0f)) return "a value out of range";
        if (stonesAt + cells > stones.size() || policyAt + policyCount[i] > policyMoves.size()) return "missing data";
        for (std::size_t k = 0; k < cells; ++k)
            if (stones[stonesAt + k] > White) return "a stone that is none of 0, 1, 2";
        for (std::size_t k = policyAt; k < policyAt + policyCount[i]; ++k) {
            if (policyMoves[k] >= cells || stones[stonesAt + policyMoves[k]] != Empty) return "a move on no empty cell";
            if (k >= policyVisits.size() || policyVisits[k] == 0) return "a move without visits";
        }
        stonesAt += cells;
        policyAt += policyCount[i];
    }
    if (stonesAt != stones.size() || policyAt != policyMoves.size() || policyAt != policyVisits.size())
        return "data left over";
    return "";
}

void SampleWindow::add(std::shared_ptr<const SampleBlock> block) {
    if (block->count() == 0) return;
    starts_.push_back(count_);
    count_ += block->count();
    blocks_.push_back(std::move(block));
}

void SampleWindow::trim(std::size_t keep) {
    std::size_t dropped = 0;
    while (!blocks_.empty() && count_ - dropped - blocks_.front()->count() >= keep) {
        dropped += blocks_.front()->count();
        blocks_.pop_front();
        starts_.erase(starts_.begin());
    }
    for (std::size_t& start : starts_) start -= dropped;
    count_ -= dropped;
}

Sample SampleWindow::at(std::size_t index) const {
    const auto after = std::upper_bound(starts_.begin(), starts_.end(), index);
    const std::size_t block = static_cast<std::size_t>(after - starts_.begin()) - 1;
    return blocks_[block]->at(index - starts_[block]);
}

}  // namespace fivestone

#include "asked.hpp"

#include <utility>

namespace fivestone {
namespace {

// Whether its moves alone lead there: a search also asks what would be if a side passed, and stones may have been set
// up.
bool comesOfMoves(const Board& board) {
    const auto moves = static_cast<int>(board.moves().size());
    return (board.turn() == Black) == (moves % 2 == 0) && board.emptyCount() + moves == board.size() * board.size();
}

}  // namespace

void Asked::start(std::uint64_t seed) {
    random_ = Random(seed);
    take();
}

// Keeps the n-th with a chance of room / n, in the place of one of the others (Vitter's algorithm R).
void Asked::add(const Board& board) {
    if (!comesOfMoves(board)) return;
    const std::size_t place = kept_.size() < room_ ? kept_.size() : random_.below(met_ + 1);
    ++met_;
    if (place >= room_) return;
    if (place == kept_.size()) kept_.emplace_back();
    Moves& moves = kept_[place];
    moves.clear();
    for (const Cell cell : board.moves()) moves.push_back(board.moveOf(cell));
}

std::vector<Asked::Moves> Asked::take() {
    met_ = 0;
    return std::exchange(kept_, {});
}

}  // namespace fivestone

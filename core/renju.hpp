// Which points Renju forbids to Black: overline, double-four, double-three.
#pragma once

#include <array>

#include "types.hpp"

namespace fivestone {

// Whether Black may not play the empty cell. A move that makes exactly five is always allowed.
bool renjuForbids(const std::array<Stone, kArea>& stones, Cell cell);

}  // namespace fivestone

// How fast the search by fours is, over fixed positions.
#pragma once

#include <cstdint>

namespace fivestone {

struct VcfBench {
    std::uint64_t nodes = 0;  // the same on every machine
    double seconds = 0;
    int wins = 0;
};

VcfBench benchVcf();

}  // namespace fivestone

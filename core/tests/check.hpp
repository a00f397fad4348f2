// What the plain test programs share: a check that says what failed and goes on.
#pragma once

#include <cstdio>

namespace fivestone {

inline int failures = 0;

inline void check(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "failed: %s\n", what);
    ++failures;
}

}  // namespace fivestone

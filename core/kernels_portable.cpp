// The line net's loops in plain C++, for every machine.
#include "kernels_impl.hpp"

namespace fivestone {

const Kernels* portableKernels(int width) {
    return kernelsOfWidth(width, "portable");
}

}  // namespace fivestone

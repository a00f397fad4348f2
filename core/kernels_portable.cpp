// The line net's loops in plain C++, for every machine.
#include "kernels16_impl.hpp"
#include "kernels_impl.hpp"

namespace fivestone {

const Kernels* portableKernels(int width) {
    return kernelsOfWidth(width, "portable");
}

const Kernels16* portableKernels16(int width) {
    return kernels16OfWidth(width, "portable");
}

}  // namespace fivestone

// The line net's loops in 16-bit numbers for x86 machines with AVX-512 VNNI. CMake sets the flags for this file alone.
#ifdef FIVESTONE_VNNI
#include "kernels16_impl.hpp"
#else
#include "kernels16.hpp"
#endif

namespace fivestone {

const Kernels16* vnniKernels16([[maybe_unused]] int width) {
#ifdef FIVESTONE_VNNI
    return kernels16OfWidth(width, "avx512-vnni");
#else
    return nullptr;
#endif
}

}  // namespace fivestone

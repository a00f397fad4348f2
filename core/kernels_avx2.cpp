// The line net's loops for x86 machines with AVX2 and FMA. CMake sets the flags for this file alone.
#ifdef FIVESTONE_AVX2
#include "kernels16_impl.hpp"
#include "kernels_impl.hpp"
#else
#include "kernels.hpp"
#include "kernels16.hpp"
#endif

namespace fivestone {

const Kernels* avx2Kernels([[maybe_unused]] int width) {
#ifdef FIVESTONE_AVX2
    return kernelsOfWidth(width, "avx2");
#else
    return nullptr;
#endif
}

const Kernels16* avx2Kernels16([[maybe_unused]] int width) {
#ifdef FIVESTONE_AVX2
    return kernels16OfWidth(width, "avx2");
#else
    return nullptr;
#endif
}

}  // namespace fivestone

// The line net's loops for x86 machines with AVX-512. CMake sets the flags for this file alone.
#ifdef FIVESTONE_AVX512
#include "kernels16_impl.hpp"
#include "kernels_impl.hpp"
#else
#include "kernels.hpp"
#include "kernels16.hpp"
#endif

namespace fivestone {

const Kernels* avx512Kernels([[maybe_unused]] int width) {
#ifdef FIVESTONE_AVX512
    return kernelsOfWidth(width, "avx512");
#else
    return nullptr;
#endif
}

const Kernels16* avx512Kernels16([[maybe_unused]] int width) {
#ifdef FIVESTONE_AVX512
    return kernels16OfWidth(width, "avx512");
#else
    return nullptr;
#endif
}

}  // namespace fivestone

// The table of the kernels that one translation unit has compiled for its instruction set.
#pragma once

#include "kernels_forward.hpp"
#include "kernels_gradient.hpp"

namespace fivestone {
namespace {

template <int W>
constexpr Kernels kernelsNamed(const char* name) {
    return {name, W, cells<W>, heads<W>, headsGradient<W>, cellsGradient<W>, generate<W>, generateGradient<W>, softmax};
}

// The kernels of this translation unit for a width, or null where there are none.
const Kernels* kernelsOfWidth(int width, const char* name) {
    static const Kernels small = kernelsNamed<16>(name), usual = kernelsNamed<32>(name), wide = kernelsNamed<64>(name);
    return width == 16 ? &small : width == 32 ? &usual : width == 64 ? &wide : nullptr;
}

}  // namespace
}  // namespace fivestone

#include "kernels.hpp"

#include "kernels16.hpp"

#if defined(_MSC_VER) && (defined(_M_X64) || defined(_M_IX86))
#include <intrin.h>
#endif

namespace fivestone {
namespace {

struct Machine {
    bool avx2 = false, avx512 = false, vnni = false;
};

Machine thisMachine() {
    Machine machine;
#if (defined(__GNUC__) || defined(__clang__)) && (defined(__x86_64__) || defined(__i386__))
    __builtin_cpu_init();
    machine.avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    machine.avx512 = machine.avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                     __builtin_cpu_supports("avx512bw");
    machine.vnni = machine.avx512 && __builtin_cpu_supports("avx512vnni");
#elif defined(_MSC_VER) && (defined(_M_X64) || defined(_M_IX86))
    int leaf[4];
    __cpuid(leaf, 1);
    const bool fma = leaf[2] & (1 << 12), saved = leaf[2] & (1 << 27);
    __cpuidex(leaf, 7, 0);
    const unsigned long long state = saved ? _xgetbv(0) : 0;
    machine.avx2 = fma && (state & 6) == 6 && (leaf[1] & (1 << 5));
    machine.avx512 = machine.avx2 && (state & 0xe6) == 0xe6 && (leaf[1] & (1 << 16)) && (leaf[1] & (1 << 30)) &&
                     (leaf[1] & (1u << 31));
    machine.vnni = machine.avx512 && (leaf[2] & (1 << 11));
#endif
    return machine;
}

std::vector<const Kernels*> runnable(int width) {
    const Machine machine = thisMachine();
    std::vector<const Kernels*> found;
    if (machine.avx512 && avx512Kernels(width)) found.push_back(avx512Kernels(width));
    if (machine.avx2 && avx2Kernels(width)) found.push_back(avx2Kernels(width));
    if (portableKernels(width)) found.push_back(portableKernels(width));
    return found;
}

std::vector<const Kernels16*> runnable16(int width) {
    const Machine machine = thisMachine();
    std::vector<const Kernels16*> found;
    if (machine.vnni && vnniKernels16(width)) found.push_back(vnniKernels16(width));
    if (machine.avx512 && avx512Kernels16(width)) found.push_back(avx512Kernels16(width));
    if (machine.avx2 && avx2Kernels16(width)) found.push_back(avx2Kernels16(width));
    if (portableKernels16(width)) found.push_back(portableKernels16(width));
    return found;
}

}  // namespace

const std::vector<const Kernels*>& kernelsFor(int width) {
    static const std::vector<const Kernels*> small = runnable(16), usual = runnable(32), wide = runnable(64), none;
    return width == 16 ? small : width == 32 ? usual : width == 64 ? wide : none;
}

const std::vector<const Kernels16*>& kernels16For(int width) {
    static const std::vector<const Kernels16*> small = runnable16(16), usual = runnable16(32), wide = runnable16(64),
                                               none;
    return width == 16 ? small : width == 32 ? usual : width == 64 ? wide : none;
}

bool widthIsKnown(int width) {
    return !kernelsFor(width).empty();
}

}  // namespace fivestone

// A small seeded random source that gives the same numbers on every machine, unlike the distributions of <random>.
#pragma once

#include <cmath>
#include <cstdint>

namespace fivestone {

// xoshiro256** seeded through splitmix64 (Blackman and Vigna).
class Random {
   public:
    explicit Random(std::uint64_t seed = 0) {
        for (std::uint64_t& word : state_) {
            seed += 0x9e3779b97f4a7c15ULL;
            std::uint64_t x = seed;
            x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
            x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
            word = x ^ (x >> 31);
        }
    }

    std::uint64_t bits() {
        const std::uint64_t result = rotate(state_[1] * 5, 7) * 9, shifted = state_[1] << 17;
        state_[2] ^= state_[0];
        state_[3] ^= state_[1];
        state_[1] ^= state_[2];
        state_[0] ^= state_[3];
        state_[2] ^= shifted;
        state_[3] = rotate(state_[3], 45);
        return result;
    }

    // Uniform in 0 .. bound - 1, for bounds far below 2^32 (the bias is then beyond notice).
    std::uint32_t below(std::uint32_t bound) {
        return static_cast<std::uint32_t>(((bits() >> 32) * static_cast<std::uint64_t>(bound)) >> 32);
    }

    // Uniform in [0, 1).
    double uniform() { return static_cast<double>(bits() >> 11) * 0x1.0p-53; }

    // Standard normal (Box and Muller).
    double normal() {
        const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
        return radius * std::cos(6.283185307179586 * uniform());
    }

    // Gamma with the shape and scale 1 (Marsaglia and Tsang), the building block of Dirichlet noise.
    double gamma(double shape) {
        if (shape < 1.0) return gamma(shape + 1.0) * std::pow(1.0 - uniform(), 1.0 / shape);
        const double d = shape - 1.0 / 3.0, c = 1.0 / std::sqrt(9.0 * d);
        for (;;) {
            const double x = normal(), root = 1.0 + c * x;
            if (root <= 0.0) continue;
            const double v = root * root * root;
            if (std::log(1.0 - uniform()) < 0.5 * x * x + d - d * v + d * std::log(v)) return d * v;
        }
    }

   private:
    static constexpr std::uint64_t rotate(std::uint64_t x, int by) { return (x << by) | (x >> (64 - by)); }

    std::uint64_t state_[4];
};

}  // namespace fivestone

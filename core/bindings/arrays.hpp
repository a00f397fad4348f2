// Vectors of the core as NumPy arrays and back.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <initializer_list>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace fivestone {

// An array that owns the values; without a shape it is one-dimensional.
template <typename T>
nanobind::ndarray<nanobind::numpy, T> toArray(std::vector<T> values, std::initializer_list<std::size_t> shape = {}) {
    auto* kept = new std::vector<T>(std::move(values));
    nanobind::capsule owner(kept, [](void* pointer) noexcept { delete static_cast<std::vector<T>*>(pointer); });
    if (shape.size() == 0) return {kept->data(), {kept->size()}, owner};
    return {kept->data(), shape, owner};
}

template <typename T>
using ArrayIn = nanobind::ndarray<const T, nanobind::c_contig, nanobind::device::cpu>;

// The values of an array of exactly this type, whatever its shape.
template <typename T>
std::span<const T> valuesOf(const ArrayIn<T>& array) {
    return {array.data(), array.size()};
}

// The named array of a dictionary, or an error that names it.
template <typename T>
std::vector<T> takeArray(const nanobind::dict& arrays, const char* name) {
    ArrayIn<T> array;
    if (!arrays.contains(name) || !nanobind::try_cast(arrays[name], array, false))
        throw std::invalid_argument("the array '" + std::string(name) + "' is missing or has the wrong type");
    const auto values = valuesOf<T>(array);
    return {values.begin(), values.end()};
}

}  // namespace fivestone

// Samples as a dictionary of arrays, the form in which shards are stored.
#pragma once

#include <nanobind/nanobind.h>

#include "samples.hpp"

namespace fivestone {

nanobind::dict samplesToDict(SampleBlock block);
// Throws std::invalid_argument when the arrays do not hold legal samples.
SampleBlock samplesFromDict(const nanobind::dict& arrays);

}  // namespace fivestone

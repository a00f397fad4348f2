// How long evaluators take for leaves as a tree meets them.
#pragma once

#include <vector>

#include "evaluator.hpp"

namespace fivestone {

// Seconds an evaluation for each evaluator. All judge the same leaves, some hundreds at a time turn about, so that they
// meet the same machine; times more than twice the median are left out, because other work got in between.
std::vector<double> benchEvaluators(const std::vector<Evaluator*>& evaluators, Rule rule, int size, int leaves);

}  // namespace fivestone

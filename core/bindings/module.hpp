// One function a noun: each adds its classes to the extension module.
#pragma once

#include <nanobind/nanobind.h>

namespace fivestone {

void bindBoard(nanobind::module_& module);
void bindPosition(nanobind::module_& module);
void bindAlphaBeta(nanobind::module_& module);
void bindWeights(nanobind::module_& module);
void bindProofs(nanobind::module_& module);
void bindLineNet(nanobind::module_& module);
void bindLearn(nanobind::module_& module);
void bindMcts(nanobind::module_& module);
void bindSelfPlay(nanobind::module_& module);

}  // namespace fivestone

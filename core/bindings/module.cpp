#include "module.hpp"

NB_MODULE(_core, module) {
    // A board that some module still holds when Python ends is no leak.
    nanobind::set_leak_warnings(false);
    module.doc() = "The compiled core of Fivestone.";
    fivestone::bindBoard(module);
    fivestone::bindPosition(module);
    fivestone::bindWeights(module);
    fivestone::bindAlphaBeta(module);
    fivestone::bindProofs(module);
    fivestone::bindLineNet(module);
    fivestone::bindLearn(module);
    fivestone::bindMcts(module);
    fivestone::bindSelfPlay(module);
}

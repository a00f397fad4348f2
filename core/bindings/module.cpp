#include "module.hpp"

NB_MODULE(_core, module) {
    module.doc() = "The compiled core of Fivestone.";
    fivestone::bindBoard(module);
    fivestone::bindPosition(module);
    fivestone::bindProofs(module);
}

/* Constants of the modelled chip: an open struct that is filled from a platform file. It holds
 * no value of its own; a machine's figures stand in its platform file, with their source. */
#ifndef CHIP_CONSTANTS_H
#define CHIP_CONSTANTS_H

struct chip_constants {
#define X(name, ...) double name;
#include "chip/constants.def"
#undef X
};

#endif

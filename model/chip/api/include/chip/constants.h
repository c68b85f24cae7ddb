/* Constants of the modelled chip, a plain struct that is filled from a platform file. That file
 * holds the machine's figures, with their sources; there are no defaults. */
#ifndef CHIP_CONSTANTS_H
#define CHIP_CONSTANTS_H

struct chip_constants {
#define X(name, ...) double name;
#include "chip/constants.def"
#undef X
};

#endif

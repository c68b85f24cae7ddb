/* Upper bounds of a machine and of its fabric, each with its reason. Files, plans and programs use
 * these bounds. Bounds of a workload are in world/bounds.h. */
#ifndef WORLD_MACHINE_BOUNDS_H
#define WORLD_MACHINE_BOUNDS_H

#include <stdint.h>

enum {
	BOUND_CHIPS = UINT16_MAX,     /* numbers of chips have 16 bits, and CHIP_NONE is none */
	BOUND_EXTENT = INT16_MAX + 1, /* rows or columns of the physical mesh: chip_info.mesh_row
				       * has 15 bits and a sign */
	BOUND_CONNECTIONS = 4 * BOUND_CHIPS, /* pairs of joined chips; a mesh has 2 for each chip */
	BOUND_MEMBERS = 1024,		     /* chips to which one multicast delivers (spec 3.8) */
};

#endif

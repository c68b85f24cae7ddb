/* Upper bounds of a machine and of its fabric, each with its reason. Files, plans and programs use
 * these bounds. world/bounds.h has the bounds of a workload. */
#ifndef WORLD_MACHINE_BOUNDS_H
#define WORLD_MACHINE_BOUNDS_H

#include <stdint.h>

enum {
	/* maximum number of chips: chip numbers have 16 bits, and CHIP_NONE means no chip */
	BOUND_CHIPS = UINT16_MAX,
	/* maximum number of rows or columns in the physical mesh: chip_info.mesh_row has 15 bits
	 * and a sign */
	BOUND_EXTENT = INT16_MAX + 1,
	/* maximum number of pairs of joined chips; a mesh has 2 for each chip */
	BOUND_CONNECTIONS = 4 * BOUND_CHIPS,
	/* maximum number of chips to which one multicast delivers (spec 3.8) */
	BOUND_MEMBERS = 1024,
};

#endif

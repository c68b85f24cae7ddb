/* Maps the virtual grid of a layout to devices and cores, and back. The last two dimensions of the
 * grid are distributed over the cores of a device, and the dimensions before them over the devices
 * of a mesh. If the virtual grid of cores or devices has no more rows and columns than the physical
 * grid, each virtual row lies in one physical row. Otherwise (for example 1x64 on 8x8 cores),
 * shards fill the physical grid row by row. A grid with more shards than cores or devices is an
 * error. */
#ifndef LAYOUT_MACHINE_H
#define LAYOUT_MACHINE_H

#include "layout/layout.h"

/* Extents of the machine. */
struct layout_machine {
	uint32_t mesh_rows, mesh_columns;
	uint32_t core_rows, core_columns; /* cores of a device, for SPACE_L1 */
	/* number of DRAM banks of a device, over which shards in DRAM (SPACE_DRAM) are distributed
	 * in turn */
	uint32_t banks;
};

/* The memory of a shard. In host memory, device, core and bank are 0. */
struct layout_unit {
	uint32_t device_row, device_column;
	uint32_t core_row, core_column; /* used with SPACE_L1 */
	uint32_t bank;			/* used with SPACE_DRAM */
	/* number of shards before this one in the same memory; this shard begins at slot *
	 * shard_bytes */
	uint32_t slot;
};

/* Returns OK, or OUT_OF_RANGE with a sentence in `why` (may be NULL) if the layout needs more
 * devices or cores than the machine has. */
enum status layout_machine_check(
	const struct layout *layout, const struct layout_machine *machine, struct text *why);

/* Returns the memory of a shard. The machine must have passed layout_machine_check(). */
struct layout_unit layout_unit(const struct layout *layout, const struct layout_machine *machine,
	const struct layout_shape *shard);

/* Sets *shard to the coordinates of the shard in the memory `unit`. Returns false if there is no
 * shard in this memory. */
bool layout_unit_shard(const struct layout *layout, const struct layout_machine *machine,
	const struct layout_unit *unit, struct layout_shape *shard);

/* Returns the bytes that the layout occupies in each core, in each bank, or in host memory. */
uint64_t layout_unit_bytes(const struct layout *layout, const struct layout_machine *machine);

#endif

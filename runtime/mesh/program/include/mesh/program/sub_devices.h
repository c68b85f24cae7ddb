/* Sub-devices inside this hall: made with the mesh, as one of all cores; which one a program's
 * cores are of; where the L1 of one begins to be taken. */
#ifndef MESH_PROGRAM_SUB_DEVICES_H
#define MESH_PROGRAM_SUB_DEVICES_H

#include "mesh/device/device.h"
#include "mesh/program/cores.h"
#include "mesh/sub_device.h"

/* One sub-device of all cores. */
void sub_devices_init(struct mesh_device *mesh);

/* Frees what there is of sub-devices. */
void sub_devices_fini(struct mesh_device *mesh);

/* The cores of each sub-device, its Ethernet cores among them. Errors of sub_devices_check(). */
enum status sub_devices_sets(const struct program_site *site,
	const struct sub_devices_config *config, struct core_set *sets, struct text *why);

/* Writes down whose each core is. */
void site_divide(struct program_site *site, const struct core_set *cores, uint32_t count);

/* The sub-device of these cores and of a program of which `program` is it so far (SUB_DEVICE_NONE:
 * none). Errors, with a sentence in `why` (may be NULL): OUT_OF_RANGE (a core of none), INVALID
 * (cores of several). */
enum status sub_device_of_cores(const struct program_site *site, const struct core_set *cores,
	uint8_t program, uint8_t *sub_device, struct text *why);

/* Lowest address of any buffer in the L1 of the workers of a sub-device. */
uint64_t sub_device_lowest(const struct mesh_device *mesh, uint32_t sub_device);

#endif

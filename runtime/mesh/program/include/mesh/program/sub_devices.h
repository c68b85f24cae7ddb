/* Sub-devices inside mesh: a mesh starts with one of all cores. Also finds the sub-device of a
 * program's cores, and the lowest L1 address in use. */
#ifndef MESH_PROGRAM_SUB_DEVICES_H
#define MESH_PROGRAM_SUB_DEVICES_H

#include "mesh/device/device.h"
#include "mesh/program/cores.h"
#include "mesh/sub_device.h"

/* Makes one sub-device of all cores. */
void sub_devices_init(struct mesh_device *mesh);

/* Frees all sub-devices. */
void sub_devices_fini(struct mesh_device *mesh);

/* Fills sets[] with the cores of each sub-device, including its Ethernet cores. Errors of
 * sub_devices_check(). */
enum status sub_devices_sets(const struct program_site *site,
	const struct sub_devices_config *config, struct core_set *sets, struct text *why);

/* Records the sub-device of each core. */
void site_divide(struct program_site *site, const struct core_set *cores, uint32_t count);

/* Finds the sub-device of these cores, for a program that belongs to `program` so far
 * (SUB_DEVICE_NONE: to none). Errors, with a sentence in `why` (may be NULL): OUT_OF_RANGE (a core
 * of no sub-device), INVALID (cores of several). */
enum status sub_device_of_cores(const struct program_site *site, const struct core_set *cores,
	uint8_t program, uint8_t *sub_device, struct text *why);

/* Lowest address of any buffer in the L1 of the workers of a sub-device. */
uint64_t sub_device_lowest(const struct mesh_device *mesh, uint32_t sub_device);

#endif

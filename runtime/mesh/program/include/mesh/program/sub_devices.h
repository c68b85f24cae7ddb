/* Sets of cores of a device, and the sub-devices of a mesh. Each sub-device is a set of cores; a
 * mesh starts with one sub-device of all cores. */
#ifndef MESH_PROGRAM_SUB_DEVICES_H
#define MESH_PROGRAM_SUB_DEVICES_H

#include "mesh/device/device.h"
#include "mesh/sub_device.h"
#include "mesh/plan/plan.h"
#include "mesh/program.h"

/* A set of cores of one device, as bits: first the workers in row-major order of their grid, then
 * the Ethernet cores. core_set_rects() covers the workers of a set with rectangles, for multicasts.
 */

struct core_set {
	uint64_t bits[CORES_MAX / 64];
};

/* Makes the set that `cores` names: workers of a grid, or some of the device's `ethernet` Ethernet
 * cores. Returns OK, INVALID (no cores, or fewer columns than parts) or OUT_OF_RANGE (outside the
 * grid), with a sentence in `why` (may be NULL). */
enum status core_set_of(struct core_set *set, struct cores cores, uint32_t columns, uint32_t rows,
	uint32_t ethernet, struct text *why);

static inline bool core_set_has(const struct core_set *set, uint32_t core)
{
	return set->bits[core / 64] >> core % 64 & 1;
}

static inline void core_set_add(struct core_set *set, uint32_t core)
{
	set->bits[core / 64] |= UINT64_C(1) << core % 64;
}

/* Number of members. */
uint32_t core_set_count(const struct core_set *set);

/* Number of members below `core`. */
uint32_t core_set_rank(const struct core_set *set, uint32_t core);

/* Covers the workers of the set with disjoint rectangles, and returns the number of rectangles.
 * `rects` has room for CORES_MAX rectangles. */
uint32_t core_set_rects(
	const struct core_set *set, uint32_t columns, uint32_t rows, struct worker_rect *rects);

/* Makes one sub-device that has all cores. */
void sub_devices_init(struct mesh_device *mesh);

/* Frees all sub-devices. */
void sub_devices_fini(struct mesh_device *mesh);

/* Fills sets[] with the cores of each sub-device, including its Ethernet cores. Returns the errors
 * of sub_devices_check(). */
enum status sub_devices_sets(const struct program_site *site,
	const struct sub_devices_config *config, struct core_set *sets, struct text *why);

/* Records the sub-device of each core. */
void site_divide(struct program_site *site, const struct core_set *cores, uint32_t count);

/* Finds the sub-device of these cores, which are being added to a program. `program` is the
 * sub-device of the program's earlier cores, or SUB_DEVICE_NONE if it has no cores yet. Errors,
 * with a sentence in `why` (may be NULL): OUT_OF_RANGE (a core of no sub-device), INVALID (cores of
 * several sub-devices). */
enum status sub_device_of_cores(const struct program_site *site, const struct core_set *cores,
	uint8_t program, uint8_t *sub_device, struct text *why);

/* Returns the lowest address of any buffer in the L1 of the workers of a sub-device. */
uint64_t sub_device_lowest(const struct mesh_device *mesh, uint32_t sub_device);

#endif

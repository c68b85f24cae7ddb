/* Sets of cores of a device, and the sub-devices of a mesh. Each sub-device is a set of cores. A
 * mesh that is not divided has one sub-device, which contains all cores. */
#ifndef MESH_PROGRAM_SUB_DEVICES_H
#define MESH_PROGRAM_SUB_DEVICES_H

#include "mesh/device/device.h"
#include "mesh/sub_device.h"
#include "mesh/plan/plan.h"
#include "mesh/program.h"

/* A set of cores of one device, as bits: first the workers in row-major order of their grid, then
 * the Ethernet cores. */

struct core_set {
	uint64_t bits[CORES_MAX / 64];
};

/* Sets *set to the cores that `cores` describes: workers of a grid of `columns` x `rows`, or some
 * of the device's `ethernet` Ethernet cores. Returns OK, or an error with a sentence in `why` (may
 * be NULL). Returns INVALID if there are no cores, or if the columns are divided into more parts
 * than there are columns. Returns OUT_OF_RANGE if a core is outside the grid. */
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

/* Returns the number of cores in the set. */
uint32_t core_set_count(const struct core_set *set);

/* Returns the number of cores in the set with an index below `core`. */
uint32_t core_set_rank(const struct core_set *set, uint32_t core);

/* Finds disjoint rectangles that together contain all workers of the set, for multicasts. Stores
 * the rectangles in `rects`, which has room for CORES_MAX, and returns their number. */
uint32_t core_set_rects(
	const struct core_set *set, uint32_t columns, uint32_t rows, struct worker_rect *rects);

/* Creates one sub-device that contains all cores of the mesh. */
void sub_devices_init(struct mesh_device *mesh);

/* Frees all sub-devices. */
void sub_devices_fini(struct mesh_device *mesh);

/* Fills in sets[i] with the cores of sub-device i, for every sub-device. A set also contains the
 * sub-device's Ethernet cores. Returns OK or the errors of sub_devices_check(). */
enum status sub_devices_sets(const struct program_site *site,
	const struct sub_devices_config *config, struct core_set *sets, struct text *why);

/* Divisions of a site into sub-devices. site_add_division() adds a division whose sub-devices have
 * these cores, and sets *number to its number. It returns OK, or NO_SPACE if there are too many
 * divisions. site_load_division() loads the division with this number. DIVISION_WHOLE means that
 * the site is not divided. */
enum status site_add_division(struct program_site *site, const struct core_set *cores,
	uint32_t count, uint32_t local_l1_bytes, uint32_t *number, struct text *why);
void site_load_division(struct program_site *site, uint32_t number);
void site_forget_division(struct program_site *site, uint32_t number);
void site_forget_divisions(struct program_site *site);

/* Sets *sub_device to the sub-device of `division` to which the cores in `cores` belong. The cores
 * are being added to a program. `program` is the sub-device of the program's earlier cores, or
 * SUB_DEVICE_NONE if the program has no cores yet. Returns OK, or an error with a sentence in `why`
 * (may be NULL). Returns OUT_OF_RANGE if a core belongs to no sub-device. Returns INVALID if the
 * new and earlier cores belong to several sub-devices. */
enum status sub_device_of_cores(const struct program_site *site, uint32_t division,
	const struct core_set *cores, uint8_t program, uint8_t *sub_device, struct text *why);

/* Returns the lowest address of any buffer in the L1 of the workers of a sub-device. */
uint64_t sub_device_lowest(const struct mesh_device *mesh, uint32_t sub_device);

#endif

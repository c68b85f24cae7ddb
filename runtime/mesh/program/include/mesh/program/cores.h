/* Sets of cores of one device, as bits: workers in row-major order of their grid, then its Ethernet
 * cores. Also covers workers with rectangles, for multicasts. */
#ifndef MESH_PROGRAM_CORES_H
#define MESH_PROGRAM_CORES_H

#include "mesh/plan/plan.h"
#include "mesh/program.h"

struct core_set {
	uint64_t bits[CORES_MAX / 64];
};

/* Makes the set of workers that `cores` names on a grid, or of Ethernet cores, of which there are
 * `ethernet`. OK; INVALID (none, or fewer columns than parts) or OUT_OF_RANGE (outside the grid),
 * with a sentence in `why` (may be NULL). */
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

/* Covers the workers of the set with disjoint rectangles; returns their number. `rects` has
 * CORES_MAX entries. */
uint32_t core_set_rects(
	const struct core_set *set, uint32_t columns, uint32_t rows, struct worker_rect *rects);

#endif

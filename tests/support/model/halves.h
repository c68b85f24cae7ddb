/* A mesh of 2 x 2 devices, for tests of sub-devices in the native and the simulated world. Each
 * device is divided into two sub-devices: the left and the right half of its workers. */
#ifndef HALVES_H
#define HALVES_H

#include "mesh/sub_device.h"
#include "mesh_case.h"
#include "row.h"

enum {
	HALVES = 2,
	HALVES_SIDE = 2,
	HALVES_DEVICES = HALVES_SIDE * HALVES_SIDE,
	HALVES_WORKERS = 12,
	HALVES_WIDE = 4,     /* number of columns of workers */
	HALVES_ETHERNET = 2, /* number of Ethernet cores of the right half */
	HALVES_LOCAL = 64 << 10,
	HALVES_CYCLES = 200000, /* duration of a slow program; all other programs are shorter */
};

extern const struct test_cluster halves_cluster;

/* Returns the workers of a half. */
struct cores halves_cores(uint32_t half);

/* Opens a mesh with these choices. Its devices are not yet divided. */
void halves_open(struct mesh_case *test, struct cluster *cluster, const char *forward,
	const char *go, const char *dispatcher);

void halves_load(struct mesh_case *test);

/* Finishes both queues. */
void halves_finish(struct mesh_case *test);

/* Returns a workload with one kernel on all cores of a half, and sets *program to its program. */
struct workload *halves_slow(struct mesh_case *test, uint32_t half, struct program **program);

/* Returns the time at which the operation passed a point on one chip: on the last chip that passed
 * the point if `last` is set, and otherwise on the first. Fails the test if the operation has not
 * passed the point. */
int64_t halves_mark(uint32_t operation, enum mark_point point, bool last);

#endif

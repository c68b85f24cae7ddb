/* A mesh of 2 x 2 devices, for tests of sub-devices in both worlds. Each device is divided into two
 * sub-devices: the left and the right half of its workers. */
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
	HALVES_WIDE = 4,     /* columns of workers */
	HALVES_ETHERNET = 2, /* Ethernet cores of the right half */
	HALVES_LOCAL = 64 << 10,
	HALVES_CYCLES = 200000, /* of a slow program: longer than everything else */
};

extern const struct test_cluster halves_cluster;

/* The workers of a half. */
struct cores halves_cores(uint32_t half);

/* Opens a mesh with these rows, not yet divided. */
void halves_open(struct mesh_case *test, struct cluster *cluster, const char *forward,
	const char *go, const char *dispatcher);

void halves_load(struct mesh_case *test);

/* Finishes both queues. */
void halves_finish(struct mesh_case *test);

/* A workload of one kernel on all cores of a half, and its program. */
struct workload *halves_slow(struct mesh_case *test, uint32_t half, struct program **program);

/* Returns the time at which the operation passed a point on the first or last of its chips. Fails
 * the test if the operation has not passed that point. */
int64_t halves_mark(uint32_t operation, enum mark_point point, bool last);

#endif

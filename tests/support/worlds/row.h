/* The rows of world.h and device.h as fixtures: a contract suite runs every case on every row, each
 * in a child process of its own, since a process can do only one simulation. */
#ifndef TEST_ROW_H
#define TEST_ROW_H

#include <stdbool.h>
#include <stdint.h>

#include "world/device.h"

struct row {
	const char *name;

	/* Time passes as computed: lower bounds on speed make sense. */
	bool timed;

	/* In a child process: sets `world` and `device_row`, makes a cluster from `info` (none if
	 * NULL), runs body(cluster) as the main thread, takes everything down. */
	void (*run)(const struct cluster_info *info, void (*body)(struct cluster *cluster));

	/* Work counted so far: called from the main thread. */
	void (*counts)(struct work_counts *counts);
};

extern const struct row row_native, row_sim;

/* All rows of this build. */
extern const struct row *const rows[];
extern const uint32_t row_count;

/* One case of a suite. */
struct row_case {
	const char *name;
	void (*body)(struct cluster *cluster);
	const struct test_cluster *cluster; /* support/test_cluster.h; NULL: no devices */
};

/* A case of the name of its body, on a cluster or on none. */
#define ROW_CASE(case_body, on_cluster)                                                            \
	{                                                                                          \
		.name = #case_body, .body = (case_body), .cluster = &(on_cluster)                  \
	}
#define ROW_WORLD_CASE(case_body)                                                                  \
	{                                                                                          \
		.name = #case_body, .body = (case_body)                                            \
	}

/* Runs every case on every row, under the name "<row>: <case>". To be returned by main(). With the
 * name of a row in the environment variable MESHSIM_ROW it is only that one. */
int row_run_suite(const char *suite, const struct row_case *cases, uint32_t count);
#define ROW_RUN_SUITE(suite, cases) row_run_suite(suite, cases, sizeof(cases) / sizeof((cases)[0]))

/* The row that runs; for bodies. */
const struct row *row_current(void);

/* Says which row runs, for tests that call row->run() themselves, in a child of their own. */
void row_set_current(const struct row *row);

/* A mark that the running world recorded; at most ROW_MARKS_MAX are kept. */
struct row_mark {
	int64_t time_ps;
	uint32_t operation, chip;
	enum mark_point point;
};

enum { ROW_MARKS_MAX = 512 };

/* Marks in the order in which they were recorded; main thread, while no other thread marks. */
uint32_t row_marks(const struct row_mark **marks);

/* What rows give to their world: fills the marks. */
extern const struct recorder row_recorder;

#endif

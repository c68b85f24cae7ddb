/* Runs test cases on both implementations of world.h and device.h: native and simulated. An
 * implementation is called a row (of a test table). A contract suite runs every case on every row.
 * Each case runs in a child process, because a process can run only one simulation. */
#ifndef TEST_ROW_H
#define TEST_ROW_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "world/device.h"

struct row {
	const char *name;

	/* true: time passes as the model computes it, so tests can check lower bounds of durations
	 */
	bool timed;

	/* Loads libraries. Called before the process forks the children that run cases, so that the
	 * children need not load the libraries. NULL if there is nothing to load. */
	void (*load)(void);

	/* Called in a child process. Sets `world` and `device_row`, makes a cluster from `info`
	 * (NULL: no cluster), runs body(cluster) as the main thread, and frees everything. */
	void (*run)(const struct cluster_info *info, void (*body)(struct cluster *cluster));

	/* Gets the work that was counted so far. Call it from the main thread. */
	void (*counts)(struct work_counts *counts);
};

extern const struct row row_native, row_sim;

/* Forks a child process that will run a case in the world of `row`. Returns the result of fork().
 * If fork() fails, ends the test. */
pid_t row_fork(const struct row *row);

/* All rows (worlds) of this build. */
extern const struct row *const rows[];
extern const uint32_t row_count;

/* One case of a suite of cases. */
struct row_case {
	const char *name;
	void (*body)(struct cluster *cluster);
	const struct test_cluster *cluster; /* cluster (test_cluster.h); NULL: no devices */
};

/* A case whose name is the name of its body, with or without a cluster. */
#define ROW_CASE(case_body, on_cluster)                                                            \
	{                                                                                          \
		.name = #case_body, .body = (case_body), .cluster = &(on_cluster)                  \
	}
#define ROW_WORLD_CASE(case_body)                                                                  \
	{                                                                                          \
		.name = #case_body, .body = (case_body)                                            \
	}

/* Runs every case in each world, as the test "<row>: <case>"; a row is a world. If the environment
 * variable MESHSIM_ROW names a row, runs the cases only there. Return the result from main(). */
int row_run_suite(const char *suite, const struct row_case *cases, uint32_t count);
#define ROW_RUN_SUITE(suite, cases) row_run_suite(suite, cases, sizeof(cases) / sizeof((cases)[0]))

/* Returns the current row. Bodies may call it. */
const struct row *row_current(void);

/* Sets the current row, for tests that call row->run() themselves, in a child process. */
void row_set_current(const struct row *row);

/* A mark that the running world has recorded. At most ROW_MARKS_MAX marks are kept. */
struct row_mark {
	int64_t time_ps;
	uint32_t operation, chip;
	enum mark_point point;
};

enum { ROW_MARKS_MAX = 512 };

/* Sets *marks to an array of the marks in the order in which they were recorded, and returns the
 * number of marks. Call it from the main thread while no other thread records marks. */
uint32_t row_marks(const struct row_mark **marks);

/* The recorder that rows pass to their world. It keeps the marks. */
extern const struct recorder row_recorder;

#endif

/* The tables of one run: its threads, links, cores, queues and host work. */
#ifndef ANALYSIS_READ_RUN_TABLES_H
#define ANALYSIS_READ_RUN_TABLES_H

#include "analysis/read/summary.h"

/* Tables of one run; those that it lacks are empty. */
struct run_tables {
	struct dataset threads, links, cores, queues, work, memory;
	struct dataset watcher;		     /* of a run that came to no end */
	struct dataset left;		     /* when its meshes were closed */
	struct dataset prints, print_counts; /* of one whose kernels print */
	struct dataset opening;		     /* of a native one with a process for each host */
};

/* Reads them for row `row` of the summary. False with a sentence in `why`. */
bool run_tables_read(struct summary *summary, uint64_t row, struct arena *arena,
	struct run_tables *run, struct text *why);

/* What was recorded over time (measure.trace); empty if nothing was. */
struct run_trace {
	struct dataset tracks, slices, labels, depths;
};
bool run_trace_read(struct summary *summary, uint64_t row, struct arena *arena,
	struct run_trace *trace, struct text *why);

/* The threads alone, which are a small part of it; empty if there are none. */
bool run_threads_read(struct summary *summary, uint64_t row, struct arena *arena,
	struct dataset *threads, struct text *why);

/* What joining took, alone; empty if no hosts joined. */
bool run_opening_read(struct summary *summary, uint64_t row, struct arena *arena,
	struct dataset *opening, struct text *why);

/* Stages of one role over all chips. Times in ps. */
struct core_role {
	const char *name;
	uint64_t count;
	double steps, busy, busy_most, blocked, blocked_most, utilization_most;
	int64_t chip_most; /* of the busiest */
};

/* Roles of the table of cores, in the order of their first rows; in `arena`. */
struct core_role *core_roles(
	const struct dataset *cores, struct arena *arena, uint32_t *role_count);

#endif

/* The tables of one run: threads, links, cores, queues, host work and others. */
#ifndef ANALYSIS_READ_RUN_TABLES_H
#define ANALYSIS_READ_RUN_TABLES_H

#include "analysis/read/summary.h"

/* Tables of one run. A table that the file does not have is empty. */
struct run_tables {
	struct dataset threads, links, cores, queues, work, memory;
	struct dataset watcher;		     /* state of cores, if the run did not finish */
	struct dataset left;		     /* objects not released when meshes were closed */
	struct dataset prints, print_counts; /* values that kernels printed */
	struct dataset saved;		     /* values that steps with the key `save` saved */
	struct dataset log, log_counts;	     /* log lines (measure.log) */
	struct dataset models;		     /* model binaries that the run executed */
	struct dataset opening;		     /* how hosts joined, in native runs of several hosts */
};

/* Reads the tables of the run in row `row` of the summary into `arena`. Returns false, with a
 * sentence in `why`, if a table is damaged or too large, or if the file does not contain the run.
 */
bool run_tables_read(struct summary *summary, uint64_t row, struct arena *arena,
	struct run_tables *run, struct text *why);

/* The recorded timeline of a run (measure.trace); empty if there is none. */
struct run_trace {
	struct dataset tracks, slices, labels, depths;
};
bool run_trace_read(struct summary *summary, uint64_t row, struct arena *arena,
	struct run_trace *trace, struct text *why);

/* Reads only the table of threads, which is small. It is empty if the file does not have it. */
bool run_threads_read(struct summary *summary, uint64_t row, struct arena *arena,
	struct dataset *threads, struct text *why);

/* Reads only the table that says how hosts joined. It is empty if no hosts joined. */
bool run_opening_read(struct summary *summary, uint64_t row, struct arena *arena,
	struct dataset *opening, struct text *why);

/* Sums and maxima over all cores of one role on all chips. Times are in ps. */
struct core_role {
	const char *name;
	uint64_t count;
	double steps, busy, busy_most, blocked, blocked_most, utilization_most;
	int64_t chip_most; /* chip of the busiest core */
};

/* Groups the table of cores by role, in the order of their first rows; allocated in `arena`. */
struct core_role *core_roles(
	const struct dataset *cores, struct arena *arena, uint32_t *role_count);

#endif

/* `meshsim explain`: why one run takes longer than another. Splits the critical
 * path of the median, of the p99 and of the mean operation into stages, whose differences sum to
 * the whole difference to the picosecond; shows the constants that it is charged for, and links,
 * cores and queues whose load differs most. Reads the files only.
 *
 * Of two files the runs with the same keys and seed are compared, all in a table, and of these the
 * one whose median differs most is explained, unless runs are given: the first's is of the first
 * file.
 *
 * JSON, times in ps:
 *   kind, metric, unit "ps"
 *   runs          two objects: run, status, count, keys (a text)
 *   paths         "p50", "p99", "mean": objects
 *     value       two numbers, whole times; `mean` holds sums over all operations, and `count` has
 *                 how many went into each
 *     difference  second less first (of the mean: absent, where counts differ)
 *     stages      objects: stage, label, value (two numbers), difference
 *   constants     what the way of an operation was charged for, the largest differences first:
 * name, value (two numbers, ps by operation), difference matched       of two files: runs with the
 * same keys: objects: keys, runs, value (medians) links, cores  objects with the largest
 * differences first: name, busy (two numbers, ps) queues        the deepest of either run: name,
 * high_water, capacity, blocked_time (two each) not_apart     stages that hold several things that
 * the marks do not tell apart: texts */
#ifndef ANALYSIS_EXPLAIN_H
#define ANALYSIS_EXPLAIN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct explain_options {
	const char *second; /* another file of the scenario, or NULL */
	bool chosen;	    /* runs are given; of two files they need not be */
	uint32_t runs[2];
	/* Or "KIND/STEP". NULL: enqueue_workload, or the most frequent; of several steps with names
	 * always one, by default the one that is called most: two programs have no median. */
	const char *kind;
	const char *metric; /* NULL: round, or latency where no step is repeated */
	bool json, color;
};

/* Prints to `out`. An exit code: 0; 2 after a message on standard error: no such run, kind or
 * metric, or a file that cannot be read. */
int analysis_explain(const char *file, const struct explain_options *options, FILE *out);

#endif

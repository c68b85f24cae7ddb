/* `meshsim compare`: which design wins, by how much, why, where it flips,
 * and whether that survives other costs. Reads the file only; runs that --refine and --robust need
 * are made by whoever calls, through struct compare_rerun_ops.
 *
 * A question is about a swept key, or about several that are swept together by maps; its options
 * are compared in every context, that is, in every combination of the other keys. A key that only
 * some maps give (initiators, of a broadcast) is a question of its own, asked where it is given; in
 * the question about the others the best of its values is taken. Keys of workload, platform, model
 * and mesh shape are conditions: they are questions only if asked for with --by, or if nothing else
 * is swept. What is measured, and what decides: analysis/README.md.
 *
 * Of two files, which are of one scenario, one question is asked: which of them is better, point by
 * point. Runs are matched by their keys, what one file sweeps and the other has fixed included;
 * runs and steps that only one has are named, and so is what else differs: program, keys of the
 * scenario, constants of the platform.
 *
 * JSON, times in ps:
 *   pair          of two files only: files (two texts), differences: objects: what, first, second;
 *                 more (bool: there may be others); alone: objects: file, what
 *   kind, metric, reason, statistic, tie_band: of the first subject
 *   points        objects: subject, run, status, seeds, keys {name: text}, operations, value, p50,
 *                 p90, p99, mean, throughput (1/s), bandwidth (B/s, of transfers), makespan,
 *                 host_cpu (ps by operation), needed (operations that a steady state lacks)
 *   questions     objects:
 *     question, subject, metric, reason, seeds, outcome ("wins", "depends", "trade-off",
 *                 "undecided", "fragile"), leader (the best in the focus), winner (text or null),
 *                 verdict (the sentence of the text)
 *     sides       objects: option (who costs less), figure, margin, low, high, interval, sure,
 *                 words
 *     contexts    objects: context, keys {name: text}, ranking: objects: option, label (with the
 *                 best of what else it has), run, value, margin (by how much of the best it is
 *                 larger), low, high (95 %; null: there is none), interval ("seeds": between
 *                 them; "run": of the operations of one; "none"), few (a percentile of too few
 * operations, which decides nothing), tied focus       the context that the rest is about: the best
 * of designs mechanism   null or: first, second (runs), stage, stages: objects: stage, difference
 *     crossovers  objects: key, context, below, above (options), at, low, high, refined,
 *                 saturated (option that falls behind at an end, or null)
 *     front       objects: option, value, host_cpu (what no option beats in both)
 *     rests_on    objects: constant, value, unit, kind, effect (by what part of itself 30 % of it
 *                 moves the margin; null where that was not tried)
 *     robust      null or: held, tried, failed, runs, breaks (texts), failures (texts: network or
 *                 group of costs, design, and why it could not run) */
#ifndef ANALYSIS_COMPARE_H
#define ANALYSIS_COMPARE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* A key of the effective scenario, or of the platform as "platform.host.switch.value", and its new
 * value as YAML. */
struct compare_change {
	const char *path, *value;
};

/* A run to be made. */
struct compare_rerun {
	const char *scenario, *platform; /* effective YAML of the run that it is like */
	const struct compare_change *changes;
	uint32_t change_count;
	bool good;	  /* out: it ran to its end */
	char result[512]; /* out: its result file, if good; the caller of `run` removes it */
	char why[160];	  /* out: why it is not good, in a few words; "" if it is */
};

struct compare_rerun_ops {
	void *context;
	const char *const *networks; /* values of model.network; NULL behind the last */

	/* Makes all runs, several at a time. */
	void (*run)(void *context, struct compare_rerun *reruns, uint32_t count);
};

struct compare_options {
	const char *const *by; /* swept keys or parts of them; with commas: one question */
	uint32_t by_count;
	const char *kind, *step, *program; /* which operations; NULL: any */
	const char *metric;		   /* NULL: as the scenario or the rule says */
	const char *second;		   /* another file of the scenario, or NULL */
	bool robust, refine, json, color;
	bool wide; /* whole rows, even if they are wider than the terminal */
};

/* Prints to `out`. `rerun_ops` may be NULL without robust and refine. An exit code: 0; 2 after a
 * message on standard error. */
int analysis_compare(const char *file, const struct compare_options *options,
	const struct compare_rerun_ops *rerun_ops, FILE *out);

/* Seeds that each point of a file needs for every question's margin to have an interval of at most
 * `precision` (a part) to either side, as far as those that it has tell; 0: it has enough, or more
 * would not help. */
uint32_t analysis_seeds(const char *file, double precision);

#endif

/* `meshsim check`: the gate of continuous integration. Compares the simulated figures of each
 * result file with a baseline, exactly or within stated tolerances. It only reads files and makes
 * no runs. Results of the native world are rejected, since their times depend on the machine and
 * the day.
 *
 * A baseline is YAML with one figure a line, reviewed like code. Runs are identified by their keys:
 *
 *   baseline: 1
 *   scenario: NAME
 *   tolerance: {host_busy: 0.5}      percent; optional, kept by --update
 *   constants:                       of the platform of the first run; absent in older baselines
 *     chip.noc_hop: 10 cycles
 *   runs:
 *     - keys: {seed: 1, runtime.completion: table}
 *       status: ok
 *       constants: {chip.noc_hop: 12 cycles}   those that differ in this run, if any
 *       simulated: 4271000000        ps, as all times
 *       enqueue_workload.latency.p50: 47144000
 *       enqueue_workload.latency.stages: {count: 25, build: 613000000, ...}
 *
 * `stages` are sums along the critical paths of all measured operations (explain.h). They do not
 * decide whether a check passes; they show which stage is behind a change. Less is better for all
 * figures but `throughput` and `verified`; `count` may not change. A run or figure that is missing
 * or extra counts as worse, and so does a run that ends with another status. With `exact`, every
 * difference fails.
 *
 * The causes of changes in all files are printed first. The cause of a changed figure is a constant
 * whose value differs from the baseline and that was charged to the stage that moved most. If there
 * are several such constants, it is the one whose charge moves most. If only one constant differs,
 * it is the cause in any case. If there is no such constant, only the stage is named.
 *
 * JSON: scenario, baseline (both null if there are several files), runs, figures,
 *   counts {worse, better, tolerated},
 *   files: objects: file, and the same members for it;
 *   causes: objects: constant (null: stages that no constant moved), old, new ("350 ns"; null:
 *     there is none), figures, runs, scenarios, stages: objects: as in changes, with figures, runs,
 *     scenarios;
 *   changes: objects: scenario, verdict ("worse", "better", "tolerated"), what ("figure", "status",
 *     "missing", "extra"), keys {name: text}, metric (null for whole runs), unit, old, new (null:
 *     there is none), change (ratio, or null), stages: objects: stage, label, old, new (means over
 *     operations, ps), sorted by the size of the change in the direction of the verdict */
#ifndef ANALYSIS_CHECK_H
#define ANALYSIS_CHECK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* A tolerance. `metric` is a figure's name or a part of it between dots: "p99", "latency",
 * "enqueue_workload.latency.p99". */
struct check_tolerance {
	const char *metric;
	double percent;
};

enum check_form { CHECK_TEXT, CHECK_MARKDOWN, CHECK_JSON };

struct check_options {
	const char *const *baselines; /* files, or folders that hold SCENARIO.yaml */
	uint32_t baseline_count;      /* one for all result files, or one for each */
	bool update;		      /* write the baselines instead of comparing */
	bool exact;		      /* fail on every difference, even better or tolerated ones */
	const char *junit;	      /* JUnit file to write; NULL: none */
	enum check_form form;
	const struct check_tolerance *tolerances; /* the last match applies */
	uint32_t tolerance_count;
};

/* Compares all files with their baselines and prints to `out`, or writes the baselines. Returns an
 * exit code: 0; 1 if a figure is worse, or with `exact` if any differs; 2 after a message on
 * standard error for a bad result file or baseline or a tolerance that fits no figure; 3 if there
 * is no baseline. With several files, returns the highest of their codes; a file that cannot be
 * compared does not stop the others. */
int analysis_check(
	const char *const *files, uint32_t count, const struct check_options *options, FILE *out);

struct cpu_time_options {
	const char *baseline; /* a YAML file in its own format */
	bool update;	      /* write the baseline instead of comparing */
	double percent;	      /* smaller differences of the medians are ignored */
};

/* Checks the simulator's own CPU time. Compares repeated runs, one result file each, with a
 * baseline of repetitions by a Mann-Whitney rank test, one-sided at 1 %, and reports the difference
 * of the medians. Both sides need REPETITIONS_LEAST repetitions of one scenario on one machine and
 * one build. Exit codes are as for analysis_check(). */
int analysis_check_cpu_time(const char *const *files, uint32_t file_count,
	const struct cpu_time_options *options, FILE *out);

enum { REPETITIONS_LEAST = 9 };

#endif

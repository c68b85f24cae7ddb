/* `meshsim check`: the gate of continuous integration. Compares the simulated figures of result
 * files with a baseline each, exactly or within stated tolerances. Reads files only; refuses
 * results of the native world, whose times are of one machine and one day.
 *
 * A baseline is YAML, one figure a line, runs known by their keys, reviewed like code:
 *
 *   baseline: 1
 *   scenario: NAME
 *   tolerance: {host_busy: 0.5}      percent; optional, kept by --update
 *   constants:                       of the platform of the first run; older baselines have none
 *     chip.noc_hop: 10 cycles
 *   runs:
 *     - keys: {seed: 1, runtime.completion: table}
 *       status: ok
 *       constants: {chip.noc_hop: 12 cycles}   those that this run has otherwise, if any
 *       simulated: 4271000000        ps, as all times
 *       enqueue_workload.latency.p50: 47144000
 *       enqueue_workload.latency.stages: {count: 25, build: 613000000, ...}
 *
 * `stages` are sums along the critical paths of all measured operations (explain.h); they are not
 * judged, but name the stage behind a change. Less is better of all figures but `throughput` and
 * `verified`; `count` may not change. Missing and extra runs and figures are changes for the worse,
 * and so is a run that ends otherwise. An exact gate takes every difference for a failure.
 *
 * What changes come from stands first, over all files. A figure comes from the constant that has
 * another value than in the baseline and was charged to the stage that moved most (of several, the
 * one that moves most); if only one constant differs, from that, whatever moved; else from the
 * stage alone.
 *
 * JSON: scenario, baseline (null if there are several files), runs, figures, counts {worse, better,
 *   tolerated}, files: objects: file and the same of each; causes: objects: constant (null: stages
 *   that no constant moved), old, new ("350 ns"; null: there is none), figures, runs, scenarios,
 *   stages: objects: as below, with figures, runs, scenarios; changes: objects: scenario, verdict
 * ("worse", "better", "tolerated"), what ("figure", "status", "missing", "extra"), keys {name:
 * text}, metric (null of whole runs), unit, old, new (null: there is none), change (ratio, or
 * null), stages: objects: stage, label, old, new (means over operations, ps), the largest change in
 * the direction of the verdict first */
#ifndef ANALYSIS_CHECK_H
#define ANALYSIS_CHECK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* `metric` is a figure's name or a part of it between dots: "p99", "latency",
 * "enqueue_workload.latency.p99". */
struct check_tolerance {
	const char *metric;
	double percent;
};

enum check_form { CHECK_TEXT, CHECK_MARKDOWN, CHECK_JSON };

struct check_options {
	const char *const *baselines; /* files, or folders that hold SCENARIO.yaml */
	uint32_t baseline_count;      /* one for all result files, or one for each */
	bool update;		      /* writes the baselines instead */
	bool exact;		      /* every difference fails, also what is better or tolerated */
	const char *junit;	      /* NULL: none */
	enum check_form form;
	const struct check_tolerance *tolerances; /* the last that matches counts */
	uint32_t tolerance_count;
};

/* Prints to `out`. An exit code: 0; 1 something is worse, or differs where that fails; 2 after a
 * message on standard error: bad result file, baseline, or tolerance that fits no figure; 3 there
 * is no baseline; of several files the highest; those that can be compared are, whatever the others
 * are. */
int analysis_check(
	const char *const *files, uint32_t count, const struct check_options *options, FILE *out);

struct cpu_time_options {
	const char *baseline; /* a YAML file of its own */
	bool update;
	double percent; /* slower by less than this is not worth a word */
};

/* What the simulator itself costs: compares the CPU time of repeated runs, a result file each, with
 * a baseline of repetitions: Mann-Whitney rank test, one-sided at 1 %, and by how much the medians
 * differ. Both sides need WALL_LEAST repetitions of one scenario on one machine and one build. Exit
 * codes as above. */
int analysis_check_cpu_time(const char *const *files, uint32_t file_count,
	const struct cpu_time_options *options, FILE *out);

enum { REPETITIONS_LEAST = 9 };

#endif

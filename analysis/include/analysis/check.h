/* `meshsim check`: the gate of continuous integration. Compares the simulated figures of each
 * result file with a baseline, exactly or within given tolerances. It only reads files and makes
 * no runs. Results of the native world are rejected, because their times depend on the machine and
 * the day.
 *
 * A baseline is a YAML file with one figure per line, so that changes can be reviewed like changes
 * of code. Each run is identified by its keys. In this example, the texts on the right are
 * explanations and not part of the file:
 *
 *   baseline: 1
 *   scenario: NAME
 *   tolerance: {host_busy: 0.5}      percent; optional; --update keeps it
 *   constants:                       constants of the first run's platform; missing in baselines
 *                                    of earlier versions
 *     chip.noc_hop: 10 cycles
 *   runs:
 *     - keys: {seed: 1, runtime.completion: table}
 *       status: ok
 *       constants: {chip.noc_hop: 12 cycles}   only constants that differ from the first run's
 *       simulated: 4271000000        in ps, like all times
 *       enqueue_workload.latency.p50: 47144000
 *       enqueue_workload.latency.stages: {count: 25, build: 613000000, ...}
 *
 * `stages` are sums along the critical paths of all measured operations (explain.h). They do not
 * decide whether a check passes; they show which stage caused a change. Smaller is better for all
 * figures except `throughput` and `verified`; `count` may not change. A run or figure counts as
 * worse if only the result or only the baseline has it, and a run also if its status changed. With
 * `exact`, the check fails if any figure differs.
 *
 * The output begins with the causes of the changes in all files, the worst cause first, each with
 * its worst figures, which are means over the seeds. To find the cause of a changed figure,
 * `check` takes the stage whose time changed most. The cause is a constant that was charged to
 * this stage, and whose value differs from the baseline. If there are several such constants, it
 * is the one whose charge changed most. A constant that keeps a resource busy is often charged to
 * no critical path: if only times of waiting changed, the cause is a constant that makes others
 * wait in this stage. If only one changed constant can change the figure, it is the cause in any
 * case. If there is no such constant, only the stage is named.
 *
 * The JSON output has these members ("objects: a, b" is a list of objects with the members a, b):
 *   scenario, baseline (both null if there are several files), runs, figures,
 *   counts {worse, better, tolerated},
 *   files: objects: file, and all other members of this list for this file alone;
 *   causes: objects: constant (null: stages that no constant moved), old, new ("350 ns"; null:
 *     there is no value), figures, runs, scenarios, worse, better (of these figures), basis
 *     ("charged": critical paths are charged for the constant; "waits": it only makes others wait;
 *     "only": no other changed constant can be the cause; null: it explains no figure, or there is
 *     no constant), first_order (by which share it prolongs critical paths to first order; null:
 *     unknown), and stages: objects: the members of `stages` in `changes`, and figures, runs,
 *     scenarios;
 *   changes: objects: scenario, verdict ("worse", "better", "tolerated"), what ("figure", "status",
 *     "missing", "extra"), keys {name: text}, metric (null for whole runs), unit, old, new (null:
 *     there is no value), change (ratio, or null), and stages: objects: stage, label, old, new
 *     (means over operations, ps), sorted by the size of the change in the verdict's direction */
#ifndef ANALYSIS_CHECK_H
#define ANALYSIS_CHECK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* A tolerance. `metric` is the name of a figure, or one or more components of such a name: "p99",
 * "latency", "enqueue_workload.latency.p99". */
struct check_tolerance {
	const char *metric;
	double percent;
};

enum check_form { CHECK_TEXT, CHECK_MARKDOWN, CHECK_JSON };

struct check_options {
	const char *const *baselines; /* YAML files, or folders that contain SCENARIO.yaml */
	uint32_t baseline_count;      /* one baseline for all result files, or one for each */
	bool update;		      /* write the baselines instead of comparing */
	bool exact;		      /* fail on every difference, even better or tolerated ones */
	bool rows;		      /* the text lists every change of every seed */
	const char *junit;	      /* path of a JUnit file to write; NULL: none */
	enum check_form form;
	const struct check_tolerance *tolerances; /* the last match applies */
	uint32_t tolerance_count;
};

/* Compares all files with their baselines and prints the result to `out`, or writes the baselines.
 * Returns an exit code:
 *    0: no figure is worse
 *    1: a figure is worse, or with `exact`, a figure differs
 *    2: a bad result file, a bad baseline, or a tolerance that fits no figure
 *    3: there is no baseline
 * Before it returns 2, it prints a message on standard error. If one file cannot be compared, it
 * still compares the others, and returns the highest code of all files. */
int analysis_check(
	const char *const *files, uint32_t count, const struct check_options *options, FILE *out);

struct cpu_time_options {
	const char *baseline; /* path of a YAML file, in a format of its own */
	bool update;	      /* write the baseline instead of comparing */
	double percent;	      /* differences of the medians below this are ignored */
};

/* Checks the simulator's own CPU time. `files` are result files of repeated runs of one scenario,
 * one file for each run. They are compared with a baseline of repeated runs by a Mann-Whitney rank
 * test (one-sided, at 1 %), and the difference of the medians is printed. The files and the
 * baseline need at least REPETITIONS_LEAST repetitions each, made on one machine and with one
 * build. The exit codes are those of analysis_check(). */
int analysis_check_cpu_time(const char *const *files, uint32_t file_count,
	const struct cpu_time_options *options, FILE *out);

enum { REPETITIONS_LEAST = 9 };

#endif

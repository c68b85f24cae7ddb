/* `meshsim compare`: which design wins, by how much, why, for which values of the keys another
 * design wins, and whether the verdict holds with other costs. These functions only read the file.
 * The caller makes the runs that --refine and --robust need, through struct compare_rerun_ops.
 *
 * A question is about a swept key, or about several keys if maps in the sweep set them together.
 * The options of a question, which are the values of its keys, are compared in every context: in
 * every combination of the other keys. If only some maps have a key (for example `initiators`, only
 * for a broadcast), this key has its own question, about the runs that have the key. Questions
 * about other keys then use the best value of this key. The keys of the workload, the platform, the
 * model and the shape of the mesh are conditions. There are questions about conditions only if --by
 * asks for them, or if no other keys are swept. docs/verdicts.md describes the metrics and the
 * rules of verdicts.
 *
 * If there are two files, they must be of one scenario, and the question for each point is which
 * file is better. Runs are matched by the values of their keys; a key that only one file sweeps has
 * its fixed value in the other. The output lists the runs and steps that only one file has, and
 * which program, keys of the scenario and constants of the platform differ.
 *
 * The JSON output has these members ("objects: a, b" is a list of objects with the members a, b).
 * Times are in ps:
 *   pair          only if there are two files: files (two texts), differences: objects: what,
 *                 first, second; more (bool: there may be further differences); alone: objects:
 *                 file, what
 *   kind, metric, reason, statistic, tie_band: those of the first subject
 *   points        objects: subject, run, status, seeds, keys {name: text}, operations, value,
 *                 p50, p90, p99, mean, throughput (1/s), bandwidth (B/s, of transfers),
 *                 makespan, host_cpu (ps per operation; missing if it is known only for more
 *                 work than the subject's), controller_cpu (the controller's part of host_cpu;
 *                 only for machines of several hosts), saturated (bool, only for open loops:
 *                 completions are slower than arrivals), needed (if there is no steady state:
 *                 number of operations that would probably reach one)
 *   best          objects: context (of conditions), run, value, next (the second best run, or
 *                 null), margin, decided (bool), rests_on (the guessed constant that moves the
 *                 margin most, or null), guesses (number of such constants), choices (as
 *                 below), words
 *   trust         platforms: objects: platform, measured, fitted, published, assumed
 *                 (constants), figures (measured on it), words; errors (of the model, in words)
 *   also_measured  kinds of operation that do work but have no question, because the user chose
 *                 no kind and another kind is the default; not in reports
 *   advice        objects: why, command: what to try next; not in reports
 *   questions     objects:
 *     question, subject, metric, reason, seeds, outcome ("wins", "depends", "trade-off",
 *     "undecided", "fragile", "conditional": wins, but not with another value of an unswept
 *     choice), leader (the best in the focus), winner (text or null), verdict (the sentence
 *     that the text output prints)
 *     items       objects: item, parts (texts): what the text output says, in the same words,
 *                 but not shortened
 *     sides       objects: option (the cheaper one), figure, margin, low, high, interval, sure,
 *                 words
 *     ends        objects: option, context, run, status, words: options whose runs failed in a
 *                 context. If the winner of the focus is one of them, the question has no
 *                 winner
 *     contexts    objects: context, keys {name: text}, ranking: objects: option, label (with
 *                 the best values of its other keys), run, value, margin (how much larger than
 *                 the best value, as a share), low, high (95 %; null if there is no interval),
 *                 interval ("seeds": between seeds; "run": from the operations of one run;
 *                 "none"), words, few (bool: the margin decides nothing, for example because a
 *                 percentile has too few operations), tied
 *     focus       the context in which the verdict is explained; the members below are about it
 *     model_error null, or why a statistically clear margin stays undecided: family, machine,
 *                 basis ("own", "other machines", "other machines, all families", "family"),
 *                 error, rows, part, most (analysis/operations/charges.h)
 *     model_owed  null, or the error of the model that could move a sole winner's margin most
 *                 (members as in model_error)
 *     mechanism   null, or: first, second (runs), stage, stages: objects: stage, difference
 *     crossovers  objects: key, context, below, above (options), at, low, high, refined,
 *                 saturated (option that is saturated at an end, or null)
 *     hint        null, or where the verdict may flip, which too few seeds do not show
 *     front       objects: option, value, host_cpu: options that no other option beats in both
 *     choices     objects: key, value (the present one), part (of the margin, to first order),
 *                 others (other values), trials (of --robust: objects: value, margin (null if a
 *                 design could not run), rival, same (bool: all designs take the same time),
 *                 idle (bool: the swept keys have no effect), equal (bool: the options
 *                 are equal as they stand, so there is no winner; rival is then the best in
 *                 the trial, and margin how much less it takes than the next), breaks (bool:
 *                 the verdict does not hold), why)
 *     rests_on    objects: constant, value, unit, kind, effect (relative change of the margin
 *                 when the constant changes by 30 %; null if not tried), words
 *     robust      null, or: held, tried, failed, untried (cases that would have taken too
 *                 long), runs, breaks (texts), failures (texts: network
 *                 or group of costs, design, and why it could not run), cases: objects: with
 *                 (what was changed), single (bool: one constant, not counted in tried),
 *                 margin, rival, failure, words
 *     joint       null if it is unknown, or the result of drawing all costs together
 *                 (docs/verdicts.md): basis ("first order", "confirmed" or "corrected" by
 *                 reruns, or "reruns" alone), draws, reruns, failed, runs, failure, error (of
 *                 the first order), precision (half of the 95 % interval of the leader's
 *                 chance), options: objects: option, label, chance (that it is the best); low,
 *                 middle, high (5 %, 50 % and 95 % quantiles of the margin over the second
 *                 option); costs: objects: constant, kind, factor, first, total (shares of the
 *                 variance of the margin's logarithm); together: null, or the groups of costs
 *                 that reverse the verdict if each changes by 30 %: groups, count, rival,
 *                 margin, measured */
#ifndef ANALYSIS_COMPARE_H
#define ANALYSIS_COMPARE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/table/registry.h"

/* One change for a rerun: the path of a key of the effective scenario or of the platform, such as
 * "platform.host.switch.value", and the key's new value as YAML. */
struct compare_change {
	const char *path, *value;
};

/* A run that the caller of analysis_compare() makes. */
struct compare_rerun {
	/* effective YAML of the original run; `platform` may be NULL if the scenario names it */
	const char *scenario, *platform;
	const struct compare_change *changes;
	uint32_t change_count;
	/* If one of them is set, critical paths are computed only for operations of this step or
	 * this kind, and, if `path_latency` is set, of the latency of each operation. */
	const char *path_step, *path_kind;
	bool path_latency;
	bool good;	  /* out: the run ran to its end */
	char result[512]; /* out, if good: result file of the run; the caller of `run` removes it */
	char why[160];	  /* out: why the run failed, in a few words; "" if good */
	/* out, if good: keys without effect in this run, each with a space before and behind it */
	char idle[512];
};

struct compare_rerun_ops {
	void *context;
	const struct registry *networks; /* values of model.network to try; NULL: none */

	/* Returns how many times as long as network `packet` a run with this network takes; NULL:
	 * each takes as long */
	double (*slowness)(const char *network);

	/* Makes all runs, possibly several at a time, and fills in their results. */
	void (*run)(void *context, struct compare_rerun *reruns, uint32_t count);
};

/* An option of `meshsim run`. */
struct compare_option {
	const char *name; /* long name, such as "jobs" for --jobs; NULL: none */
	char letter;	  /* short name, such as 'j' for -j; 0: none */
	bool has_value;
};

struct compare_options {
	/* each entry asks a question: it lists swept keys, or parts of their names, separated by
	 * commas */
	const char *const *by;
	uint32_t by_count;
	const char *kind, *step, *program; /* select the operations to compare; NULL: any */
	const char *metric;		   /* NULL: the scenario's, or that of the default rule */
	const char *second;		   /* path of another file of the same scenario, or NULL */
	/* number of draws of all costs together that --robust reruns; the chances are computed from
	 * these reruns alone. 0: --robust reruns a fixed number of draws (docs/verdicts.md), which
	 * only correct the chances that were estimated to first order */
	uint32_t draws;
	/* The options of `meshsim run`, for commands in the advice that make result files. An
	 * option without name and letter ends the list. NULL: the advice has no commands that make
	 * result files. */
	const struct compare_option *run_options;
	bool robust, refine, json, color;
	bool wide; /* print all columns, even if rows are wider than the terminal */
};

/* Prints the comparison to `out`. `rerun_ops` may be NULL if the options set neither robust nor
 * refine. Returns an exit code: 0, or 2 after a message on standard error. */
int analysis_compare(const char *file, const struct compare_options *options,
	const struct compare_rerun_ops *rerun_ops, FILE *out);

/* Prints the best point of a sweep. Prints nothing if no key is swept, or if all runs failed. If
 * `wide` is set, lines may be as wide as the terminal, or of any width if the output is not a
 * terminal. */
void analysis_best(const char *file, bool wide, FILE *out);

/* Returns an estimate of how many seeds each point needs for a given precision, made from the seeds
 * of the file. The precision is reached if the 95 % interval of each question's margin extends by
 * at most `precision`, a share, to either side. Returns 0 if the file has enough seeds, or if more
 * seeds would not help. */
uint32_t analysis_seeds(const char *file, double precision);

#endif

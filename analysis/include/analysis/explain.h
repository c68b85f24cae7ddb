/* `meshsim explain`: where the time of a run goes, or why one run takes longer than another.
 * Splits the critical paths of the median, the p99 and the mean operation into stages. The
 * differences of the stages sum to the difference of the whole path, to the picosecond. Also
 * shows the constants that the path is charged for, and the links, cores and queues whose load
 * differs most. It only reads files and makes no runs.
 *
 * The text begins with the conclusion. This sentence names the parts of the machine that take
 * the time of the median operation, or of another statistic that the user chose. For two runs,
 * it names the parts that cause the difference. If both designs have runs of several seeds, it
 * gives the margin over these seeds, which is the margin of `compare`. Two runs that differ by
 * less than 0.1 % tie: the sentence then gives no part and no constant as the reason. The table
 * of the stages follows. With `all`, the other tables follow, too. In these, several loads
 * (links, cores or queues) become one row with their mean if their names differ only in numbers
 * and their figures by less than 5 %. The JSON has all tables, and a row for each load.
 *
 * If there are two files, a table compares the runs that have the same keys and seed in both
 * files, and the pair of runs whose medians differ most is explained. If the user gives two
 * runs, the first is a run of the first file, and the second a run of the second file.
 *
 * The JSON output has these members ("objects: a, b" is a list of objects with the members a,
 * b). Times are in ps; "two numbers" are those of the first and of the second run:
 *   kind, metric, unit "ps"
 *   runs          two objects: run, status, count, keys (a text)
 *   conclusion    sentence, value (two numbers: the median, or the statistic that the user
 *                 chose), seeds and margin (of two designs, over the seeds that both have),
 *                 parts: objects: part, label, value (two numbers, which sum over the parts to
 *                 the whole), difference, largest (the label of its largest stage);
 *                 last_chip_after (two numbers, if known: the median time from the start of the
 *                 first chip to that of the last)
 *   paths         "p50", "p99", "mean": objects with these members:
 *     value       two numbers, times of the whole path; `mean` has sums over all operations,
 *                 and `count` is the number of operations in each sum
 *     difference  second minus first; `mean` does not have it if the counts differ
 *     stages      objects: stage, label, value (two numbers), difference
 *   constants     the constants that an operation's path was charged for, the largest
 *                 differences first: name, value (two numbers, ps per operation), difference
 *   matched       if there are two files, their runs with the same keys: objects: keys, runs,
 *                 value (medians)
 *   links, cores  objects with the largest differences first: name, busy (two numbers, ps)
 *   queues        the deepest of either run: name, high_water, capacity, blocked_time (two
 *                 numbers each)
 *   not_apart     texts: stages that contain several activities which marks cannot separate */
#ifndef ANALYSIS_EXPLAIN_H
#define ANALYSIS_EXPLAIN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct explain_options {
	const char *second; /* path of another file of the same scenario, or NULL */
	bool chosen;	    /* true: `runs` is given, which is optional if there are two files */
	uint32_t runs[2];   /* if both are the same run, only this run is explained */
	/* "KIND" or "KIND/STEP". NULL: enqueue_workload if there are such operations, otherwise the
	 * most frequent kind. If several named steps have this kind, only the most frequent step is
	 * explained, because a median over two programs has no meaning. */
	const char *kind;
	/* A metric of metric.def, "completion" or "round", followed by .p50 (the default), .p90,
	 * .p99, .p99_9, .max or .mean. Also "interval" or "bandwidth", which mean the same as in
	 * `compare`. NULL stands for "round" if a step is repeated, otherwise for "latency". */
	const char *metric;
	bool all; /* print all tables, not only the stages of the explained figure */
	bool json, color;
};

/* Prints the explanation to `out`. Returns an exit code: 0, or 2 after a message on standard error.
 * The code is 2 if a run, kind or metric does not exist, or if a file cannot be read. */
int analysis_explain(const char *file, const struct explain_options *options, FILE *out);

#endif

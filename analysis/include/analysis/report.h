/* `meshsim report`: one result file as one HTML page, which needs no other file and no network. The
 * page shows verdicts, latencies, scaling, load of links, critical paths, threads, firmware,
 * queues, the simulator's errors against hardware, the scenario and the constants. The functions
 * here only read the result file. The caller makes the runs that verdicts need, and supplies the
 * errors.
 *
 * The page has its figures as JSON in two script elements: `model`, which is byte-identical for
 * identical results, and `host`, which has the facts about the machine and the day. Times are in
 * ps. The model has these members:
 *
 *   format        1
 *   scenario      name, description
 *   file          attributes of the file's root
 *   writer        version and commit of the program that wrote the page
 *   keys          names of the swept keys
 *   short_keys    for each of these names, the shortest ending that no other column has
 *   runs          columns with one entry for each run: run, status, seed, keys (a column per key),
 *                 totals, and the messages of runs that did not end well
 *   kinds         per kind of operation: columns count, throughput, bandwidth, and the percentiles
 *                 of each metric
 *   compare       the document of analysis/compare.h; null if there is none, and then the member
 *                 `compare_why` has the reason
 *   distributions per kind and metric, for each run: n (number of samples), v (sorted values,
 *                 either all of them or those at the ranks r)
 *   paths         per kind and metric: stages (the names of those that took time), and for each
 *                 run p50, p99 and mean: lists with the time of each of these stages
 *   geometries    meshes of the runs: rows, columns, wrap, pairs of joined chips, links of each
 *   details       for as many runs as fit: geometry, load of links and chips, threads, firmware by
 *                 role, queues, operations in flight over time, and trace, which is null if the
 *                 run recorded no trace. trace has labels and, for the eight slowest operations,
 *                 the critical path, what chips did, and the deepest queues. These are flat lists:
 *                 label, start, end, label, start, end, ...; for queues time, depth, time, depth,
 *                 ... Times begin at the call of the operation
 *   platforms     the constants of the first platform, and the differences of the others
 *   scenarios     effective scenarios of the runs in `details`, each once
 *   errors        the error table that the caller supplied, or null */
#ifndef ANALYSIS_REPORT_H
#define ANALYSIS_REPORT_H

#include <stdbool.h>

#include "analysis/compare.h"
#include "base/text.h"

struct report_options {
	struct compare_options compare;
	const char *writer_version, *writer_commit;
	bool model_only; /* write the JSON model instead of the page */

	/* Appends the table of the simulator's errors against hardware to `out`, as JSON. If this
	 * member is NULL, the page has no table of errors. */
	void (*errors)(const void *context, struct text *out);
	const void *errors_context;
};

/* Writes the report of `file` to `path` (base/output.h; "-": standard output). `rerun_ops` makes
 * the runs that verdicts need, as in analysis_compare(). Returns an exit code: 0, or 2 after a
 * message on standard error. */
int analysis_report(const char *file, const struct report_options *options,
	const struct compare_rerun_ops *rerun_ops, const char *path);

/* The functions below write a page that compares predicted figures with measured ones. It looks
 * like the report. The caller supplies the table of the figures; no scenario is run. */

/* Returns true if `path` may be written (base/output.h). If not, prints a message on standard error
 * and returns false. */
bool analysis_errors_page_check(const char *path);

/* Writes the page to `path` (base/output.h; "-": standard output). `table` is the error table as
 * JSON, in the form of the member `errors` of a report's model. `commit` names the program that
 * made the table. Returns false after a message on standard error. */
bool analysis_errors_page(const char *table, const char *commit, const char *path);

/* `meshsim history`: draws figures over a series of result files, as a page in the style of the
 * report. The page has a chart for each scenario and figure, with a line for each run. A figure
 * may change from one file to the next by more than chance explains. The chart marks this place,
 * and names the stage and the constant whose times changed most. Files are sorted by their
 * recorded creation time, then by name. */

enum {
	HISTORY_FILES_MAX = 400,  /* most files that are read: the last ones by name */
	HISTORY_RUNS_MAX = 32,	  /* most runs of a scenario that are drawn, a line for each */
	HISTORY_STEPS_MAX = 2000, /* maximum number of steps (changes of figures) that are kept */
};

struct history_options {
	const char *folder, *output; /* output: see base/output.h; "-": standard output */
	bool by_name;		     /* sort files by name, not by time */
	bool model_only;	     /* write the figures as JSON instead of the page */
};

/* Writes the page. Files that cannot be read are named on standard error and left out. Returns an
 * exit code: 0, or 2 after a message on standard error if the folder does not exist or has no
 * result file, or if the page cannot be written. */
int analysis_history(const struct history_options *options);

#endif

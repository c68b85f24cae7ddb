/* `meshsim report`: one result file as one HTML page that needs no other file and no network. The
 * page shows verdicts, latencies, scaling, load of links, critical paths, threads, firmware,
 * queues, the simulator's errors against hardware, scenario and constants. The functions here only
 * read the result file; the caller makes the runs that verdicts need, and supplies the errors.
 *
 * The page holds its figures as JSON in two script elements: `model`, which is byte-identical for
 * identical results, and `host`, with the facts about the machine and the day. Times are in ps. The
 * model has these members:
 *
 *   format        1
 *   scenario      name, description
 *   file          attributes of the file's root
 *   writer        version and commit of the program that wrote the page
 *   keys          names of the swept keys
 *   short_keys    the shortest endings of these names that differ from all other columns
 *   runs          columns: run, status, seed, keys (a column per key), totals, and the messages of
 *                 runs that did not end well
 *   kinds         per kind of operation: columns count, throughput, bandwidth, and the percentiles
 *                 of each metric
 *   compare       the document of analysis/compare.h, or null with `compare_why`
 *   distributions per kind and metric, for each run: n (number of samples), v (sorted values,
 *                 either all of them or those at the ranks r)
 *   paths         per kind and metric: stages (those that took time), and for each run p50, p99
 *                 and mean over these stages
 *   geometries    meshes of the runs: rows, columns, wrap, pairs of joined chips, links of each
 *   details       of as many runs as fit: geometry, load of links and chips, threads, firmware by
 *                 role, queues, operations in flight over time; trace (null if none was recorded):
 *                 labels, and of the eight slowest operations their critical path, what chips did,
 *                 and the deepest queues. Times there count from the call, in flat lists of label,
 *                 start, end, or of time and depth
 *   platforms     constants of the first platform, and the differences of the others
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

	/* Appends the table of errors against hardware as JSON. NULL: the page has no such table.
	 */
	void (*errors)(const void *context, struct text *out);
	const void *errors_context;
};

/* Writes the report of `file` to `path` (base/output.h; "-": standard output). `rerun_ops` is as
 * for analysis_compare(). Returns an exit code: 0, or 2 after a message on standard error. */
int analysis_report(const char *file, const struct report_options *options,
	const struct compare_rerun_ops *rerun_ops, const char *path);

/* A page that draws predicted figures against measured ones, in the style of the report. The caller
 * supplies the table; nothing is run. */

/* True if `path` may be written (base/output.h); false after a message on standard error. */
bool analysis_errors_page_check(const char *path);

/* Writes the page to `path` (base/output.h; "-": standard output). `table` is the error table as
 * JSON, in the form that a report's model holds it; `commit` names the program that made it.
 * Returns false after a message on standard error. */
bool analysis_errors_page(const char *table, const char *commit, const char *path);

#endif

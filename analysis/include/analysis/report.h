/* `meshsim report`: one result file as one HTML page that needs no other
 * file and no network: verdicts, latencies, scaling, load of links, critical paths, threads,
 * firmware, queues, the simulator's errors against hardware, scenario and constants. Reads the
 * result file only; runs that the verdicts ask for, and the errors, come from whoever calls.
 *
 * The page holds its figures as JSON in two script elements: `model`, whose bytes are the same
 * every time, and `host`, which is about the machine and the day. Times are in ps. The model has
 *   format        1
 *   scenario      name, description
 *   file          attributes of the file's root
 *   writer        version and commit of the program that wrote the page
 *   keys          names of the swept keys
 *   short_keys    the last parts of each, as many as tell it from all other columns
 *   runs          columns: run, status, seed, keys (a column per key), totals, messages of those
 *                 that did not end well
 *   kinds         per kind of operation: columns count, throughput, bandwidth, and of each metric
 * percentiles compare       the document of analysis/compare.h, or null with `compare_why`
 *   distributions per kind and metric, per run: n, v: sorted values, all of them or those at the
 *                 ranks r
 *   paths         per kind and metric: stages (those that took time), per run: p50, p99 and mean
 *                 over these stages
 *   geometries    meshes that runs have: rows, columns, wrap, pairs of joined chips, links of each
 *   details       of as many runs as fit: geometry, load of links and chips, threads, firmware by
 *                 role, queues, operations in flight over time; trace (null: none was recorded):
 *                 labels, and of the eight slowest operations their critical path, what chips did,
 * and the deepest queues: times from the call, flat lists of label, start, end, or of time and
 * depth platforms     constants of the first, and what differs in the others scenarios effective
 * scenarios of runs in `details`, each once errors        what was passed, or null */
#ifndef ANALYSIS_REPORT_H
#define ANALYSIS_REPORT_H

#include "analysis/compare.h"
#include "base/text.h"

struct report_options {
	struct compare_options compare;
	const char *writer_version, *writer_commit;
	bool model_only; /* writes the JSON of the model in place of the page */

	/* Appends an error table against hardware as JSON; NULL: it is left out. */
	void (*errors)(const void *context, struct text *out);
	const void *errors_context;
};

/* Writes `path` (base/output.h; "-": standard output). `rerun_ops` as of analysis_compare(). An
 * exit code: 0; 2 after a message on standard error. */
int analysis_report(const char *file, const struct report_options *options,
	const struct compare_rerun_ops *rerun_ops, const char *path);

#endif

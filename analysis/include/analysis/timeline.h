/* `meshsim timeline`: one run as a trace for ui.perfetto.dev or
 * chrome://tracing. Reads the result file only. Its tracks:
 *
 *   host N          a track per thread: the calls of operations
 *   command queues  a track per queue: operations from call to completion, and a counter of those
 *                   in flight; overlapping ones share the name and lie below each other
 *   stages          a track per stage of the dispatch path: an operation's slices lie end to end,
 *                   from the call to the completion, and sum to its latency; a slice ends when the
 *                   last device has passed. A flow leads from the call through all of them
 *   traced: ...     of the operations that measure.trace chose: where their latency went, end to
 *                   end; what each chip did from mark to mark; threads, processors and links when
 *                   they were busy or waited; slots in use as counters. Many processors of
 *                   one role on a chip are a counter of the busy ones
 *   ... sums ...    threads, links, firmware stages and queues: what the file has of them is sums
 *                   over the run, drawn end to end from 0 (threads: from their start), not in the
 *                   order in which they happened; only those that did anything, of
 *                   the processors of one role on a chip only the busiest
 *
 * Every slice has the argument duration_ps: Perfetto's own format counts in ns, so that bounds of
 * slices are rounded down there. Chrome's JSON is exact. */
#ifndef ANALYSIS_TIMELINE_H
#define ANALYSIS_TIMELINE_H

#include <stdint.h>
#include <stdio.h>

/* Writes run `run` of `file` to `path` (base/output.h; "-": standard output): Chrome's JSON if it
 * ends in ".json", else Perfetto's protobuf. Says on `out` what it wrote, unless it went there. An
 * exit code: 0; 2 after a message on standard error. */
int analysis_timeline(const char *file, uint32_t run, const char *path, FILE *out);

#endif

/* `meshsim timeline`: one run as a trace for ui.perfetto.dev or chrome://tracing. Reads the result
 * file only. The tracks are:
 *
 *   host N          a track per thread: the calls of operations
 *   command queues  a track per queue: operations from call to completion, and a counter of those
 *                   in flight. Overlapping operations lie below each other under the same name
 *   stages          a track per stage of the dispatch path. An operation's slices lie end to end,
 *                   from the call to the completion, and sum to its latency. A slice ends when the
 *                   last device has passed. A flow leads from the call through all of them
 *   traced: ...     the operations that measure.trace chose: where their latency went, end to end;
 *                   what each chip did from mark to mark; when threads, processors and links were
 *                   busy or waited; slots in use as counters. Many processors of one role on a chip
 *                   are drawn as one counter of the busy ones
 *   ... sums ...    threads, links, firmware stages and queues. The file holds only sums over the
 *                   run for these; they are drawn end to end from 0 (threads: from their start),
 *                   not in the order in which they happened. Only those that did anything are
 *                   drawn, and of the processors of one role on a chip only the busiest
 *
 * Every slice has the argument duration_ps. Perfetto's own format counts in ns, so bounds of slices
 * are rounded down there. Chrome's JSON is exact. */
#ifndef ANALYSIS_TIMELINE_H
#define ANALYSIS_TIMELINE_H

#include <stdint.h>
#include <stdio.h>

/* Writes run `run` of `file` to `path` (base/output.h; "-": standard output), as Chrome's JSON if
 * `path` ends in ".json", otherwise as Perfetto's protobuf. Prints a line about the written trace
 * to `out`, unless the trace itself goes to standard output. Returns an exit code: 0, or 2 after a
 * message on standard error. */
int analysis_timeline(const char *file, uint32_t run, const char *path, FILE *out);

#endif

/* `meshsim timeline`: one run as a trace for ui.perfetto.dev or chrome://tracing. Reads only the
 * result file. The trace has these groups of tracks:
 *
 *   host N          a track for each thread, with its calls of operations
 *   command queues  a track for each queue, with its operations from call to completion, and a
 *                   counter of operations in flight. If operations overlap, the queue has several
 *                   tracks of the same name
 *   stages          a track for each stage of the dispatch path. The slices of an operation lie end
 *                   to end, from the call to the completion, and sum to its latency. A slice ends
 *                   when the last device has passed the stage. A flow connects an operation's call
 *                   with all of its slices
 *   traced: ...     the operations that measure.trace chose: the parts of their latency, end to
 *                   end; the work of each chip from mark to mark; the times when threads,
 *                   processors and links were busy or waited; counters of slots in use. If a chip
 *                   has many processors of one role, one counter shows how many of them are busy
 *   ... sums ...    threads, links, firmware stages and queues, for which the file has only sums
 *                   over the run. The sums are drawn end to end from 0 (threads: from their start),
 *                   not in the order of events. Parts that did nothing are left out. Of the
 *                   processors of one role on a chip, only the busiest is drawn
 *
 * Every slice has the argument duration_ps. Perfetto's own format counts in ns, so the bounds of
 * slices are rounded down there. Chrome's JSON is exact. */
#ifndef ANALYSIS_TIMELINE_H
#define ANALYSIS_TIMELINE_H

#include <stdint.h>
#include <stdio.h>

/* Writes run `run` of `file` to `path` (base/output.h; "-": standard output): as Chrome's JSON if
 * `path` ends in ".json", otherwise as Perfetto's protobuf. Prints a line about the trace to `out`,
 * unless the trace itself goes to standard output. Returns an exit code: 0, or 2 after a message on
 * standard error. */
int analysis_timeline(const char *file, uint32_t run, const char *path, FILE *out);

#endif

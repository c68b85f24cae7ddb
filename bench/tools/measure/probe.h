/* The interface of probes. A probe runs real code repeatedly, and computes figures from the times.
 * Each probe has its own file and an entry in probes.c. Only for files of this folder and its
 * subfolders. */
#ifndef BENCH_TOOLS_MEASURE_PROBE_H
#define BENCH_TOOLS_MEASURE_PROBE_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/tools/measure/measure.h"

/* How often and how long probes measure. */
struct pace {
	uint32_t rounds; /* number of short runs, one after the other */
	int64_t round_ns;
	uint32_t bursts;	 /* number of bursts of unanswered messages, for each size */
	uint32_t events;	 /* number of wake-ups, starts of threads and the like */
	uint32_t exchanges_max;	 /* most answered messages for each size */
	int64_t exchanges_ns;	 /* most time for the answered messages */
	const uint32_t *sizes;	 /* sizes of messages, ending with a 0 */
	const uint32_t *members; /* numbers of members, ending with a 0; the first is 1 */
};

struct probing {
	struct measurement *out;
	const struct pace *pace;
	const struct probe *probe;
	const struct measure_options *options;
};

struct probe {
	const char *name;
	const char *what; /* one-line description */
	void (*run)(struct probing *probing);
};

/* Calls `run` in rounds that take about pace->round_ns. Adds a sample for each round: the CPU time
 * of this thread in the round, in ns per call. */
void probe_rounds(const struct pace *pace, void (*run)(void *argument, uint32_t calls),
	void *argument, struct samples *samples);

/* Adds a figure that has no value yet, and returns it. Texts are copied. */
struct figure *probe_figure(
	struct probing *probing, const char *name, const char *unit, const char *how);

/* Adds the median of the samples, multiplied by `scale`. */
void probe_median(struct probing *probing, const char *name, const char *unit, double scale,
	struct samples *samples, const char *how);

/* Adds the figure `name`. Its value is `scale` times term number `term` of the fitted line
 * `regression`. It has no value if there is no line (NULL), or if figure_refusal() gives a
 * reason. */
void probe_term(struct probing *probing, const char *name, const char *unit, double scale,
	const struct regression *regression, uint32_t term, const char *how);

/* Like probe_term(), for a term in ns per byte. The figure is in bytes per second. */
void probe_rate(struct probing *probing, const char *name, const struct regression *regression,
	uint32_t term, const char *how);

/* Adds a figure without a value. `why` is the reason. */
void probe_refuse(struct probing *probing, const char *name, const char *how, const char *why);

/* Shows on a terminal what is being measured. */
void probe_say(const struct probing *probing, const char *detail);

/* The probes by index, in the order in which they run; NULL past the last. */
const struct probe *probe_at(uint32_t index);

extern const struct probe probe_machine, probe_commands, probe_queues, probe_allocator,
	probe_layout, probe_copies, probe_monitor, probe_spin, probe_switch, probe_spawn,
	probe_wake, probe_codecs, probe_transports;

/* Flushes memory from all caches. */

/* Writes `bytes` bytes of memory back from all caches, and evicts them. Returns false and does
 * nothing if this processor has no instructions for this. */
bool cool(const void *memory, uint64_t bytes);

/* ---- parts of the probe of transports ---- */

struct exchange;
struct transport_row;

/* Measures bursts of unanswered messages, and computes the constants of a transport from these. */

/* CPU time per message in ns, on the sending and on the receiving side. On each side, there is the
 * time of the thread that calls the library, and the time of the library's own threads. */
struct burst {
	uint32_t members, bytes, round;
	double send_ns, send_library_ns, receive_ns, receive_library_ns;
};

/* Sends a burst of messages of burst->bytes bytes to all members, and stores its times in *burst.
 * `apart` means that the hub and the members run on different cores. */
void burst_measure(const struct exchange *exchange, bool apart, struct burst *burst);

/* Adds the figures of a transport that follow from bursts. `count` is 0 if the process that
 * measures bursts did not finish; the figures then have no values. */
void bursts_fit(
	struct probing *probing, const char *transport, const struct burst *bursts, uint32_t count);

/* Adds the cost of waiting for a message in the library of a transport, computed from its
 * timings. */
void waits_fit(struct probing *probing, const struct transport_row *row);

#endif

/* Interface of probes. A probe runs real code repeatedly and adds figures. Each has a file and a
 * row in probes.c. Private to the room. */
#ifndef BENCH_TOOLS_MEASURE_PROBE_H
#define BENCH_TOOLS_MEASURE_PROBE_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/tools/measure/measure.h"
#include "bench/tools/measure/regression.h"

/* Numbers of repetitions and durations. */
struct pace {
	uint32_t rounds; /* of short runs, one after the other */
	int64_t round_ns;
	uint32_t bursts;	 /* of unanswered messages, at each size */
	uint32_t events;	 /* wake-ups, starts of threads and the like */
	uint32_t exchanges_max;	 /* most answered messages, at each size */
	int64_t exchanges_ns;	 /* time for them */
	const uint32_t *sizes;	 /* of messages, up to a 0 */
	const uint32_t *members; /* numbers of members, up to a 0; the first is 1 */
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

/* Runs `run` in rounds of about pace->round_ns; samples are CPU time of this thread, ns per call.
 */
void probe_rounds(const struct pace *pace, void (*run)(void *argument, uint32_t calls),
	void *argument, struct samples *samples);

/* Adds a figure without a value yet; texts are copied. */
struct figure *probe_figure(
	struct probing *probing, const char *name, const char *unit, const char *how);

/* Adds the median of the samples, each times `scale`. */
void probe_median(struct probing *probing, const char *name, const char *unit, double scale,
	struct samples *samples, const char *how);

/* Adds a term of a line, times `scale`; without a value if its spread is larger, or if there is no
 * line (`regression` NULL). */
void probe_term(struct probing *probing, const char *name, const char *unit, double scale,
	const struct regression *regression, uint32_t term, const char *how);

/* The same for a term in ns per byte, as bytes per second. */
void probe_rate(struct probing *probing, const char *name, const struct regression *regression,
	uint32_t term, const char *how);

/* Adds a figure without a value, and the reason. */
void probe_refuse(struct probing *probing, const char *name, const char *how, const char *why);

/* Shows on a terminal what is being measured. */
void probe_say(const struct probing *probing, const char *detail);

/* The probes by index, in the order in which they run; NULL past the last. */
const struct probe *probe_at(uint32_t index);

extern const struct probe probe_machine, probe_commands, probe_queues, probe_allocator,
	probe_layout, probe_copies, probe_monitor, probe_spin, probe_switch, probe_spawn,
	probe_wake, probe_codecs, probe_transports;

/* Flushing memory from all caches. */

/* Writes `bytes` back to memory and evicts them from all caches. False, without effect, if this
 * processor cannot do that. */
bool cool(const void *memory, uint64_t bytes);

#endif

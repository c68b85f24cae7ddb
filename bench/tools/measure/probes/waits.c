/* Computes the cost of waiting for a message (probe.h). In a round trip on one core, each side
 * sends, waits and receives. The cost of the wait is the CPU time of a side minus four known costs.
 * Two of them, sending and receiving, are measured in bursts, in which no side waits. The other
 * two, the context switch and the wake-up, are constants of the host. */
#include "bench/tools/measure/exchange.h"
#include "probe.h"
#include "transport/rows.h"

#include <math.h>
#include <string.h>

#include "bench/tools/measure/samples.h"

static const struct timing *smallest(
	const struct measurement *measured, const char *transport, enum where where)
{
	for (uint32_t i = 0; i < measured->timing_count; i++) {
		const struct timing *timing = &measured->timings[i];

		if (strcmp(timing->transport, transport) == 0 && timing->where == where &&
			timing->members == 1)
			return timing;
	}
	return NULL;
}

/* The value of a figure; NAN if it was not measured. */
static double waits_value_of(const struct measurement *measured, const char *name)
{
	for (uint32_t i = 0; i < measured->figure_count; i++)
		if (strcmp(measured->figures[i].name, name) == 0 && !measured->figures[i].refused)
			return measured->figures[i].value;
	return NAN;
}

static void waits_add(struct probing *probing, const char *transport, const char *constant,
	double wait_ns, uint32_t repetitions, const char *how)
{
	const char *name =
		arena_printf(&probing->out->arena, "transports.%s.%s", transport, constant);
	struct figure *figure;

	if (isnan(wait_ns)) {
		probe_refuse(probing, name, how, "it takes probes switch and wake beside this one");
		return;
	}
	if (wait_ns <= 0) {
		probe_refuse(probing, name, how, "too small to be told from nothing");
		return;
	}
	figure = probe_figure(probing, name, "ps", how);
	figure->value = figure->p50 = figure->p90 = figure->p99 = 1e3 * wait_ns;
	figure->repetitions = repetitions;
}

/* Adds the cost of a wait in a library whose threads sleep while they wait. One thread sends a
 * message and receives the answer. If row->sends_itself is set, this is the caller's thread.
 * Otherwise, it is a thread of the library, which waits twice: for the caller to hand over the
 * message, and for the answer. */
static void fit_sleeps(
	struct probing *probing, const struct transport_row *row, const struct timing *of)
{
	static const char how[] =
		"loopback, a message of 64 B and its answer on one core: CPU time "
		"beyond those of bursts, host.switch and host.wake_queued";
	const struct measurement *out = probing->out;
	const char *threads =
		arena_printf(&probing->out->arena, "transports.%s.threads", row->entry.name);
	double known_ns = 1e-3 * (waits_value_of(out, "host.switch") +
					 waits_value_of(out, "host.wake_queued"));
	double own_ns = of->round_cpu_ns - of->send_cpu_ns - of->receive_cpu_ns;
	double library_ns = of->round_library_cpu_ns - of->receive_library_cpu_ns;

	if (row->sends_itself)
		own_ns -= of->send_library_cpu_ns;
	else
		library_ns = (library_ns - of->send_library_cpu_ns) / 2;
	waits_add(
		probing, row->entry.name, "wait_message", own_ns - known_ns, of->repetitions, how);
	if (waits_value_of(out, threads) > 0)
		waits_add(probing, row->entry.name, "thread_wait_message", library_ns - known_ns,
			of->repetitions, how);
}

/* Adds the cost of a wait in a library that polls. When a message arrives, the receiver is on
 * average halfway through a poll, and loses half the time of a poll. A round trip has two messages,
 * so it loses the time of one poll. */
static void fit_looks(
	struct probing *probing, const struct transport_row *row, const struct timing *of)
{
	waits_add(probing, row->entry.name, "wait_message",
		of->round_ns.p50 - 2 * (of->send_cpu_ns + of->receive_cpu_ns), of->repetitions,
		"loopback, a message of 64 B and its answer between two cores: time beyond "
		"those of bursts, which is a look at each end, half over");
}

void waits_fit(struct probing *probing, const struct transport_row *row)
{
	bool looks = row->looks && probing->options->apart;
	const struct timing *of =
		smallest(probing->out, row->entry.name, looks ? WHERE_OTHER : WHERE_SAME);

	if (!of || of->repetitions == 0)
		return;
	if (looks)
		fit_looks(probing, row, of);
	else
		fit_sleeps(probing, row, of);
}

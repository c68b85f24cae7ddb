/* See bursts.h. All of one burst has left before a member on the same core runs, so that wake-ups,
 * which have constants of their own, come once a burst. What asking for the counts takes is taken
 * away: it is measured right before. Large messages leave while the hub waits for the counts, so
 * that these are within the time of sending. */
#include "probes/bursts.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "clock.h"

enum { BURST_BYTES = 1 << 18, BURST_MAX = EXCHANGE_WINDOW / 2 };

/* Part of a thread's time that others of its process must take for the library to have a thread
 * through which messages go. */
static const double working_thread = 0.1;

static double others_ns(const struct exchange_counts *counts)
{
	return (double)(counts->process_ns - counts->thread_ns);
}

static double hub_others_ns(void)
{
	return (double)(clock_process_ns() - clock_thread_ns());
}

static uint32_t messages_of(uint32_t bytes)
{
	uint32_t messages = BURST_BYTES / bytes;

	return messages > BURST_MAX ? BURST_MAX : messages > 0 ? messages : 1;
}

void burst_measure(const struct exchange *exchange, struct burst *burst)
{
	struct exchange_counts before[EXCHANGE_MEMBERS_MAX], idle[EXCHANGE_MEMBERS_MAX],
		after[EXCHANGE_MEMBERS_MAX];
	struct span message = exchange_message(EXCHANGE_SILENT, burst->bytes);
	uint32_t messages = messages_of(burst->bytes);
	double own_ns[3], others[3];

	exchange_count(exchange, before);
	own_ns[0] = (double)clock_thread_ns();
	others[0] = hub_others_ns();
	exchange_count(exchange, idle);
	own_ns[1] = (double)clock_thread_ns();
	others[1] = hub_others_ns();
	for (uint32_t i = 0; i < messages; i++)
		exchange_send(exchange, message);
	exchange_count(exchange, after);
	own_ns[2] = (double)clock_thread_ns();
	others[2] = hub_others_ns();
	burst->send_ns = (own_ns[2] - 2 * own_ns[1] + own_ns[0]) / messages;
	burst->send_library_ns = (others[2] - 2 * others[1] + others[0]) / messages;
	burst->receive_ns = burst->receive_library_ns = 0;
	for (uint32_t i = 0; i < exchange->members; i++) {
		burst->receive_ns +=
			(double)(after[i].thread_ns - 2 * idle[i].thread_ns + before[i].thread_ns) /
			messages / exchange->members;
		burst->receive_library_ns +=
			(others_ns(&after[i]) - 2 * others_ns(&idle[i]) + others_ns(&before[i])) /
			messages / exchange->members;
	}
	span_release(message);
}

/* ---- constants ---- */

static double sent(const struct burst *burst)
{
	return burst->send_ns;
}

static double sent_by_library(const struct burst *burst)
{
	return burst->send_library_ns;
}

static double received(const struct burst *burst)
{
	return burst->receive_ns;
}

static double received_by_library(const struct burst *burst)
{
	return burst->receive_library_ns;
}

/* A time of bursts, and what its terms are called. */
struct share {
	double (*time_ns)(const struct burst *burst);
	double (*beside_ns)(const struct burst *burst); /* NULL: it is the caller's own */
	bool of_members; /* depends on how many there are; else bursts to one count */
	const char *terms[REGRESSION_TERMS_MAX]; /* a message, a KiB, the same for each further
						    member */
	const char *how;
};

static const struct share shares[] = {
	{sent, NULL, true, {"send_message", "send_kib", "peer_message", "peer_kib"},
		"loopback, bursts of the same 64 B to 1 MiB, CPU time of the thread that sends"},
	{received, NULL, false, {"receive_message", "receive_kib"},
		"loopback, bursts of the same 64 B to 1 MiB, CPU time of the thread that receives"},
	{sent_by_library, sent, true,
		{"thread_send_message", "thread_send_kib", "thread_peer_message",
			"thread_peer_kib"},
		"loopback, bursts of the same 64 B to 1 MiB, CPU time of the sender's other "
		"threads"},
	{received_by_library, received, false, {"thread_receive_message", "thread_receive_kib"},
		"loopback, bursts of the same 64 B to 1 MiB, CPU time of the receiver's other "
		"threads"},
};

static double median_of(
	const struct burst *bursts, uint32_t count, double (*time_ns)(const struct burst *burst))
{
	struct samples samples = {0};
	double median;

	for (uint32_t i = 0; i < count; i++)
		if (bursts[i].members == 1)
			samples_add(&samples, time_ns(&bursts[i]));
	median = samples_quantiles(&samples).p50;
	samples_fini(&samples);
	return median;
}

static bool several_members(const struct burst *bursts, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (bursts[i].members > 1)
			return true;
	return false;
}

/* True if there is a line of the share. */
static bool fit_share(const struct share *share, const struct burst *bursts, uint32_t count,
	struct regression *line)
{
	struct regression_row *rows = allocate(count + 1u, sizeof *rows);
	bool of_members = share->of_members && several_members(bursts, count), good;
	uint32_t row_count = 0;

	for (uint32_t i = 0; i < count; i++) {
		double kib = bursts[i].bytes / 1024.0, more = bursts[i].members - 1.0;

		if (!share->of_members && bursts[i].members > 1)
			continue;
		rows[row_count++] = (struct regression_row){.x = {1, kib, more, more * kib},
			.y = share->time_ns(&bursts[i]),
			.round = bursts[i].round};
	}
	good = regression_fit(rows, row_count, of_members ? 4 : 2, line);
	free(rows);
	return good;
}

static void add_share(struct probing *probing, const char *transport, const struct share *share,
	const struct burst *bursts, uint32_t count)
{
	struct regression line;
	const char *why = NULL;

	if (count == 0)
		why = "the transport did not come to its end";
	else if (!fit_share(share, bursts, count, &line))
		why = "rounds are too few, or below what the clock shows";
	for (uint32_t term = 0; term < REGRESSION_TERMS_MAX && share->terms[term]; term++) {
		const char *name = arena_printf(
			&probing->out->arena, "transports.%s.%s", transport, share->terms[term]);

		if (why)
			probe_refuse(probing, name, share->how, why);
		else
			probe_term(probing, name, "ps", 1e3, &line, term, share->how);
	}
}

/* Whether the library has a thread through which messages go. */
static bool has_thread(const struct burst *bursts, uint32_t count)
{
	for (size_t i = 0; i < sizeof shares / sizeof *shares; i++)
		if (shares[i].beside_ns &&
			median_of(bursts, count, shares[i].time_ns) >
				working_thread * median_of(bursts, count, shares[i].beside_ns))
			return true;
	return false;
}

static void add_threads(
	struct probing *probing, const char *transport, bool threads, uint32_t count)
{
	struct figure *figure = probe_figure(probing,
		arena_printf(&probing->out->arena, "transports.%s.threads", transport), "count",
		"whether other threads of a process take a tenth of its CPU time or more");

	figure->value = figure->p50 = figure->p90 = figure->p99 = threads;
	figure->repetitions = count;
}

void bursts_fit(
	struct probing *probing, const char *transport, const struct burst *bursts, uint32_t count)
{
	bool threads = has_thread(bursts, count);

	if (count > 0)
		add_threads(probing, transport, threads, count);
	for (size_t i = 0; i < sizeof shares / sizeof *shares; i++)
		if (threads || !shares[i].beside_ns)
			add_share(probing, transport, &shares[i], bursts, count);
}

/* Bursts of messages without answers (probe.h). After each burst, the hub asks the members for
 * their CPU times. Right before the burst, the hub sends a single message and asks in the same way;
 * this time is subtracted from that of the burst. So the cost per message does not include
 * wake-ups, which have their own constants. Large messages may still be sent while the hub waits
 * for the answers, so the time of this wait counts as sending. */
#include "bench/tools/measure/exchange.h"
#include "probe.h"
#include "transport/rows.h"

#include <math.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "bench/tools/measure/samples.h"

enum { BURST_BYTES = 1 << 20, BURST_MAX = EXCHANGE_WINDOW / 2, REPEATS = 5, HELD_NS = 300000 };

/* If the library's own threads take more than this fraction of the calling thread's time, the
 * library counts as one with a thread for messages. */
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

static void measure_once(const struct exchange *exchange, int64_t held_ns, struct burst *burst)
{
	struct exchange_counts before[EXCHANGE_MEMBERS_MAX], one[EXCHANGE_MEMBERS_MAX],
		after[EXCHANGE_MEMBERS_MAX];
	struct span message = exchange_message(EXCHANGE_SILENT, burst->bytes);
	uint32_t messages = messages_of(burst->bytes);
	double own_ns[3], others[3];

	exchange_count(exchange, before);
	own_ns[0] = (double)clock_thread_ns();
	others[0] = hub_others_ns();
	if (held_ns > 0)
		exchange_hold(exchange, held_ns);
	exchange_send(exchange, message);
	exchange_count(exchange, one);
	own_ns[1] = (double)clock_thread_ns();
	others[1] = hub_others_ns();
	if (held_ns > 0)
		exchange_hold(exchange, held_ns);
	for (uint32_t i = 0; i < 1 + messages; i++)
		exchange_send(exchange, message);
	exchange_count(exchange, after);
	own_ns[2] = (double)clock_thread_ns();
	others[2] = hub_others_ns();
	burst->send_ns = (own_ns[2] - 2 * own_ns[1] + own_ns[0]) / messages;
	burst->send_library_ns = (others[2] - 2 * others[1] + others[0]) / messages;
	burst->receive_ns = burst->receive_library_ns = 0;
	for (uint32_t i = 0; i < exchange->members; i++) {
		burst->receive_ns +=
			(double)(after[i].thread_ns - 2 * one[i].thread_ns + before[i].thread_ns) /
			messages / exchange->members;
		burst->receive_library_ns +=
			(others_ns(&after[i]) - 2 * others_ns(&one[i]) + others_ns(&before[i])) /
			messages / exchange->members;
	}
	span_release(message);
}

/* Measures several times and takes the medians, since an interrupt may disturb a measurement. */
static void measure_often(const struct exchange *exchange, int64_t held_ns, struct burst *burst)
{
	struct samples send = {0}, send_library = {0}, receive = {0}, receive_library = {0};

	for (int i = 0; i < REPEATS; i++) {
		measure_once(exchange, held_ns, burst);
		samples_add(&send, burst->send_ns);
		samples_add(&send_library, burst->send_library_ns);
		samples_add(&receive, burst->receive_ns);
		samples_add(&receive_library, burst->receive_library_ns);
	}
	burst->send_ns = samples_quantiles(&send).p50;
	burst->send_library_ns = samples_quantiles(&send_library).p50;
	burst->receive_ns = samples_quantiles(&receive).p50;
	burst->receive_library_ns = samples_quantiles(&receive_library).p50;
	samples_fini(&send);
	samples_fini(&send_library);
	samples_fini(&receive);
	samples_fini(&receive_library);
}

/* Measures a burst. If `apart` is set, measures the time to receive in two ways, and uses the
 * smaller result, because each way may give too much. In the first way, the receiver runs while
 * messages arrive. If it is faster than the sender, its waits for messages are counted, too. In the
 * second way, the receiver sleeps until all messages have arrived. Then it does not wait for
 * messages, but the cost of the sleep is counted, too. */
void burst_measure(const struct exchange *exchange, bool apart, struct burst *burst)
{
	struct burst held = *burst;

	measure_often(exchange, 0, burst);
	if (!apart)
		return;
	measure_often(exchange, HELD_NS, &held);
	burst->receive_ns = fmin(burst->receive_ns, held.receive_ns);
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

/* A kind of time in bursts, and the names of the figures that are fitted to it. */
struct share {
	double (*time_ns)(const struct burst *burst);
	bool of_library;
	const char *message, *kib; /* figures for one member */
	/* Figures for each further member; NULL: a further member costs nothing. */
	const char *peer_message, *peer_kib;
	const char *how;
};

static const struct share shares[] = {
	{sent, false, "send_message", "send_kib", "peer_message", "peer_kib",
		"loopback, bursts of the same 64 B to 256 KiB, CPU time of the thread that sends"},
	{received, false, "receive_message", "receive_kib", NULL, NULL,
		"loopback, bursts of the same 64 B to 256 KiB, CPU time of the thread that "
		"receives"},
	{sent_by_library, true, "thread_send_message", "thread_send_kib", "thread_peer_message",
		"thread_peer_kib",
		"loopback, bursts of the same 64 B to 256 KiB, CPU time of the sender's other "
		"threads"},
	{received_by_library, true, "thread_receive_message", "thread_receive_kib", NULL, NULL,
		"loopback, bursts of the same 64 B to 256 KiB, CPU time of the receiver's other "
		"threads"},
};

/* Returns the median of `time_ns` over the bursts to one member whose messages have `bytes` bytes.
 * If `bytes` is 0, uses bursts with messages of all sizes. */
static double median_of(const struct burst *bursts, uint32_t count, uint32_t bytes,
	double (*time_ns)(const struct burst *burst))
{
	struct samples samples = {0};
	double median;

	for (uint32_t i = 0; i < count; i++)
		if (bursts[i].members == 1 && (bytes == 0 || bursts[i].bytes == bytes))
			samples_add(&samples, time_ns(&bursts[i]));
	median = samples_quantiles(&samples).p50;
	samples_fini(&samples);
	return median;
}

/* Fits *line to the times of the bursts to one member. If `of_peers` is set, instead fits *line to
 * the times of bursts to several members, minus those of bursts to one member. Returns false if the
 * bursts do not determine a line. */
static bool fit_share(const struct share *share, bool of_peers, const struct burst *bursts,
	uint32_t count, struct regression *line)
{
	struct regression_row *rows = allocate(count + 1u, sizeof *rows);
	uint32_t row_count = 0;
	bool good;

	for (uint32_t i = 0; i < count; i++) {
		const struct burst *burst = &bursts[i];
		double more = of_peers ? burst->members - 1.0 : 1, whole = share->time_ns(burst);
		double alone = 0;

		if ((burst->members > 1) != of_peers)
			continue;
		if (of_peers)
			alone = median_of(bursts, count, burst->bytes, share->time_ns);
		rows[row_count++] =
			(struct regression_row){.x = {more, more * burst->bytes / 1024.0},
				.y = whole - alone,
				.whole = whole,
				.round = burst->round};
	}
	good = regression_fit(rows, row_count, 2, line);
	free(rows);
	return good;
}

static void add_terms(struct probing *probing, const char *transport, const struct share *share,
	bool of_peers, const struct burst *bursts, uint32_t count)
{
	const char *const terms[2] = {of_peers ? share->peer_message : share->message,
		of_peers ? share->peer_kib : share->kib};
	struct regression line;
	const char *why = NULL;

	if (count == 0)
		why = "the transport did not come to its end";
	else if (!fit_share(share, of_peers, bursts, count, &line))
		why = "rounds are too few, or below what the clock shows";
	for (uint32_t term = 0; term < 2; term++) {
		const char *name = arena_printf(
			&probing->out->arena, "transports.%s.%s", transport, terms[term]);

		if (why)
			probe_refuse(probing, name, share->how, why);
		else
			probe_term(probing, name, "ps", 1e3, &line, term, share->how);
	}
}

/* True if the library has a thread that sends or receives messages. */
static bool has_thread(const struct burst *bursts, uint32_t count)
{
	return median_of(bursts, count, 0, sent_by_library) >
		       working_thread * median_of(bursts, count, 0, sent) ||
	       median_of(bursts, count, 0, received_by_library) >
		       working_thread * median_of(bursts, count, 0, received);
}

static void add_count(struct probing *probing, const char *transport, const char *constant,
	const char *unit, double value, uint32_t count, const char *how)
{
	const char *name =
		arena_printf(&probing->out->arena, "transports.%s.%s", transport, constant);
	struct figure *figure = probe_figure(probing, name, unit, how);

	figure->value = figure->p50 = figure->p90 = figure->p99 = value;
	figure->repetitions = count;
}

void bursts_fit(
	struct probing *probing, const char *transport, const struct burst *bursts, uint32_t count)
{
	bool threads = has_thread(bursts, count);

	if (count > 0) {
		add_count(probing, transport, "threads", "count", threads, count,
			"whether other threads of a process take a tenth of its CPU time or more");
		add_count(probing, transport, "hand_off", "ps", 0, count,
			"within CPU times of whole calls and threads: of sending, and of "
			"receiving");
	}
	for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
		if (shares[i].of_library && !threads)
			continue;
		add_terms(probing, transport, &shares[i], false, bursts, count);
		if (shares[i].peer_message)
			add_terms(probing, transport, &shares[i], true, bursts, count);
	}
}

/* Probe of transports. Measures each transport of this build in a separate process. The members are
 * processes on this machine. Measures round trips for several message sizes and numbers of members,
 * on one core and on several cores. In bursts without answers, measures the CPU time per message of
 * each thread involved. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "bench/tools/measure/exchange.h"
#include "bench/tools/measure/samples.h"
#include "probe.h"
#include "transport/rows.h"
#include "world/native/native.h"

enum {
	EXCHANGES_MIN = 12,
	PATIENCE_S = 120,
	BURSTS_MAX = 8192,
	/* size of the largest messages in bursts to one member, and to several members. A burst of
	 * larger messages would have only one message */
	BURST_BYTES = 1 << 18,
	BURST_BYTES_SEVERAL = 1 << 16,
};

/* A report of the measuring process to its parent. */
struct report {
	bool is_timing;
	struct timing timing;
	struct burst burst;
};

struct reporter {
	const struct transport_row *row;
	enum where where;
	const struct pace *pace;
	int to;
};

static void say(const struct reporter *reporter, const struct report *report)
{
	ensure(write(reporter->to, report, sizeof *report) == (ssize_t)sizeof *report, "no pipe");
}

/* ---- in the measuring process ---- */

/* CPU time so far on each side, as the mean of the hub and one member. */
struct taken {
	double own_ns, library_ns;
};

/* Gets the CPU times. The request itself is a round, too. */
static struct taken take_counts(const struct exchange *exchange)
{
	struct exchange_counts counts[EXCHANGE_MEMBERS_MAX];
	double thread_ns, process_ns;

	exchange_count(exchange, counts);
	thread_ns = (double)(clock_thread_ns() + counts[0].thread_ns);
	process_ns = (double)(clock_process_ns() + counts[0].process_ns);
	return (struct taken){thread_ns / 2, (process_ns - thread_ns) / 2};
}

static void time_rounds(
	const struct exchange *exchange, const struct pace *pace, struct timing *timing)
{
	struct span message = exchange_message(EXCHANGE_ECHO, timing->bytes);
	struct samples rounds = {0}, sends = {0}, ways = {0};
	struct taken before, after;
	int64_t until_ns;

	for (uint32_t i = 0; i < 4; i++) {
		exchange_send(exchange, message);
		(void)exchange_hear(exchange);
	}
	before = take_counts(exchange);
	until_ns = clock_now_ns() + pace->exchanges_ns;
	while (rounds.count < pace->exchanges_max &&
		(rounds.count < EXCHANGES_MIN || clock_now_ns() < until_ns)) {
		int64_t begin_ns = clock_now_ns(), sent_ns, one_way_ns;

		exchange_send(exchange, message);
		sent_ns = clock_now_ns();
		one_way_ns = exchange_hear(exchange);
		samples_add(&rounds, (double)(clock_now_ns() - begin_ns));
		samples_add(&sends, (double)(sent_ns - begin_ns));
		samples_add(&ways, (double)one_way_ns);
	}
	after = take_counts(exchange);
	timing->round_cpu_ns = (after.own_ns - before.own_ns) / (rounds.count + 1.0);
	timing->round_library_cpu_ns =
		(after.library_ns - before.library_ns) / (rounds.count + 1.0);
	timing->repetitions = rounds.count;
	timing->round_ns = samples_quantiles(&rounds);
	timing->send_ns = samples_quantiles(&sends);
	timing->one_way_ns = samples_quantiles(&ways);
	samples_fini(&rounds);
	samples_fini(&sends);
	samples_fini(&ways);
	span_release(message);
}

static void time_bursts(const struct reporter *reporter, const struct exchange *exchange,
	uint32_t bytes, uint32_t round, struct samples *cpu)
{
	struct report report = {
		.burst = {.members = exchange->members, .bytes = bytes, .round = round}};

	burst_measure(exchange, reporter->where == WHERE_OTHER, &report.burst);
	say(reporter, &report);
	samples_add(&cpu[0], report.burst.send_ns);
	samples_add(&cpu[1], report.burst.send_library_ns);
	samples_add(&cpu[2], report.burst.receive_ns);
	samples_add(&cpu[3], report.burst.receive_library_ns);
}

static void time_size(
	const struct reporter *reporter, const struct exchange *exchange, uint32_t bytes)
{
	struct report report = {.is_timing = true,
		.timing = {.transport = reporter->row->entry.name,
			.where = reporter->where,
			.members = exchange->members,
			.bytes = bytes}};
	struct samples cpu[4] = {{0}};
	bool is_small = bytes <= (exchange->members == 1 ? BURST_BYTES : BURST_BYTES_SEVERAL);

	time_rounds(exchange, reporter->pace, &report.timing);
	for (uint32_t round = 0; is_small && round < reporter->pace->bursts; round++)
		time_bursts(reporter, exchange, bytes, round, cpu);
	report.timing.send_cpu_ns = samples_quantiles(&cpu[0]).p50;
	report.timing.send_library_cpu_ns = samples_quantiles(&cpu[1]).p50;
	report.timing.receive_cpu_ns = samples_quantiles(&cpu[2]).p50;
	report.timing.receive_library_cpu_ns = samples_quantiles(&cpu[3]).p50;
	say(reporter, &report);
	for (int i = 0; i < 4; i++)
		samples_fini(&cpu[i]);
}

/* Measures with `members` members. The hub and the threads of its library run on the first core. */
static void time_members(const struct reporter *reporter, uint32_t members)
{
	int16_t cores[64] = {0};
	uint32_t count = 0;
	struct exchange exchange;

	if (reporter->where == WHERE_SAME)
		count = 1;
	else
		while (count < 64 && count + 1 < world->core_count(0)) {
			cores[count] = (int16_t)(count + 1);
			count++;
		}
	exchange = exchange_start(reporter->row->ops, members, cores, count);
	native_world_start(NULL);
	world->bind(0);
	exchange_open(&exchange);
	for (const uint32_t *size = reporter->pace->sizes; *size; size++)
		time_size(reporter, &exchange, *size);
	exchange_close(&exchange);
}

/* ---- in the parent ---- */

static void take_report(
	struct probing *probing, const struct report *report, struct burst *bursts, uint32_t *count)
{
	struct measurement *out = probing->out;

	if (report->is_timing) {
		ensure(out->timing_count < TIMINGS_MAX, "too many transports");
		out->timings[out->timing_count++] = report->timing;
	} else if (bursts) {
		ensure(*count < BURSTS_MAX, "too many bursts");
		bursts[(*count)++] = report->burst;
	}
}

/* Measures one transport with `members` members in a child process. If `bursts` is not NULL, stores
 * the measured bursts in this array, and adds their number to *count. Returns false if the process
 * did not finish. */
static bool transports_run_apart(struct probing *probing, struct reporter reporter,
	uint32_t members, struct burst *bursts, uint32_t *count)
{
	struct report report;
	int ends[2], status;
	pid_t child;

	ensure(pipe(ends) == 0, "no pipe");
	child = fork();
	ensure(child >= 0, "cannot fork");
	if (child == 0) {
		close(ends[0]);
		reporter.to = ends[1];
		alarm(PATIENCE_S);
		time_members(&reporter, members);
		_exit(0);
	}
	close(ends[1]);
	while (read(ends[0], &report, sizeof report) == (ssize_t)sizeof report)
		take_report(probing, &report, bursts, count);
	close(ends[0]);
	return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void transports_measure(struct probing *probing, const struct transport_row *row)
{
	struct burst *bursts = allocate(BURSTS_MAX, sizeof *bursts);
	bool good = true, apart = probing->options->apart && world->core_count(0) > 1;
	enum where wanted = apart ? WHERE_OTHER : WHERE_SAME;
	uint32_t count = 0;

	for (int where = WHERE_SAME; where < WHERE_COUNT; where++) {
		struct reporter reporter = {row, (enum where)where, probing->pace, -1};
		const uint32_t *members = probing->pace->members;

		if (where == WHERE_OTHER && world->core_count(0) < 2)
			continue;
		for (; good && *members; members++) {
			probe_say(probing, row->entry.name);
			good = transports_run_apart(probing, reporter, *members,
				(enum where)where == wanted ? bursts : NULL, &count);
		}
	}
	bursts_fit(probing, row->entry.name, bursts, good ? count : 0);
	waits_fit(probing, row);
	free(bursts);
}

static bool transports_is_wanted(const struct measure_options *options, const char *name)
{
	for (uint32_t i = 0; i < options->transport_count; i++)
		if (strcmp(options->transports[i], name) == 0)
			return true;
	return options->transport_count == 0;
}

static void transports_run(struct probing *probing)
{
	for (size_t at = 0; transport_row(at); at++)
		if (transport_row(at)->ops &&
			transports_is_wanted(probing->options, transport_row(at)->entry.name))
			transports_measure(probing, transport_row(at));
}

const struct probe probe_transports = {"transports",
	"messages between processes over each transport, on loopback", transports_run};

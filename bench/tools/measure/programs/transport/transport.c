/* bench-transport: measures messages between hosts on this machine, over each transport of this
 * build. Measures the time from sending a message to all members until all have answered, the time
 * of the call that sends, and the number of messages per second without answers. Beside each
 * figure, prints the figure of the library alone, without meshsim's code. The two are measured in
 * turn, so other load on the machine affects both equally. All messages are sent over loopback, and
 * not over a network. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bare.h"
#include "base/allocate.h"
#include "base/ensure.h"
#include "bench/tools/measure/exchange.h"
#include "bench/tools/measure/samples.h"
#include "transport/rows.h"
#include "world/native/native.h"

enum { TURNS = 20 };

static const uint32_t sizes[] = {64, 1024, 4096, 16384, 65536, 262144, EXCHANGE_BYTES_MAX};

/* ---- measurements ---- */

/* Rounds of one message size: ours and the library's own. */
struct rounds {
	const struct exchange *exchange;
	struct bare *bare; /* NULL: no library */
	struct span message;
	struct samples ours_ns, sends_ns, bare_ns;
};

static void turn_of_ours(struct rounds *rounds, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		int64_t begin_ns = world->now_ns(), sent_ns;

		exchange_send(rounds->exchange, rounds->message);
		sent_ns = world->now_ns();
		(void)exchange_hear(rounds->exchange);
		samples_add(&rounds->sends_ns, (double)(sent_ns - begin_ns));
		samples_add(&rounds->ours_ns, (double)(world->now_ns() - begin_ns));
	}
}

static void turn_of_bare(struct rounds *rounds, uint32_t count, int64_t *times_ns)
{
	if (!rounds->bare)
		return;
	bare_rounds(rounds->bare, rounds->message.length, count, times_ns);
	for (uint32_t i = 0; i < count; i++)
		samples_add(&rounds->bare_ns, (double)times_ns[i]);
}

static struct quantiles print_times(struct samples *samples)
{
	struct quantiles of = samples_quantiles(samples);

	if (samples->count == 0)
		printf("  %8s %8s %8s", "", "", "");
	else
		printf("  %8.1f %8.1f %8.1f", 1e-3 * of.p50, 1e-3 * of.p90, 1e-3 * of.p99);
	return of;
}

/* Measures messages per second to all members. Only the last message is answered. */
static double transport_rate(const struct exchange *exchange, uint32_t bytes, uint32_t count)
{
	struct span message = exchange_message(EXCHANGE_SILENT, bytes);
	struct exchange_counts counts[EXCHANGE_MEMBERS_MAX];
	int64_t begin_ns = world->now_ns();

	for (uint32_t i = 0; i < count; i++)
		exchange_send(exchange, message);
	exchange_count(exchange, counts);
	span_release(message);
	return 1e9 * count / (double)(world->now_ns() - begin_ns);
}

static uint32_t repeats(uint32_t bytes)
{
	return bytes <= 4096 ? 2000 : bytes <= 65536 ? 500 : 60;
}

static void measure_size(
	const struct exchange *exchange, struct bare *bare, bool spread_out, uint32_t bytes)
{
	struct rounds rounds = {.exchange = exchange,
		.bare = bare,
		.message = exchange_message(EXCHANGE_ECHO, bytes)};
	uint32_t each = repeats(bytes) / TURNS;
	int64_t *times_ns = allocate(each, sizeof *times_ns);
	struct quantiles ours, alone;

	turn_of_ours(&rounds, each);
	samples_clear(&rounds.ours_ns);
	samples_clear(&rounds.sends_ns);
	for (uint32_t turn = 0; turn < TURNS; turn++) {
		turn_of_ours(&rounds, each);
		turn_of_bare(&rounds, each, times_ns);
	}
	printf("%-14s %5s %7u %8u", exchange->ops->name, spread_out ? "more" : "one",
		exchange->members, bytes);
	ours = print_times(&rounds.ours_ns);
	alone = print_times(&rounds.bare_ns);
	if (bare)
		printf("  %6.2f +- %4.2f", ours.p50 / alone.p50,
			(ours.spread / ours.p50 + alone.spread / alone.p50) * ours.p50 / alone.p50);
	else
		printf("  %14s", "");
	printf("  %8.1f  %9.0f\n", 1e-3 * samples_quantiles(&rounds.sends_ns).p50,
		transport_rate(exchange, bytes, repeats(bytes)));
	fflush(stdout);
	samples_fini(&rounds.ours_ns);
	samples_fini(&rounds.sends_ns);
	samples_fini(&rounds.bare_ns);
	span_release(rounds.message);
	free(times_ns);
}

/* Prints the mean time that a member took to join, and how much of it the member and the hub took
 * to prove that they have the key. */
static void print_opening(const struct exchange *exchange)
{
	struct channel_counts counts;

	exchange->ops->hub_counts(exchange->hub, &counts);
	printf("%-14s opening: %.0f us a member, of it proof %.0f us\n", exchange->ops->name,
		1e-3 * (double)counts.opening_ns / exchange->members,
		1e-3 * (double)counts.proof_ns / exchange->members);
}

/* Measures a transport. Call it in a separate process, because libraries keep state. If
 * `spread_out` is set, the members run on other cores than the hub; otherwise, hub and members run
 * on core 0. A child runs on the core to which this process is bound when it starts the child. So
 * the process binds itself to cores[0] before it calls bare_start(). */
static void transport_measure(const struct channel_ops *ops, uint32_t members, bool spread_out)
{
	int16_t cores[EXCHANGE_MEMBERS_MAX] = {0};
	struct exchange exchange;
	struct bare *bare;
	uint32_t count;

	for (count = 0; count < EXCHANGE_MEMBERS_MAX && count + 1 < world->core_count(0); count++)
		cores[count] = (int16_t)(spread_out ? count + 1 : 0);
	world->bind(cores[0]);
	exchange = exchange_start(ops, members, cores, count ? count : 1);
	bare = members == 1 ? bare_start(ops->name) : NULL;
	world->bind(0);
	exchange_open(&exchange);
	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
		measure_size(&exchange, bare, spread_out, sizes[i]);
	print_opening(&exchange);
	bare_end(bare);
	exchange_close(&exchange);
}

static void measure_apart(const struct channel_ops *ops, uint32_t members, bool spread_out)
{
	pid_t child;

	if (spread_out && world->core_count(0) < 2)
		return;
	fflush(stdout);
	child = fork();
	ensure(child >= 0, "cannot fork");
	if (child == 0) {
		native_world_start(NULL);
		transport_measure(ops, members, spread_out);
		fflush(stdout);
		_exit(0);
	}
	waitpid(child, NULL, 0);
}

static bool transport_is_meant(const char *name, int argc, char **argv)
{
	for (int arg = 1; arg < argc; arg++)
		if (strcmp(argv[arg], name) == 0)
			return true;
	return argc < 2;
}

int main(int argc, char **argv)
{
	static const uint32_t members[] = {1, 8, 16};
	const struct transport_row *row;

	world = &native_world;
	printf("A message to all members until all have answered with as many bytes; the library's "
	       "own round trip of\nas many, with one other process, in turns with ours, and how "
	       "often as long ours takes; the call that\nsends, and messages a second to all that "
	       "nobody answers. Times in us. Every member is a process of this\nmachine, on "
	       "the same core or on others. Arguments: transports by name, or all.\n\n");
	printf("%-14s %5s %7s %8s  %8s %8s %8s  %8s %8s %8s  %14s  %8s  %9s\n", "transport",
		"cores", "members", "bytes", "ours p50", "p90", "p99", "bare p50", "p90", "p99",
		"ours/bare", "send p50", "1/s");
	for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
		for (size_t at = 0; (row = transport_row(at)) != NULL; at++)
			for (int cores = 0; cores < 2; cores++)
				if (row->ops && transport_is_meant(row->entry.name, argc, argv))
					measure_apart(row->ops, members[i], cores);
		printf("\n");
	}
	return 0;
}

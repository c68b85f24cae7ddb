/* A wrapper of channel.h that keeps the counters of ends (see hosts_counts.h). */
#include "hosts_counts.h"

#include <stdio.h>

#include "check.h"

static struct {
	const struct channel_ops *base;
	struct channel_ops row;
	struct channel *ends[HOSTS_COUNTS_MAX];
	struct hosts_counts *counts;
} counting;

static enum status join(const struct channel_settings *settings, int64_t deadline_ns,
	struct channel **channel, struct text *why)
{
	enum status status = counting.base->join(settings, deadline_ns, channel, why);
	unsigned number = HOSTS_COUNTS_MAX;

	if (status == STATUS_OK && sscanf(settings->name, "host-%u", &number) == 1 &&
		number < HOSTS_COUNTS_MAX)
		counting.ends[number] = *channel;
	return status;
}

static void close_end(struct channel *channel)
{
	for (int i = 0; i < HOSTS_COUNTS_MAX; i++)
		if (counting.ends[i] == channel && channel != NULL)
			counting.base->counts(channel, &counting.counts->ends[i]);
	counting.base->close(channel);
}

static void hub_close(struct hub *hub)
{
	if (hub != NULL)
		counting.base->hub_counts(hub, &counting.counts->hub);
	counting.base->hub_close(hub);
}

void hosts_counts_init(struct hosts_case *hosts, struct hosts_counts *counts)
{
	counting.base = hosts->settings.transport;
	counting.row = *hosts->settings.transport;
	counting.row.join = join;
	counting.row.close = close_end;
	counting.row.hub_close = hub_close;
	counting.counts = counts;
	for (int i = 0; i < HOSTS_COUNTS_MAX; i++)
		counting.ends[i] = NULL;
	hosts->settings.transport = &counting.row;
}

/* ---- comparing ---- */

static void same(
	const char *what, const char *whose, const char *count, uint64_t seen, uint64_t expected)
{
	check(seen == expected, "%s: %s of %s are %llu, expected %llu", what, count, whose,
		(unsigned long long)seen, (unsigned long long)expected);
}

static void same_ends(const char *what, const char *whose, const struct channel_counts *seen,
	const struct channel_counts *expected)
{
	same(what, whose, "messages sent", seen->sent, expected->sent);
	same(what, whose, "bytes sent", seen->sent_bytes, expected->sent_bytes);
	same(what, whose, "messages received", seen->received, expected->received);
	same(what, whose, "bytes received", seen->received_bytes, expected->received_bytes);
	same(what, whose, "refusals", seen->refused, expected->refused);
}

static void same_issued(const char *what, const char *whose, const struct issued *seen,
	const struct issued *expected)
{
	same(what, whose, "transactions", seen->transactions, expected->transactions);
	same(what, whose, "commands", seen->commands, expected->commands);
	same(what, whose, "bytes of headers", seen->header_bytes, expected->header_bytes);
	same(what, whose, "transactions for order", seen->order_transactions,
		expected->order_transactions);
	same(what, whose, "commands for order", seen->order_commands, expected->order_commands);
	same(what, whose, "bytes for order", seen->order_bytes, expected->order_bytes);
}

static void same_work(
	const char *what, const struct work_counts *seen, const struct work_counts *expected)
{
	static const char *const names[] = {
#define X(name, text) #name,
#include "world/work.def"
#undef X
	};
	char copies[48];

	/* The counts of some kinds of work depend on the schedule, so they are not compared. These
	 * kinds are polls for events, API calls (a poll is one), and operations on the queues
	 * between the threads of a host. */
	for (int i = 0; i < WORK_KIND_COUNT; i++)
		if (i != WORK_POLL && i != WORK_API_CALL && i != WORK_QUEUE_PUSH &&
			i != WORK_QUEUE_POP)
			same(what, "all threads", names[i], seen->units[i], expected->units[i]);
	for (int from = 0; from < MEMORY_KIND_COUNT; from++)
		for (int to = 0; to < MEMORY_KIND_COUNT; to++) {
			snprintf(copies, sizeof copies, "bytes copied from %d to %d", from, to);
			same(what, "all threads", copies, seen->copied_bytes[from][to],
				expected->copied_bytes[from][to]);
		}
	for (int codec = 0; codec < WORK_CODECS; codec++)
		for (int reads = 0; reads < 2; reads++) {
			const struct work_coded *a = &seen->coded[codec][reads];
			const struct work_coded *b = &expected->coded[codec][reads];

			same(what, "the codec", "commands", a->commands, b->commands);
			same(what, "the codec", "words", a->words, b->words);
			same(what, "the codec", "bytes", a->bytes, b->bytes);
		}
}

void hosts_counts_check(
	const char *what, const struct hosts_counts *seen, const struct hosts_counts *expected)
{
	char whose[16];

	same_ends(what, "the hub", &seen->hub, &expected->hub);
	for (int i = 0; i < HOSTS_COUNTS_MAX; i++) {
		snprintf(whose, sizeof whose, "host %d", i);
		same_ends(what, whose, &seen->ends[i], &expected->ends[i]);
	}
	same(what, "the mesh", "streams", seen->mesh.streams_built, expected->mesh.streams_built);
	same(what, "the mesh", "streams again", seen->mesh.streams_reused,
		expected->mesh.streams_reused);
	same(what, "the mesh", "bytes issued", seen->mesh.bytes_issued,
		expected->mesh.bytes_issued);
	same(what, "the mesh", "doorbells", seen->mesh.doorbells, expected->mesh.doorbells);
	same_issued(what, "unicasts", &seen->mesh.unicasts, &expected->mesh.unicasts);
	same_issued(what, "broadcasts", &seen->mesh.broadcasts, &expected->mesh.broadcasts);
	same_work(what, &seen->work, &expected->work);
}

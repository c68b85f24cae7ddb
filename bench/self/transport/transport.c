/* bench-transport: what messages between hosts cost on this machine, over each transport of this
 * build: a message to all members until all have answered, the call that sends it, and how many go
 * by when nobody answers. Beside it the library without us, in the same run. Loopback is no
 * network. It judges nothing. */
#include "bare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "transport/rows.h"
#include "world/native/native.h"

enum { ADDRESS_BYTES = 192, WINDOW = 64, BYTES_MAX = 1 << 20, ANSWER = 1, SILENT = 0 };

static const uint32_t sizes[] = {64, 4096, 65536, BYTES_MAX};

static int64_t in_seconds(int seconds)
{
	return world->now_ns() + (int64_t)seconds * 1000000000;
}

/* ---- members: each a process ---- */

/* Says back what begins with ANSWER, until the hub ends. */
static void be_member(
	const struct channel_ops *ops, struct channel_settings settings, uint32_t number)
{
	char name[CHANNEL_NAME_BYTES];
	struct channel *channel = NULL;
	struct span message;
	enum status status = STATUS_OK;

	snprintf(name, sizeof name, "member%u", number);
	settings.name = name;
	ensure(ops->join(&settings, in_seconds(10), &channel, NULL) == STATUS_OK, "cannot join");
	while (status == STATUS_OK) {
		status = ops->receive(channel, DEADLINE_NEVER, &message);
		if (status != STATUS_OK)
			break;
		if (message.extent->bytes[message.offset] == ANSWER)
			status = ops->send(channel, message, in_seconds(10));
		span_release(message);
	}
	ops->close(channel);
}

struct session {
	const struct channel_ops *ops;
	struct hub *hub;
	uint32_t members;
	int addresses[2]; /* from the hub to its members */
};

static struct channel_settings settings_at(const char *address)
{
	return (struct channel_settings){.address = address,
		.name = "hub",
		.session = 1,
		.message_bytes_max = BYTES_MAX,
		.window = WINDOW};
}

/* Members are processes that begin before this one uses the library: it has threads, perhaps, which
 * a fork leaves behind. */
static struct session session_start(const struct channel_ops *ops, uint32_t members)
{
	struct session session = {ops, NULL, members, {-1, -1}};

	ensure(pipe(session.addresses) == 0, "no pipe");
	for (uint32_t i = 0; i < members; i++) {
		char address[ADDRESS_BYTES];
		pid_t child = fork();

		ensure(child >= 0, "cannot fork");
		if (child > 0)
			continue;
		native_world_start(NULL);
		ensure(read(session.addresses[0], address, sizeof address) == sizeof address,
			"no address");
		be_member(ops, settings_at(address), i);
		_exit(0);
	}
	return session;
}

static void session_open(struct session *session)
{
	const struct channel_ops *ops = session->ops;
	char address[ADDRESS_BYTES] = "127.0.0.1:0";
	struct channel_settings settings = settings_at(address);
	uint32_t number;

	if (strcmp(ops->name, "unix") == 0)
		snprintf(address, sizeof address, "/tmp/meshsim-bench-%d", (int)getpid());
	ensure(ops->hub_open(&settings, &session->hub, NULL) == STATUS_OK, "%s: no hub", ops->name);
	snprintf(address, sizeof address, "%s", ops->hub_address(session->hub));
	for (uint32_t i = 0; i < session->members; i++)
		ensure(write(session->addresses[1], address, sizeof address) == sizeof address,
			"no pipe");
	for (uint32_t i = 0; i < session->members; i++)
		ensure(ops->hub_accept(session->hub, in_seconds(10), &number) == STATUS_OK,
			"%s: nobody comes", ops->name);
}

static void session_close(struct session *session)
{
	session->ops->hub_close(session->hub);
	for (uint32_t i = 0; i < session->members; i++)
		wait(NULL);
}

static void session_send(const struct session *session, struct span message)
{
	uint32_t who;

	ensure(session->ops->hub_send(session->hub, CHANNEL_ALL, message, in_seconds(10), &who) ==
			STATUS_OK,
		"%s: cannot send", session->ops->name);
}

static void session_hear(const struct session *session)
{
	struct span answer;
	uint32_t who;

	ensure(session->ops->hub_receive(session->hub, in_seconds(10), &who, &answer) == STATUS_OK,
		"%s: no answer", session->ops->name);
	span_release(answer);
}

/* ---- measurements ---- */

static struct span message_of(uint32_t bytes, uint8_t first)
{
	struct extent *extent = extent_new(bytes);

	memset(extent->bytes, 0, bytes);
	extent->bytes[0] = first;
	return span_of(extent);
}

static int by_value(const void *one, const void *other)
{
	int64_t a = *(const int64_t *)one, b = *(const int64_t *)other;

	return (a > b) - (a < b);
}

/* Returns the median. */
static double print_times(int64_t *times_ns, uint32_t count)
{
	qsort(times_ns, count, sizeof *times_ns, by_value);
	printf("  %8.1f %8.1f", 1e-3 * (double)times_ns[count / 2],
		1e-3 * (double)times_ns[count - 1 - count / 100]);
	return (double)times_ns[count / 2];
}

/* A message to all until all have answered, again and again. Returns the median. */
static double measure_rounds(const struct session *session, uint32_t bytes, uint32_t count)
{
	int64_t *times_ns = allocate(count, sizeof *times_ns);
	int64_t *sends_ns = allocate(count, sizeof *sends_ns);
	struct span message = message_of(bytes, ANSWER);
	double median_ns;

	for (uint32_t i = 0; i < count + count / 10; i++) {
		int64_t begin_ns = world->now_ns(), sent_ns;

		session_send(session, message);
		sent_ns = world->now_ns();
		for (uint32_t member = 0; member < session->members; member++)
			session_hear(session);
		if (i < count / 10)
			continue;
		sends_ns[i - count / 10] = sent_ns - begin_ns;
		times_ns[i - count / 10] = world->now_ns() - begin_ns;
	}
	median_ns = print_times(times_ns, count);
	(void)print_times(sends_ns, count);
	span_release(message);
	free(times_ns);
	free(sends_ns);
	return median_ns;
}

/* Messages a second to all, the last of which is answered. */
static double rate(const struct session *session, uint32_t bytes, uint32_t count)
{
	struct span message = message_of(bytes, SILENT), last = message_of(bytes, ANSWER);
	int64_t begin_ns = world->now_ns();

	for (uint32_t i = 1; i < count; i++)
		session_send(session, message);
	session_send(session, last);
	for (uint32_t member = 0; member < session->members; member++)
		session_hear(session);
	span_release(message);
	span_release(last);
	return 1e9 * count / (double)(world->now_ns() - begin_ns);
}

static uint32_t repeats(uint32_t bytes)
{
	return bytes <= 4096 ? 2000 : bytes <= 65536 ? 500 : 60;
}

/* The library's own exchange, and how much longer ours takes. */
static void measure_bare(struct bare *bare, uint32_t bytes, double ours_ns)
{
	uint32_t count = repeats(bytes);
	int64_t *times_ns = allocate(count, sizeof *times_ns);

	bare_rounds(bare, bytes, count, times_ns);
	printf("  %8.2f", ours_ns / print_times(times_ns, count));
	free(times_ns);
}

/* In a process of its own, as far as the library goes. */
static void measure(const struct channel_ops *ops, uint32_t members)
{
	struct session session = session_start(ops, members);
	struct bare *bare = members == 1 ? bare_start(ops->name) : NULL;

	session_open(&session);
	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
		double median_ns;

		printf("%-14s %7u %8u", ops->name, members, sizes[i]);
		median_ns = measure_rounds(&session, sizes[i], repeats(sizes[i]));
		printf("  %9.0f", rate(&session, sizes[i], repeats(sizes[i])));
		if (bare)
			measure_bare(bare, sizes[i], median_ns);
		printf("\n");
		fflush(stdout);
	}
	bare_end(bare);
	session_close(&session);
}

static void measure_apart(const struct channel_ops *ops, uint32_t members)
{
	pid_t child;

	fflush(stdout);
	child = fork();
	ensure(child >= 0, "cannot fork");
	if (child == 0) {
		native_world_start(NULL);
		measure(ops, members);
		fflush(stdout);
		_exit(0);
	}
	waitpid(child, NULL, 0);
}

int main(int argc, char **argv)
{
	static const uint32_t members[] = {1, 8, 16};
	const struct transport_row *row;

	world = &native_world;
	printf("A message to all members until all have answered; the call that sends it; messages "
	       "a second to all that\nnobody answers; the library alone, with one other process, "
	       "and how often as long ours takes. Times in\nus. Every member is a process of this "
	       "machine. Arguments: transports by name, or all.\n\n");
	printf("%-14s %7s %8s  %8s %8s  %8s %8s  %9s  %8s %8s  %8s\n", "transport", "members",
		"bytes", "p50", "p99", "send p50", "send p99", "1/s", "bare p50", "bare p99",
		"ours/bare");
	for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
		for (size_t at = 0; (row = transport_at(at)) != NULL; at++) {
			bool is_meant = argc < 2;

			for (int arg = 1; arg < argc; arg++)
				is_meant |= strcmp(argv[arg], row->name) == 0;
			if (row->ops && is_meant)
				measure_apart(row->ops, members[i]);
		}
		printf("\n");
	}
	return 0;
}

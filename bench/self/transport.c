/* bench-transport: what messages between hosts cost on this machine, over each transport of this
 * build: round trips with one member, a message to all of several until all have answered, and how
 * many go by when nobody answers. Beside them ZeroMQ without us. Loopback is no network. It judges
 * nothing. */
#include "transport_bare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "transport/rows.h"
#include "world/native/native.h"

enum { MEMBERS_MAX = 16, WINDOW = 64, BYTES_MAX = 1 << 20, ANSWER = 1, SILENT = 0 };

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
};

static struct session session_open(const struct channel_ops *ops, uint32_t members)
{
	struct channel_settings settings = {.address = "127.0.0.1:0",
		.name = "hub",
		.session = 1,
		.message_bytes_max = BYTES_MAX,
		.window = WINDOW};
	struct session session = {ops, NULL, members};
	char path[64];

	snprintf(path, sizeof path, "/tmp/meshsim-bench-%d", (int)getpid());
	if (strcmp(ops->name, "unix") == 0)
		settings.address = path;
	ensure(ops->hub_open(&settings, &session.hub, NULL) == STATUS_OK, "%s: no hub", ops->name);
	settings.address = ops->hub_address(session.hub);
	for (uint32_t i = 0; i < members; i++) {
		pid_t child = fork();
		uint32_t number;

		ensure(child >= 0, "cannot fork");
		if (child == 0) {
			native_world_start(NULL);
			be_member(ops, settings, i);
			_exit(0);
		}
		ensure(ops->hub_accept(session.hub, in_seconds(10), &number) == STATUS_OK,
			"%s: nobody comes", ops->name);
	}
	return session;
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

static void print_times(int64_t *times_ns, uint32_t count)
{
	qsort(times_ns, count, sizeof *times_ns, by_value);
	printf("  %8.1f %8.1f", 1e-3 * (double)times_ns[count / 2],
		1e-3 * (double)times_ns[count - 1 - count / 100]);
}

/* A message to all until all have answered, again and again. */
static void measure_rounds(const struct session *session, uint32_t bytes, uint32_t count)
{
	int64_t *times_ns = allocate(count, sizeof *times_ns);
	struct span message = message_of(bytes, ANSWER);

	for (uint32_t i = 0; i < count + count / 10; i++) {
		int64_t begin_ns = world->now_ns();

		session_send(session, message);
		for (uint32_t member = 0; member < session->members; member++)
			session_hear(session);
		if (i >= count / 10)
			times_ns[i - count / 10] = world->now_ns() - begin_ns;
	}
	print_times(times_ns, count);
	span_release(message);
	free(times_ns);
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

static void measure(const struct channel_ops *ops, uint32_t members)
{
	struct session session = session_open(ops, members);

	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
		printf("%-15s %7u %8u", ops->name, members, sizes[i]);
		measure_rounds(&session, sizes[i], repeats(sizes[i]));
		printf("  %10.0f\n", rate(&session, sizes[i], repeats(sizes[i])));
		fflush(stdout);
	}
	session_close(&session);
}

/* The library's own exchange of two sockets, without a hub, windows and frames. */
static void measure_bare(void)
{
	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
		uint32_t count = repeats(sizes[i]);
		int64_t *times_ns = allocate(count, sizeof *times_ns);

		if (transport_bare_rounds(sizes[i], count, times_ns)) {
			printf("%-15s %7u %8u", "(ZeroMQ alone)", 1, sizes[i]);
			print_times(times_ns, count);
			printf("  %10s\n", "-");
		}
		free(times_ns);
	}
}

int main(void)
{
	static const uint32_t members[] = {1, 4, MEMBERS_MAX};
	const struct transport_row *row;

	world = &native_world;
	native_world_start(NULL);
	printf("A message to all members until all have answered, in us; and messages a second to "
	       "all "
	       "that nobody\nanswers. Every member is a process of this machine.\n\n");
	printf("%-15s %7s %8s  %8s %8s  %10s\n", "transport", "members", "bytes", "p50 us",
		"p99 us", "1/s");
	for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
		for (size_t at = 0; (row = transport_at(at)) != NULL; at++)
			if (row->ops)
				measure(row->ops, members[i]);
		if (members[i] == 1)
			measure_bare();
		printf("\n");
	}
	return 0;
}

/* Who greets a hub over MPI and then does not come, or says something else on its lifeline, is
 * refused, and nobody waits for it longer than for the others. What is no greeting is refused where
 * those of all sockets are. */
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "transport/frame.h"
#include "transports.h"
#include "world/world.h"

static void say(int fd, enum frame_kind kind, uint64_t sequence, const char *text)
{
	const struct frame frame = {kind, transport_hub_settings().session, sequence, 0,
		(uint32_t)strlen(text)};
	uint8_t bytes[FRAME_HEADER_BYTES + 64];

	frame_write(&frame, bytes);
	memcpy(bytes + FRAME_HEADER_BYTES, text, frame.length);
	check_equal(send(fd, bytes, FRAME_HEADER_BYTES + frame.length, MSG_NOSIGNAL),
		FRAME_HEADER_BYTES + frame.length);
}

/* One frame of the hub: its kind. 0: it has ended the connection. */
static enum frame_kind kind_heard(int fd)
{
	uint8_t bytes[4096];
	struct frame frame;
	uint32_t version;
	struct frame_bounds bounds = {transport_hub_settings().session, 0, sizeof bytes};

	if (recv(fd, bytes, FRAME_HEADER_BYTES, MSG_WAITALL) != FRAME_HEADER_BYTES)
		return 0;
	(void)frame_read(bytes, &bounds, &frame, &version);
	check_at_most(frame.length, sizeof bytes);
	if (frame.length > 0)
		check_equal(recv(fd, bytes, frame.length, MSG_WAITALL), frame.length);
	return frame.kind;
}

static void greet_and_never_meet(void *argument)
{
	int fd = transport_connect(argument);

	say(fd, FRAME_HELLO, 0, "stranger");
	check_equal(kind_heard(fd), FRAME_WELCOME);
	say(fd, FRAME_MESSAGE, 1, "8 bytes.");
	check_equal(kind_heard(fd), FRAME_MESSAGE); /* the port, where nobody comes */
	check_equal(kind_heard(fd), 0);
	close(fd);
}

static void greet_and_say_something_else(void *argument)
{
	int fd = transport_connect(argument);

	say(fd, FRAME_HELLO, 0, "stranger");
	check_equal(kind_heard(fd), FRAME_WELCOME);
	say(fd, FRAME_MESSAGE, 1, "neither a cookie nor a frame of it");
	check_equal(kind_heard(fd), FRAME_REFUSED);
	check_equal(kind_heard(fd), 0);
	close(fd);
}

/* Eight bytes are a cookie, which is said once. */
static void greet_and_be_there_twice(void *argument)
{
	int fd = transport_connect(argument);

	say(fd, FRAME_HELLO, 0, "stranger");
	check_equal(kind_heard(fd), FRAME_WELCOME);
	say(fd, FRAME_MESSAGE, 1, "a cookie");
	check_equal(kind_heard(fd), FRAME_MESSAGE);
	say(fd, FRAME_MESSAGE, 2, "a cookie");
	check_equal(kind_heard(fd), FRAME_REFUSED);
	check_equal(kind_heard(fd), 0);
	close(fd);
}

static void greet_and_go(void *argument)
{
	int fd = transport_connect(argument);

	say(fd, FRAME_HELLO, 0, "stranger");
	check_equal(kind_heard(fd), FRAME_WELCOME);
	close(fd);
}

/* The hub refuses so many, in time, accepts none, and goes on with its member. */
static void check_stranger(void (*how)(void *hub), uint32_t refused)
{
	struct hub *hub = transport_hub();
	struct channel *channel = transport_join(hub, "member", 0);
	struct thread *thread = world->spawn("intrudes", (struct affinity){0, -1}, how, hub);
	int64_t deadline_ns = transport_in_ms(15000);
	struct channel_counts counts = {0};
	uint32_t number;

	while (counts.refused < refused && world->now_ns() < deadline_ns) {
		check_status(
			transport->hub_accept(hub, transport_in_ms(20), &number), STATUS_TIMEOUT);
		transport->hub_counts(hub, &counts);
	}
	check_status(transport->hub_accept(hub, transport_in_ms(200), &number), STATUS_TIMEOUT);
	world->join(thread);
	transport->hub_counts(hub, &counts);
	check_equal(counts.refused, refused);
	transport_send_to(hub, CHANNEL_ALL, 100, 1);
	transport_expect(channel, 100, 1);
	transport->close(channel);
	transport->hub_close(hub);
}

static void who_greets_and_never_meets_is_refused(void)
{
	check_stranger(greet_and_never_meet, 1);
}

static void who_greets_and_says_something_else_is_refused(void)
{
	check_stranger(greet_and_say_something_else, 1);
}

static void who_says_twice_that_it_is_there_is_refused(void)
{
	check_stranger(greet_and_be_there_twice, 1);
}

/* A world of MPI is its process's alone. */
static void a_process_forked_from_one_that_has_used_it_is_refused(void)
{
	struct channel_settings settings = transport_hub_settings();
	struct hub *hub = transport_hub(), *other = NULL;
	struct text why = {0};
	pid_t child = fork();
	int ended;

	if (child == 0) {
		enum status status = transport->hub_open(&settings, &other, &why);
		bool told = strstr(text_string(&why), "was forked from one that has used Open MPI");

		_exit(status == STATUS_UNSUPPORTED && told ? 0 : 1);
	}
	check_equal(waitpid(child, &ended, 0), child);
	check(WIFEXITED(ended) && WEXITSTATUS(ended) == 0, "the child ends with %x", ended);
	transport->hub_close(hub);
}

static void who_greets_and_goes_is_forgotten(void)
{
	check_stranger(greet_and_go, 0);
}

static bool is_mpi(const char *name)
{
	return strcmp(name, "mpi") == 0;
}

int main(void)
{
	static const struct transport_case cases[] = {
		TRANSPORT_CASE(transport_refuses_other_machines),
		TRANSPORT_CASE(who_greets_and_never_meets_is_refused),
		TRANSPORT_CASE(who_greets_and_says_something_else_is_refused),
		TRANSPORT_CASE(who_says_twice_that_it_is_there_is_refused),
		TRANSPORT_CASE(who_greets_and_goes_is_forgotten),
		TRANSPORT_CASE(a_process_forked_from_one_that_has_used_it_is_refused),
	};

	if (!transport_find("mpi")->ops)
		return 77; /* this program was built without libopenmpi-dev */
	return transports_run_where(
		"strangers of MPI", cases, sizeof cases / sizeof cases[0], is_mpi);
}

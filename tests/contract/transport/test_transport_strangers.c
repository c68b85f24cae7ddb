/* What does not belong on a stream is refused and counted, and nobody else notices: strangers,
 * other versions, frames that are too long, replayed, cut off or against the rules. */
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "check.h"
#include "transport/frame.h"
#include "transports.h"
#include "world/world.h"

/* A bare socket that is connected to the hub. */
static int connect_bare(const struct hub *hub)
{
	const char *address = transport->hub_address(hub), *colon = strrchr(address, ':');
	struct sockaddr_in four = {
		.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	struct sockaddr_un local = {.sun_family = AF_UNIX};
	bool is_local = address[0] == '/';
	int fd = socket(is_local ? AF_UNIX : AF_INET, SOCK_STREAM, 0), good;

	snprintf(local.sun_path, sizeof local.sun_path, "%s", is_local ? address : "");
	four.sin_port = htons((uint16_t)atoi(colon ? colon + 1 : "0"));
	good = is_local ? connect(fd, (struct sockaddr *)&local, sizeof local)
			: connect(fd, (struct sockaddr *)&four, sizeof four);
	check(good == 0, "cannot connect to %s", address);
	return fd;
}

static void put(int fd, const void *bytes, size_t count)
{
	check_equal(send(fd, bytes, count, MSG_NOSIGNAL), count);
}

/* In one, so that the hub does not answer in between. */
static void put_frame(int fd, struct frame frame, const char *payload)
{
	uint8_t bytes[FRAME_HEADER_BYTES + 64];

	frame_write(&frame, bytes);
	memcpy(bytes + FRAME_HEADER_BYTES, payload, strlen(payload));
	put(fd, bytes, FRAME_HEADER_BYTES + strlen(payload));
}

static void greet(int fd, const char *name)
{
	put_frame(fd,
		(struct frame){FRAME_HELLO, transport_hub_settings().session, 0, 0,
			(uint32_t)strlen(name)},
		name);
}

/* Reads until the hub has ended the connection. Returns what it said, as text. */
static const char *said_before_the_end(int fd)
{
	static char bytes[512];
	size_t count = 0;
	ssize_t got;

	while ((got = recv(fd, bytes + count, sizeof bytes - 1 - count, 0)) > 0)
		count += (size_t)got;
	bytes[count] = '\0';
	close(fd);
	return count > FRAME_HEADER_BYTES ? bytes + FRAME_HEADER_BYTES + 1 : "";
}

struct intruder {
	struct hub *hub;
	void (*intrude)(int fd);
	const char *why; /* that the hub says */
};

static void intrude(void *argument)
{
	const struct intruder *intruder = argument;
	int fd = connect_bare(intruder->hub);
	const char *said;

	intruder->intrude(fd);
	said = said_before_the_end(fd);
	check(strstr(said, intruder->why), "'%s' does not speak of '%s'", said, intruder->why);
}

/* The hub goes on with its member while somebody intrudes. */
static void check_intruder(void (*how)(int fd), const char *why)
{
	struct hub *hub = transport_hub();
	struct channel *channel = transport_join(hub, "member", 0);
	struct intruder intruder = {hub, how, why};
	struct thread *thread =
		world->spawn("intrudes", (struct affinity){0, -1}, intrude, &intruder);

	transport_check_goes_on(hub, channel);
	world->join(thread);
	transport->close(channel);
	transport->hub_close(hub);
}

static void speak_something_else(int fd)
{
	put(fd, "GET / HTTP/1.1\r\nHost: nobody\r\n\r\n", 33);
}

static void be_of_another_version(int fd)
{
	uint8_t header[FRAME_HEADER_BYTES];

	frame_write(
		&(struct frame){FRAME_HELLO, transport_hub_settings().session, 0, 0, 1}, header);
	header[4] = FRAME_VERSION + 6;
	put(fd, header, sizeof header);
}

static void say_too_much(int fd)
{
	put_frame(fd, (struct frame){FRAME_HELLO, transport_hub_settings().session, 0, 0, 1u << 30},
		"");
}

static void begin_with_a_message(int fd)
{
	put_frame(
		fd, (struct frame){FRAME_MESSAGE, transport_hub_settings().session, 0, 0, 2}, "hi");
}

static void have_a_name_of_controls(int fd)
{
	greet(fd, "a\033[2Jb");
}

static void say_the_same_twice(int fd)
{
	uint8_t bytes[2 * FRAME_HEADER_BYTES + 2];

	frame_write(&(struct frame){FRAME_HELLO, transport_hub_settings().session, 0, 0, 1}, bytes);
	bytes[FRAME_HEADER_BYTES] = 'x';
	memcpy(bytes + FRAME_HEADER_BYTES + 1, bytes, FRAME_HEADER_BYTES + 1);
	put(fd, bytes, sizeof bytes);
}

static void say_something_before_it_is_welcome(int fd)
{
	const uint64_t session = transport_hub_settings().session;
	uint8_t bytes[2 * FRAME_HEADER_BYTES + 2];

	frame_write(&(struct frame){FRAME_HELLO, session, 0, 0, 1}, bytes);
	bytes[FRAME_HEADER_BYTES] = 'x';
	frame_write(
		&(struct frame){FRAME_MESSAGE, session, 1, 0, 1}, bytes + FRAME_HEADER_BYTES + 1);
	bytes[sizeof bytes - 1] = 'y';
	put(fd, bytes, sizeof bytes); /* at once: the hub accepts nobody in between */
}

static void what_speaks_something_else_is_refused(void)
{
	check_intruder(speak_something_else, "not a frame of meshsim");
}

static void another_version_is_refused_with_both(void)
{
	check_intruder(be_of_another_version, "another version: 7, and this is 1");
}

static void a_frame_that_is_too_long_is_refused(void)
{
	check_intruder(say_too_much, "too long");
}

static void a_message_of_nobody_is_refused(void)
{
	check_intruder(begin_with_a_message, "no greeting");
}

static void a_name_that_is_not_printable_is_refused(void)
{
	check_intruder(have_a_name_of_controls, "no greeting");
}

static void a_frame_that_is_replayed_is_refused(void)
{
	check_intruder(say_the_same_twice, "out of order");
}

static void what_is_said_before_the_welcome_is_refused(void)
{
	check_intruder(say_something_before_it_is_welcome, "broken");
}

/* ---- accepted members that break the rules ---- */

/* Greets, is accepted as member 0, and then does that. */
static void check_member_lost(void (*how)(int fd), enum status before)
{
	struct hub *hub = transport_hub();
	int fd = connect_bare(hub);
	struct span message;
	uint32_t number;

	greet(fd, "bare");
	check_status(transport->hub_accept(hub, transport_in_ms(5000), &number), STATUS_OK);
	how(fd);
	for (uint32_t i = 0; before == STATUS_OK && i < TRANSPORT_WINDOW; i++) {
		check_status(transport->hub_receive(hub, transport_in_ms(5000), &number, &message),
			STATUS_OK);
		span_release(message);
	}
	check_status(transport->hub_receive(hub, transport_in_ms(5000), &number, &message),
		STATUS_CLOSED);
	check_equal(number, 0);
	close(fd);
	transport->hub_close(hub);
}

static void end_within_a_header(int fd)
{
	put(fd, "mshT", 4);
	shutdown(fd, SHUT_WR);
}

static void end_within_a_message(int fd)
{
	put_frame(fd, (struct frame){FRAME_MESSAGE, transport_hub_settings().session, 1, 0, 100},
		"cut");
	shutdown(fd, SHUT_WR);
}

static void give_back_what_it_never_got(int fd)
{
	put_frame(fd, (struct frame){FRAME_CREDIT, transport_hub_settings().session, 1, 1, 0}, "");
}

static void say_more_than_the_window(int fd)
{
	for (uint64_t i = 0; i <= TRANSPORT_WINDOW; i++)
		put_frame(fd,
			(struct frame){
				FRAME_MESSAGE, transport_hub_settings().session, i + 1, 0, 2},
			"hi");
}

static void a_member_that_ends_within_a_frame_is_lost(void)
{
	check_member_lost(end_within_a_header, STATUS_CLOSED);
	check_member_lost(end_within_a_message, STATUS_CLOSED);
}

static void a_member_that_gives_back_too_much_is_lost(void)
{
	check_member_lost(give_back_what_it_never_got, STATUS_CLOSED);
}

static void a_member_that_says_more_than_the_window_is_lost(void)
{
	check_member_lost(say_more_than_the_window, STATUS_OK);
}

/* What others put around frames is theirs: test_transport_zeromq_strangers.c. */
static bool is_bare(const char *name)
{
	return strcmp(name, "tcp") == 0 || strcmp(name, "unix") == 0;
}

/* Whoever comes begins on a bare socket. */
static bool greets_on_a_socket(const char *name)
{
	return is_bare(name) || strcmp(name, "mpi") == 0;
}

int main(void)
{
	static const struct transport_case cases[] = {
		TRANSPORT_CASE(what_speaks_something_else_is_refused),
		TRANSPORT_CASE(another_version_is_refused_with_both),
		TRANSPORT_CASE(a_frame_that_is_too_long_is_refused),
		TRANSPORT_CASE(a_message_of_nobody_is_refused),
		TRANSPORT_CASE(a_name_that_is_not_printable_is_refused),
		TRANSPORT_CASE(a_frame_that_is_replayed_is_refused),
		TRANSPORT_CASE(what_is_said_before_the_welcome_is_refused),
		TRANSPORT_CASE_OF(is_bare, a_member_that_ends_within_a_frame_is_lost),
		TRANSPORT_CASE_OF(is_bare, a_member_that_gives_back_too_much_is_lost),
		TRANSPORT_CASE_OF(is_bare, a_member_that_says_more_than_the_window_is_lost),
	};

	return transports_run_where(
		"strangers", cases, sizeof cases / sizeof cases[0], greets_on_a_socket);
}

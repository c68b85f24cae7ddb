/* label: full
 * Tests that a hub over a stream socket rejects and counts invalid data, and that these data have
 * no effect on its other members. Peers that cannot prove the key get no answer, for example those
 * with another version or key. Peers that have proved the key get the reason. Also tests accepted
 * members that break the protocol: they are lost. */
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "bare.h"
#include "check.h"
#include "transport/frame.h"
#include "transports.h"
#include "world/world.h"

/* Connects a bare socket to the hub. */
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

/* Sends the frame at once, so that the hub cannot answer in between. */
static void put_frame(int fd, struct frame frame, const char *payload)
{
	uint8_t bytes[BARE_BYTES];

	frame_write(&frame, bytes);
	memcpy(bytes + FRAME_HEADER_BYTES, payload, strlen(payload));
	bare_put(fd, bytes, FRAME_HEADER_BYTES + strlen(payload));
}

static void greet(int fd, const char *name)
{
	struct proof proof = bare_proof();
	uint8_t bytes[BARE_BYTES];

	bare_put(fd, bytes, bare_hello(&proof, name, bytes));
}

/* Reads until the hub closes the connection. Returns the reason that the hub sent, or NULL if the
 * hub sent nothing, as it does to a peer without the key. */
static const char *said_before_the_end(int fd)
{
	static char bytes[512];
	size_t count = 0;
	ssize_t got;

	while ((got = recv(fd, bytes + count, sizeof bytes - 1 - count, 0)) > 0)
		count += (size_t)got;
	bytes[count] = '\0';
	close(fd);
	if (count == 0)
		return NULL;
	return count > FRAME_HEADER_BYTES ? bytes + FRAME_HEADER_BYTES + 1 : "";
}

struct intruder {
	struct hub *hub;
	void (*intrude)(int fd);
	const char *why; /* sent by the hub; NULL: none */
};

static const struct hub *attacked;

static int connect_again(void)
{
	return connect_bare(attacked);
}

static void intrude(void *argument)
{
	const struct intruder *intruder = argument;
	const char *said;
	int fd;

	attacked = intruder->hub;
	fd = connect_bare(attacked);
	intruder->intrude(fd);
	said = said_before_the_end(fd);
	if (intruder->why)
		check(said && strstr(said, intruder->why), "'%s' does not speak of '%s'",
			said ? said : "", intruder->why);
	else
		check(!said, "a stranger is told '%s'", said);
}

/* The hub must keep working with its member during an intrusion. */
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
	bare_put(fd, "GET / HTTP/1.1\r\nHost: nobody\r\n\r\n", 33);
}

static void be_of_another_version(int fd)
{
	struct proof proof = bare_proof();
	uint8_t bytes[BARE_BYTES];
	uint32_t count = bare_hello(&proof, "stranger", bytes);

	bytes[4] = FRAME_VERSION + 6;
	bare_put(fd, bytes, count);
}

static void say_too_much(int fd)
{
	put_frame(fd, (struct frame){FRAME_HELLO, 0, 0, 0, PROOF_PAYLOAD_MAX + 1}, "");
}

static void begin_with_a_message(int fd)
{
	put_frame(fd, (struct frame){FRAME_MESSAGE, 0, 0, 0, 2}, "hi");
}

static void have_a_name_of_controls(int fd)
{
	greet(fd, "a\033[2Jb");
}

/* Reads the challenge, and answers it with another key, in a valid frame. */
static void prove_another_key(int fd)
{
	static const uint8_t other[PROOF_KEY_BYTES] = {1};
	uint8_t bytes[BARE_BYTES], challenge[BARE_CHALLENGE_BYTES];
	struct proof proof = bare_greet(fd, "stranger", challenge);
	uint64_t session;

	(void)bare_answer(&proof, challenge, bytes, &session);
	proof.key = other;
	proof_make(&proof, PROOF_MEMBER, bytes + FRAME_HEADER_BYTES);
	bare_put(fd, bytes, FRAME_HEADER_BYTES + PROOF_BYTES);
}

/* Sends the hub's own proof back to the hub, as if it were the proof of a member. The hub must
 * reject it. */
static void give_back_the_hubs_proof(int fd)
{
	uint8_t bytes[BARE_BYTES], challenge[BARE_CHALLENGE_BYTES];
	struct proof proof = bare_greet(fd, "stranger", challenge);
	uint64_t session;

	(void)bare_answer(&proof, challenge, bytes, &session);
	memcpy(bytes + FRAME_HEADER_BYTES, challenge + FRAME_HEADER_BYTES + PROOF_NONCE_BYTES,
		PROOF_BYTES);
	bare_put(fd, bytes, FRAME_HEADER_BYTES + PROOF_BYTES);
}

/* Replays the messages of an earlier member byte for byte. The member's proof used other nonces. */
static void replay_an_opening(int fd)
{
	uint8_t hello[BARE_BYTES], answer[BARE_BYTES], challenge[BARE_CHALLENGE_BYTES];
	struct proof proof = bare_proof();
	uint32_t count = bare_hello(&proof, "member-of-before", hello);
	int before = connect_again();
	uint64_t session;

	bare_put(before, hello, count);
	check_equal(recv(before, challenge, sizeof challenge, MSG_WAITALL), sizeof challenge);
	(void)bare_answer(&proof, challenge, answer, &session);
	bare_put(fd, hello, count);
	check_equal(recv(fd, challenge, sizeof challenge, MSG_WAITALL), sizeof challenge);
	bare_put(fd, answer, FRAME_HEADER_BYTES + PROOF_BYTES);
}

static void guess_the_session(int fd)
{
	uint8_t challenge[BARE_CHALLENGE_BYTES];

	(void)bare_greet(fd, "stranger", challenge);
	put_frame(
		fd, (struct frame){FRAME_MESSAGE, transport_hub_settings().session, 1, 0, 2}, "hi");
}

/* Reuses the number of its proof. */
static void say_the_same_twice(int fd)
{
	bare_prove_and(fd, "x", (struct frame){FRAME_CREDIT, 0, 1, 1, 0});
}

static void say_something_before_it_is_welcome(int fd)
{
	bare_prove_and(fd, "x", (struct frame){FRAME_CREDIT, 0, 2, 1, 0});
}

static void what_speaks_something_else_is_refused(void)
{
	check_intruder(speak_something_else, NULL);
}

static void another_version_is_refused(void)
{
	check_intruder(be_of_another_version, NULL);
}

static void a_frame_that_is_too_long_is_refused(void)
{
	check_intruder(say_too_much, NULL);
}

static void a_message_without_a_sender_is_refused(void)
{
	check_intruder(begin_with_a_message, NULL);
}

static void a_name_that_is_not_printable_is_refused(void)
{
	check_intruder(have_a_name_of_controls, NULL);
}

static void who_holds_another_key_is_refused(void)
{
	check_intruder(prove_another_key, NULL);
}

static void who_gives_the_hubs_proof_back_is_refused(void)
{
	check_intruder(give_back_the_hubs_proof, NULL);
}

static void a_recorded_opening_is_refused(void)
{
	check_intruder(replay_an_opening, NULL);
}

static void who_guesses_the_session_is_refused(void)
{
	check_intruder(guess_the_session, NULL);
}

static void a_frame_that_is_replayed_is_refused(void)
{
	check_intruder(say_the_same_twice, "out of order");
}

static void what_is_said_before_the_welcome_is_refused(void)
{
	check_intruder(say_something_before_it_is_welcome, "broken");
}

/* ---- two connections ---- */

/* On a connection that has proved itself, uses the session of another connection that has not. */
static void say_on_another_connection(int fd)
{
	uint8_t challenge[BARE_CHALLENGE_BYTES];
	struct proof proof = bare_greet(connect_again(), "other", challenge);

	bare_prove_and(fd, "one", (struct frame){FRAME_BYE, proof_session(&proof), 2, 0, 0});
}

static void the_session_of_another_connection_is_refused(void)
{
	check_intruder(say_on_another_connection, "another session");
}

/* ---- accepted members that break the rules ---- */

struct comer {
	const struct hub *hub;
	int fd;
	uint64_t session;
};

static void prove(void *argument)
{
	struct comer *comer = argument;

	comer->fd = connect_bare(comer->hub);
	comer->session = bare_prove(comer->fd, "bare");
}

/* Proves itself, is accepted as member 0, then calls `how`. After that the member must be lost. */
static void check_member_lost(void (*how)(int fd, uint64_t session), enum status before)
{
	struct hub *hub = transport_hub();
	struct comer comer = {hub, -1, 0};
	struct thread *thread = world->spawn("proves", (struct affinity){0, -1}, prove, &comer);
	struct span message;
	uint32_t number;
	int fd;

	check_status(transport->hub_accept(hub, transport_in_ms(5000), &number), STATUS_OK);
	world->join(thread);
	fd = comer.fd;
	how(fd, comer.session);
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

static void end_within_a_header(int fd, uint64_t session)
{
	(void)session;
	bare_put(fd, "mshT", 4);
	shutdown(fd, SHUT_WR);
}

static void end_within_a_message(int fd, uint64_t session)
{
	put_frame(fd, (struct frame){FRAME_MESSAGE, session, 2, 0, 100}, "cut");
	shutdown(fd, SHUT_WR);
}

static void give_back_what_it_never_got(int fd, uint64_t session)
{
	put_frame(fd, (struct frame){FRAME_CREDIT, session, 2, 1, 0}, "");
}

static void say_more_than_the_window(int fd, uint64_t session)
{
	for (uint64_t i = 0; i <= TRANSPORT_WINDOW; i++)
		put_frame(fd, (struct frame){FRAME_MESSAGE, session, i + 2, 0, 2}, "hi");
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

/* Other transports wrap frames; test_transport_zeromq_strangers.c tests that. */
static bool is_bare(const char *name)
{
	return strcmp(name, "tcp") == 0 || strcmp(name, "unix") == 0;
}

/* True if every connection of the transport begins on a bare socket. */
static bool greets_on_a_socket(const char *name)
{
	return is_bare(name) || strcmp(name, "mpi") == 0;
}

int main(void)
{
	static const struct transport_case cases[] = {
		TRANSPORT_CASE(what_speaks_something_else_is_refused),
		TRANSPORT_CASE(another_version_is_refused),
		TRANSPORT_CASE(a_frame_that_is_too_long_is_refused),
		TRANSPORT_CASE(a_message_without_a_sender_is_refused),
		TRANSPORT_CASE(a_name_that_is_not_printable_is_refused),
		TRANSPORT_CASE(who_holds_another_key_is_refused),
		TRANSPORT_CASE(who_gives_the_hubs_proof_back_is_refused),
		TRANSPORT_CASE(a_recorded_opening_is_refused),
		TRANSPORT_CASE(who_guesses_the_session_is_refused),
		TRANSPORT_CASE_OF(is_bare, a_frame_that_is_replayed_is_refused),
		TRANSPORT_CASE_OF(is_bare, what_is_said_before_the_welcome_is_refused),
		TRANSPORT_CASE_OF(is_bare, the_session_of_another_connection_is_refused),
		TRANSPORT_CASE_OF(is_bare, a_member_that_ends_within_a_frame_is_lost),
		TRANSPORT_CASE_OF(is_bare, a_member_that_gives_back_too_much_is_lost),
		TRANSPORT_CASE_OF(is_bare, a_member_that_says_more_than_the_window_is_lost),
	};

	return transports_run_where(
		"strangers", cases, sizeof cases / sizeof cases[0], greets_on_a_socket);
}

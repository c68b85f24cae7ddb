/* label: full
 * Tests members that die without a goodbye, on every transport. Such a member must be reported as
 * lost, and messages that it sent before its death must still arrive. Members are separate
 * processes, which the test kills. */
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "transports.h"

/* A process that the test can kill. It is forked before the test has a hub, because a hub's library
 * may start threads, and a fork does not copy threads. A process that is a member receives the
 * hub's address, and writes one byte when it has joined. A process that is a hub writes its
 * address. */
struct other {
	pid_t process;
	int to, from;
};

static struct other other_start(void (*body)(int in, int out))
{
	int to[2], from[2];
	struct other other;

	check_equal(pipe(to), 0);
	check_equal(pipe(from), 0);
	other = (struct other){fork(), to[1], from[0]};
	if (other.process == 0) {
		close(to[1]);
		close(from[0]);
		body(to[0], from[1]);
		_exit(0);
	}
	close(to[0]);
	close(from[1]);
	return other;
}

static void other_die(struct other *other)
{
	check_equal(kill(other->process, SIGKILL), 0);
	check_equal(waitpid(other->process, NULL, 0), other->process);
	close(other->to);
	close(other->from);
}

static void join_and_stay(int in, int out)
{
	struct channel_settings settings = transport_hub_settings();
	struct channel *channel;
	struct span message;
	char address[192] = "";

	check_at_most(1, read(in, address, sizeof address - 1));
	settings.address = address;
	settings.name = "mortal";
	check_status(transport->join(&settings, transport_in_ms(10000), &channel, NULL), STATUS_OK);
	transport_say(channel, 100000, 1);
	check_equal(write(out, "x", 1), 1);
	(void)transport->receive(channel, transport_in_ms(10000), &message);
}

static void a_member_whose_process_dies_is_lost_behind_what_it_said(void)
{
	struct other other = other_start(join_and_stay);
	struct hub *hub = transport_hub();
	const char *address = transport->hub_address(hub);
	struct span message;
	uint32_t number = UINT32_MAX;
	char byte;

	check_equal(write(other.to, address, strlen(address)), strlen(address));
	check_status(transport->hub_accept(hub, transport_in_ms(10000), &number), STATUS_OK);
	transport_expect_of(hub, 0, 100000, 1);
	check_equal(read(other.from, &byte, 1), 1);
	other_die(&other);
	check_status(transport->hub_receive(hub, transport_in_ms(10000), &number, &message),
		STATUS_CLOSED);
	check_equal(number, 0);
	transport->hub_close(hub);
}

static void listen_and_stay(int in, int out)
{
	struct hub *hub = transport_hub();
	const char *address = transport->hub_address(hub);
	struct span message;
	uint32_t number;

	(void)in;
	check_equal(write(out, address, strlen(address)), strlen(address));
	check_status(transport->hub_accept(hub, transport_in_ms(10000), &number), STATUS_OK);
	transport_send_to(hub, CHANNEL_ALL, 100000, 1);
	(void)transport->hub_receive(hub, transport_in_ms(10000), &number, &message);
}

static void a_hub_whose_process_dies_is_lost_behind_what_it_said(void)
{
	struct other other = other_start(listen_and_stay);
	struct channel_settings settings = transport_hub_settings();
	struct channel *channel = NULL;
	struct span message;
	char address[192] = "";

	check_at_most(1, read(other.from, address, sizeof address - 1));
	settings.address = address;
	settings.name = "survivor";
	check_status(transport->join(&settings, transport_in_ms(10000), &channel, NULL), STATUS_OK);
	transport_expect(channel, 100000, 1);
	other_die(&other);
	check_status(transport->receive(channel, transport_in_ms(10000), &message), STATUS_CLOSED);
	transport->close(channel);
}

int main(void)
{
	static const struct transport_case cases[] = {
		TRANSPORT_CASE(a_member_whose_process_dies_is_lost_behind_what_it_said),
		TRANSPORT_CASE(a_hub_whose_process_dies_is_lost_behind_what_it_said),
	};

	return transports_run("deaths", cases, sizeof cases / sizeof cases[0]);
}

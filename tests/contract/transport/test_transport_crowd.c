/* label: full
 * Tests a hub to which many strangers connect, which send nothing, or send zeros. Meanwhile a
 * member must be able to join the hub and to work with it. The hub keeps a description of the last
 * stranger that it rejected. UCX is left out, because its library crashes on some bytes of
 * strangers. So runs over UCX have a network namespace of their own, which strangers cannot reach.
 */
#include <arpa/inet.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "check.h"
#include "transports.h"
#include "world/world.h"

enum { CROWD = 120, ZEROS = 4096, MEMBERS = 12, PASSING_NS = 200000 };

static const char noise[ZEROS];

/* Connects to the hub. If the hub has a socket with a path, connects to this path; otherwise
 * connects to the hub's first port over TCP. If the hub has two ports and `number` is odd, uses the
 * second port. */
static int connect_to(const struct hub *hub, uint32_t number)
{
	const char *address = transport->hub_address(hub), *port = strrchr(address, ':');
	const char *second = strchr(address, ',');
	struct sockaddr_in four = {
		.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	struct sockaddr_un local = {.sun_family = AF_UNIX};
	bool is_local = address[0] == '/';
	int fd = socket(is_local ? AF_UNIX : AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);

	if (second && number % 2)
		port = second;
	snprintf(local.sun_path, sizeof local.sun_path, "%s", is_local ? address : "");
	four.sin_port = htons((uint16_t)(port ? atoi(port + 1) : 0));
	(void)(is_local ? connect(fd, (struct sockaddr *)&local, sizeof local)
			: connect(fd, (struct sockaddr *)&four, sizeof four));
	return fd;
}

static void check_crowd(uint32_t zeros)
{
	struct hub *hub = transport_hub();
	int64_t begin_ns = world->now_ns();
	struct channel *channel;
	int crowd[CROWD];

	for (uint32_t i = 0; i < CROWD; i++)
		crowd[i] = connect_to(hub, i);
	for (uint32_t i = 0; i < CROWD; i++)
		(void)!send(crowd[i], noise, zeros, MSG_NOSIGNAL);
	channel = transport_join(hub, "member", 0);
	check_less(world->now_ns() - begin_ns, INT64_C(8000000000));
	transport_send_to(hub, CHANNEL_ALL, 1000, 1);
	transport_expect(channel, 1000, 1);
	transport_say(channel, 1000, 2);
	transport_expect_of(hub, 0, 1000, 2);
	transport->close(channel);
	transport->hub_close(hub);
	for (uint32_t i = 0; i < CROWD; i++)
		close(crowd[i]);
}

static void who_is_of_the_run_joins_beside_a_crowd_that_idles(void)
{
	check_crowd(0);
}

static void who_is_of_the_run_joins_beside_a_crowd_that_sends_zeros(void)
{
	check_crowd(ZEROS);
}

struct passing {
	const struct hub *hub;
	atomic_bool ended;
};

/* Strangers come one after the other. Each leaves as soon as it has sent its zeros. */
static void pass_by(void *argument)
{
	struct passing *passing = argument;

	for (uint32_t i = 0; !atomic_load(&passing->ended); i++) {
		int fd = connect_to(passing->hub, i);

		(void)!send(fd, noise, sizeof noise, MSG_NOSIGNAL);
		close(fd);
		world->sleep_until(world->now_ns() + PASSING_NS);
	}
}

/* When a stranger has left, the hub uses the stranger's descriptor again for the next member. */
static void who_is_of_the_run_joins_while_strangers_come_and_go(void)
{
	struct hub *hub = transport_hub();
	struct passing passing = {.hub = hub};
	struct thread *strangers =
		world->spawn("strangers", (struct affinity){0, -1}, pass_by, &passing);
	struct channel *channels[MEMBERS];
	char name[16];

	for (uint32_t i = 0; i < MEMBERS; i++) {
		snprintf(name, sizeof name, "member-%u", i);
		channels[i] = transport_join(hub, name, i);
	}
	atomic_store(&passing.ended, true);
	world->join(strangers);
	for (uint32_t i = 0; i < MEMBERS; i++) {
		transport_say(channels[i], 1000, i);
		transport_expect_of(hub, i, 1000, i);
	}
	for (uint32_t i = 0; i < MEMBERS; i++)
		transport->close(channels[i]);
	transport->hub_close(hub);
}

/* An idle connection is dropped within a second or two, and reported. */
static void who_idles_is_named(void)
{
	struct hub *hub = transport_hub();
	int fd = connect_to(hub, 0);
	struct channel_counts counts = {0};
	uint32_t number;

	for (int i = 0; i < 100 && counts.refused == 0; i++) {
		check_status(
			transport->hub_accept(hub, transport_in_ms(50), &number), STATUS_TIMEOUT);
		transport->hub_counts(hub, &counts);
	}
	check_equal(counts.refused, 1);
	check(strstr(counts.stranger, "it said nothing for a second"), "'%s'", counts.stranger);
	check(strncmp(counts.stranger, "127.0.0.1:", 10) == 0 ||
			strncmp(counts.stranger, "process ", 8) == 0,
		"'%s' does not say from where", counts.stranger);
	transport->hub_close(hub);
	close(fd);
}

static bool is_not_ucx(const char *name)
{
	return strncmp(name, "ucx", 3) != 0;
}

/* The other libraries do not report idle connections. */
static bool sees_who_idles(const char *name)
{
	return strcmp(name, "tcp") == 0 || strcmp(name, "unix") == 0 || strcmp(name, "mpi") == 0;
}

int main(void)
{
	static const struct transport_case cases[] = {
		TRANSPORT_CASE(who_is_of_the_run_joins_beside_a_crowd_that_idles),
		TRANSPORT_CASE(who_is_of_the_run_joins_beside_a_crowd_that_sends_zeros),
		TRANSPORT_CASE(who_is_of_the_run_joins_while_strangers_come_and_go),
		TRANSPORT_CASE_OF(sees_who_idles, who_idles_is_named),
	};

	return transports_run_where(
		"crowd of strangers", cases, sizeof cases / sizeof cases[0], is_not_ucx);
}

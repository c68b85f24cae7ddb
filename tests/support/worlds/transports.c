/* Runs cases of the contract of channel.h (see transports.h). */
#include "test.h"

#include "transports.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "deadline.h"
#include "row.h"
#include "sim_network.h"
#include "test_folder.h"
#include "test_key.h"

enum { NAME_BYTES = 160, PAIRS_MAX = 512 };

enum where { NATIVE, SIM_SAME_HOST, SIM_OTHER_HOST, WHERE_COUNT };

struct pair {
	const struct channel_ops *ops;
	const struct transport_case *each;
	enum where where;
};

struct suite {
	struct CMUnitTest tests[PAIRS_MAX];
	struct pair pairs[PAIRS_MAX];
	char names[PAIRS_MAX][NAME_BYTES];
	uint32_t count;
};

const struct channel_ops *transport;
static const struct transport_case *current;
static enum where where;
static struct suite all;

static void run_body(struct cluster *cluster)
{
	(void)cluster;
	current->body();
}

static void run_current(void *unused)
{
	(void)unused;
	current->body();
}

static void run_simulated(void)
{
	struct host_constants host = sim_host_constants();
	struct hostnet_constants constants = sim_network_constants();

	sim_network_run(&host, &constants, run_current, NULL);
}

static void run_pair(void **state)
{
	const struct pair *pair = *state;
	int result;
	pid_t child;

	child = row_fork(pair->where == NATIVE ? &row_native : &row_sim);
	if (child == 0) {
		deadline_start(pair->each->name);
		transport = pair->ops;
		current = pair->each;
		where = pair->where;
		if (where == NATIVE)
			row_native.run(NULL, run_body);
		else
			run_simulated();
		fflush(NULL);
		exit(0);
	}
	assert_int_equal(waitpid(child, &result, 0), child);
	if (WIFSIGNALED(result))
		fail_msg("%s: ended by signal %d", pair->each->name, WTERMSIG(result));
	if (WEXITSTATUS(result) != 0)
		fail_msg("%s: exit code %d", pair->each->name, WEXITSTATUS(result));
}

static void add_cases(const struct channel_ops *ops, const struct transport_case *cases,
	uint32_t count, enum where in)
{
	static const char *const worlds[WHERE_COUNT] = {"", " sim", " sim hosts"};

	for (uint32_t i = 0; i < count; i++) {
		uint32_t at = all.count;

		if (cases[i].runs && !cases[i].runs(ops->name))
			continue;
		all.count++;
		assert_in_range(at, 0, PAIRS_MAX - 1);
		all.pairs[at] = (struct pair){ops, &cases[i], in};
		snprintf(all.names[at], NAME_BYTES, "%s%s: %s", ops->name, worlds[in],
			cases[i].name);
		all.tests[at] =
			(struct CMUnitTest){all.names[at], run_pair, NULL, NULL, &all.pairs[at]};
	}
}

static void add_native(
	const struct transport_case *cases, uint32_t count, bool (*runs)(const char *name))
{
	for (size_t row = 0; transport_row(row); row++)
		if (transport_row(row)->ops && runs(transport_row(row)->entry.name))
			add_cases(transport_row(row)->ops, cases, count, NATIVE);
}

int transports_run_where(const char *suite, const struct transport_case *cases, uint32_t count,
	bool (*runs)(const char *name))
{
	add_native(cases, count, runs);
	return _cmocka_run_group_tests(suite, all.tests, all.count, NULL, NULL);
}

static bool all_run(const char *name)
{
	(void)name;
	return true;
}

int transports_run(const char *suite, const struct transport_case *cases, uint32_t count)
{
	return transports_run_where(suite, cases, count, all_run);
}

int transports_run_everywhere(const char *suite, const struct transport_case *cases, uint32_t count)
{
	const char *only = getenv("MESHSIM_ROW");

	add_native(cases, count, all_run);
	for (unsigned i = 0; i < HOSTNET_TRANSPORT_COUNT && !only; i++)
		for (enum where in = SIM_SAME_HOST; in < WHERE_COUNT; in++)
			add_cases(hostnet_row((enum hostnet_transport)i), cases, count, in);
	return _cmocka_run_group_tests(suite, all.tests, all.count, NULL, NULL);
}

/* ---- for bodies ---- */

int64_t transport_in_ms(int64_t ms)
{
	return world->now_ns() + ms * 1000000;
}

struct channel_settings transport_hub_settings(void)
{
	static char path[128];

	snprintf(path, sizeof path, "%.96s/transport-%d", test_folder(), (int)getpid());
	return (struct channel_settings){.address = where == SIM_OTHER_HOST ? "*:0"
						    : strcmp(transport->name, "unix") == 0
							    ? path
							    : "127.0.0.1:0",
		.remote = where == SIM_OTHER_HOST,
		.name = "hub",
		.session = 17,
		.key = test_key(),
		.message_bytes_max = TRANSPORT_MESSAGE_MAX,
		.window = TRANSPORT_WINDOW};
}

int transport_connect(const struct hub *hub)
{
	const char *port = strrchr(transport->hub_address(hub), ':') + 1;
	struct sockaddr_in address = {.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
		.sin_port = htons((uint16_t)strtoul(port, NULL, 10))};
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	check_equal(connect(fd, (struct sockaddr *)&address, sizeof address), 0);
	return fd;
}

struct channel_settings transport_member_settings(const struct hub *hub, const char *name)
{
	struct channel_settings settings = transport_hub_settings();

	settings.address = transport->hub_address(hub);
	settings.name = name;
	return settings;
}

struct hub *transport_hub(void)
{
	struct channel_settings settings = transport_hub_settings();
	struct hub *hub = NULL;

	check_status(transport->hub_open(&settings, &hub, NULL), STATUS_OK);
	return hub;
}

struct joining {
	struct channel_settings settings;
	struct channel *channel;
};

static void join(void *argument)
{
	struct joining *joining = argument;

	check_status(transport->join(
			     &joining->settings, transport_in_ms(10000), &joining->channel, NULL),
		STATUS_OK);
}

struct channel *transport_join(struct hub *hub, const char *name, uint32_t number)
{
	return transport_join_with(hub, transport_member_settings(hub, name), number);
}

struct channel *transport_join_with(
	struct hub *hub, struct channel_settings settings, uint32_t number)
{
	struct joining joining = {settings, NULL};
	const char *name = settings.name;
	struct affinity affinity = {where == SIM_OTHER_HOST, -1};
	struct thread *thread = world->spawn("joins", affinity, join, &joining);
	uint32_t member = 0;

	check_status(transport->hub_accept(hub, transport_in_ms(10000), &member), STATUS_OK);
	world->join(thread);
	check_equal(member, number);
	check(strcmp(transport->hub_member(hub, member), name) == 0, "member %u is %s, not %s",
		member, transport->hub_member(hub, member), name);
	return joining.channel;
}

static uint8_t byte_at(uint32_t seed, uint32_t i)
{
	return (uint8_t)((i + seed) * 2654435761u >> 24);
}

struct span transport_message(uint32_t length, uint32_t seed)
{
	struct extent *extent = extent_new(length);

	for (uint32_t i = 0; i < length; i++)
		extent->bytes[i] = byte_at(seed, i);
	return span_of(extent);
}

void transport_check_message(struct span message, uint32_t length, uint32_t seed)
{
	check_equal(message.length, length);
	for (uint32_t i = 0; i < length; i++)
		check(message.extent->bytes[message.offset + i] == byte_at(seed, i),
			"byte %u of %u is %u, expected %u", i, length,
			message.extent->bytes[message.offset + i], byte_at(seed, i));
}

void transport_check_goes_on(struct hub *hub, struct channel *channel)
{
	struct span message = transport_message(10, 1);
	struct channel_counts counts = {0};
	uint32_t number;

	for (int i = 0; i < 200 && counts.refused == 0; i++) {
		check_status(
			transport->hub_accept(hub, transport_in_ms(20), &number), STATUS_TIMEOUT);
		transport->hub_counts(hub, &counts);
	}
	check_equal(counts.refused, 1);
	check_status(
		transport->hub_send(hub, 0, message, transport_in_ms(1000), &number), STATUS_OK);
	span_release(message);
	check_status(transport->receive(channel, transport_in_ms(1000), &message), STATUS_OK);
	transport_check_message(message, 10, 1);
	span_release(message);
}

void transport_send_to(struct hub *hub, uint32_t member, uint32_t length, uint32_t seed)
{
	struct span message = transport_message(length, seed);
	uint32_t who = 0;

	check_status(
		transport->hub_send(hub, member, message, transport_in_ms(10000), &who), STATUS_OK);
	span_release(message);
}

void transport_expect(struct channel *channel, uint32_t length, uint32_t seed)
{
	struct span message;

	check_status(transport->receive(channel, transport_in_ms(10000), &message), STATUS_OK);
	transport_check_message(message, length, seed);
	span_release(message);
}

void transport_say(struct channel *channel, uint32_t length, uint32_t seed)
{
	struct span message = transport_message(length, seed);

	check_status(transport->send(channel, message, transport_in_ms(10000)), STATUS_OK);
	span_release(message);
}

void transport_expect_of(struct hub *hub, uint32_t member, uint32_t length, uint32_t seed)
{
	struct span message;
	uint32_t number = UINT32_MAX;

	check_status(
		transport->hub_receive(hub, transport_in_ms(10000), &number, &message), STATUS_OK);
	check_equal(number, member);
	transport_check_message(message, length, seed);
	span_release(message);
}

void transport_refuses_other_machines(void)
{
	struct channel_settings settings = transport_hub_settings();
	struct text why = {0};
	struct hub *hub = NULL;

	settings.remote = true;
	check_status(transport->hub_open(&settings, &hub, &why), STATUS_UNSUPPORTED);
	check(strstr(text_string(&why), "only this machine"), "'%s'", text_string(&why));
	text_fini(&why);
}

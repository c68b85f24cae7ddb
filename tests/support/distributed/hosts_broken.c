/* Hosts with faults (see hosts_broken.h). */
#include "hosts_broken.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "hosts_sim.h"
#include "hostnet/hostnet.h"
#include "sim_case.h"

enum { SLICE_NS = 1000000 };

static struct broken {
	const struct channel_ops *base;
	struct channel_ops row;
	char name[32]; /* name of the host */
	struct hub *hub;
	bool simulated;
	/* atomic */
	struct channel *channel; /* the host's channel */
	int64_t slow_ns, away_until_ns;
	bool dead;
	struct thread *away;
	uint16_t host;
} broken;

/* This is atomic, because executors join while others are already working. */
static bool is_of_the_host(const struct channel *channel)
{
	return channel == __atomic_load_n(&broken.channel, __ATOMIC_ACQUIRE);
}

/* In the native world, the last host calls this function before it sends or receives. If the host
 * is cut off, waits until it is connected again. Returns TIMEOUT at the deadline, and CLOSED if the
 * host's program is dead. */
static enum status hold_back(int64_t deadline_ns)
{
	for (;;) {
		int64_t until_ns = __atomic_load_n(&broken.away_until_ns, __ATOMIC_ACQUIRE);

		if (__atomic_load_n(&broken.dead, __ATOMIC_ACQUIRE))
			return STATUS_CLOSED;
		if (world->now_ns() >= until_ns)
			return STATUS_OK;
		if (world->now_ns() >= deadline_ns)
			return STATUS_TIMEOUT;
		world->sleep_until(world->now_ns() + SLICE_NS);
	}
}

static enum status receive_in_slices(
	struct channel *channel, int64_t deadline_ns, struct span *message)
{
	enum status status;

	do {
		int64_t slice_ns = world->now_ns() + SLICE_NS;

		status = hold_back(deadline_ns);
		if (status == STATUS_OK)
			status = broken.base->receive(
				channel, slice_ns < deadline_ns ? slice_ns : deadline_ns, message);
	} while (status == STATUS_TIMEOUT && world->now_ns() < deadline_ns);
	return status;
}

static enum status receive(struct channel *channel, int64_t deadline_ns, struct span *message)
{
	int64_t slow_ns = __atomic_load_n(&broken.slow_ns, __ATOMIC_ACQUIRE);

	if (!is_of_the_host(channel))
		return broken.base->receive(channel, deadline_ns, message);
	if (slow_ns > 0)
		world->sleep_until(world->now_ns() + slow_ns);
	return broken.simulated ? broken.base->receive(channel, deadline_ns, message)
				: receive_in_slices(channel, deadline_ns, message);
}

static enum status send(struct channel *channel, struct span message, int64_t deadline_ns)
{
	enum status status = STATUS_OK;

	if (is_of_the_host(channel) && !broken.simulated)
		status = hold_back(deadline_ns);
	return status == STATUS_OK ? broken.base->send(channel, message, deadline_ns) : status;
}

static enum status join(const struct channel_settings *settings, int64_t deadline_ns,
	struct channel **channel, struct text *why)
{
	enum status status = broken.base->join(settings, deadline_ns, channel, why);

	if (status == STATUS_OK && strcmp(settings->name, broken.name) == 0)
		__atomic_store_n(&broken.channel, *channel, __ATOMIC_RELEASE);
	return status;
}

static enum status hub_open(
	const struct channel_settings *settings, struct hub **hub, struct text *why)
{
	enum status status = broken.base->hub_open(settings, hub, why);

	broken.hub = *hub;
	return status;
}

void hosts_broken_init(struct hosts_case *hosts)
{
	uint32_t last = hosts->choice.hosts - 1;

	broken = (struct broken){.base = hosts->settings.transport,
		.row = *hosts->settings.transport,
		.simulated = hosts->choice.ground == &hosts_sim_ground,
		.host = (uint16_t)last};
	snprintf(broken.name, sizeof broken.name, "%s", hosts->names[last]);
	broken.row.hub_open = hub_open;
	broken.row.join = join;
	broken.row.send = send;
	broken.row.receive = receive;
	hosts->settings.transport = &broken.row;
}

void hosts_broken_slow(int64_t each_ns)
{
	__atomic_store_n(&broken.slow_ns, each_ns, __ATOMIC_RELEASE);
}

static void come_back(void *unused)
{
	(void)unused;
	world->sleep_until(broken.away_until_ns);
	if (broken.simulated)
		hostnet_cut(broken.host, false);
}

void hosts_broken_away(struct hosts_case *hosts, int64_t for_ns)
{
	__atomic_store_n(&broken.away_until_ns, world->now_ns() + for_ns, __ATOMIC_RELEASE);
	if (broken.simulated)
		hostnet_cut(broken.host, true);
	broken.away = world->spawn("end of the cut", hosts->settings.place, come_back, NULL);
}

void hosts_broken_await_return(void)
{
	world->join(broken.away);
}

void hosts_broken_kill(struct hosts_case *hosts)
{
	(void)hosts;
	__atomic_store_n(&broken.dead, true, __ATOMIC_RELEASE);
	if (broken.simulated)
		hostnet_kill(broken.host);
}

struct channel_counts hosts_broken_counts(void)
{
	struct channel_counts counts;

	broken.base->hub_counts(broken.hub, &counts);
	return counts;
}

/* ---- both worlds ---- */

struct trial {
	void (*body)(const struct hosts_choice *choice);
	struct hosts_choice choice;
};

static void run(void *argument)
{
	const struct trial *trial = argument;

	trial->body(&trial->choice);
}

static void simulate(const void *argument, void *unused)
{
	struct trial trial = *(const struct trial *)argument;

	(void)unused;
	hosts_sim_run(trial.choice.hosts, NULL, run, &trial);
}

void hosts_broken_in_both(const struct hosts_choice *native, size_t native_count,
	const struct hosts_choice *simulated, size_t simulated_count,
	void (*body)(const struct hosts_choice *choice))
{
	const char *row = getenv("MESHSIM_ROW");

	if (row == NULL || strcmp(row, "native") != 0)
		for (size_t i = 0; i < simulated_count; i++) {
			struct trial trial = {body, simulated[i]};

			trial.choice.ground = &hosts_sim_ground;
			sim_case_expect(simulate, &trial, 0, NULL);
		}
	for (size_t i = 0; i < native_count; i++)
		body(&native[i]);
}

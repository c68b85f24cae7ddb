/* `meshsim manager agent`: reports the chips and channels of a host, again and again. Discovery has
 * written them into a physical system descriptor, which the agent reads before each report. */
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/output.h"
#include "manager_command.h"
#include "topology/machine.h"
#include "world/world.h"

enum { AGENT_PERIOD_MS = 1000, AGENT_NAP_US = 20000, AGENT_NS_PER_MS = 1000000 };

struct agent {
	const struct manager_command *command;
	char host[MANAGER_NAME_BYTES], session[MANAGER_NAME_BYTES];
	uint64_t sequence;
	char last[64]; /* status of the last report */
};

/* Returns the number of a host; MACHINE_NONE after a message that names the hosts there are. */
static uint32_t agent_host(const struct agent *agent, const struct machine *machine)
{
	for (uint32_t i = 0; i < machine->host_count; i++)
		if (strcmp(machine->hosts[i].name, agent->host) == 0)
			return i;
	fprintf(stderr, "meshsim manager: %s has no host '%s'; its hosts are:", agent->command->psd,
		agent->host);
	for (uint32_t i = 0; i < machine->host_count && i < 8; i++)
		fprintf(stderr, " %s", machine->hosts[i].name);
	fprintf(stderr, machine->host_count > 8 ? " ...\n" : "\n");
	return MACHINE_NONE;
}

/* Adds both directions of a channel, as far as they begin at this host. */
static uint32_t agent_add_channel(const struct machine *machine, uint32_t host,
	const struct machine_link *link, const struct machine_cable *cable,
	struct manager_channel *channels, uint32_t count)
{
	const struct machine_chip *a = &machine->chips[link->a], *b = &machine->chips[link->b];

	if (a->host == host)
		channels[count++] = (struct manager_channel){.chip = a->id,
			.channel = cable->channel_a,
			.to = b->id,
			.to_channel = cable->channel_b};
	if (b->host == host)
		channels[count++] = (struct manager_channel){.chip = b->id,
			.channel = cable->channel_b,
			.to = a->id,
			.to_channel = cable->channel_a};
	return count;
}

static void agent_fill(const struct machine *machine, uint32_t host, struct manager_request *report,
	struct arena *arena)
{
	struct manager_chip *chips = arena_array(arena, machine->chip_count + 1, sizeof *chips);
	struct manager_channel *channels;
	uint32_t chip_count = 0, channel_count = 0, room = 0;

	for (uint32_t i = 0; i < machine->chip_count; i++)
		if (machine->chips[i].host == host)
			chips[chip_count++] = (struct manager_chip){.id = machine->chips[i].id,
				.tray = machine->chips[i].tray,
				.location = machine->chips[i].location,
				.device = machine->chips[i].device,
				.pcie = machine->chips[i].pcie,
				.paired = machine->chips[i].board != MACHINE_NONE};
	for (uint32_t i = 0; i < machine->link_count; i++)
		room += 2 * machine->links[i].channels;
	channels = arena_array(arena, room + 1, sizeof *channels);
	for (uint32_t i = 0; i < machine->link_count; i++)
		for (uint32_t c = 0; c < machine->links[i].channels; c++)
			channel_count = agent_add_channel(machine, host, &machine->links[i],
				&machine->cables[machine->links[i].first_cable + c], channels,
				channel_count);
	report->chips = chips;
	report->chip_count = chip_count;
	report->channels = channels;
	report->channel_count = channel_count;
}

/* Prints what the manager says, if it says something new. */
static void agent_tell(
	struct agent *agent, const struct tree *reply, const struct manager_request *report)
{
	const char *status = manager_reply_text(reply, "status");

	if (strcmp(status, agent->last) == 0)
		return;
	snprintf(agent->last, sizeof agent->last, "%s", status);
	if (strcmp(status, "ok") == 0)
		printf("host %s: %u chips and %u channels are reported\n", agent->host,
			report->chip_count, report->channel_count);
	else
		printf("host %s: the report was %s: %s\n", agent->host, status,
			manager_reply_text(reply, "why"));
	fflush(stdout);
}

/* Reports once. Returns false if there is nothing to report, or no manager. */
static bool agent_report(struct agent *agent)
{
	struct diag *diag = diag_new();
	struct machine *machine = machine_read_psd(
		tree_read_text_format_file(agent->command->psd, diag), false, diag);
	struct manager_request report = {.kind = MANAGER_REPORT,
		.host = agent->host,
		.session = agent->session,
		.sequence = ++agent->sequence};
	struct arena arena = {0};
	struct tree *reply = NULL;
	uint32_t host;

	if (!machine) {
		diag_print(diag, stderr);
	} else if ((host = agent_host(agent, machine)) != MACHINE_NONE) {
		agent_fill(machine, host, &report, &arena);
		reply = manager_command_ask(agent->command, &report);
	}
	if (reply)
		agent_tell(agent, reply, &report);
	tree_free(reply);
	machine_free(machine);
	arena_fini(&arena);
	diag_free(diag);
	return reply != NULL;
}

int manager_command_agent(const struct manager_command *command)
{
	const int64_t period_ns =
		(int64_t)(command->period_ms.given ? command->period_ms.value : AGENT_PERIOD_MS) *
		AGENT_NS_PER_MS;
	struct agent agent = {.command = command};
	struct timespec started;
	int code = EXIT_GOOD;

	if (command->host)
		snprintf(agent.host, sizeof agent.host, "%s", command->host);
	else
		(void)gethostname(agent.host, sizeof agent.host - 1);
	(void)clock_gettime(CLOCK_REALTIME, &started);
	snprintf(agent.session, sizeof agent.session, "%d-%lld-%ld", (int)getpid(),
		(long long)started.tv_sec, started.tv_nsec);
	manager_command_hear_signals();
	while (!manager_command_ends()) {
		int64_t next_ns = world->now_ns() + period_ns;
		bool good = agent_report(&agent);

		if (command->once) {
			if (!good)
				code = EXIT_BAD_INPUT;
			else if (strcmp(agent.last, "ok") != 0)
				code = EXIT_REFUSED;
			break;
		}
		while (!manager_command_ends() && world->now_ns() < next_ns)
			usleep(AGENT_NAP_US);
	}
	return code;
}

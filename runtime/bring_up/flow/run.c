/* Runs a bring-up: starts the services that are there before a job, does the launcher's steps, and
 * ends everything. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "flow_private.h"
#include "rows_private.h"

static bool (*const steps[FLOW_STEP_COUNT])(struct flow_self *self) = {
#define X(name, word, what) [FLOW_STEP_##name] = step_##word,
#include "bring_up/steps.def"
#undef X
};

/* The services of a cluster: a part of the launcher on each host, the manager and its agents. */
struct services {
	struct host_start *hosts;
	struct agent_start *agents;
	struct manager_start manager;
	bool managed, agented;
};

static struct thread *spawn_on(
	uint32_t host, const char *what, void (*body)(void *), void *argument)
{
	char name[32];

	snprintf(name, sizeof(name), "%s-%u", what, host);
	return world->spawn(name, (struct affinity){(uint16_t)host, -1}, body, argument);
}

static bool start_manager(struct flow_self *self, struct services *services)
{
	struct flow_run *run = self->run;
	const struct flow_job *job = run->job;
	uint32_t hosts = job->real->host_count;
	struct manager_start *manager = &services->manager;
	struct flow_self keeper = {.run = run};

	manager->run = run;
	manager->users = flow_open(self, (uint16_t)hosts, "users");
	manager->agents = services->agented ? flow_open(self, (uint16_t)hosts, "agents") : NULL;
	if (!manager->users || (services->agented && !manager->agents))
		return false;
	for (uint32_t i = 0; services->agented && i < hosts; i++) {
		services->agents[i] = (struct agent_start){.run = run,
			.host = i,
			.address = job->channels->hub_address(manager->agents)};
		services->agents[i].thread = spawn_on(i, "agent", agent_body, &services->agents[i]);
	}
	if (services->agented && !flow_accept(&keeper, manager->agents, hosts, "agent-"))
		return false;
	manager->members = hosts;
	manager->member_of = keeper.member_of;
	manager->arena = keeper.arena;
	return true;
}

static void users_body(void *argument)
{
	struct manager_start *manager = argument;
	const struct flow_job *job = manager->run->job;
	uint32_t member;

	if (job->channels->hub_accept(
		    manager->users, world->now_ns() + job->patience_ns, &member) == STATUS_OK)
		manager_body(manager);
	job->channels->hub_close(manager->users);
	job->channels->hub_close(manager->agents);
}

static bool start_services(struct flow_self *self, struct services *services)
{
	struct flow_run *run = self->run;
	const struct flow_job *job = run->job;
	uint32_t hosts = job->real->host_count;

	self->hub = flow_open(self, (uint16_t)hosts, "launcher");
	if (!self->hub)
		return false;
	for (uint32_t i = 0; i < hosts; i++) {
		services->hosts[i] =
			(struct host_start){run, i, job->channels->hub_address(self->hub), NULL};
		services->hosts[i].thread = spawn_on(i, "host", host_body, &services->hosts[i]);
	}
	if (!flow_accept(self, self->hub, hosts, "host-"))
		return false;
	if (!services->managed)
		return true;
	if (!start_manager(self, services))
		return false;
	services->manager.thread = spawn_on(hosts, "manager", users_body, &services->manager);
	self->channel =
		flow_join(self, job->channels->hub_address(services->manager.users), "launcher");
	return self->channel != NULL;
}

static void end_services(struct flow_self *self, struct services *services)
{
	const struct flow_job *job = self->run->job;
	struct note note = {.kind = FLOW_SAYS_END};

	if (self->channel)
		flow_say(self, self->channel, &note);
	if (self->hub && self->members > 0)
		flow_tell(self, self->hub, CHANNEL_ALL, &note);
	for (uint32_t i = 0; i < job->real->host_count; i++) {
		if (services->hosts[i].thread)
			world->join(services->hosts[i].thread);
		if (services->agents[i].thread)
			world->join(services->agents[i].thread);
	}
	if (services->manager.thread)
		world->join(services->manager.thread);
	machine_free(services->manager.collected);
	arena_fini(&services->manager.arena);
	job->channels->close(self->channel);
	job->channels->hub_close(self->hub);
}

/* Returns true if a device is at this end of a connection. */
static bool is_end(const struct logical *logical, const struct logical_end *end, uint32_t device)
{
	uint32_t mesh = logical_mesh_of(logical, device);

	if (end->device != LOGICAL_NONE)
		return end->device == device;
	return mesh >= end->first_mesh && mesh < end->first_mesh + end->mesh_count;
}

/* Number of channels of the real machine between two sets of devices, as chips are programmed. */
static uint32_t connection_channels(const struct flow_run *run, const uint32_t *device_of,
	const struct logical_end *one, const struct logical_end *other)
{
	const struct machine *real = run->job->real;
	const struct logical *logical = run->job->logical;
	uint32_t channels = 0;

	for (uint32_t i = 0; i < real->link_count; i++) {
		uint32_t a = device_of[real->links[i].a], b = device_of[real->links[i].b];

		if (a != LOGICAL_NONE && b != LOGICAL_NONE &&
			((is_end(logical, one, a) && is_end(logical, other, b)) ||
				(is_end(logical, one, b) && is_end(logical, other, a))))
			channels += real->links[i].channels;
	}
	return channels;
}

/* Counts links and connections that have fewer channels than the descriptor asks for. */
static void count_lesser_links(struct flow_run *run)
{
	const struct logical *logical = run->job->logical;
	struct flow_result *result = run->result;
	uint32_t chips = run->job->real->chip_count;
	uint32_t *device_of = arena_array(&run->arena, chips + 1u, sizeof(uint32_t));
	uint32_t *chip_of = arena_array(&run->arena, logical->device_count + 1u, sizeof(uint32_t));

	memset(device_of, 0xff, chips * sizeof(*device_of));
	memset(chip_of, 0xff, logical->device_count * sizeof(*chip_of));
	for (uint32_t chip = 0; chip < chips; chip++)
		if (run->hardware.chips[chip].tables) {
			device_of[chip] = run->hardware.chips[chip].tables->device;
			chip_of[device_of[chip]] = chip;
		}
	result->links = logical->link_count + logical->connection_count;
	for (uint32_t i = 0; i < logical->link_count; i++) {
		uint32_t a = chip_of[logical->links[i].a], b = chip_of[logical->links[i].b];
		const struct machine_link *link = a == MACHINE_NONE || b == MACHINE_NONE
							  ? NULL
							  : machine_link_of(run->job->real, a, b);

		result->links_less += !link || link->channels < logical->links[i].channels;
	}
	for (uint32_t i = 0; i < logical->connection_count; i++)
		result->links_less +=
			connection_channels(run, device_of, &logical->connections[i].a,
				&logical->connections[i].b) < logical->connections[i].channels;
}

static void free_memos(struct flow_run *run)
{
	for (struct flow_memo *memo = run->memos; memo; memo = memo->next)
		memo->free(memo->value);
}

static bool is_recabled(const struct flow_run *run)
{
	struct hardware described;
	bool same;

	hardware_make(&described, run->job->described);
	same = !hardware_lacks(run->job->described, &run->hardware) &&
	       !hardware_lacks(run->job->real, &described);
	hardware_free(&described);
	return !same;
}

/* On a cluster that runs already, waits until the manager knows the machine. */
static void await_reports(struct flow_self *self)
{
	struct flow_run *run = self->run;
	int64_t deadline = flow_deadline(self);
	enum status status = STATUS_OK;

	if (!flow_has_step(run->job->kind, FLOW_STEP_COLLECT) ||
		flow_without(self, FLOW_SAYS_REPORT))
		deadline = 0;
	world->monitor_enter(run->monitor);
	while (!run->collected && deadline > 0 && status == STATUS_OK)
		status = world->monitor_wait_until(run->monitor, deadline, WAIT_PARK);
	run->began_ns = world->now_ns();
	world->monitor_exit(run->monitor);
	if (run->job->begins)
		run->job->begins(run->job->context);
}

void flow_run(const struct flow_job *job, struct flow_result *result)
{
	struct flow_run run = {.job = job, .result = result, .steps = steps};
	struct flow_self self = {.run = &run, .kind = ACTOR_LAUNCHER};
	struct services services = {.managed = flow_has_actor(job->kind, ACTOR_MANAGER),
		.agented = flow_has_actor(job->kind, ACTOR_AGENT)};

	*result = (struct flow_result){.moment = MOMENT_NEVER, .message = FLOW_MESSAGE_COUNT};
	hardware_make(&run.hardware, job->real);
	run.recabled = is_recabled(&run);
	run.monitor = world->monitor_new("bring-up");
	services.hosts = allocate(job->real->host_count + 1u, sizeof(*services.hosts));
	services.agents = allocate(job->real->host_count + 1u, sizeof(*services.agents));
	run.began_ns = world->now_ns();
	if (job->begins && !job->warm)
		job->begins(job->context);
	if (start_services(&self, &services)) {
		if (job->warm)
			await_reports(&self);
		result->reached = flow_steps(&self);
		result->reached_ns = result->reached ? result->steps[FLOW_STEP_DISPATCH].last_ns
						     : world->now_ns() - run.began_ns;
	}
	if (job->ends)
		job->ends(job->context);
	end_services(&self, &services);
	count_lesser_links(&run);
	flow_self_end(&self);
	free_memos(&run);
	world->monitor_free(run.monitor);
	hardware_free(&run.hardware);
	text_fini(&run.stored_bindings);
	text_fini(&run.stored_rankfile);
	for (uint32_t i = 0; i < job->real->host_count; i++)
		arena_fini(&services.agents[i].tables);
	arena_fini(&run.arena);
	free(services.hosts);
	free(services.agents);
}

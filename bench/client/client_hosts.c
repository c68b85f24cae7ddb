/* A machine of several hosts as one device: starts an executor on every host and takes them in, and
 * ends them when their mesh is closed. What happens between, the row of mesh/handle.h does. Refuses
 * nothing: scenario_check() has. */
#include <stdio.h>

#include "base/allocate.h"
#include "bench/scenario/hosts.h"
#include "bench/scenario/mesh_config.h"
#include "client_private.h"
#include "distributed/executor.h"

enum { SESSION = 1 };

struct client_executor {
	struct executor_settings settings;
	struct mesh_config config;
	struct cluster *cluster;
	struct mesh_system *system;
	struct thread *thread;
	char name[32], thread_name[48];
	bool takes_part;    /* it has devices of the mesh */
	enum status status; /* that it ended with */
	struct text why;
};

struct client_hosts {
	struct controller *controller;
	const char *names[DISTRIBUTED_HOSTS_MAX];
	struct client_executor executors[DISTRIBUTED_HOSTS_MAX];
	uint32_t count;
};

static const struct distributed_keys *keys_of(const struct client *client)
{
	return &client->plan->scenario->runtime.distributed;
}

static struct channel_settings channel_settings(const struct client *client)
{
	return (struct channel_settings){.address = client->ground->address,
		.name = "controller",
		.session = SESSION,
		.message_bytes_max = keys_of(client)->message_bytes,
		.window = keys_of(client)->window,
		.remote = client->ground->remote};
}

static enum status open_controller(
	struct client *client, struct client_hosts *hosts, struct text *why)
{
	const struct distributed_keys *keys = keys_of(client);
	const struct controller_settings settings = {
		.transport = client->ground->transport,
		.channel = channel_settings(client),
		.codec = wire_codec_at(keys->codec),
		.hosts = hosts->names,
		.host_count = hosts->count,
		.axis = machine_axis(client->plan->platform),
		.resolution = resolution_row(keys->resolution),
		.pipeline = pipeline_row(keys->pipeline),
		.place = client->ground->controller,
		.wait = (enum wait_mode)keys->wait,
		.look_ns = keys->look_ns,
	};

	return controller_open(&settings, why, &hosts->controller);
}

static void run_executor(void *argument)
{
	struct client_executor *executor = argument;

	executor->status = executor_run(&executor->settings, executor->cluster, executor->system,
		DEADLINE_NEVER, &executor->why);
}

static void start_executor(struct client *client, struct client_hosts *hosts, uint32_t index)
{
	const struct distributed_keys *keys = keys_of(client);
	struct client_executor *executor = &hosts->executors[index];
	const struct affinity place = {(uint16_t)index, -1};
	struct mesh_config own;

	scenario_mesh_config(client->plan->scenario, client->plan->platform, client->costs,
		client->limits, client->number, &executor->config);
	executor->config.faults = client->faults;
	executor->config.host.server = (uint16_t)index;
	executor->takes_part =
		machine_part(client->plan->platform, &executor->config, (uint16_t)index, &own);
	executor->cluster = client->ground->clusters[index];
	executor->system = mesh_system_new(executor->cluster);
	executor->settings = (struct executor_settings){
		.transport = client->ground->transport,
		.channel = channel_settings(client),
		.codec = wire_codec_at(keys->codec),
		.config = &executor->config,
		.threads = keys->executor_threads,
		.place = place,
		.wait = (enum wait_mode)keys->wait,
		.poll_ns = keys->poll_ns,
	};
	executor->settings.channel.address = controller_address(hosts->controller);
	executor->settings.channel.name = executor->name;
	snprintf(executor->thread_name, sizeof executor->thread_name, "executor %u", index);
	executor->thread = world->spawn(executor->thread_name, place, run_executor, executor);
}

bool client_hosts_start(struct client *client)
{
	struct client_hosts *hosts;
	struct text why = {0};
	enum status status;

	if (client->ground == NULL)
		return true;
	hosts = client->hosts = allocate(1, sizeof *hosts);
	hosts->count = client->ground->count;
	for (uint32_t i = 0; i < hosts->count; i++) {
		snprintf(hosts->executors[i].name, sizeof hosts->executors[i].name, "host-%u", i);
		hosts->names[i] = hosts->executors[i].name;
	}
	status = open_controller(client, hosts, &why);
	for (uint32_t i = 0; i < hosts->count && status == STATUS_OK; i++)
		start_executor(client, hosts, i);
	if (status == STATUS_OK)
		status = controller_accept(hosts->controller, DEADLINE_NEVER, &why);
	if (status != STATUS_OK)
		client_fail(client, "the controller: %s",
			why.length ? text_string(&why) : status_message(status));
	text_fini(&why);
	return status == STATUS_OK;
}

enum status client_hosts_open(
	struct client *client, const struct mesh_config *config, struct text *why)
{
	return distributed_open(client->hosts->controller, config, why, &client->device);
}

void client_hosts_end(struct client *client)
{
	struct client_hosts *hosts = client->hosts;

	if (hosts == NULL)
		return;
	controller_close(hosts->controller);
	for (uint32_t i = 0; i < hosts->count; i++) {
		struct client_executor *executor = &hosts->executors[i];

		world->join(executor->thread);
		if (executor->status == STATUS_CLOSED && !executor->takes_part)
			continue; /* it was never told to open, nor to close */
		if (executor->status != STATUS_OK)
			client_fail(client, "%s: %s", executor->name,
				executor->why.length ? text_string(&executor->why)
						     : status_message(executor->status));
	}
}

/* Runs the executor of a host. Also defines ground_of_threads, which runs the executors of all
 * modelled hosts as threads of this process. */
#include <stdio.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "bench/scenario/hosts.h"
#include "bench/scenario/machine_constants.h"
#include "fabric/client_fabric.h"
#include "distributed/executor.h"
#include "wire/system_file.h"

enum { THREAD_NAME_BYTES = 48 };

const char *client_host_name(uint32_t host, char *name)
{
	snprintf(name, CHANNEL_NAME_BYTES, "host-%u", host);
	return name;
}

static int64_t join_deadline(const struct client_ground *ground)
{
	uint64_t join_ns = ground->join_ns + ground->grace_ns;

	return ground->join_ns ? world->now_ns() + (int64_t)join_ns : DEADLINE_NEVER;
}

enum status client_executor(const struct client *client, uint32_t host, const char *address,
	struct cluster *cluster, struct text *why)
{
	const struct distributed_keys *keys = &client->plan->scenario->runtime.distributed;
	const struct client_ground *ground = client->ground;
	struct client_store store = {0};
	struct client_measurer measurer;
	struct executor_settings settings = {
		.transport = ground->transport,
		.channel = {.address = address,
			.session = ground->session,
			.key = ground->key,
			.message_bytes_max = keys->message_bytes,
			.window = keys->window,
			.remote = ground->remote},
		.codec = wire_codec_row(keys->codec),
		.stages = machine_executor_stages(keys),
		.place = {(uint16_t)host, -1},
		.wait = (enum wait_mode)keys->wait,
		.poll_ns = keys->poll_ns,
		.completion_reader = completion_reader_row(keys->completion_reader),
		.receive = receive_row(keys->receive),
		.loader = client_store_loader(&store),
		.measure = client_measurer_run,
		.measure_context = &measurer,
		.descriptor = descriptor_row(keys->descriptor),
		.links = ground->links,
		.link_settings = {.transport = ground->link_transport,
			.channel = {.address = ground->link_address,
				.session = ground->session + 1,
				.key = ground->key,
				.remote = ground->remote},
			.host = host,
			.host_count = ground->count},
	};
	struct arena arena = {0};
	struct system_hosts *given = allocate(1, sizeof *given);
	struct mesh_config config, own;
	char name[CHANNEL_NAME_BYTES];
	enum status status;

	scenario_mesh_config(client->plan->scenario, client->plan->platform, client->costs,
		client->limits, client->number, &config);
	config.faults = client->faults;
	config.host.server = (uint16_t)host;
	settings.config = &config;
	settings.channel.name = client_host_name(host, name);
	client_measurer_init(&measurer, client, host, cluster);
	status = machine_descriptors(client->plan, &arena, given, why);
	if (given->count > host)
		settings.described = (struct machine_description){
			&given->host[host].info, given->host[host].bytes};
	if (status == STATUS_OK)
		status = executor_run(
			&settings, cluster, mesh_system_new(cluster), join_deadline(ground), why);
	client_store_fini(&store);
	arena_fini(&arena);
	free(given);
	if (status == STATUS_CLOSED &&
		!machine_part(client->plan->platform, &config, (uint16_t)host, &own))
		return STATUS_OK; /* the host has no part of the mesh, so nothing was opened */
	return status;
}

/* ---- threads ---- */

struct executor_thread {
	const struct client *client;
	uint32_t host;
	char address[256];
	struct thread *thread;
	enum status status; /* result of client_executor() */
	struct text why;
};

/* Exists as long as the process, which has one run. */
static struct executor_thread *threads;

static void run_executor(void *argument)
{
	struct executor_thread *executor = argument;
	const struct fault_keys *fault = &executor->client->plan->scenario->model.fault;

	if (fault->kind == HOST_FAULT_LATE && fault->host == executor->host)
		world->sleep_until((int64_t)fault->at_us * 1000);
	executor->status = client_executor(executor->client, executor->host, executor->address,
		executor->client->ground->clusters[executor->host], &executor->why);
}

static void client_executor_start(struct client *client, uint32_t host, const char *address)
{
	const struct affinity place = {(uint16_t)host, -1};
	struct executor_thread *executor;
	char name[THREAD_NAME_BYTES];

	if (threads == NULL)
		threads = allocate(client->ground->count, sizeof *threads);
	executor = &threads[host];
	executor->client = client;
	executor->host = host;
	snprintf(executor->address, sizeof executor->address, "%s", address);
	snprintf(name, sizeof name, "executor %u", host);
	executor->thread = world->spawn(name, place, run_executor, executor);
}

static void joined(struct client *client, const struct channel_counts *counts)
{
	(void)counts;
	(void)client;
}

/* Records nothing, because the state of cores stays available. */
static void look(struct client *client)
{
	(void)client;
}

static enum status client_executor_end(struct client *client, uint32_t host, struct text *why)
{
	(void)client;
	world->join(threads[host].thread);
	text_append(why, text_string(&threads[host].why));
	return threads[host].status;
}

const struct ground_ops ground_of_threads = {
	.start = client_executor_start,
	.joined = joined,
	.look = look,
	.end = client_executor_end,
};

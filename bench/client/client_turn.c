/* Opens and closes a mesh, at the beginning and end of a run or in a step (spec 3.1.3). Closing a
 * mesh releases everything that steps have made on it. */
#include <inttypes.h>

#include "base/allocate.h"
#include "bench/scenario/machine_constants.h"
#include "client_private.h"

static uint64_t used_bytes(const struct client *client, int type)
{
	struct allocator_usage usage =
		client->device->ops->memory_usage(client->device, (enum buffer_type)type);

	return usage.total_bytes - usage.free_bytes;
}

/* Returns the place in the scenario that is reported if the mesh cannot be opened. Usually this is
 * `where`. If the host window is full, it is the place of the key that gives the size of the
 * system memory, because this size is then probably too large. */
static struct location blamed(
	const struct client *client, struct location where, enum status status)
{
	if (status != STATUS_NO_MEMORY ||
		client->plan->scenario->runtime.sizes.system_memory_bytes == 0)
		return where;
	return tree_where(tree_root(client->plan->tree), "runtime.sizes.system_memory_bytes");
}

bool client_open(struct client *client, struct location where, uint32_t operation)
{
	const struct scenario *scenario = client->plan->scenario;
	struct mesh_config config;
	struct text why;
	enum status status;

	text_init(&why);
	scenario_mesh_config(scenario, client->plan->platform, client->costs, client->limits,
		client->number, &config);
	config.faults = client->faults;
	config.operation = operation;
	status = client->first->hosts
			 ? client_hosts_open(client, &config, &why)
			 : handle_row(0)->open(client->system, &config, &why, &client->device);
	/* if executors have failed, client_hosts_explain() reports the error instead */
	if (status != STATUS_OK && !client_hosts_failed(client))
		client_refuse(client, blamed(client, where, status), "%s",
			why.length ? text_string(&why) : status_message(status));
	text_fini(&why);
	if (status != STATUS_OK)
		return false;
	if (!client_divide(client))
		return false;
	client->program_limits = client->device->ops->limits(client->device);
	client->resources = *client->device->ops->resources(client->device);
	for (int type = 0; type < BUFFER_TYPE_COUNT; type++)
		client->used_bytes[type] = used_bytes(client, type);
	return true;
}

/* Releases everything that the steps have made, then checks that all device memory is free
 * again. */
bool client_give_back(struct client *client)
{
	static const char *const names[BUFFER_TYPE_COUNT] = {"a DRAM bank", "a worker's L1",
		"the small L1 region", "the trace region", "system memory"};

	if (!client->device)
		return true;
	for (const struct client_event *event = client->events; event; event = event->next)
		if (event->recorded)
			client_note_left(client, "event", event->name, event->where, 0);
	client_traces_free(client);
	client_workloads_free(client);
	client_collectives_free(client);
	client_buffers_free(client);
	client_tensors_free(client);
	client_models_free(client);
	for (int type = 0; type < BUFFER_TYPE_COUNT; type++) {
		uint64_t used = used_bytes(client, type);

		if (used != client->used_bytes[type])
			return client_fail(client,
				"%" PRIu64 " B of %s are taken when everything was given back",
				used - client->used_bytes[type], names[type]);
	}
	return client_sub_devices_are_empty(client);
}

bool client_finish_queues(struct client *client)
{
	if (!client->device)
		return true;
	for (uint32_t i = 0; i < client->device->ops->queue_count(client->device); i++)
		if (!client_finish_queue(client, i, 0))
			return false;
	return true;
}

/* ---- steps ---- */

bool client_run_open(struct client *client, const struct step *step, uint32_t *operation)
{
	*operation = client_start_operation(client, step, 0, 0);
	world->mark(*operation, MARK_CALLED, 0);
	if (!client_hosts_start(client) || !client_open(client, step->where, *operation))
		return false;
	world->mark(*operation, MARK_SEEN, 0);
	return true;
}

/* Keeps the counters of a closed mesh for the results. */
static void remember(struct client *client)
{
	struct client_past *past = allocate(1, sizeof *past);

	client->device->ops->counters(client->device, &past->counters);
	past->next = client->past;
	client->past = past;
}

/* Clears the state of all objects of a closed mesh. When the mesh is opened again, it has no
 * recorded events, buffers or programs. */
static void forget(struct client *client)
{
	for (struct client_event *event = client->events; event; event = event->next)
		event->recorded = false;
	for (uint32_t i = 0; i < client->step_count; i++) {
		host_memory_free(client->steps[i].pinned);
		client->steps[i].pinned = NULL;
		client->steps[i].buffer = NULL;
		client->steps[i].tensor = NULL;
		client->steps[i].workload = NULL;
	}
}

bool client_run_close(struct client *client, const struct step *step)
{
	uint32_t operation = client_start_operation(client, step, 0, 0);
	struct device_handle *device = client->device;

	world->mark(operation, MARK_CALLED, 0);
	if (!client_models_finish(client) || !client_finish_queues(client) ||
		(client->plan->scenario->measure.verify && !client_verify(client)))
		return false;
	remember(client);
	if (!client_give_back(client))
		return false;
	forget(client);
	client->device = NULL;
	device->ops->close(device);
	world->mark(operation, MARK_SEEN, 0);
	world->mark(operation, MARK_RETURNED, 0);
	return true;
}

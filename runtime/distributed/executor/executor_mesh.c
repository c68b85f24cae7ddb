/* Opens and closes the executor's parts of meshes, and creates buffers at the addresses that the
 * controller chooses. */
#include <stdlib.h>

#include "base/allocate.h"
#include "base/refuse.h"
#include "distributed/common/described.h"
#include "executor_private.h"

/* Reports to the controller the memory that it may allocate: all memory that buffers can use. */
static void tell_opened(struct served *served, const struct wire_open_mesh *message)
{
	struct wire_memory memories[BUFFER_TYPE_COUNT];
	struct wire_command answer = {.kind = WIRE_mesh_opened,
		.mesh_opened = {.number = message->number, .queue = message->queue}};

	for (int type = 0; type < BUFFER_TYPE_COUNT; type++) {
		struct allocator_usage usage =
			mesh_memory_usage(served->mesh, (enum buffer_type)type);

		memories[type] = (struct wire_memory){.type = (uint8_t)type,
			.first = option_number(usage.lowest - usage.total_bytes),
			.bytes = option_number(usage.total_bytes)};
	}
	answer.mesh_opened.memories.at = memories;
	answer.mesh_opened.memories.count = BUFFER_TYPE_COUNT;
	executor_answer(served->executor, &answer);
}

/* Called for a mesh that spans all hosts. Rejects pinned memory for incoming data. The executors of
 * all hosts must record the same events, but with pinned memory, the events that an executor
 * records depend on how much pinned memory is free. */
static enum status executor_check_span(const struct executor *executor, struct text *why)
{
	const struct receive_ops *row = executor->settings->receive;

	if (row == NULL || !row->pinned)
		return STATUS_OK;
	return refuse(why, STATUS_UNSUPPORTED, "receiving '%s' for a mesh that spans all hosts",
		row->entry.name);
}

struct served *executor_mesh(const struct executor *executor, uint32_t number)
{
	return things_find(&executor->meshes, number);
}

/* Returns the struct of the mesh with this number, for opening the mesh. Creates the struct if
 * there is none. Returns NULL if the mesh is open or was open, or if the number is too high. */
static struct served *executor_mesh_take(struct executor *executor, uint32_t number)
{
	struct served *served = executor_mesh(executor, number);

	if (served != NULL)
		return served->opened ? NULL : served;
	served = allocate(1, sizeof *served);
	served->executor = executor;
	for (uint32_t i = 0; i < MESH_COMMAND_QUEUES_MAX; i++)
		served->pending[i].last = &served->pending[i].first;
	if (things_put(&executor->meshes, number, served) == STATUS_OK)
		return served;
	free(served);
	return NULL;
}

/* Checks the part that a message names, and the configuration that it contains. */
static enum status executor_open_check(const struct executor *executor,
	const struct wire_open_mesh *message, struct part *part, struct mesh_config *config,
	struct text *why)
{
	const struct wire_range range = {
		message->part_row, message->part_column, message->part_rows, message->part_columns};
	enum status status;

	if (!part_from_wire(&range, &part->range) || !device_range_valid(part->range, part->whole))
		return refuse(why, STATUS_OUT_OF_RANGE, "a part of %u x %u devices at %u,%u",
			range.rows, range.columns, range.row, range.column);
	status = options_read(message, config, why);
	if (status != STATUS_OK)
		return status;
	if (config->whole.spans)
		return executor_check_span(executor, why);
	if (config->shape.rows != range.rows || config->shape.columns != range.columns)
		return refuse(why, STATUS_INVALID, "a mesh of %u x %u for a part of %u x %u",
			config->shape.rows, config->shape.columns, range.rows, range.columns);
	return STATUS_OK;
}

enum status executor_open(struct executor *executor, uint32_t number,
	const struct wire_open_mesh *message, struct text *why)
{
	struct served *served = executor_mesh_take(executor, number);
	struct mesh_config config = *executor->settings->config;
	struct part part = {.whole = {message->rows, message->columns}}, near;
	enum status status;

	if (served == NULL)
		return refuse(why, STATUS_EXISTS, "mesh %u is or was open, or there are too many",
			number);
	status = executor_open_check(executor, message, &part, &config, why);
	if (!message->compiles)
		config.host.compile = compilation_row(0);
	config.compiles_again = !message->keeps;
	near = part;
	if (config.whole.spans)
		part.range = device_range_all(part.whole);
	config.whole = (struct whole_config){
		part.whole, {part.range.row0, part.range.column0}, config.whole.spans};
	if (status == STATUS_OK)
		status = mesh_open(executor->system, &config, why, &served->mesh);
	if (status != STATUS_OK)
		return status;
	served->opened = true;
	served->part = part;
	served->near = near;
	served->config = config;
	served->asks = message->asks;
	served->compiles = message->compiles;
	executor->compiled.forgets = !message->keeps;
	landing_open(served);
	tell_opened(served, message);
	return STATUS_OK;
}

/* ---- the end ---- */

/* Longest wait for programs after a failure. */
#define SETTLE_NS INT64_C(2000000000)

/* Waits until the objects that are about to be freed are no longer used, and ends all captures.
 * After a failure, programs may wait for ever for packets of a lost host. If programs still run
 * after SETTLE_NS, returns false, and the objects must then not be freed. */
static bool executor_mesh_settle(struct served *served)
{
	int64_t deadline_ns = DEADLINE_NEVER;

	if (served->executor->links != NULL && served->executor->status != STATUS_OK)
		deadline_ns = world->now_ns() + SETTLE_NS;
	for (uint32_t i = 0; i < mesh_queue_count(served->mesh); i++) {
		struct command_queue *queue = mesh_queue(served->mesh, i);
		struct mesh_trace *trace = NULL;

		if (served->capturing[i])
			(void)trace_end(queue, NULL, &trace);
		free(served->captured[i].at);
		if (queue_finish(queue, 0, deadline_ns) == STATUS_TIMEOUT)
			return false;
		trace_free(trace);
	}
	return true;
}

static void free_buffer(struct served *served, struct remote_buffer *buffer)
{
	if (buffer == NULL)
		return;
	mesh_buffer_free(buffer->buffer);
	free(buffer->pieces.data);
	pinned_keep(served, buffer->pieces.pinned);
	free(buffer);
}

void executor_close(struct served *served)
{
	if (served->mesh != NULL && executor_mesh_settle(served)) {
		pending_drop(served);
		executor_free_traces(served);
		for (uint32_t i = 0; i < served->workloads.count; i++)
			(void)executor_free_workload(served, i);
		for (uint32_t i = 0; i < served->buffers.count; i++)
			free_buffer(served, served->buffers.at[i]);
		pinned_drop(served);
		mesh_close(served->mesh);
		served->mesh = NULL;
	}
	free(served->traces.at);
	free(served->workloads.at);
	free(served->buffers.at);
	served->traces = served->workloads = served->buffers = (struct things){0};
}

void executor_close_all(struct executor *executor)
{
	for (uint32_t i = 0; i < executor->meshes.count; i++) {
		struct served *served = executor->meshes.at[i];

		if (served == NULL)
			continue;
		executor_close(served);
		free(served->events);
		free(served);
	}
	free(executor->meshes.at);
	executor->meshes = (struct things){0};
}

/* ---- buffers ---- */

enum status executor_create_buffer(
	struct served *served, const struct wire_create_buffer *message, struct text *why)
{
	struct remote_buffer *made;
	struct mesh_layout layout, local;
	struct buffer_config config;
	enum status status;

	if (served->mesh == NULL || things_find(&served->buffers, message->buffer) != NULL)
		return refuse(why, STATUS_EXISTS, "no mesh, or a buffer %llu already",
			(unsigned long long)message->buffer);
	if (message->type >= BUFFER_TYPE_COUNT)
		return refuse(why, STATUS_OUT_OF_RANGE, "memory %u", message->type);
	made = allocate(1, sizeof *made);
	described_read(message, &layout, &config);
	status = mesh_spread_init(
		&made->spread, &layout, served->part.whole.rows, served->part.whole.columns, why);
	if (status == STATUS_OK) {
		made->shards = part_shards(&served->part, &made->spread);
		made->near_shards = part_shards(&served->near, &made->spread);
		local = part_layout(&served->part, &made->spread);
	}
	if (status == STATUS_OK)
		status = mesh_buffer_new_at(
			served->mesh, &local, &config, message->address, why, &made->buffer);
	if (status == STATUS_OK)
		status = things_put(&served->buffers, message->buffer, made);
	if (status != STATUS_OK)
		free_buffer(served, made);
	return status;
}

enum status executor_free_buffer(struct served *served, uint64_t buffer)
{
	struct remote_buffer *freed = things_find(&served->buffers, buffer);

	if (freed == NULL)
		return STATUS_NOT_FOUND;
	free_buffer(served, freed);
	return things_put(&served->buffers, buffer, NULL);
}

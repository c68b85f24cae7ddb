/* Opens and closes the executor's part of the mesh, and creates buffers at the addresses that the
 * controller chooses. Only one mesh can be open at a time. */
#include <stdlib.h>

#include "base/allocate.h"
#include "base/refuse.h"
#include "distributed/common/described.h"
#include "executor_private.h"

/* Reports to the controller the memory that it may allocate: all memory that buffers can use. */
static void tell_opened(struct executor *executor, const struct wire_open_mesh *message)
{
	struct wire_memory memories[BUFFER_TYPE_COUNT];
	struct wire_command answer = {.kind = WIRE_mesh_opened,
		.mesh_opened = {.number = message->number, .queue = message->queue}};

	for (int type = 0; type < BUFFER_TYPE_COUNT; type++) {
		struct allocator_usage usage =
			mesh_memory_usage(executor->mesh, (enum buffer_type)type);

		memories[type] = (struct wire_memory){.type = (uint8_t)type,
			.first = option_number(usage.lowest - usage.total_bytes),
			.bytes = option_number(usage.total_bytes)};
	}
	answer.mesh_opened.memories.at = memories;
	answer.mesh_opened.memories.count = BUFFER_TYPE_COUNT;
	executor_answer(executor, &answer);
}

/* Checks the settings for a mesh that spans all hosts, and rejects pinned memory for incoming data.
 * The executors of all hosts must record the same events, but with pinned memory, the events that
 * an executor records depend on how much pinned memory is free. */
static enum status executor_check_span(const struct executor *executor, struct text *why)
{
	const struct receive_ops *row = executor->settings->receive;

	if (row == NULL || !row->pinned)
		return STATUS_OK;
	return refuse(why, STATUS_UNSUPPORTED, "receiving '%s' for a mesh that spans all hosts",
		row->entry.name);
}

enum status executor_open(
	struct executor *executor, const struct wire_open_mesh *message, struct text *why)
{
	const struct wire_range range = {
		message->part_row, message->part_column, message->part_rows, message->part_columns};
	struct mesh_config config = *executor->settings->config;
	struct part part = {.whole = {message->rows, message->columns}}, near;
	enum status status;

	if (executor->mesh != NULL)
		return refuse(why, STATUS_EXISTS, "the mesh is open already");
	if (!part_from_wire(&range, &part.range) || !device_range_valid(part.range, part.whole))
		return refuse(why, STATUS_OUT_OF_RANGE, "a part of %u x %u devices at %u,%u",
			range.rows, range.columns, range.row, range.column);
	status = options_read(message, &config, why);
	if (status == STATUS_OK && config.whole.spans)
		status = executor_check_span(executor, why);
	else if (status == STATUS_OK &&
		 (config.shape.rows != range.rows || config.shape.columns != range.columns))
		status = refuse(why, STATUS_INVALID, "a mesh of %u x %u for a part of %u x %u",
			config.shape.rows, config.shape.columns, range.rows, range.columns);
	if (!message->compiles)
		config.host.compile = compilation_row(0);
	config.compiles_again = !message->keeps;
	near = part;
	if (config.whole.spans)
		part.range = device_range_all(part.whole);
	config.whole = (struct whole_config){
		part.whole, {part.range.row0, part.range.column0}, config.whole.spans};
	if (status == STATUS_OK)
		status = mesh_open(executor->system, &config, why, &executor->mesh);
	if (status != STATUS_OK)
		return status;
	executor->part = part;
	executor->near = near;
	executor->config = config;
	executor->asks = message->asks;
	executor->compiles = message->compiles;
	executor->compiled.forgets = !message->keeps;
	landing_open(executor);
	tell_opened(executor, message);
	return STATUS_OK;
}

/* ---- the end ---- */

/* Longest wait for programs after a failure. */
#define SETTLE_NS INT64_C(2000000000)

/* Waits until the objects that are about to be freed are no longer used, and ends all captures.
 * After a failure, programs may wait for ever for packets of a lost host. If programs still run
 * after SETTLE_NS, returns false, and the objects must then not be freed. */
static bool executor_mesh_settle(struct executor *executor)
{
	int64_t deadline_ns = DEADLINE_NEVER;

	if (executor->links != NULL && executor->status != STATUS_OK)
		deadline_ns = world->now_ns() + SETTLE_NS;
	for (uint32_t i = 0; i < mesh_queue_count(executor->mesh); i++) {
		struct command_queue *queue = mesh_queue(executor->mesh, i);
		struct mesh_trace *trace = NULL;

		if (executor->capturing[i])
			(void)trace_end(queue, NULL, &trace);
		free(executor->captured[i].at);
		if (queue_finish(queue, 0, deadline_ns) == STATUS_TIMEOUT)
			return false;
		trace_free(trace);
	}
	return true;
}

static void free_buffer(struct executor *executor, struct remote_buffer *buffer)
{
	if (buffer == NULL)
		return;
	mesh_buffer_free(buffer->buffer);
	free(buffer->pieces.data);
	pinned_keep(executor, buffer->pieces.pinned);
	free(buffer);
}

void executor_close(struct executor *executor)
{
	if (executor->mesh != NULL && executor_mesh_settle(executor)) {
		pending_drop(executor);
		executor_free_traces(executor);
		for (uint32_t i = 0; i < executor->workloads.count; i++)
			(void)executor_free_workload(executor, i);
		for (uint32_t i = 0; i < executor->buffers.count; i++)
			free_buffer(executor, executor->buffers.at[i]);
		pinned_drop(executor);
		mesh_close(executor->mesh);
		executor->mesh = NULL;
	}
	free(executor->traces.at);
	free(executor->workloads.at);
	free(executor->buffers.at);
	executor->traces = executor->workloads = executor->buffers = (struct things){0};
}

/* ---- buffers ---- */

enum status executor_create_buffer(
	struct executor *executor, const struct wire_create_buffer *message, struct text *why)
{
	struct remote_buffer *made;
	struct mesh_layout layout, local;
	struct buffer_config config;
	enum status status;

	if (executor->mesh == NULL || things_find(&executor->buffers, message->buffer) != NULL)
		return refuse(why, STATUS_EXISTS, "no mesh, or a buffer %llu already",
			(unsigned long long)message->buffer);
	if (message->type >= BUFFER_TYPE_COUNT)
		return refuse(why, STATUS_OUT_OF_RANGE, "memory %u", message->type);
	made = allocate(1, sizeof *made);
	described_read(message, &layout, &config);
	status = mesh_spread_init(&made->spread, &layout, executor->part.whole.rows,
		executor->part.whole.columns, why);
	if (status == STATUS_OK) {
		made->shards = part_shards(&executor->part, &made->spread);
		made->near_shards = part_shards(&executor->near, &made->spread);
		local = part_layout(&executor->part, &made->spread);
	}
	if (status == STATUS_OK)
		status = mesh_buffer_new_at(
			executor->mesh, &local, &config, message->address, why, &made->buffer);
	if (status == STATUS_OK)
		status = things_put(&executor->buffers, message->buffer, made);
	if (status != STATUS_OK)
		free_buffer(executor, made);
	return status;
}

enum status executor_free_buffer(struct executor *executor, uint64_t buffer)
{
	struct remote_buffer *freed = things_find(&executor->buffers, buffer);

	if (freed == NULL)
		return STATUS_NOT_FOUND;
	free_buffer(executor, freed);
	return things_put(&executor->buffers, buffer, NULL);
}

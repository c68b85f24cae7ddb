/* The client's buffers: made by the first write_buffer step that names them, filled with data that
 * depends on the seed and the step, compared when read back. */
#include "client_private.h"

#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "base/stream.h"
#include "bench/scenario/step_buffer.h"

static struct client_buffer *find(struct client *client, const char *name)
{
	struct client_buffer *buffer = client->buffers;

	while (buffer && strcmp(buffer->name, name) != 0)
		buffer = buffer->next;
	return buffer;
}

static uint8_t *make_data(const struct client *client, const struct step *step, uint64_t bytes)
{
	uint8_t *data = malloc(bytes);
	struct stream stream;
	char role[64];
	uint64_t word;

	ensure(data, "no memory for %llu bytes of data", (unsigned long long)bytes);
	snprintf(role, sizeof role, "client/data-%u", step->number);
	stream_init(&stream, client->plan->scenario->seed, role);
	for (uint64_t i = 0; i < bytes; i += sizeof word) {
		word = stream_next(&stream);
		memcpy(data + i, &word, bytes - i < sizeof word ? bytes - i : sizeof word);
	}
	return data;
}

static bool take_memory(struct client *client, const struct step *step)
{
	const struct write_step *keys = &step->write;
	const struct chip_geometry *geometry = device_row->info(client->cluster)
						       ->chips[mesh_device_chip(client->mesh, 0, 0)]
						       .geometry;
	struct client_buffer *buffer;
	struct device_handle *device = client->device;
	struct handle_buffer *made = NULL;
	struct mesh_layout layout;
	struct buffer_config config;
	struct text why;
	enum status status;

	text_init(&why);
	step_buffer_layout(keys, mesh_device_shape(client->mesh), geometry, &layout, &config);
	status = device->ops->buffer_new(device, &layout, &config, &why, &made);
	if (!client_made(client, status, keys->bytes_where, "buffer", keys->buffer, &why))
		return false;
	buffer = allocate(1, sizeof *buffer);
	buffer->name = keys->buffer;
	buffer->buffer = made;
	buffer->bytes = device->ops->buffer_bytes(made);
	buffer->next = client->buffers;
	client->buffers = buffer;
	return true;
}

/* ---- pinned memory ---- */

/* As much as the buffer has, for the step at `where`. NULL after a refusal. */
static struct host_memory *pin(
	struct client *client, const struct client_buffer *buffer, struct location where)
{
	struct host_memory *memory = NULL;
	struct text why;

	text_init(&why);
	if (client->device->ops->host_memory_new(client->device, buffer->bytes, &why, &memory) !=
		STATUS_OK)
		client_refuse(client, where, "pinned memory for buffer '%s': %s", buffer->name,
			text_string(&why));
	text_fini(&why);
	return memory;
}

static bool spare_add(struct client *client, struct client_buffer *buffer, struct location where)
{
	struct host_memory *memory = pin(client, buffer, where);
	struct client_pinned *spare;

	if (!memory)
		return false;
	spare = allocate(1, sizeof *spare);
	spare->memory = memory;
	spare->next = buffer->spare;
	buffer->spare = spare;
	return true;
}

static struct client_pinned *spare_take(struct client_buffer *buffer)
{
	struct client_pinned *spare = buffer->spare;

	buffer->spare = spare->next;
	return spare;
}

static void spare_give(struct client_buffer *buffer, struct client_pinned *spare)
{
	spare->next = buffer->spare;
	buffer->spare = spare;
}

/* ---- steps ---- */

/* Data of such a buffer are not simulated: nobody makes, reads or compares them. */
static bool is_elided(const struct client *client, const struct client_buffer *buffer)
{
	uint64_t limit = client->plan->scenario->model.elide_above_bytes;

	return limit > 0 && client->device->ops->buffer_device_bytes(buffer->buffer) > limit;
}

bool client_is_complete(const struct client *client, enum status status)
{
	return status == STATUS_OK ||
	       (status == STATUS_ELIDED && client->plan->scenario->model.elide_above_bytes > 0);
}

bool client_buffer_make(struct client *client, const struct step *step)
{
	struct client_step *state = &client->steps[step->number];

	if (!find(client, step->write.buffer) && !take_memory(client, step))
		return false;
	state->buffer = find(client, step->write.buffer);
	if (step->write.pinned) {
		state->pinned = pin(client, state->buffer, step->where);
		if (!state->pinned)
			return false;
	}
	if (state->pinned || !is_elided(client, state->buffer))
		state->data = make_data(client, step, state->buffer->bytes);
	if (state->pinned)
		host_memory_store(state->pinned, 0, state->data, state->buffer->bytes);
	return true;
}

bool client_buffer_find(struct client *client, const struct step *step)
{
	struct client_buffer *buffer = find(client, step->read.buffer);

	ensure(buffer, "buffer '%s'", step->read.buffer);
	client->steps[step->number].buffer = buffer;
	return !step->read.pinned || buffer->spare || spare_add(client, buffer, step->where);
}

static bool enqueued(struct client *client, enum status status, const char *what,
	const struct client_buffer *buffer)
{
	return client_is_complete(client, status) ||
	       client_fail(
		       client, "%s of buffer '%s': %s", what, buffer->name, status_message(status));
}

uint64_t client_buffer_bytes(const struct client *client, const struct step *step)
{
	return client->steps[step->number].buffer->bytes;
}

bool client_write(struct client *client, const struct step *step)
{
	struct client_step *state = &client->steps[step->number];
	struct client_buffer *buffer = state->buffer;
	struct device_handle *device = client->device;
	struct handle_call call = {step->write.queue, step->write.blocking,
		client_start_operation(client, step, step->write.queue, buffer->bytes)};
	enum status status;

	if (state->pinned)
		status = device->ops->write_pinned(device, call, buffer->buffer, state->pinned, 0);
	else
		status = device->ops->write(device, call, buffer->buffer, state->data);
	if (!enqueued(client, status, "write", buffer))
		return false;
	buffer->written = state->data;
	return true;
}

/* A read that must give `expected`; NULL: whatever is there. Those alike share their memory. */
static struct client_read *read_into(struct client *client, const struct step *step,
	struct client_buffer *buffer, const uint8_t *expected)
{
	struct client_read *read = buffer->reads;

	while (read &&
		(read->traced || read->expected != expected || read->queue != step->read.queue ||
			!read->pinned == step->read.pinned))
		read = read->next;
	if (read) {
		read->count++;
		return read;
	}
	if (step->read.pinned && !buffer->spare && !spare_add(client, buffer, step->where))
		return NULL;
	read = allocate(1, sizeof *read);
	read->data = allocate(1, buffer->bytes);
	read->pinned = step->read.pinned ? spare_take(buffer) : NULL;
	read->expected = expected;
	read->queue = step->read.queue;
	read->next = buffer->reads;
	read->count = 1;
	buffer->reads = read;
	return read;
}

bool client_read(struct client *client, const struct step *step)
{
	struct client_buffer *buffer = client->steps[step->number].buffer;
	struct device_handle *device = client->device;
	struct handle_call call = {step->read.queue, step->read.blocking,
		client_start_operation(client, step, step->read.queue, buffer->bytes)};
	/* the steps are checked for order: it comes behind the last write and before the next */
	struct client_read *read = read_into(client, step, buffer, buffer->written);
	enum status status;

	if (!read)
		return false;
	if (read->pinned)
		status = device->ops->read_pinned(
			device, call, buffer->buffer, read->pinned->memory, 0);
	else
		status = device->ops->read(device, call, buffer->buffer, read->data);
	if (!enqueued(client, status, "read", buffer))
		return false;
	return !step->read.blocking || client_compare_reads(client, call.queue,
					       device->ops->buffer_read_range(buffer->buffer));
}

bool client_write_captured(struct client *client, const struct step *step)
{
	struct client_step *state = &client->steps[step->number];
	struct handle_call call = {.queue = step->write.queue};

	return enqueued(client,
		client->device->ops->write(
			client->device, call, state->buffer->buffer, state->data),
		"captured write", state->buffer);
}

void client_write_replayed(struct client *client, const struct step *step)
{
	struct client_step *state = &client->steps[step->number];

	state->buffer->written = state->data;
}

bool client_read_captured(struct client *client, const struct step *step)
{
	struct client_step *state = &client->steps[step->number];
	struct handle_call call = {.queue = step->read.queue};

	if (!state->data)
		state->data = allocate(1, state->buffer->bytes);
	return enqueued(client,
		client->device->ops->read(client->device, call, state->buffer->buffer, state->data),
		"captured read", state->buffer);
}

/* Data of an earlier replay that were not compared yet are overwritten: they count only if they
 * must be the same. */
void client_read_replayed(struct client *client, const struct step *step, uint32_t queue)
{
	struct client_step *state = &client->steps[step->number];
	struct client_buffer *buffer = state->buffer;
	struct client_read *read = buffer->reads;

	while (read && read->data != state->data)
		read = read->next;
	if (!read) {
		read = allocate(1, sizeof *read);
		read->data = state->data;
		read->traced = true;
		read->next = buffer->reads;
		buffer->reads = read;
	}
	read->count = read->expected == buffer->written ? read->count + 1 : 1;
	read->expected = buffer->written;
	read->queue = queue;
}

/* Gives up a read that has been compared, or will not be. */
static void read_free(struct client_buffer *buffer, struct client_read *read)
{
	if (read->pinned)
		spare_give(buffer, read->pinned);
	if (!read->traced)
		free(read->data);
	free(read);
}

static bool compare(
	struct client *client, const struct client_buffer *buffer, const struct client_read *read)
{
	uint64_t at = 0;

	if (!client->plan->scenario->measure.verify || !read->expected)
		return true;
	if (read->pinned)
		(void)host_memory_load(read->pinned->memory, 0, read->data, buffer->bytes);
	if (memcmp(read->data, read->expected, buffer->bytes) == 0) {
		client->verified += read->count;
		return true;
	}
	while (read->data[at] == read->expected[at])
		at++;
	return client_fail(client,
		"verification failed: buffer '%s' reads back different from byte %llu of %llu on: "
		"0x%02x in place of 0x%02x",
		buffer->name, (unsigned long long)at, (unsigned long long)buffer->bytes,
		read->data[at], read->expected[at]);
}

bool client_compare_reads(struct client *client, uint32_t queue, struct device_range range)
{
	bool good = true;

	for (struct client_buffer *buffer = client->buffers; buffer; buffer = buffer->next) {
		struct client_read **link = &buffer->reads;

		if (!device_range_covers(
			    range, client->device->ops->buffer_read_range(buffer->buffer)))
			continue;
		while (good && *link) {
			struct client_read *read = *link;

			if (read->queue != queue) {
				link = &read->next;
				continue;
			}
			good = compare(client, buffer, read);
			*link = read->next;
			read_free(buffer, read);
		}
	}
	return good;
}

static void buffer_free(const struct client *client, struct client_buffer *buffer)
{
	while (buffer->reads) {
		struct client_read *next = buffer->reads->next;

		read_free(buffer, buffer->reads);
		buffer->reads = next;
	}
	while (buffer->spare) {
		struct client_pinned *next = buffer->spare->next;

		host_memory_free(buffer->spare->memory);
		free(buffer->spare);
		buffer->spare = next;
	}
	client->device->ops->buffer_free(buffer->buffer);
	free(buffer);
}

void client_buffers_free(struct client *client)
{
	while (client->buffers) {
		struct client_buffer *buffer = client->buffers;

		client->buffers = buffer->next;
		buffer_free(client, buffer);
	}
}

bool client_finish_queue(struct client *client, uint32_t index, uint32_t operation)
{
	enum status status =
		client->device->ops->finish(client->device, index, operation, DEADLINE_NEVER);

	if (!client_is_complete(client, status))
		return client_fail(client, "finish of queue %u: %s", index, status_message(status));
	return client_compare_reads(client, index, client_all_devices(client));
}

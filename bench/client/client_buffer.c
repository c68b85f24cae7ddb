/* The client's buffers. The first write_buffer step that names a buffer makes it. Each write fills
 * the buffer with data that depend on the seed and the step. Data that are read back are compared
 * with the data that the buffer should contain. */
#include "client_private.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "bench/scenario/step_layout.h"
#include "distributed/controller.h"

struct client_buffer *client_buffer_by_name(struct client *client, const char *name)
{
	struct client_buffer *buffer = client->buffers;

	while (buffer && strcmp(buffer->name, name) != 0)
		buffer = buffer->next;
	return buffer;
}

bool client_buffer_is_late(struct client *client, const char *name)
{
	const struct client_buffer *buffer = client_buffer_by_name(client, name);

	return client->frees && !client->running && (!buffer || buffer->is_freed);
}

static uint8_t *make_data(const struct client *client, const struct step *step, uint64_t bytes)
{
	uint8_t *data = malloc(bytes);

	ensure_memory(data, "%llu bytes of data", (unsigned long long)bytes);
	client_step_data(client->plan->scenario->seed, step->number, data, bytes);
	client_make_values(step->write.values, data, bytes);
	return data;
}

struct client_buffer *client_buffer_named(struct client *client, const char *name)
{
	struct client_buffer *buffer = client_buffer_by_name(client, name);

	ensure(buffer, "buffer '%s'", name);
	return buffer;
}

static bool take_memory(struct client *client, const struct step *step)
{
	const struct write_step *keys = &step->write;
	struct client_buffer *buffer;
	struct device_handle *device = client->device;
	struct handle_buffer *made = NULL;
	struct mesh_shape shape = device->ops->shape(device);
	struct mesh_layout layout;
	struct buffer_config config;
	struct text why;
	enum status status;

	text_init(&why);
	step_buffer_layout(keys, shape, device->ops->geometry(device), &layout, &config);
	status = device->ops->buffer_new(device, &layout, &config, &why, &made);
	if (!client_made(client, status, keys->bytes_where, "buffer", keys->buffer, &why))
		return false;
	buffer = allocate(1, sizeof *buffer);
	buffer->name = keys->buffer;
	buffer->keys = keys;
	buffer->where = step->where;
	buffer->buffer = made;
	(void)mesh_spread_init(&buffer->spread, &layout, shape.rows, shape.columns, NULL);
	buffer->bytes = device->ops->buffer_bytes(made);
	buffer->device_bytes = device->ops->buffer_device_bytes(made);
	buffer->parts =
		allocate(device_range_count(client_all_devices(client)), sizeof *buffer->parts);
	buffer->next = client->buffers;
	client->buffers = buffer;
	return true;
}

/* ---- pinned memory ---- */

/* Allocates pinned host memory with the size of the buffer. If this fails, reports an error at
 * `where`, the place of the step that needs it, and returns NULL. */
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

/* Returns true if the data of a buffer are elided. Elided data are not simulated, so the client
 * does not make, read or compare them. */
static bool is_elided(const struct client *client, const struct client_buffer *buffer)
{
	uint64_t limit = client->plan->scenario->model.elide_above_bytes;

	(void)client;
	return limit > 0 && buffer->device_bytes > limit;
}

bool client_buffer_make(struct client *client, const struct step *step)
{
	struct client_step *state = &client->steps[step->number];

	if (client_buffer_is_late(client, step->write.buffer))
		return true;
	if (!client_buffer_by_name(client, step->write.buffer) && !take_memory(client, step))
		return false;
	state->buffer = client_buffer_by_name(client, step->write.buffer);
	if (step->write.pinned && !state->pinned) {
		state->pinned = pin(client, state->buffer, step->where);
		if (!state->pinned)
			return false;
	}
	if (!step->write.from && !state->data &&
		(state->pinned || !is_elided(client, state->buffer)))
		state->data = make_data(client, step, client_buffer_bytes(client, step));
	state->sent = state->data;
	if (state->pinned)
		host_memory_store(state->pinned, 0, state->data, state->buffer->bytes);
	return true;
}

bool client_buffer_find(struct client *client, const struct step *step)
{
	struct client_buffer *buffer;

	if (client_buffer_is_late(client, step->read.buffer))
		return true;
	buffer = client_buffer_named(client, step->read.buffer);
	client->steps[step->number].buffer = buffer;
	if (!step->read.shard_count && !client_gather_make(client, buffer))
		return false;
	return !step->read.pinned || buffer->spare || spare_add(client, buffer, step->where);
}

static bool enqueued(struct client *client, enum status status, const char *what,
	const struct client_buffer *buffer)
{
	return client_is_complete(client, status) ||
	       client_fail(
		       client, "%s of buffer '%s': %s", what, buffer->name, status_message(status));
}

static enum status enqueue_write(
	struct client *client, const struct step *step, struct handle_call call)
{
	const struct client_step *state = &client->steps[step->number];
	const struct handle_ops *ops = client->device->ops;
	struct handle_buffer *buffer = state->buffer->buffer;
	struct buffer_region region;
	struct client_stored name;

	if (client_region(step, &region))
		return ops->write_region(client->device, call, buffer, &region, state->sent);
	if (step->write.shard_count)
		return ops->write_shard(client->device, call, buffer, step->write.shard[0],
			step->write.shard[1], state->sent);
	if (step->write.stored) {
		client_store_name(client->plan->scenario->seed, step->number,
			client_buffer_bytes(client, step), &name);
		return distributed_load(client->device, call, buffer, name.text);
	}
	if (state->pinned)
		return ops->write_pinned(client->device, call, buffer, state->pinned, 0);
	return ops->write(client->device, call, buffer, state->sent);
}

/* Returns the devices whose data a step reads. */
static struct device_range range_of(const struct client *client, const struct step *step)
{
	const uint16_t *shard = step->read.shard;

	if (step->read.shard_count)
		return (struct device_range){shard[0], shard[1], shard[0], shard[1]};
	return gather_read_range(client->steps[step->number].buffer->gather);
}

/* The step writes the data that an earlier read has returned (key `from`). Copies these data, so
 * that they stay unchanged while the write is in flight, even if the read runs again. */
static void take_source(struct client *client, const struct step *step)
{
	const struct step *source = step->write.source;
	struct client_step *state = &client->steps[step->number];
	uint8_t *data = allocate(1, state->buffer->bytes);

	memcpy(data, client_of_mesh(client->first, source->mesh)->steps[source->number].kept,
		state->buffer->bytes);
	state->sent = client_image(state->buffer, data, state->buffer->bytes);
}

/* Copies the data of a blocking read. */
static void copy_read(const struct client_read *read, void *to)
{
	if (read->pinned)
		(void)host_memory_load(read->pinned->memory, 0, to, read->bytes);
	else
		memcpy(to, read->data, read->bytes);
}

/* Keeps the data of a blocking read for the steps that write these data. */
static void keep(struct client *client, const struct step *step, const struct client_read *read)
{
	struct client_step *state = &client->steps[step->number];

	if (!state->kept)
		state->kept = allocate(1, read->bytes);
	copy_read(read, state->kept);
}

static void save(struct client *client, const struct step *step, const struct client_read *read)
{
	const struct write_step *keys = client->steps[step->number].buffer->keys;

	copy_read(read, client_save_buffer(client, step->read.save, keys, read->bytes));
	client_saved_complete(client, step->read.save);
}

bool client_write(struct client *client, const struct step *step)
{
	struct client_step *state = &client->steps[step->number];
	struct client_buffer *buffer;
	struct handle_call call = {step->write.queue, step->write.blocking, 0};

	if (!state->buffer && !client_buffer_make(client, step))
		return false;
	buffer = state->buffer;
	call.operation = client_start_operation(
		client, step, step->write.queue, client_moved_bytes(client, step));
	if (step->write.source)
		take_source(client, step);
	if (!enqueued(client, enqueue_write(client, step, call), "write", buffer))
		return false;
	client_note_written(client, step);
	return true;
}

static bool is_alike(const struct client_read *read, const struct client_read *wanted)
{
	return !read->traced && read->expected == wanted->expected &&
	       read->queue == wanted->queue && !read->pinned == !wanted->pinned &&
	       read->bytes == wanted->bytes && /* a gathered buffer is also read from one device */
	       device_range_covers(read->range, wanted->range) &&
	       device_range_covers(wanted->range, read->range);
}

/* Returns the memory into which a step reads. Reads with the same expected content, queue, devices
 * and size share their memory. The expected content is known when the read is enqueued, because
 * scenario_check() has checked that the read runs after the previous write and before the next
 * write. */
static struct client_read *read_into(struct client *client, const struct step *step)
{
	struct client_buffer *buffer = client->steps[step->number].buffer;
	struct client_read *read = buffer->reads, *made;
	struct client_read wanted = {.expected = client_expected(client, step),
		.queue = step->read.queue,
		.range = range_of(client, step),
		.bytes = client_buffer_bytes(client, step),
		.count = 1};

	if (step->read.pinned && !buffer->spare && !spare_add(client, buffer, step->where))
		return NULL;
	wanted.pinned = step->read.pinned ? buffer->spare : NULL;
	while (read && !is_alike(read, &wanted))
		read = read->next;
	if (read) {
		read->count++;
		return read;
	}
	made = allocate(1, sizeof *made);
	*made = wanted;
	made->data = allocate(1, wanted.bytes);
	if (made->pinned)
		(void)spare_take(buffer);
	made->next = buffer->reads;
	buffer->reads = made;
	return made;
}

bool client_read(struct client *client, const struct step *step)
{
	struct gather_call gather;
	struct client_read *read;

	if (!client->steps[step->number].buffer && !client_buffer_find(client, step))
		return false;
	gather = client_read_start(client, step);
	read = read_into(client, step);
	if (!read || !client_read_enqueue(client, step, &gather, read))
		return false;
	if (step->read.is_source)
		keep(client, step, read);
	if (step->read.save)
		save(client, step, read);
	client_note_gathered(client, step);
	return !step->read.blocking ||
	       client_compare_reads(client, step->read.queue, range_of(client, step));
}

bool client_write_captured(struct client *client, const struct step *step)
{
	struct handle_call call = {.queue = step->write.queue};

	return enqueued(client, enqueue_write(client, step, call), "captured write",
		client->steps[step->number].buffer);
}

void client_write_replayed(struct client *client, const struct step *step)
{
	client_note_written(client, step);
}

bool client_read_captured(struct client *client, const struct step *step)
{
	struct client_step *state = &client->steps[step->number];
	struct gather_call gather = {.call.queue = step->read.queue};
	struct client_read into = {.count = 0};

	if (!state->data)
		state->data = allocate(1, client_buffer_bytes(client, step));
	into.data = state->data;
	return client_read_enqueue(client, step, &gather, &into);
}

/* Called at every replay of a trace with the read `step`. The data of the previous replay are
 * overwritten, compared or not. If both must be the same, one comparison counts for both. */
void client_read_replayed(struct client *client, const struct step *step, uint32_t queue)
{
	struct client_step *state = &client->steps[step->number];
	struct client_buffer *buffer = state->buffer;
	const uint8_t *expected = client_expected(client, step);
	struct client_read *read = buffer->reads;

	while (read && read->data != state->data)
		read = read->next;
	if (!read) {
		read = allocate(1, sizeof *read);
		read->data = state->data;
		read->traced = true;
		read->range = range_of(client, step);
		read->bytes = client_buffer_bytes(client, step);
		read->next = buffer->reads;
		buffer->reads = read;
	}
	read->count = read->expected == expected ? read->count + 1 : 1;
	read->expected = expected;
	read->queue = queue;
	client_note_gathered(client, step);
}

/* Frees a read whose data were compared, or will not be compared. */
static void read_free(struct client_buffer *buffer, struct client_read *read)
{
	if (read->pinned)
		spare_give(buffer, read->pinned);
	if (!read->traced)
		free(read->data);
	free(read);
}

static bool client_buffer_compare(
	struct client *client, const struct client_buffer *buffer, const struct client_read *read)
{
	uint64_t at = 0;

	if (!client->plan->scenario->measure.verify || !read->expected)
		return true;
	if (read->pinned)
		(void)host_memory_load(read->pinned->memory, 0, read->data, read->bytes);
	if (memcmp(read->data, read->expected, read->bytes) == 0) {
		client->verified += read->count;
		return true;
	}
	while (read->data[at] == read->expected[at])
		at++;
	return client_fail(client,
		"verification failed: buffer '%s' reads back different from byte %llu of %llu on: "
		"0x%02x in place of 0x%02x",
		buffer->name, (unsigned long long)at, (unsigned long long)read->bytes,
		read->data[at], read->expected[at]);
}

bool client_compare_reads(struct client *client, uint32_t queue, struct device_range range)
{
	bool good = true;

	for (struct client_buffer *buffer = client->buffers; buffer; buffer = buffer->next) {
		struct client_read **link = &buffer->reads;

		while (good && *link) {
			struct client_read *read = *link;

			if (read->queue != queue || !device_range_covers(range, read->range)) {
				link = &read->next;
				continue;
			}
			good = client_buffer_compare(client, buffer, read);
			*link = read->next;
			read_free(buffer, read);
		}
	}
	return good;
}

void client_buffer_free(const struct client *client, struct client_buffer *buffer)
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
	gather_free(buffer->gather);
	client->device->ops->buffer_free(buffer->buffer);
	client_images_free(buffer);
	free(buffer->parts);
	free(buffer);
}

void client_buffers_free(struct client *client)
{
	while (client->buffers) {
		struct client_buffer *buffer = client->buffers;
		const char *name = buffer->name;
		struct location where = buffer->where;
		uint64_t taken = client_taken(client);

		client->buffers = buffer->next;
		client_buffer_free(client, buffer);
		client_note_left(client, "buffer", name, where, taken);
	}
}

static bool is_finished(struct client *client, uint32_t index, enum status status)
{
	if (!client_is_complete(client, status))
		return client_fail(client, "finish of queue %u: %s", index, status_message(status));
	return client_compare_reads(client, index, client_all_devices(client));
}

bool client_finish_queue(struct client *client, uint32_t index, uint32_t operation)
{
	return is_finished(client, index,
		client->device->ops->finish(client->device, index, operation, DEADLINE_NEVER));
}

bool client_finish_sub_devices(
	struct client *client, uint32_t index, uint32_t operation, uint32_t sub_devices)
{
	const struct handle_ops *ops = client->device->ops;
	enum status status =
		ops->finish_of(client->device, index, sub_devices, operation, DEADLINE_NEVER);

	return is_finished(client, index, status);
}

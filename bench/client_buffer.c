/* The client's buffers: made by the first write_buffer step that names them, filled with data that
 * depends on the seed and the step, compared when read back. */
#include "client_private.h"

#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "base/ensure.h"
#include "base/stream.h"

static struct client_buffer *find(struct client *client, const char *name)
{
	struct client_buffer *buffer = client->buffers;

	while (buffer && strcmp(buffer->name, name) != 0)
		buffer = buffer->next;
	return buffer;
}

/* Rows and columns of the global matrix: one row of bytes per page, cut into one shard per device
 * along the rows of the matrix. */
void client_buffer_layout(const struct write_step *step, struct mesh_shape shape,
	struct mesh_layout *layout, struct buffer_config *config)
{
	*layout = (struct mesh_layout){.sharded = step->spread, .size_bytes = step->bytes};
	if (step->spread) {
		layout->global_height = shape.rows;
		layout->global_width = (uint32_t)(step->bytes / shape.rows / sizeof(uint32_t));
		layout->shard_height = 1;
		layout->shard_width = layout->global_width / shape.columns;
	}
	*config = (struct buffer_config){
		.type = step->memory, .layout = LAYOUT_INTERLEAVED, .page_bytes = step->page_bytes};
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

static bool allocate(struct client *client, const struct step *step)
{
	const struct write_step *keys = &step->write;
	struct client_buffer *buffer;
	struct mesh_buffer *mesh_buffer = NULL;
	struct mesh_layout layout;
	struct buffer_config config;
	struct text why;
	enum status status;

	text_init(&why);
	client_buffer_layout(keys, mesh_device_shape(client->mesh), &layout, &config);
	status = mesh_buffer_new(client->mesh, &layout, &config, &why, &mesh_buffer);
	if (status != STATUS_OK)
		client_refuse(client, keys->bytes_where, "buffer '%s': %s", keys->buffer,
			why.length ? text_string(&why) : status_message(status));
	text_fini(&why);
	if (status != STATUS_OK)
		return false;
	buffer = calloc(1, sizeof *buffer);
	ensure(buffer, "no memory for a buffer");
	buffer->name = keys->buffer;
	buffer->buffer = mesh_buffer;
	buffer->bytes = mesh_buffer_bytes(mesh_buffer);
	buffer->next = client->buffers;
	client->buffers = buffer;
	return true;
}

bool client_buffer_make(struct client *client, const struct step *step)
{
	struct client_step *state = &client->steps[step->number];

	if (!find(client, step->write.buffer) && !allocate(client, step))
		return false;
	state->buffer = find(client, step->write.buffer);
	state->data = make_data(client, step, state->buffer->bytes);
	return true;
}

bool client_buffer_find(struct client *client, const struct step *step)
{
	client->steps[step->number].buffer = find(client, step->read.buffer);
	ensure(client->steps[step->number].buffer, "buffer '%s'", step->read.buffer);
	return true;
}

bool client_write(struct client *client, const struct step *step, uint32_t operation)
{
	struct client_step *state = &client->steps[step->number];
	struct client_buffer *buffer = state->buffer;
	enum status status = enqueue_write_buffer(mesh_queue(client->mesh, step->write.queue),
		buffer->buffer, state->data, step->write.blocking, operation);

	if (status != STATUS_OK)
		return client_fail(
			client, "write of buffer '%s': %s", buffer->name, status_message(status));
	buffer->written = state->data;
	buffer->written_queue = step->write.queue;
	buffer->settled = step->write.blocking;
	return true;
}

/* Memory for a read that must give `expected`; NULL: whatever is there. */
static struct client_read *read_into(
	struct client_buffer *buffer, const uint8_t *expected, uint32_t queue)
{
	struct client_read *read = buffer->reads;

	while (read && (read->expected != expected || read->queue != queue))
		read = read->next;
	if (!read) {
		read = calloc(1, sizeof *read);
		ensure(read, "no memory for a read");
		read->data = calloc(1, buffer->bytes);
		ensure(read->data, "no memory for %llu bytes read",
			(unsigned long long)buffer->bytes);
		read->expected = expected;
		read->queue = queue;
		read->next = buffer->reads;
		buffer->reads = read;
	}
	read->count++;
	return read;
}

bool client_read(struct client *client, const struct step *step, uint32_t operation)
{
	struct client_buffer *buffer = client->steps[step->number].buffer;
	uint32_t queue = step->read.queue;
	/* Only what is ordered after the write is known: same queue, or seen complete. */
	bool known = buffer->written && (buffer->settled || buffer->written_queue == queue);
	struct client_read *read = read_into(buffer, known ? buffer->written : NULL, queue);
	enum status status = enqueue_read_buffer(mesh_queue(client->mesh, queue), buffer->buffer,
		read->data, step->read.blocking, operation);

	if (status != STATUS_OK)
		return client_fail(
			client, "read of buffer '%s': %s", buffer->name, status_message(status));
	return !step->read.blocking || client_compare_reads(client, queue);
}

static bool compare(
	struct client *client, const struct client_buffer *buffer, const struct client_read *read)
{
	uint64_t at = 0;

	if (!client->plan->scenario->measure.verify || !read->expected)
		return true;
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

bool client_compare_reads(struct client *client, uint32_t queue)
{
	bool good = true;

	for (struct client_buffer *buffer = client->buffers; buffer; buffer = buffer->next) {
		struct client_read **link = &buffer->reads;

		if (buffer->written_queue == queue)
			buffer->settled = true;
		while (good && *link) {
			struct client_read *read = *link;

			if (read->queue != queue) {
				link = &read->next;
				continue;
			}
			good = compare(client, buffer, read);
			*link = read->next;
			free(read->data);
			free(read);
		}
	}
	return good;
}

void client_buffers_free(struct client *client)
{
	while (client->buffers) {
		struct client_buffer *buffer = client->buffers;

		client->buffers = buffer->next;
		while (buffer->reads) {
			struct client_read *next = buffer->reads->next;

			free(buffer->reads->data);
			free(buffer->reads);
			buffer->reads = next;
		}
		mesh_buffer_free(buffer->buffer);
		free(buffer);
	}
}

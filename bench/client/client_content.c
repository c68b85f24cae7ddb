/* Computes the data that the client's buffers should contain, both for whole buffers and for the
 * parts of single devices. This file also implements the storage of hosts, which provides the data
 * of `stored` write_buffer steps. It generates these data from their name when they are read. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/refuse.h"
#include "base/stream.h"
#include "bench/scenario/step_layout.h"
#include "client_private.h"

uint64_t client_buffer_bytes(const struct client *client, const struct step *step)
{
	const struct client_buffer *buffer = client->steps[step->number].buffer;
	uint32_t shard =
		step->kind == STEP_WRITE_BUFFER ? step->write.shard_count : step->read.shard_count;

	return shard ? buffer->device_bytes : buffer->bytes;
}

static struct mesh_shape shape_of(const struct client *client)
{
	return client->device->ops->shape(client->device);
}

uint32_t client_device_number(const struct client *client, const uint16_t *shard)
{
	return (uint32_t)shard[0] * shape_of(client).columns + shard[1];
}

/* Finds where the data of device `number` lie within the data of the whole buffer, and sets *rows
 * to this. Returns false if the device holds no data. */
static bool rows_of(const struct client *client, const struct client_buffer *buffer,
	uint32_t number, struct shard_rows *rows)
{
	uint32_t columns = shape_of(client).columns;

	return mesh_spread_shard(&buffer->spread, number / columns, number % columns, rows);
}

const uint8_t *client_image(struct client_buffer *buffer, uint8_t *data, uint64_t bytes)
{
	struct client_image *image = buffer->images;

	while (image && (image->bytes != bytes || memcmp(image->data, data, bytes) != 0))
		image = image->next;
	if (image) {
		free(data);
		return image->data;
	}
	image = allocate(1, sizeof *image);
	*image = (struct client_image){buffer->images, data, bytes};
	buffer->images = image;
	return data;
}

/* Returns the data that a read of the whole buffer must return, from the expected parts of the
 * devices that it reads. Returns NULL if the content of one of these parts is unknown. */
static const uint8_t *client_content_whole_of(
	const struct client *client, struct client_buffer *buffer)
{
	struct device_range range = client->device->ops->buffer_read_range(buffer->buffer);
	uint32_t columns = shape_of(client).columns;
	uint8_t *data;

	if (buffer->device_bytes == buffer->bytes)
		return buffer->parts[0];
	data = allocate(1, buffer->bytes);
	for (uint32_t row = range.row0; row <= range.row1; row++)
		for (uint32_t column = range.column0; column <= range.column1; column++) {
			uint32_t device = row * columns + column;
			struct shard_rows rows;

			if (!rows_of(client, buffer, device, &rows))
				continue;
			if (!buffer->parts[device]) {
				free(data);
				return NULL;
			}
			for (uint64_t i = 0; i < rows.rows; i++)
				memcpy(data + rows.first_byte + i * rows.stride,
					buffer->parts[device] + i * rows.row_bytes, rows.row_bytes);
		}
	return client_image(buffer, data, buffer->bytes);
}

void client_note_part(struct client_buffer *buffer, uint32_t device, const uint8_t *data)
{
	buffer->parts[device] = data;
}

void client_note_parts(const struct client *client, struct client_buffer *buffer)
{
	buffer->written = client_content_whole_of(client, buffer);
}

/* Returns the part of `data`, the data of the whole buffer, that one device holds. Returns NULL if
 * the device holds none. If the part is not contiguous in `data`, returns a copy that the buffer
 * owns. */
const uint8_t *client_part_of(const struct client *client, struct client_buffer *buffer,
	const uint8_t *data, uint32_t device)
{
	uint32_t columns = shape_of(client).columns;
	struct shard_rows rows;
	uint8_t *part;

	if (!data || !rows_of(client, buffer, device, &rows))
		return NULL;
	if (rows.rows == 1)
		return data + rows.first_byte;
	part = allocate(1, buffer->device_bytes);
	mesh_spread_gather(&buffer->spread, device / columns, device % columns, data, part);
	return client_image(buffer, part, buffer->device_bytes);
}

void client_note_all_written(const struct client *client, const struct step *step)
{
	const struct client_step *state = &client->steps[step->number];
	struct client_buffer *buffer = state->buffer;
	uint32_t devices = device_range_count(client_all_devices(client));

	if (step->write.shard_count) {
		buffer->parts[client_device_number(client, step->write.shard)] = state->sent;
		buffer->written = client_content_whole_of(client, buffer);
		return;
	}
	buffer->written = state->sent;
	for (uint32_t i = 0; i < devices; i++)
		buffer->parts[i] = client_part_of(client, buffer, state->sent, i);
}

const uint8_t *client_all_expected(const struct client *client, const struct step *step)
{
	const struct client_buffer *buffer = client->steps[step->number].buffer;

	return step->read.shard_count
		       ? buffer->parts[client_device_number(client, step->read.shard)]
		       : buffer->written;
}

void client_images_free(struct client_buffer *buffer)
{
	while (buffer->images) {
		struct client_image *image = buffer->images;

		buffer->images = image->next;
		free(image->data);
		free(image);
	}
}

/* ---- storage ---- */

void client_step_data(uint64_t seed, uint32_t number, uint8_t *data, uint64_t bytes)
{
	struct stream stream;
	char role[64];
	uint64_t word;

	snprintf(role, sizeof role, "client/data-%u", number);
	stream_init(&stream, seed, role);
	for (uint64_t i = 0; i < bytes; i += sizeof word) {
		word = stream_next(&stream);
		memcpy(data + i, &word, bytes - i < sizeof word ? bytes - i : sizeof word);
	}
}

void client_store_name(uint64_t seed, uint32_t number, uint64_t bytes, struct client_stored *name)
{
	snprintf(name->text, sizeof name->text, "data %" PRIu64 " %" PRIu32 " %" PRIu64, seed,
		number, bytes);
}

/* Generates the data that `name` describes, unless these are the data generated last. */
static enum status fetch(struct client_store *store, const char *name, struct text *why)
{
	uint64_t seed, bytes;
	uint32_t number;

	if (store->data != NULL && strcmp(store->name.text, name) == 0)
		return STATUS_OK;
	if (strlen(name) >= sizeof store->name.text ||
		sscanf(name, "data %" SCNu64 " %" SCNu32 " %" SCNu64, &seed, &number, &bytes) != 3)
		return refuse(why, STATUS_NOT_FOUND, "nothing is called '%.64s'", name);
	free(store->data);
	snprintf(store->name.text, sizeof store->name.text, "%s", name);
	store->data = allocate(1, bytes + 1);
	store->bytes = bytes;
	client_step_data(seed, number, store->data, bytes);
	return STATUS_OK;
}

static enum status client_content_load(void *context, const char *name, uint64_t offset,
	uint64_t bytes, void *data, struct text *why)
{
	struct client_store *store = context;
	enum status status = fetch(store, name, why);

	if (status == STATUS_OK && (offset > store->bytes || bytes > store->bytes - offset))
		status = refuse(why, STATUS_OUT_OF_RANGE, "'%s' ends before", name);
	if (status == STATUS_OK)
		memcpy(data, store->data + offset, bytes);
	return status;
}

struct shard_loader client_store_loader(struct client_store *store)
{
	return (struct shard_loader){store, client_content_load};
}

void client_store_fini(struct client_store *store)
{
	free(store->data);
	*store = (struct client_store){0};
}

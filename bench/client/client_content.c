/* What the client's buffers must hold: of all devices together, and of each. Reads nothing: it
 * keeps what steps have written. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "bench/scenario/step_buffer.h"
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

static uint32_t device_number(const struct client *client, const uint16_t *shard)
{
	return (uint32_t)shard[0] * shape_of(client).columns + shard[1];
}

/* Where the data of device `number` begin in those of all. */
static uint64_t offset_of(
	const struct client *client, const struct client_buffer *buffer, uint32_t number)
{
	struct mesh_shape shape = shape_of(client);

	return step_buffer_part(
		       buffer->keys, shape, number / shape.columns, number % shape.columns) *
	       buffer->device_bytes;
}

/* The same bytes once more, or from now on. Takes `data`. */
static const uint8_t *image_of(struct client_buffer *buffer, uint8_t *data)
{
	struct client_image *image = buffer->images;

	while (image && memcmp(image->data, data, buffer->bytes) != 0)
		image = image->next;
	if (image) {
		free(data);
		return image->data;
	}
	image = allocate(1, sizeof *image);
	*image = (struct client_image){buffer->images, data};
	buffer->images = image;
	return data;
}

/* What a read of all of it gives, from the devices that it looks at; NULL if the part of one is not
 * known. */
static const uint8_t *whole_of(const struct client *client, struct client_buffer *buffer)
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

			if (!buffer->parts[device]) {
				free(data);
				return NULL;
			}
			memcpy(data + offset_of(client, buffer, device), buffer->parts[device],
				buffer->device_bytes);
		}
	return image_of(buffer, data);
}

void client_note_part(struct client_buffer *buffer, uint32_t device, const uint8_t *data)
{
	buffer->parts[device] = data;
}

void client_note_parts(const struct client *client, struct client_buffer *buffer)
{
	buffer->written = whole_of(client, buffer);
}

void client_note_written(const struct client *client, const struct step *step)
{
	const struct client_step *state = &client->steps[step->number];
	struct client_buffer *buffer = state->buffer;
	uint32_t devices = device_range_count(client_all_devices(client));

	if (step->write.shard_count) {
		buffer->parts[device_number(client, step->write.shard)] = state->data;
		buffer->written = whole_of(client, buffer);
		return;
	}
	buffer->written = state->data;
	for (uint32_t i = 0; i < devices; i++)
		buffer->parts[i] = state->data ? state->data + offset_of(client, buffer, i) : NULL;
}

const uint8_t *client_expected(const struct client *client, const struct step *step)
{
	const struct client_buffer *buffer = client->steps[step->number].buffer;

	return step->read.shard_count ? buffer->parts[device_number(client, step->read.shard)]
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

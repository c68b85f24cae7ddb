/* What the client's buffers must hold: of all devices together, and of each. Reads nothing: it
 * keeps what steps have written. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "client_private.h"

uint64_t client_buffer_bytes(const struct client *client, const struct step *step)
{
	const struct client_buffer *buffer = client->steps[step->number].buffer;
	uint32_t shard =
		step->kind == STEP_WRITE_BUFFER ? step->write.shard_count : step->read.shard_count;

	return shard ? buffer->device_bytes : buffer->bytes;
}

static uint32_t device_number(const struct client *client, const uint16_t *shard)
{
	return (uint32_t)shard[0] * client->device->ops->shape(client->device).columns + shard[1];
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

/* What all parts are together; NULL if one is not known. */
static const uint8_t *whole_of(const struct client *client, struct client_buffer *buffer)
{
	uint32_t devices = device_range_count(client_all_devices(client));
	uint8_t *data;

	if (buffer->device_bytes == buffer->bytes)
		return buffer->parts[0];
	for (uint32_t i = 0; i < devices; i++)
		if (!buffer->parts[i])
			return NULL;
	data = allocate(1, buffer->bytes);
	for (uint32_t i = 0; i < devices; i++)
		memcpy(data + i * buffer->device_bytes, buffer->parts[i], buffer->device_bytes);
	return image_of(buffer, data);
}

/* The parts of shards follow each other in those of all. */
void client_note_written(const struct client *client, const struct step *step)
{
	const struct client_step *state = &client->steps[step->number];
	struct client_buffer *buffer = state->buffer;
	uint32_t devices = device_range_count(client_all_devices(client));
	bool sharded = buffer->device_bytes != buffer->bytes;

	if (step->write.shard_count) {
		buffer->parts[device_number(client, step->write.shard)] = state->data;
		buffer->written = whole_of(client, buffer);
		return;
	}
	buffer->written = state->data;
	for (uint32_t i = 0; i < devices; i++)
		buffer->parts[i] = state->data && sharded ? state->data + i * buffer->device_bytes
							  : state->data;
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

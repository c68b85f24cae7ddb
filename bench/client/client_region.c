/* Steps that write or read only some pages (key `pages`) of a buffer, the same pages of each
 * device's part. The data of the step have the size and layout of the whole buffer, or of one
 * part. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "client_private.h"

bool client_region(const struct step *step, struct buffer_region *region)
{
	bool writes = step->kind == STEP_WRITE_BUFFER;
	const uint16_t *shard = writes ? step->write.shard : step->read.shard;
	const uint32_t *pages = writes ? step->write.pages : step->read.pages;

	*region = (struct buffer_region){.pages = {pages[0], pages[1]},
		.of_device = (writes ? step->write.shard_count : step->read.shard_count) > 0,
		.row = shard[0],
		.column = shard[1]};
	return (writes ? step->write.pages_count : step->read.pages_count) > 0;
}

uint64_t client_moved_bytes(const struct client *client, const struct step *step)
{
	const struct client_buffer *buffer = client->steps[step->number].buffer;
	uint64_t bytes = client_buffer_bytes(client, step);
	struct buffer_region region;

	if (!client_region(step, &region))
		return bytes;
	return bytes / (buffer->device_bytes / buffer->keys->page_bytes) * region.pages.count;
}

void client_note_written(const struct client *client, const struct step *step)
{
	const struct client_step *state = &client->steps[step->number];
	struct client_buffer *buffer = state->buffer;
	uint32_t devices = device_range_count(client_all_devices(client));
	uint64_t page_bytes = buffer->keys->page_bytes;
	struct buffer_region region;

	if (!client_region(step, &region)) {
		client_note_all_written(client, step);
		return;
	}
	for (uint32_t i = 0; i < devices; i++) {
		const uint8_t *from = state->sent;
		uint8_t *part;

		if (!buffer->parts[i] ||
			(region.of_device && i != client_device_number(client, step->write.shard)))
			continue;
		/* pages without data make the content of the part unknown */
		if (!from) {
			client_note_part(buffer, i, NULL);
			continue;
		}
		if (!region.of_device)
			from = client_part_of(client, buffer, state->sent, i);
		part = allocate(1, buffer->device_bytes);
		memcpy(part, buffer->parts[i], buffer->device_bytes);
		memcpy(part + region.pages.first * page_bytes,
			from + region.pages.first * page_bytes, region.pages.count * page_bytes);
		client_note_part(buffer, i, client_image(buffer, part, buffer->device_bytes));
	}
	client_note_parts(client, buffer);
}

/* Copies bytes [first, first + count) of a device's part to their places in `whole`, the data of
 * the whole buffer. */
static void client_region_place(const struct shard_rows *rows, const uint8_t *part, uint64_t first,
	uint64_t count, uint8_t *whole)
{
	for (uint64_t at = first; at < first + count;) {
		uint64_t row = at / rows->row_bytes, column = at % rows->row_bytes;
		uint64_t bytes = rows->row_bytes - column;

		if (bytes > first + count - at)
			bytes = first + count - at;
		memcpy(whole + rows->first_byte + row * rows->stride + column, part + at, bytes);
		at += bytes;
	}
}

/* Returns the data that a read of a region must return. Bytes outside of the region are 0. */
static const uint8_t *client_region_expected_of(
	const struct client *client, const struct step *step)
{
	struct client_buffer *buffer = client->steps[step->number].buffer;
	struct device_range range = client->device->ops->buffer_read_range(buffer->buffer);
	uint64_t bytes = client_buffer_bytes(client, step), page_bytes = buffer->keys->page_bytes;
	struct buffer_region region;
	uint8_t *data = allocate(1, bytes);

	(void)client_region(step, &region);
	if (region.of_device)
		range = (struct device_range){region.row, region.column, region.row, region.column};
	for (uint32_t row = range.row0; row <= range.row1; row++)
		for (uint32_t column = range.column0; column <= range.column1; column++) {
			uint16_t at[] = {(uint16_t)row, (uint16_t)column};
			const uint8_t *part = buffer->parts[client_device_number(client, at)];
			struct shard_rows rows = {0, buffer->device_bytes, 0, 1};

			if (!region.of_device &&
				!mesh_spread_shard(&buffer->spread, row, column, &rows))
				continue;
			if (!part) {
				free(data);
				return NULL;
			}
			client_region_place(&rows, part, region.pages.first * page_bytes,
				region.pages.count * page_bytes, data);
		}
	return client_image(buffer, data, bytes);
}

const uint8_t *client_expected(const struct client *client, const struct step *step)
{
	return step->read.pages_count ? client_region_expected_of(client, step)
				      : client_all_expected(client, step);
}

/* Buffers of collective steps, and the values in their inputs. */
#include <stdio.h>
#include <string.h>

#include "base/stream.h"
#include "client_collective.h"

enum status client_collective_buffer(struct client *client, struct client_collective *made,
	uint32_t index, uint64_t pages, struct library_buffer *buffer, struct text *why)
{
	const struct handle_ops *ops = client->device->ops;
	uint32_t page_bytes = made->step->collective.page_bytes;
	struct mesh_layout layout = {.size_bytes = pages * page_bytes};
	struct buffer_config config = {
		.type = BUFFER_DRAM, .layout = LAYOUT_INTERLEAVED, .page_bytes = page_bytes};
	enum status status;

	if (pages == 0)
		return STATUS_OK;
	status = ops->buffer_new(client->device, &layout, &config, why, &made->buffers[index]);
	if (status == STATUS_OK)
		*buffer = (struct library_buffer){ops->buffer_placement(made->buffers[index]),
			ops->buffer_address(made->buffers[index])};
	return status;
}

uint64_t client_collective_bytes(const struct client_collective *made, uint64_t pages)
{
	return pages * made->step->collective.page_bytes;
}

void client_collective_values(const struct client *client, const struct client_collective *made,
	uint32_t place, uint8_t *values)
{
	uint64_t bytes = client_collective_bytes(made, made->config.pages);
	struct stream random;
	char role[64];

	snprintf(role, sizeof role, "client/collective-%u/%u", made->step->number, place);
	stream_init(&random, client->plan->scenario->seed, role);
	for (uint64_t i = 0; i + sizeof(uint16_t) <= bytes; i += sizeof(uint16_t)) {
		float value = (float)stream_below(&random, 2000) / 8 - 100;
		uint32_t bits;

		memcpy(&bits, &value, sizeof bits);
		values[i] = (uint8_t)(bits >> 16);
		values[i + 1] = (uint8_t)(bits >> 24);
	}
}

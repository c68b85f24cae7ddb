/* Builds the programs of collective steps that are lists of messages, and compares received data
 * with sent data. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "bench/scenario/load.h"
#include "client_collective.h"

enum status client_messages_build(
	struct client *client, struct client_collective *made, struct text *why)
{
	const struct collective_step *keys = &made->step->collective;
	struct mesh_shape shape = client->device->ops->shape(client->device);
	struct messages_config config = {.devices = made->devices,
		.device_count = made->program_count,
		.columns = shape.columns,
		.ring = keys->topology == 1};
	struct arena arena = {0};
	enum status status = collective_order(shape, config.ring, made->devices, why);

	if (!client->messages)
		client->messages = messages_slots_new(made->program_count);
	config.slots = client->messages;
	config.lists = step_messages_lists(client->plan, keys, made->program_count, &arena);
	made->cores = 1;
	made->config.pages = messages_pages(config.lists, made->program_count);
	made->slots = messages_slots_take(config.slots, config.lists, why);
	if (status == STATUS_OK && made->slots == 0)
		status = STATUS_NO_SPACE;
	if (status == STATUS_OK)
		status = client_collective_buffer(
			client, made, 0, made->config.pages, &config.input, why);
	if (status == STATUS_OK)
		status = client_collective_buffer(client, made, 1,
			(uint64_t)made->slots * made->config.pages, &config.output, why);
	if (status == STATUS_OK)
		status = messages_build(made->programs, &config, why);
	arena_fini(&arena);
	return status;
}

/* What one device has received. */
struct received {
	const struct client_collective *made;
	const struct messages_slots *slots;
	uint32_t place;
	const uint8_t *got;
	uint8_t *sent; /* room for the data of a sender */
};

/* Returns the number of pages of the longest message from `sender` to this device. */
static uint32_t longest(const struct received *received, uint32_t sender)
{
	const struct collective_step *keys = &received->made->step->collective;
	uint64_t most = 0;

	for (uint32_t i = 0; sender < keys->rank_count && i < keys->ranks[sender].count; i++) {
		const struct message_keys *message = &keys->ranks[sender].at[i];

		if (message->kind == MESSAGE_SEND && message->peer == received->place &&
			message->bytes > most)
			most = message->bytes;
	}
	return (uint32_t)((most + keys->page_bytes - 1) / keys->page_bytes);
}

static bool compare_sender(struct client *client, const struct received *received, uint32_t sender)
{
	const struct client_collective *made = received->made;
	uint32_t pages = longest(received, sender);
	uint64_t from;

	if (pages == 0)
		return true;
	from = (uint64_t)messages_slot(received->slots, received->place, sender) *
	       made->config.pages;
	client_collective_values(client, made, sender, received->sent);
	if (memcmp(received->got + client_collective_bytes(made, from), received->sent,
		    client_collective_bytes(made, pages)) == 0)
		return true;
	return client_fail(client,
		"verification failed: messages: what rank %u has received of rank %u is not what "
		"was sent",
		received->place, sender);
}

static bool compare_device(
	struct client *client, const struct client_collective *made, uint32_t place, bool *elided)
{
	const struct handle_ops *ops = client->device->ops;
	uint32_t columns = ops->shape(client->device).columns, device = made->devices[place];
	uint64_t pages = (uint64_t)made->slots * made->config.pages;
	struct handle_call call = {.blocking = true};
	uint8_t *got = allocate(1, client_collective_bytes(made, pages));
	struct received received = {.made = made,
		.slots = client->messages,
		.place = place,
		.got = got,
		.sent = allocate(1, client_collective_bytes(made, made->config.pages))};
	enum status status = ops->read_shard(client->device, call, made->buffers[1],
		(uint16_t)(device / columns), (uint16_t)(device % columns), got);
	bool good = client_is_complete(client, status) ||
		    client_fail(client, "read of messages: %s", status_message(status));

	*elided |= status != STATUS_OK;
	for (uint32_t i = 0; good && status == STATUS_OK && i < made->program_count; i++)
		good = compare_sender(client, &received, i);
	free(got);
	free(received.sent);
	return good;
}

bool client_messages_verify(struct client *client, const struct client_collective *made)
{
	bool good = true, elided = false;

	for (uint32_t i = 0; i < made->program_count && good; i++)
		good = compare_device(client, made, i, &elided);
	client->verified += good && !elided ? made->launches : 0;
	return good;
}

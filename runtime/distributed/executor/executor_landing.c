/* Pinned memory into which a transport receives messages, if the transport supports this
 * (world/channel.h). The devices read the data of a write directly from this memory (spec 4.9). The
 * memory consists of slots for one message each. A frame is placed in its slot so that its data
 * have an address at which transfers may start. Small messages go to ordinary memory. So do all
 * messages if the codec does not put data at a fixed position in the frame. */
#include <stdlib.h>

#include "base/allocate.h"
#include "executor_private.h"

/* Data are in messages of at most PIECE_MOST bytes, including the overhead. */
enum {
	LEAST_BYTES = 16384,
	PROBE_BYTES = 4096,
	SLOT_ALIGN = 4096,
	PIECE_MOST = (16 << 20) + 4096,
	PINNED_MOST = 64 << 20,
};

static struct wire_command probe(uint32_t some, const uint8_t *data, uint32_t count)
{
	return (struct wire_command){.kind = WIRE_write_buffer,
		.write_buffer = {.number = (uint64_t)some << 20,
			.queue = some % 2,
			.buffer = some,
			.blocking = (uint8_t)(some % 2),
			.operation = some / 2,
			.bytes = count,
			.data = {data, count}}};
}

/* Returns the offset of a write's data in its frame; 0 if the data are not in the frame. */
static uint32_t data_in(const struct wire_codec *codec, const struct wire_command *write)
{
	_Alignas(WIRE_ALIGN) uint8_t memory[PROBE_BYTES];
	struct wire_scratch scratch = {.bytes = wire_scratch_bytes(PROBE_BYTES)};
	struct wire_command back = {.kind = WIRE_NO_COMMAND};
	struct wire_bytes frame;
	const uint8_t *data;
	uint32_t offset = 0;

	scratch.memory = allocate(1, scratch.bytes);
	if (wire_encode(codec, write, &scratch, memory, sizeof memory, &frame, NULL) == STATUS_OK &&
		wire_decode(codec, frame.at, frame.count, &scratch, &back, NULL) == STATUS_OK) {
		data = back.write_buffer.data.at;
		if (data > frame.at && data < frame.at + frame.count)
			offset = (uint32_t)(data - frame.at);
	}
	free(scratch.memory);
	return offset;
}

/* Returns the offset of the data in the frame of a write to all devices. Encodes several writes to
 * find it. Returns 0 if the offset depends on the fields of the write or on the length of the
 * data. */
static uint32_t data_at(const struct wire_codec *codec)
{
	static const uint8_t data[300];
	static const uint32_t some[] = {1, 2, 300, 70000, 1 << 30}, counts[] = {64, 100, 37, 300};
	uint32_t found = 0;

	for (uint32_t i = 0; i < 5; i++)
		for (uint32_t k = 0; k < 4; k++) {
			const struct wire_command write = probe(some[i], data, counts[k]);
			uint32_t offset = data_in(codec, &write);

			if (offset == 0 || (found != 0 && offset != found))
				return 0;
			found = offset;
		}
	return found;
}

/* ---- functions for any thread, while messages arrive ---- */

static void executor_landing_give_back(struct extent_home *home)
{
	struct landing_slot *slot = (struct landing_slot *)home;

	__atomic_store_n(&slot->taken, false, __ATOMIC_RELEASE);
}

static struct span executor_landing_take(void *context, uint32_t length)
{
	struct landing *landing = context;
	uint32_t count = __atomic_load_n(&landing->count, __ATOMIC_ACQUIRE);

	if (length < LEAST_BYTES || landing->first + length > landing->slot_bytes)
		return (struct span){0};
	for (uint32_t i = 0; i < count; i++) {
		struct landing_slot *slot = &landing->slots[i];
		uint8_t *at = landing->bytes + i * landing->slot_bytes;
		bool taken = __atomic_exchange_n(&slot->taken, true, __ATOMIC_ACQUIRE);

		if (!taken)
			return (struct span){
				extent_place(&slot->home, at,
					(uint32_t)(landing->slot_bytes - EXTENT_PLACE_BYTES)),
				landing->first - EXTENT_PLACE_BYTES, length};
	}
	return (struct span){0};
}

/* ---- the executor's thread ---- */

void landing_init(struct executor *executor, struct channel_settings *channel)
{
	const struct executor_settings *settings = executor->settings;
	struct landing *landing = &executor->landing;
	uint32_t at = data_at(settings->codec);
	uint64_t most;

	if (settings->receive == NULL || !settings->receive->pinned || at == 0 ||
		(settings->transport->capabilities & CHANNEL_PLACES) == 0)
		return;
	landing->first = (EXTENT_PLACE_BYTES + at + HOST_MEMORY_ALIGN - 1) / HOST_MEMORY_ALIGN *
				 HOST_MEMORY_ALIGN -
			 at;
	most = channel->message_bytes_max < PIECE_MOST ? channel->message_bytes_max : PIECE_MOST;
	landing->slot_bytes = (landing->first + most + SLOT_ALIGN - 1) / SLOT_ALIGN * SLOT_ALIGN;
	channel->memory = (struct channel_memory){executor_landing_take, landing};
}

void landing_open(struct served *served)
{
	struct landing *landing = &served->executor->landing;
	uint32_t count = LANDING_SLOTS;

	if (landing->slot_bytes == 0 || landing->memory != NULL)
		return;
	if (count > PINNED_MOST / landing->slot_bytes)
		count = (uint32_t)(PINNED_MOST / landing->slot_bytes);
	while (count > 0 && host_memory_new(served->mesh, count * landing->slot_bytes, NULL,
				    &landing->memory) != STATUS_OK)
		count /= 2;
	if (count == 0)
		return;
	landing->of = served;
	world->work(WORK_PIN_PAGE, count * landing->slot_bytes / SLOT_ALIGN);
	landing->bytes = host_memory_bytes(landing->memory);
	if (landing->bytes == NULL)
		landing->bytes = landing->apart = allocate(count, landing->slot_bytes);
	for (uint32_t i = 0; i < count; i++)
		landing->slots[i].home.free = executor_landing_give_back;
	__atomic_store_n(&landing->count, count, __ATOMIC_RELEASE);
}

bool landing_has(struct served *served, const struct wire_bytes *data, uint64_t *offset)
{
	struct landing *landing = &served->executor->landing;
	const uint8_t *end = landing->bytes + landing->count * landing->slot_bytes;

	if (landing->count == 0 || landing->of != served || data->at < landing->bytes ||
		data->at >= end)
		return false;
	*offset = (uint64_t)(data->at - landing->bytes);
	if (*offset % HOST_MEMORY_ALIGN != 0)
		return false;
	if (landing->apart != NULL)
		host_memory_store(landing->memory, *offset, data->at, data->count);
	return true;
}

void landing_fini(struct executor *executor)
{
	struct landing *landing = &executor->landing;

	host_memory_free(landing->memory);
	free(landing->apart);
}

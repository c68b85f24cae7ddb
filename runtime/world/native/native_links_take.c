/* Receives packets for the chips of this process (native_links.h). Records come from processes that
 * have the key of the run. A record that this cluster cannot apply ends the connection, but not
 * this process. */
#include "native_links.h"

#include "base/allocate.h"
#include "base/ensure.h"
#include "native_wait.h"

#include <string.h>

static const char *const invalid = "is closed, since the host sent a packet that is not valid";

/* ---- what a record may say ---- */

/* Returns the chip with number `chip` in the machine; NULL if it is not a chip of this process. */
static struct device *own_chip(const struct links *links, uint16_t chip)
{
	const struct cluster_info *info = links->cluster->info;

	if (chip < info->machine_first || chip - info->machine_first >= info->chip_count)
		return NULL;
	return &links->cluster->chips[chip - info->machine_first];
}

/* Returns the stand-in for the chip with number `chip`; NULL if it is not a chip of the peer. */
static struct device *their_chip(const struct peer *peer, uint16_t chip)
{
	if (!peer->met || chip < peer->first || chip - peer->first >= peer->chip_count)
		return NULL;
	return &peer->chips[chip - peer->first];
}

/* Returns true if the range lies inside the memory of a tile of the chip. */
static bool links_is_inside(
	const struct device *device, uint16_t tile, uint32_t address, uint32_t length)
{
	const struct chip_geometry *geometry = device->info->geometry;

	return tile < geometry->tile_count && length <= LINKS_BODY_MAX &&
	       (uint64_t)address + length <= tile_memory_bytes(geometry, tile);
}

/* Returns true if the chip can apply this WRITE or ANSWER. */
static bool links_is_writable(const struct device *device, const struct record *record)
{
	const struct chip_geometry *geometry = device->info->geometry;
	uint32_t word = record->increment_address;

	if (!links_is_inside(device, record->tile, record->address, record->length))
		return false;
	if (record->elided && record->length > 0 &&
		record->address < tile_word_bytes(geometry, record->tile))
		return false;
	return record->delta == 0 ||
	       (word % 4 == 0 && word < tile_word_bytes(geometry, record->tile));
}

/* Returns the bytes of the record, with a reference. */
static struct span span_of_record(const struct record *record, const uint8_t *bytes)
{
	if (record->zeros)
		return (struct span){.length = record->length};
	if (record->elided)
		return span_of(extent_new_elided(record->length));
	return span_copy(bytes, record->length);
}

/* ---- records; these functions return false if a record is invalid ---- */

/* Makes the stand-ins of the peer. */
static bool take_hello(struct peer *peer, const struct record *record)
{
	struct links *links = peer->links;
	struct cluster *cluster = links->cluster;
	uint32_t first = record->chip, count = record->count;
	bool good = !peer->met && count > 0 && first + count <= cluster->info->machine->chip_count;

	pthread_mutex_lock(&links->lock);
	for (uint32_t i = first; good && i < first + count; i++)
		good = cluster->machine[i] == NULL;
	if (good) {
		peer->chips = allocate(count, sizeof *peer->chips);
		peer->first = (uint16_t)first;
		peer->chip_count = (uint16_t)count;
		peer->met = true;
	}
	for (uint32_t i = 0; good && i < count; i++) {
		peer->chips[i].peer = peer;
		peer->chips[i].number = (uint16_t)(first + i);
		cluster->machine[first + i] = &peer->chips[i];
	}
	pthread_cond_broadcast(&links->changed);
	pthread_mutex_unlock(&links->lock);
	return good;
}

static bool take_write(struct peer *peer, const struct record *record, const uint8_t *bytes)
{
	struct device *chip = own_chip(peer->links, record->chip);
	struct message message = {.kind = MESSAGE_WRITE,
		.tile = record->tile,
		.source = their_chip(peer, record->source),
		.address = record->address,
		.increment_address = record->increment_address,
		.delta = record->delta};

	if (chip == NULL || message.source == NULL || !links_is_writable(chip, record))
		return false;
	message.span = span_of_record(record, bytes);
	native_inbox_send(chip, &message);
	return true;
}

static bool take_read(struct peer *peer, const struct record *record)
{
	struct device *chip = own_chip(peer->links, record->chip);
	struct message message = {.kind = MESSAGE_READ,
		.tile = record->tile,
		.source = their_chip(peer, record->source),
		.address = record->address,
		.length = record->length,
		.local_address = record->local_address,
		.reader_tile = record->reader_tile,
		.read = record->count};

	if (chip == NULL || message.source == NULL || record->length == 0 ||
		!links_is_inside(chip, record->tile, record->address, record->length))
		return false;
	native_inbox_send(chip, &message);
	return true;
}

/* The last piece ends the read, and returns its quota when it is applied. */
static bool take_answer(struct peer *peer, const struct record *record, const uint8_t *bytes)
{
	struct device *chip = own_chip(peer->links, record->chip);
	struct message message = {
		.kind = MESSAGE_WRITE, .tile = record->tile, .address = record->address};
	struct stage *stage;

	if (chip == NULL || record->delta != 0 || !links_is_writable(chip, record))
		return false;
	stage = native_links_read_end(peer, record->count, record->last);
	if (stage == NULL || stage->device != chip)
		return false;
	if (record->last) {
		message.stage = stage;
		message.source = chip;
	}
	message.span = span_of_record(record, bytes);
	native_inbox_send(chip, &message);
	if (record->last)
		native_rest_release(peer->links->cluster);
	return true;
}

static bool take_return(struct peer *peer, const struct record *record)
{
	struct device *chip = own_chip(peer->links, record->source);
	bool good = false;

	if (chip == NULL)
		return false;
	pthread_mutex_lock(&peer->links->lock);
	if (peer->outstanding[chip->number] >= record->count) {
		peer->outstanding[chip->number] -= record->count;
		good = true;
	}
	pthread_mutex_unlock(&peer->links->lock);
	for (uint32_t i = 0; good && i < record->count; i++) {
		native_quota_return(chip);
		native_rest_release(peer->links->cluster);
	}
	return good;
}

static bool take_bye(struct peer *peer)
{
	pthread_mutex_lock(&peer->links->lock);
	peer->left = true;
	pthread_cond_broadcast(&peer->links->changed);
	pthread_mutex_unlock(&peer->links->lock);
	return true;
}

static bool take_record(struct peer *peer, const struct record *record, const uint8_t *bytes)
{
	switch (record->kind) {
	case RECORD_HELLO:
		return take_hello(peer, record);
	case RECORD_WRITE:
		return take_write(peer, record, bytes);
	case RECORD_READ:
		return take_read(peer, record);
	case RECORD_ANSWER:
		return take_answer(peer, record, bytes);
	case RECORD_RETURN:
		return take_return(peer, record);
	case RECORD_BYE:
		return take_bye(peer);
	default:
		return false;
	}
}

/* Applies the records of a message. */
static bool links_take_message(struct peer *peer, struct span message)
{
	const uint8_t *at = message.extent->bytes + message.offset, *end = at + message.length;

	while (at < end) {
		struct record record;
		uint32_t bytes = 0;

		if (end - at < RECORD_BYTES)
			return false;
		native_record_read(at, &record);
		at += RECORD_BYTES;
		if (record.kind != RECORD_READ && !record.zeros && !record.elided)
			bytes = record.length;
		if (bytes > (size_t)(end - at) || record.length > LINKS_BODY_MAX ||
			!take_record(peer, &record, at))
			return false;
		at += bytes;
	}
	return true;
}

/* ---- the threads ---- */

static bool is_stopping(struct links *links)
{
	return __atomic_load_n(&links->stopping, __ATOMIC_ACQUIRE);
}

/* Handles what a receive call has returned for this peer. */
static void links_hear(struct peer *peer, enum status status, struct span message)
{
	bool lost;

	if (status == STATUS_CLOSED)
		native_links_lose(peer, "has ended");
	if (status != STATUS_OK)
		return;
	pthread_mutex_lock(&peer->links->lock);
	lost = peer->lost;
	pthread_mutex_unlock(&peer->links->lock);
	if (!lost && !links_take_message(peer, message))
		native_links_lose(peer, invalid);
	span_release(message);
}

void *native_links_channel_receiver(void *arg)
{
	struct peer *peer = arg;
	struct links *links = peer->links;
	enum status status = STATUS_OK;

	while (!is_stopping(links) && status != STATUS_CLOSED) {
		struct span message = {.extent = NULL};

		status = links->settings.transport->receive(
			peer->channel, native_now_ns() + LINKS_SLICE_NS, &message);
		links_hear(peer, status, message);
	}
	return NULL;
}

static struct peer *peer_of(struct links *links, uint32_t member)
{
	for (uint32_t i = links->settings.host + 1; i < links->settings.host_count; i++)
		if (links->peers[i].joined && links->peers[i].member == member)
			return &links->peers[i];
	return NULL;
}

void *native_links_hub_receiver(void *arg)
{
	struct links *links = arg;

	while (!is_stopping(links)) {
		struct span message = {.extent = NULL};
		uint32_t member = 0;
		enum status status = links->settings.transport->hub_receive(
			links->hub, native_now_ns() + LINKS_SLICE_NS, &member, &message);
		struct peer *peer = status == STATUS_TIMEOUT ? NULL : peer_of(links, member);

		if (peer != NULL)
			links_hear(peer, status, message);
		else
			span_release(message);
	}
	return NULL;
}

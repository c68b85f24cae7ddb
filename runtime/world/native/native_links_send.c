/* Sends packets to chips of other processes (native_links.h). Chips add records to queues, and
 * never wait; a thread sends the queues. */
#include "native_links.h"

#include "base/allocate.h"
#include "base/ensure.h"
#include "native_wait.h"

#include <stdlib.h>
#include <string.h>

/* ---- queues; the caller holds the lock ---- */

static bool is_open(const struct peer *peer)
{
	return peer->joined && !peer->left && !peer->lost && !peer->links->ending;
}

/* Returns room for `bytes` more bytes in the queue of the peer. */
static uint8_t *links_room(struct peer *peer, uint32_t bytes)
{
	struct chunk *chunk = peer->tail;

	if (peer->queue == NULL || chunk->extent->length - chunk->used < bytes) {
		chunk = allocate(1, sizeof *chunk);
		chunk->extent = extent_new(bytes > LINKS_CHUNK_BYTES ? bytes : LINKS_CHUNK_BYTES);
		if (peer->queue == NULL)
			peer->queue = chunk;
		else
			peer->tail->next = chunk;
		peer->tail = chunk;
		pthread_cond_broadcast(&peer->links->changed);
	}
	chunk->used += bytes;
	peer->returning = NULL;
	return chunk->extent->bytes + chunk->used - bytes;
}

void native_links_say(struct peer *peer, const struct record *record)
{
	native_record_write(record, links_room(peer, RECORD_BYTES));
}

/* Adds a record with the bytes of the span. */
static void links_add(struct peer *peer, struct record *record, struct span span)
{
	uint32_t bytes = 0;
	uint8_t *room;

	record->length = span.length;
	record->zeros = span.extent == NULL;
	record->elided = span.extent != NULL && span.extent->elided;
	if (!record->zeros && !record->elided)
		bytes = span.length;
	room = links_room(peer, RECORD_BYTES + bytes);
	native_record_write(record, room);
	if (bytes > 0)
		memcpy(room + RECORD_BYTES, span.extent->bytes + span.offset, bytes);
}

static struct links *links_lock(struct peer *peer)
{
	pthread_mutex_lock(&peer->links->lock);
	return peer->links;
}

/* Returns the number of a chip of this process in the machine. */
static uint16_t machine_number(const struct device *device)
{
	return (uint16_t)(device->cluster->info->machine_first + device->number);
}

/* A delivery to this peer begins. */
static void links_hold(struct peer *peer, const struct device *source)
{
	peer->outstanding[source->number]++;
	native_rest_hold(peer->links->cluster);
}

/* ---- packets ---- */

void native_links_write(struct device *chip, const struct message *message)
{
	struct peer *peer = chip->peer;
	struct links *links = links_lock(peer);
	bool open = is_open(peer);

	if (open) {
		links_hold(peer, message->source);
		links_add(peer,
			&(struct record){.kind = RECORD_WRITE,
				.chip = chip->number,
				.source = machine_number(message->source),
				.tile = message->tile,
				.address = message->address,
				.increment_address = message->increment_address,
				.delta = message->delta},
			message->span);
	}
	pthread_mutex_unlock(&links->lock);
	span_release(message->span);
	if (!open)
		native_quota_return(message->source);
}

/* Enters a read into the table. Returns its number. */
static uint32_t links_read_begin(struct links *links, struct stage *stage, uint32_t host)
{
	uint32_t number = links->read_free - 1;

	if (links->read_free == 0) {
		number = links->read_count++;
		links->reads = allocate_more(links->reads, links->read_count, sizeof *links->reads);
	} else {
		links->read_free = links->reads[number].free;
	}
	links->reads[number] = (struct links_read){.stage = stage, .host = host};
	return number;
}

struct stage *native_links_read_end(struct peer *peer, uint32_t number, bool last)
{
	struct links *links = links_lock(peer);
	struct stage *stage = NULL;

	if (!peer->lost && number < links->read_count && links->reads[number].host == peer->host)
		stage = links->reads[number].stage;
	if (stage != NULL && last) {
		links->reads[number] = (struct links_read){.free = links->read_free};
		links->read_free = number + 1;
		peer->outstanding[stage->device->number]--;
	}
	pthread_mutex_unlock(&links->lock);
	return stage;
}

void native_links_read(struct device *chip, const struct message *message)
{
	struct peer *peer = chip->peer;
	struct links *links = links_lock(peer);
	bool open = is_open(peer);

	if (open) {
		links_hold(peer, message->source);
		native_links_say(
			peer, &(struct record){.kind = RECORD_READ,
				      .chip = chip->number,
				      .source = machine_number(message->source),
				      .tile = message->tile,
				      .reader_tile = message->reader_tile,
				      .address = message->address,
				      .count = links_read_begin(links, message->stage, peer->host),
				      .local_address = message->local_address,
				      .length = message->length});
	}
	pthread_mutex_unlock(&links->lock);
	if (!open)
		native_quota_return(message->source);
}

void native_links_answer(
	struct device *reader, const struct message *asked, const struct message *piece, bool last)
{
	struct links *links = links_lock(reader->peer);

	if (is_open(reader->peer))
		links_add(reader->peer,
			&(struct record){.kind = RECORD_ANSWER,
				.chip = reader->number,
				.tile = piece->tile,
				.address = piece->address,
				.count = asked->read,
				.last = last},
			piece->span);
	pthread_mutex_unlock(&links->lock);
	span_release(piece->span);
}

/* Tells the host of `chip` that one more delivery of a packet from this chip is complete.
 * Successive reports for the same chip are counted in one record. */
void native_links_return(struct device *chip)
{
	struct peer *peer = chip->peer;
	struct links *links = links_lock(peer);
	struct record record = {.kind = RECORD_RETURN, .source = chip->number, .count = 1};

	if (is_open(peer) && peer->returning != NULL && peer->returning_chip == chip->number) {
		native_record_read(peer->returning, &record);
		record.count++;
		native_record_write(&record, peer->returning);
	} else if (is_open(peer)) {
		native_links_say(peer, &record);
		peer->returning = peer->tail->extent->bytes + peer->tail->used - RECORD_BYTES;
		peer->returning_chip = chip->number;
	}
	pthread_mutex_unlock(&links->lock);
}

/* ---- the loss of a host ---- */

static void links_drop_queue(struct peer *peer)
{
	while (peer->queue != NULL) {
		struct chunk *first = peer->queue;

		peer->queue = first->next;
		extent_release(first->extent);
		free(first);
	}
	peer->tail = NULL;
	peer->returning = NULL;
}

/* Returns the quota of all deliveries that are on their way to the peer. */
static void links_give_up(struct peer *peer)
{
	struct cluster *cluster = peer->links->cluster;

	for (uint16_t i = 0; i < cluster->info->chip_count; i++)
		for (; peer->outstanding[i] > 0; peer->outstanding[i]--) {
			native_quota_return(&cluster->chips[i]);
			native_rest_release(cluster);
		}
}

void native_links_lose(struct peer *peer, const char *why)
{
	struct links *links = links_lock(peer);
	bool first = !peer->lost && !peer->left && !links->ending;

	peer->lost = true;
	links_drop_queue(peer);
	links_give_up(peer);
	pthread_cond_broadcast(&links->changed);
	pthread_mutex_unlock(&links->lock);
	if (first && links->settings.lost != NULL)
		links->settings.lost(links->settings.context, peer->host, why);
}

/* ---- the sender ---- */

/* Returns the next peer after number `after` that has records to send. */
static struct peer *next_peer(struct links *links, uint32_t after)
{
	for (uint32_t i = 1; i <= links->settings.host_count; i++) {
		struct peer *peer = &links->peers[(after + i) % links->settings.host_count];

		if (peer->queue != NULL)
			return peer;
	}
	return NULL;
}

static enum status links_send_chunk(struct peer *peer, const struct chunk *chunk)
{
	const struct links_settings *settings = &peer->links->settings;
	struct span message = {.extent = chunk->extent, .length = chunk->used};
	int64_t deadline_ns = native_now_ns() + LINKS_SLICE_NS;
	uint32_t who;

	if (peer->channel != NULL)
		return settings->transport->send(peer->channel, message, deadline_ns);
	return settings->transport->hub_send(
		peer->links->hub, peer->member, message, deadline_ns, &who);
}

/* Sends the first chunk of the peer's queue. If the peer has no room, puts the chunk back. The
 * caller holds the lock; the function releases it while it sends. */
static void links_send_first(struct peer *peer)
{
	struct links *links = peer->links;
	struct chunk *chunk = peer->queue;
	enum status status;

	peer->queue = chunk->next;
	peer->returning = NULL;
	pthread_mutex_unlock(&links->lock);
	status = links_send_chunk(peer, chunk);
	if (status != STATUS_OK && status != STATUS_TIMEOUT)
		native_links_lose(peer, "has ended");
	pthread_mutex_lock(&links->lock);
	if (status == STATUS_TIMEOUT && !peer->lost) {
		chunk->next = peer->queue;
		peer->queue = chunk;
		if (chunk->next == NULL)
			peer->tail = chunk;
		return;
	}
	extent_release(chunk->extent);
	free(chunk);
}

void *native_links_sender(void *arg)
{
	struct links *links = arg;
	uint32_t last = 0;

	pthread_mutex_lock(&links->lock);
	for (;;) {
		struct peer *peer = next_peer(links, last);

		if (links->ending && (peer == NULL || native_now_ns() > links->until_ns))
			break;
		if (peer == NULL) {
			native_cond_wait(&links->changed, &links->lock, DEADLINE_NEVER);
			continue;
		}
		last = peer->host;
		links_send_first(peer);
	}
	for (uint32_t i = 0; i < links->settings.host_count; i++)
		links_drop_queue(&links->peers[i]);
	pthread_mutex_unlock(&links->lock);
	return NULL;
}

/* Senders of streams of packets (traffic.h). After its start, a sender waits only for routers. */
#include "firmware/traffic/traffic.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "firmware/core/stage.h"

static const char *const op_names[] = {
	[TRAFFIC_WRITE] = "write",
	[TRAFFIC_FUSED_ATOMIC_INC] = "fused_atomic_inc",
	[TRAFFIC_SCATTER_WRITE] = "scatter_write",
};

const char *traffic_op_name(size_t op)
{
	return op < TRAFFIC_OP_COUNT ? op_names[op] : NULL;
}

/* The packets that are sent along one tree. */
struct stream {
	struct fabric_tree *tree;
	uint32_t sent;
};

struct traffic_sender {
	struct stage_base base;
	struct traffic_config config;
	struct stream *streams;
	struct span payload;
	uint32_t next;	/* index of the stream to send next */
	uint32_t warm;	/* number of streams that have sent their warm-up packets */
	uint32_t ended; /* number of streams that have sent all packets */
	bool started;
};

static void traffic_send(struct stage_base *base)
{
	struct traffic_sender *sender = (struct traffic_sender *)base;
	const struct traffic_config *config = &sender->config;
	struct stream *stream = &sender->streams[sender->next];
	uint32_t half = config->packet_bytes / 2;

	if (config->op == TRAFFIC_SCATTER_WRITE)
		device_row->fabric_scatter(&base->stage, stream->tree, config->target.tile,
			(const uint32_t[]){config->target.address, config->target.address + half},
			2, sender->payload);
	else
		device_row->fabric_write(&base->stage, stream->tree, config->target.tile,
			config->target.address, sender->payload, config->target.word,
			config->op == TRAFFIC_FUSED_ATOMIC_INC);
	sender->next = (sender->next + 1) % config->tree_count;
	if (++stream->sent == config->warmup && ++sender->warm == config->tree_count)
		world->mark(config->operation, MARK_GO, base->marked_chip);
	if (stream->sent == config->packets && ++sender->ended == config->tree_count) {
		world->mark(config->operation, MARK_WORKERS_DONE, base->marked_chip);
		base->ended = true;
	}
}

/* Sends a packet of each stream in turn. While the router of the next stream has no room, no stream
 * sends. */
static int64_t traffic_begin(struct stage *stage, struct stage_wait *wait)
{
	struct traffic_sender *sender = (struct traffic_sender *)stage;
	const struct traffic_config *config = &sender->config;
	struct fabric_tree *tree;

	if (sender->base.ended)
		return STAGE_ENDED;
	if (!sender->started && !traffic_started(stage, &config->start))
		return traffic_wait_for_start(wait, &config->start);
	sender->started = true;
	while (sender->streams[sender->next].sent == config->packets)
		sender->next = (sender->next + 1) % config->tree_count;
	tree = sender->streams[sender->next].tree;
	if (!device_row->fabric_ready(stage, tree))
		return block_on_fabric(wait, tree, "a slot of the router");
	return stage_plan(&sender->base, CHARGED(&sender->base.firmware->price, traffic_packet, 1),
		traffic_send);
}

static void sender_fini(struct stage_base *base)
{
	struct traffic_sender *sender = (struct traffic_sender *)base;

	free(sender->streams);
	span_release(sender->payload);
}

static const struct stage_ops sender_ops = STAGE_OPS("traffic_sender", traffic_begin);

struct stage *traffic_sender_new(
	const struct firmware *firmware, const struct traffic_config *config)
{
	struct traffic_sender *sender =
		stage_new(sizeof *sender, &sender_ops, firmware, config->place);
	struct extent *payload = extent_new(config->packet_bytes);

	ensure(config->tree_count > 0 && config->warmup > 0 && config->warmup < config->packets,
		"a sender of %u packets, %u to warm up, along %u trees", config->packets,
		config->warmup, config->tree_count);
	sender->config = *config;
	sender->base.fini = sender_fini;
	sender->streams = allocate(config->tree_count, sizeof(*sender->streams));
	for (uint32_t i = 0; i < config->tree_count; i++)
		sender->streams[i].tree = config->trees[i];
	for (uint32_t i = 0; i < config->packet_bytes; i++)
		payload->bytes[i] = (uint8_t)i;
	sender->payload = span_of(payload);
	return &sender->base.stage;
}

/* Senders of streams of packets, see firmware/traffic.h. They wait for nothing but the router. */
#include "firmware/traffic.h"

#include <stdlib.h>
#include <string.h>

#include "base/ensure.h"
#include "stage_private.h"

static const char *const op_names[] = {
	[TRAFFIC_WRITE] = "write",
	[TRAFFIC_FUSED_ATOMIC_INC] = "fused_atomic_inc",
	[TRAFFIC_SCATTER_WRITE] = "scatter_write",
};

const char *traffic_op_name(size_t op)
{
	return op < TRAFFIC_OP_COUNT ? op_names[op] : NULL;
}

struct traffic_sender {
	struct unit unit;
	struct traffic_config config;
	struct fabric_tree **trees;
	struct span payload;
	uint32_t tree;	 /* of the next packet */
	uint32_t rounds; /* packets sent along every tree */
};

static void send(struct unit *unit)
{
	struct traffic_sender *sender = (struct traffic_sender *)unit;
	const struct traffic_config *config = &sender->config;
	struct fabric_tree *tree = sender->trees[sender->tree];
	uint32_t half = config->packet_bytes / 2;

	if (config->op == TRAFFIC_SCATTER_WRITE)
		device_row->fabric_scatter(&unit->stage, tree, config->target.tile,
			(const uint32_t[]){config->target.address, config->target.address + half},
			2, sender->payload);
	else
		device_row->fabric_write(&unit->stage, tree, config->target.tile,
			config->target.address, sender->payload, config->target.word,
			config->op == TRAFFIC_FUSED_ATOMIC_INC);
	if (++sender->tree < config->tree_count)
		return;
	sender->tree = 0;
	if (++sender->rounds == config->warmup)
		world->mark(config->operation, MARK_GO, unit->chip);
	if (sender->rounds == config->packets) {
		world->mark(config->operation, MARK_WORKERS_DONE, unit->chip);
		unit->ended = true;
	}
}

static int64_t begin(struct stage *stage, struct stage_wait *wait)
{
	struct traffic_sender *sender = (struct traffic_sender *)stage;
	const struct fabric_tree *tree = sender->trees[sender->tree];

	if (sender->unit.ended)
		return STAGE_ENDED;
	if (!device_row->fabric_ready(stage, tree))
		return block_on_fabric(wait, tree, "a slot of the router");
	return unit_plan(&sender->unit, sender->unit.firmware->price.traffic_packet, send);
}

static void sender_fini(struct unit *unit)
{
	struct traffic_sender *sender = (struct traffic_sender *)unit;

	free(sender->trees);
	span_release(sender->payload);
}

static const struct stage_ops sender_ops = {
	.name = "traffic_sender",
	.begin = begin,
	.commit = unit_commit,
};

struct stage *traffic_sender_new(
	const struct firmware *firmware, const struct traffic_config *config)
{
	struct traffic_sender *sender =
		unit_new(sizeof *sender, &sender_ops, firmware, config->place);
	struct extent *payload = extent_new(config->packet_bytes);

	ensure(config->tree_count > 0 && config->warmup > 0 && config->warmup < config->packets,
		"a sender of %u packets, %u to warm up, along %u trees", config->packets,
		config->warmup, config->tree_count);
	sender->config = *config;
	sender->unit.fini = sender_fini;
	sender->trees = calloc(config->tree_count, sizeof(*sender->trees));
	ensure(sender->trees != NULL, "no memory for %u trees", config->tree_count);
	memcpy(sender->trees, config->trees, config->tree_count * sizeof(*sender->trees));
	for (uint32_t i = 0; i < config->packet_bytes; i++)
		payload->bytes[i] = (uint8_t)i;
	sender->payload = span_of(payload);
	return &sender->unit.stage;
}

/* The emulated fabric. A packet goes directly into the inbox of every chip to which its tree
 * (route) delivers it. If the chip belongs to another process, the packet goes into the queue for
 * this process (native_links.h). */
#include "native_chip.h"

#include "base/ensure.h"
#include "native_links.h"

/* Called when a delivery of `source` is complete. */
void native_fabric_returned(struct device *source)
{
	if (source->peer != NULL)
		native_links_return(source);
	else
		native_quota_return(source);
}

bool native_fabric_ready(const struct stage *stage, struct fabric_tree *tree)
{
	return native_fabric_accepts(stage->device, tree);
}

/* Returns the chip of a node, which may be on another host. */
static struct device *native_fabric_chip(
	struct cluster *cluster, const struct fabric_tree *tree, uint16_t node)
{
	uint16_t chip = tree->nodes[node].chip;

	ensure(!tree->of_machine || cluster->machine != NULL,
		"a tree of a machine whose clusters are not joined");
	return tree->of_machine ? cluster->machine[chip] : &cluster->chips[chip];
}

static void check_packet(
	const struct stage *stage, const struct fabric_tree *tree, struct span span)
{
	struct device *device = stage->device;
	struct cluster *cluster = device->cluster;

	ensure(native_fabric_chip(cluster, tree, 0) == device,
		"chip %u sends along a tree of chip %u", device->number, tree->nodes[0].chip);
	ensure(span.length <= cluster->info->fabric_packet_bytes, "packet of %u B, %u at most",
		span.length, cluster->info->fabric_packet_bytes);
	ensure(native_fabric_accepts(device, tree), "packet of stage %s: the router is full",
		stage->ops->name);
}

static void send_to(struct device *chip, const struct message *message)
{
	if (chip->peer == NULL)
		native_inbox_send(chip, message);
	else if (message->kind == MESSAGE_READ)
		native_links_read(chip, message);
	else
		native_links_write(chip, message);
}

/* Sends one message to every chip to which the tree delivers. */
static void send_along(
	struct device *device, const struct fabric_tree *tree, const struct message *message)
{
	struct cluster *cluster = device->cluster;
	uint32_t delivered = 0;

	native_quota_take(device, tree->deliver_count);
	for (uint16_t i = 1; i < tree->node_count; i++) {
		if (!tree->nodes[i].deliver)
			continue;
		span_hold(message->span);
		send_to(native_fabric_chip(cluster, tree, i), message);
		delivered++;
	}
	ensure(delivered == tree->deliver_count, "tree with %u deliveries says %u", delivered,
		tree->deliver_count);
}

void native_fabric_write(struct stage *stage, struct fabric_tree *tree, uint16_t tile,
	uint32_t address, struct span span, uint32_t increment_address, uint32_t delta)
{
	struct message message = {
		.kind = MESSAGE_WRITE,
		.tile = tile,
		.source = stage->device,
		.address = address,
		.increment_address = increment_address,
		.delta = delta,
		.span = span,
	};

	check_packet(stage, tree, span);
	send_along(stage->device, tree, &message);
	stage->writes_posted++;
	stage->writes_done++;
}

void native_fabric_scatter(struct stage *stage, struct fabric_tree *tree, uint16_t tile,
	const uint32_t *addresses, uint32_t count, struct span span)
{
	struct message message = {
		.kind = MESSAGE_WRITE,
		.tile = tile,
		.source = stage->device,
	};
	uint32_t part = span.length / count;

	check_packet(stage, tree, span);
	ensure(count >= 2 && count <= FABRIC_PARTS_MAX && span.length == part * count,
		"%u B in %u parts", span.length, count);
	for (uint32_t i = 0; i < count; i++) {
		message.address = addresses[i];
		message.span = span_part(span, i * part, part);
		send_along(stage->device, tree, &message);
	}
	stage->writes_posted++;
	stage->writes_done++;
}

void native_fabric_read(struct stage *stage, struct fabric_tree *tree, uint16_t tile,
	uint32_t address, uint32_t length, uint32_t local_address)
{
	struct message message = {
		.kind = MESSAGE_READ,
		.tile = tile,
		.source = stage->device,
		.address = address,
		.stage = stage,
		.length = length,
		.local_address = local_address,
		.reader_tile = stage->tile,
	};

	check_packet(stage, tree, (struct span){.extent = NULL});
	ensure(tree->deliver_count == 1, "a read along a tree to %u chips", tree->deliver_count);
	stage->reads_posted++;
	stage->writes_posted++;
	stage->writes_done++;
	send_along(stage->device, tree, &message);
}

/* Answers a read: sends the bytes to the reader, in pieces. The bytes of a piece are either all
 * real or all elided. The last piece completes the read, and gives back its quota. */
void native_fabric_answer(struct device *device, const struct message *message)
{
	struct tile *tile = native_chip_tile(device, message->tile);

	for (uint32_t done = 0; done < message->length;) {
		struct span piece = native_tile_view_piece(
			tile, message->address + done, message->length - done);
		bool last = done + piece.length == message->length;

		struct message answer = {.kind = MESSAGE_WRITE,
			.tile = message->reader_tile,
			.address = message->local_address + done,
			.span = piece,
			.stage = last ? message->stage : NULL,
			.source = last ? message->source : NULL};

		if (message->source->peer != NULL)
			native_links_answer(message->source, message, &answer, last);
		else
			native_inbox_send(message->source, &answer);
		done += piece.length;
	}
}

void native_fabric_tree_forget(struct fabric_tree *tree)
{
	tree->route = NULL;
}

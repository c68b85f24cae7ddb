/* Writes messages and collectives of a planned Chakra trace as steps (chakra_writer.h). If a rank
 * is several chips, each of them has its share of the data, and communicates with the chips at the
 * same place of other ranks. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "chakra_writer.h"

/* Returns the keys of a step that depend on its queue. */
static const char *queue_of(const struct writer *writer)
{
	return writer->writing->plan->overlaps ? "queue: 1" : "";
}

/* Returns what each chip of a rank has of `bytes` bytes. */
static uint64_t share_of(const struct writer *writer, uint64_t bytes)
{
	return (bytes + writer->writing->chips - 1) / writer->writing->chips;
}

/* Returns the place of a chip of a rank among all devices. */
static uint32_t place_of(const struct writer *writer, bool ring, uint32_t rank, uint32_t chip)
{
	const struct chakra_writing *writing = writer->writing;

	return writing->places[ring][writing->devices[rank * writing->chips + chip]];
}

static void put_topology(const struct writer *writer, struct text *out)
{
	if (writer->writing->ring)
		text_append(out, ", topology: ring");
}

/* ---- lists of messages ---- */

/* The lists of all devices, by their places. */
static struct text *lists_new(const struct writer *writer)
{
	return allocate(writer->trace->count * writer->writing->chips, sizeof(struct text));
}

static void put_lists(struct writer *writer, struct text *lists, const char *name)
{
	uint32_t devices = writer->trace->count * writer->writing->chips;
	struct text keys = {0};

	text_append(&keys, "op: messages");
	put_topology(writer, &keys);
	text_append(&keys, ", ranks: [");
	for (uint32_t i = 0; i < devices; i++) {
		text_printf(
			&keys, "%s\n      {do: [%s]}", i > 0 ? "," : "", text_string(&lists[i]));
		text_fini(&lists[i]);
	}
	text_append(&keys, "]");
	writer_put_step(writer, "collective", name, &keys, queue_of(writer));
	text_fini(&keys);
	free(lists);
}

static void steps_put_message(const struct writer *writer, const struct chakra_node *node,
	uint32_t chip, uint64_t time_ns, struct text *out)
{
	bool ring = writer->writing->ring;

	text_append(out, out->length > 0 ? ", " : "");
	if (node->type < CHAKRA_SEND) {
		text_printf(out, "{busy_ns: %" PRIu64 "}", time_ns);
		return;
	}
	if (node->type == CHAKRA_SEND)
		text_printf(out, "{send: %u, bytes: %" PRIu64,
			place_of(writer, ring, node->peer, chip), share_of(writer, node->bytes));
	else
		text_printf(out, "{receive: %u", place_of(writer, ring, node->peer, chip));
	if (node->tag > 0)
		text_printf(out, ", tag: %u", node->tag);
	text_append(out, "}");
}

void writer_put_messages(struct writer *writer, const struct chakra_phase *phase)
{
	struct text *lists = lists_new(writer);

	for (uint32_t i = 0; i < writer->trace->count; i++)
		for (uint32_t k = 0; k < phase->parts[i].count; k++) {
			const struct chakra_node *node =
				&writer->trace->ranks[i].nodes[phase->parts[i].nodes[k]];
			uint64_t time_ns = writer_time_ns(writer, phase, i, k);

			if (node->type < CHAKRA_SEND && time_ns == 0)
				continue;
			for (uint32_t chip = 0; chip < writer->writing->chips; chip++)
				steps_put_message(writer, node, chip, time_ns,
					&lists[place_of(writer, writer->writing->ring, i, chip)]);
		}
	put_lists(writer, lists, "messages");
}

/* Writes the messages of a barrier for one chip of each rank of a group. In round i, each rank
 * sends a message to the rank that is 2^i places ahead. */
static void put_rounds(const struct writer *writer, const struct chakra_group *group, uint32_t chip,
	struct text *lists)
{
	bool ring = writer->writing->ring;
	uint32_t count = group->count;

	for (uint32_t i = 0; i < count; i++)
		for (uint32_t far = 1; far < count; far *= 2)
			text_printf(&lists[place_of(writer, ring, group->ranks[i], chip)],
				"%s{send: %u, bytes: 0}, {receive: %u}", far > 1 ? ", " : "",
				place_of(writer, ring, group->ranks[(i + far) % count], chip),
				place_of(writer, ring, group->ranks[(i + count - far) % count],
					chip));
}

static void put_barrier(struct writer *writer, const struct chakra_phase *phase)
{
	struct text *lists = lists_new(writer);

	for (uint32_t i = 0; i < phase->group_count; i++)
		for (uint32_t chip = 0; chip < writer->writing->chips; chip++)
			put_rounds(writer, phase->groups[i], chip, lists);
	put_lists(writer, lists, "barrier");
}

/* ---- collectives ---- */

static const char *const op_names[CHAKRA_COMMS] = {[CHAKRA_ALL_REDUCE] = "all_reduce",
	[CHAKRA_ALL_GATHER] = "all_gather",
	[CHAKRA_BROADCAST] = "broadcast",
	[CHAKRA_ALL_TO_ALL] = "all_to_all",
	[CHAKRA_REDUCE_SCATTER] = "reduce_scatter",
	[CHAKRA_BARRIER] = "barrier"};

bool chakra_collective_runs(uint32_t comm)
{
	return comm < CHAKRA_COMMS && op_names[comm] != NULL;
}

/* True if the group has all devices, in the order of their places. */
static bool has_all_devices(const struct writer *writer, const struct chakra_group *group)
{
	bool whole = group->count == writer->trace->count && writer->writing->chips == 1;

	for (uint32_t i = 0; i < group->count && whole; i++)
		whole = group->ranks[i] == i;
	return whole;
}

static void put_groups(
	const struct writer *writer, const struct chakra_phase *phase, bool ring, struct text *keys)
{
	const char *comma = "";

	if (phase->group_count == 1 && has_all_devices(writer, phase->groups[0]))
		return;
	text_append(keys, ", groups: [");
	for (uint32_t i = 0; i < phase->group_count; i++)
		for (uint32_t chip = 0; chip < writer->writing->chips; chip++) {
			text_printf(keys, "%s{places: [", comma);
			for (uint32_t k = 0; k < phase->groups[i]->count; k++)
				text_printf(keys, "%s%u", k > 0 ? ", " : "",
					place_of(writer, ring, phase->groups[i]->ranks[k], chip));
			text_append(keys, "]}");
			comma = ", ";
		}
	text_append(keys, "]");
}

void writer_put_collective(struct writer *writer, const struct chakra_phase *phase)
{
	const struct chakra_group *group = phase->groups[0];
	const struct chakra_node *node = writer_node(writer, phase, group->ranks[0]);
	bool whole = node->comm == CHAKRA_ALL_GATHER || node->comm == CHAKRA_ALL_TO_ALL;
	bool named = strstr(node->keys, "topology:") != NULL;
	bool ring = named ? strstr(node->keys, "topology: ring") != NULL : writer->writing->ring;
	uint64_t bytes = share_of(writer, node->bytes);
	uint32_t root = chakra_root_place(group, node->root);
	struct text keys = {0};

	if (node->comm == CHAKRA_BARRIER) {
		put_barrier(writer, phase);
		return;
	}
	text_printf(&keys, "op: %s", op_names[node->comm]);
	if (!named)
		put_topology(writer, &keys);
	text_printf(&keys, ", size_bytes: %" PRIu64, whole ? group->count * bytes : bytes);
	if (node->comm == CHAKRA_BROADCAST && root > 0)
		text_printf(&keys, ", root: %u", root);
	put_groups(writer, phase, ring && writer->writing->places[1], &keys);
	if (node->keys[0])
		text_printf(&keys, ", %s", node->keys);
	writer_put_step(writer, "collective", op_names[node->comm], &keys, queue_of(writer));
	text_fini(&keys);
}

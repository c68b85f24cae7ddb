/* Schema of collectives that are lists of messages, `op: messages`, and these lists. */
#include "bench/scenario/step_make.h"
#include "bench/scenario/load.h"
#include "scenario_private.h"
#include "steps/check.h"

enum { RANK_ENTRIES_MAX = 4096 };

#define TAG_FIELD                                                                                  \
	SCHEMA_INT(struct message_keys, tag, "tag", .max = UINT32_MAX, .fallback = "0",            \
		.help = "a receive takes the first message of its sender with this tag")

static const struct schema_field send_siblings[] = {
	SCHEMA_INT(struct message_keys, bytes, "bytes", .max = 1 << 30, .required = true,
		.unit = "B", .help = "of the message; 0: a signal alone"),
	TAG_FIELD,
};
static const struct schema_field receive_siblings[] = {TAG_FIELD};

static const struct schema_variant message_variants_of[] = {
	[MESSAGE_SEND] = {.field = SCHEMA_INT(struct message_keys, peer, "send",
				  .max = BOUND_CHIPS - 1,
				  .help = "to this device, by its place on the line or ring; goes "
					  "on when the data are read"),
		SCHEMA_SIBLINGS(send_siblings)},
	[MESSAGE_RECEIVE] = {.field = SCHEMA_INT(struct message_keys, peer, "receive",
				     .max = BOUND_CHIPS - 1,
				     .help = "waits for a message of this device"),
		SCHEMA_SIBLINGS(receive_siblings)},
	[MESSAGE_BUSY] = {.field = SCHEMA_INT(struct message_keys, busy_ns, "busy_ns",
				  .max = 1000000000, .unit = "ns",
				  .help = "the core computes for this time")},
};
static const struct schema_variants message_variants = {
	.name = "message",
	.help = "an entry of a device's list",
	.size = sizeof(struct message_keys),
	.tag_offset = offsetof(struct message_keys, kind),
	SCHEMA_WHERE(struct message_keys, where),
	.variants = message_variants_of,
	.variant_count = sizeof message_variants_of / sizeof *message_variants_of,
};
static const struct schema_field message_item =
	SCHEMA_ITEM_VARIANT(struct message_keys, &message_variants);

static const struct schema_field rank_fields[] = {
	SCHEMA_LIST(struct messages_keys, at, count, "do", &message_item, .required = true,
		.max = RANK_ENTRIES_MAX, .help = "its sends, receives and times, in order"),
};
static const struct schema rank_schema =
	SCHEMA("rank", struct messages_keys, rank_fields, .help = "the messages of one device");
const struct schema_field step_rank_item = SCHEMA_ITEM_MAP(struct messages_keys, &rank_schema);

struct messages_list *step_messages_lists(const struct run_plan *run,
	const struct collective_step *step, uint32_t device_count, struct arena *arena)
{
	struct messages_list *lists = arena_array(arena, device_count, sizeof *lists);

	for (uint32_t i = 0; i < step->rank_count && i < device_count; i++) {
		const struct messages_keys *keys = &step->ranks[i];
		struct message *at = arena_array(arena, keys->count, sizeof *at);

		for (uint32_t k = 0; k < keys->count; k++)
			at[k] = (struct message){.kind = (enum message_kind)keys->at[k].kind,
				.peer = keys->at[k].peer,
				.tag = keys->at[k].tag,
				.pages = (uint32_t)((keys->at[k].bytes + step->page_bytes - 1) /
						    step->page_bytes),
				.cycles = (uint32_t)step_run_cycles(run, keys->at[k].busy_ns)};
		lists[i] = (struct messages_list){at, keys->count};
	}
	return lists;
}

uint64_t step_messages_bytes(const struct collective_step *step)
{
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < step->rank_count; i++)
		for (uint32_t k = 0; k < step->ranks[i].count; k++)
			bytes += step->ranks[i].at[k].bytes;
	return bytes;
}

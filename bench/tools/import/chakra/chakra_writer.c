/* Writes the steps of a scenario that have the same text (chakra_writer.h). */
#include "chakra_writer.h"

#include <inttypes.h>

#include "base/hash.h"

const struct chakra_node *writer_node(
	const struct writer *writer, const struct chakra_phase *phase, uint32_t rank)
{
	return &writer->trace->ranks[rank].nodes[phase->parts[rank].nodes[0]];
}

uint64_t writer_time_ns(
	const struct writer *writer, const struct chakra_phase *phase, uint32_t rank, uint32_t k)
{
	return writer->writing->time_ns[rank][phase->parts[rank].nodes[k]];
}

static struct made *made_of(struct writer *writer, const struct text *text)
{
	uint64_t hash = hash_string(text_string(text)) | 1;
	uint32_t slot = (uint32_t)(hash % writer->slots);

	while (writer->made[slot].hash != 0 && writer->made[slot].hash != hash)
		slot = (slot + 1) % writer->slots;
	writer->made[slot].hash = hash;
	return &writer->made[slot];
}

void writer_put_step(struct writer *writer, const char *kind, const char *name,
	const struct text *keys, const char *own)
{
	struct made *made = made_of(writer, keys);

	made->uses += writer->counting;
	text_printf(writer->out, "  - %s: {", kind);
	if (made->uses > 1)
		text_printf(writer->out, "identity: %s-%08" PRIx32 "%s", name,
			(uint32_t)(made->hash >> 32), made->written && !own[0] ? "" : ", ");
	if (!made->written)
		text_printf(writer->out, "%s%s", text_string(keys), own[0] ? ", " : "");
	text_printf(writer->out, "%s}\n", own);
	made->written = true;
	writer->steps++;
	writer->pending = true;
}

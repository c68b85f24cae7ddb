/* Gates to an aggregator. The aggregator opens a gate for each event that it has gathered. A gate
 * delays the next event while `generations` announced events are not gathered yet. A naive gate
 * delays no event. */
#include "firmware/completion/upstream.h"

#include "base/ensure.h"
#include "command/bytes.h"
#include "firmware/completion/aggregator.h"
#include "world/world.h"

void gate_init(struct gate *gate, const struct gate_config *config)
{
	*gate = (struct gate){.config = *config};
}

int64_t gate_check(const struct gate *gate, const struct stage *stage, struct stage_wait *wait)
{
	const struct gate_config *config = &gate->config;
	uint32_t needed = gate->announced - (config->generations - 1u);

	ensure(config->used, "an event to gather, and no aggregator");
	if (!config->naive && (int32_t)(device_row->word(stage, config->open_word) - needed) < 0)
		return block_on_word(wait, config->open_word, needed,
			"the aggregator, to gather the event before");
	if (config->forward != NULL && !device_row->fabric_ready(stage, config->forward))
		return block_on_fabric(wait, config->forward, "the router, to announce an event");
	return 0;
}

uint64_t gate_price(const struct gate *gate, const struct firmware *firmware)
{
	return CHARGED(&firmware->price, gate_announce, 1) +
	       (gate->config.forward != NULL ? CHARGED(&firmware->price, fabric_send, 1) : 0);
}

void gate_announce(
	struct gate *gate, struct stage_base *base, const struct completion_record *record)
{
	const struct gate_config *config = &gate->config;
	uint8_t bytes[AGGREGATOR_SLOT_BYTES];
	uint32_t slot =
		config->slot + AGGREGATOR_SLOT_BYTES * (gate->announced % config->generations);
	struct span span;

	bytes_put32(bytes, record->tag);
	bytes_put32(bytes + 4, record->operation);
	bytes_put64(bytes + 8, record->address);
	span = span_copy(bytes, sizeof bytes);
	if (config->forward != NULL) {
		device_row->fabric_write(&base->stage, config->forward, config->tile, slot, span,
			config->arrival_word, 1);
	} else {
		device_row->noc_write_counted(
			&base->stage, config->tile, slot, span, config->arrival_word, 1);
	}
	span_release(span);
	gate->announced++;
	if (record->operation != 0)
		world->mark(record->operation, MARK_GATHERED,
			base->firmware->first_chip + record->chip);
}

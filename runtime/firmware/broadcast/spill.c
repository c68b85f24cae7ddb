/* The spill buffer of a depacketizer: a ring in DRAM that is filled while the prefetcher's L1 ring
 * is full and emptied through scratch, in order. Reads back only what has been acknowledged as
 * written. */
#include "depacketizer_private.h"

void spill_init(struct depacketizer *depacketizer)
{
	depacketizer->spill =
		(struct spill){.bytes = depacketizer->unit.firmware->limits.spill_bytes};
}

bool spill_empty(const struct depacketizer *depacketizer)
{
	return depacketizer->spill.used == 0 && depacketizer->spill.read == 0;
}

bool spill_settles(const struct depacketizer *depacketizer)
{
	const struct stage *stage = &depacketizer->unit.stage;

	return depacketizer->spill.used > 0 && depacketizer->spill.read == 0 &&
	       sender_room(&depacketizer->output, stage) > 0 &&
	       stage->writes_done != stage->writes_posted;
}

uint32_t spill_room(const struct depacketizer *depacketizer)
{
	const struct spill *spill = &depacketizer->spill;

	return least(spill->bytes - spill->used, spill->bytes - spill->tail);
}

void spill_write(struct depacketizer *depacketizer, struct span span)
{
	struct spill *spill = &depacketizer->spill;

	device_row->noc_write(&depacketizer->unit.stage, depacketizer->config.spill_tile,
		depacketizer->config.spill + spill->tail, span);
	spill->tail = (spill->tail + span.length) % spill->bytes;
	spill->used += span.length;
	depacketizer->counters.spilled_bytes += span.length;
	if (spill->used > depacketizer->counters.spill_peak_bytes)
		depacketizer->counters.spill_peak_bytes = spill->used;
}

/* ---- out of scratch ---- */

static void pass_commit(struct unit *unit)
{
	struct depacketizer *depacketizer = depacketizer_of(unit);
	struct spill *spill = &depacketizer->spill;
	struct span span = device_row->view(
		&unit->stage, depacketizer->config.layout.scratch + spill->passed, spill->chunk);

	sender_send(&depacketizer->output, &unit->stage, span);
	span_release(span);
	depacketizer->owed += spill->chunk / COMMAND_ALIGN;
	spill->passed += spill->chunk;
	if (spill->passed == spill->read)
		spill->read = spill->passed = 0;
}

static int64_t pass_begin(struct depacketizer *depacketizer)
{
	const struct stage *stage = &depacketizer->unit.stage;
	const struct firmware_prices *price = &depacketizer->unit.firmware->price;
	struct spill *spill = &depacketizer->spill;

	if ((int32_t)(stage->reads_done - spill->reads) < 0)
		return STAGE_BLOCKED;
	spill->chunk = sender_chunk(&depacketizer->output, stage,
		depacketizer->config.layout.scratch + spill->passed, spill->read - spill->passed);
	if (spill->chunk == 0)
		return STAGE_BLOCKED;
	return unit_plan(
		&depacketizer->unit, price->depacketizer_forward + price->relay_write, pass_commit);
}

/* ---- into scratch ---- */

static void read_commit(struct unit *unit)
{
	struct depacketizer *depacketizer = depacketizer_of(unit);
	struct spill *spill = &depacketizer->spill;

	device_row->noc_read(&unit->stage, depacketizer->config.spill_tile,
		depacketizer->config.spill + spill->head, spill->chunk,
		depacketizer->config.layout.scratch);
	spill->reads = unit->stage.reads_posted;
	spill->head = (spill->head + spill->chunk) % spill->bytes;
	spill->used -= spill->chunk;
	spill->read = spill->chunk;
}

static int64_t read_begin(struct depacketizer *depacketizer)
{
	const struct stage *stage = &depacketizer->unit.stage;
	const struct firmware *firmware = depacketizer->unit.firmware;
	struct spill *spill = &depacketizer->spill;

	if (sender_room(&depacketizer->output, stage) == 0 ||
		stage->writes_done != stage->writes_posted)
		return STAGE_BLOCKED;
	spill->chunk = least(least(spill->used, spill->bytes - spill->head),
		firmware->limits.spill_scratch_bytes);
	return unit_plan(&depacketizer->unit, firmware->price.depacketizer_unspill, read_commit);
}

int64_t spill_begin(struct depacketizer *depacketizer)
{
	const struct spill *spill = &depacketizer->spill;

	if (spill->read > 0)
		return pass_begin(depacketizer);
	return spill->used > 0 ? read_begin(depacketizer) : STAGE_BLOCKED;
}

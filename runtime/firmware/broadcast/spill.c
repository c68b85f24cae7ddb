/* The spill buffer of a depacketizer: a ring in DRAM. While the prefetcher's ring in L1 is full,
 * the depacketizer writes arriving bytes to this ring in DRAM. It takes them out again in the same
 * order: it reads bytes into a small buffer in L1 (scratch), and then forwards them to the
 * prefetcher. It reads bytes only after their writes were acknowledged. */
#include "broadcast_private.h"

void spill_init(struct depacketizer *depacketizer)
{
	depacketizer->spill =
		(struct spill){.bytes = depacketizer->base.firmware->limits.spill_bytes};
}

bool spill_empty(const struct depacketizer *depacketizer)
{
	return depacketizer->spill.used == 0 && depacketizer->spill.read == 0;
}

bool spill_settles(const struct depacketizer *depacketizer)
{
	const struct stage *stage = &depacketizer->base.stage;

	return depacketizer->spill.used > 0 && depacketizer->spill.read == 0 &&
	       hold_room(depacketizer) > 0 && stage->writes_done != stage->writes_posted;
}

uint32_t spill_room(const struct depacketizer *depacketizer)
{
	const struct spill *spill = &depacketizer->spill;

	return least(spill->bytes - spill->used, spill->bytes - spill->tail);
}

void spill_write(struct depacketizer *depacketizer, struct span span)
{
	struct spill *spill = &depacketizer->spill;

	device_row->noc_write(&depacketizer->base.stage, depacketizer->config.spill_tile,
		depacketizer->config.spill + spill->tail, span);
	spill->tail = (spill->tail + span.length) % spill->bytes;
	spill->used += span.length;
	count_add(&depacketizer->counters.spilled_bytes, span.length);
	if (spill->used > depacketizer->counters.spill_peak_bytes)
		count_add(&depacketizer->counters.spill_peak_bytes,
			spill->used - depacketizer->counters.spill_peak_bytes);
}

/* ---- out of scratch ---- */

static void pass_commit(struct stage_base *base)
{
	struct depacketizer *depacketizer = depacketizer_of(base);
	struct spill *spill = &depacketizer->spill;
	struct span span = device_row->view(
		&base->stage, depacketizer->config.layout.scratch + spill->passed, spill->chunk);

	link_sender_send(&depacketizer->output, &base->stage, span);
	span_release(span);
	depacketizer->owed += spill->chunk / COMMAND_ALIGN;
	spill->passed += spill->chunk;
	if (spill->passed == spill->read)
		spill->read = spill->passed = 0;
}

static int64_t spill_pass_begin(struct depacketizer *depacketizer)
{
	const struct stage *stage = &depacketizer->base.stage;
	const struct firmware_prices *price = &depacketizer->base.firmware->price;
	struct spill *spill = &depacketizer->spill;

	if ((int32_t)(stage->reads_done - spill->reads) < 0)
		return STAGE_BLOCKED;
	spill->chunk = hold_chunk(depacketizer, depacketizer->config.layout.scratch + spill->passed,
		spill->read - spill->passed);
	if (spill->chunk == 0)
		return STAGE_BLOCKED;
	return stage_plan(&depacketizer->base,
		CHARGED(price, depacketizer_forward, 1) + CHARGED(price, relay_write, 1),
		pass_commit);
}

/* ---- into scratch ---- */

static void read_commit(struct stage_base *base)
{
	struct depacketizer *depacketizer = depacketizer_of(base);
	struct spill *spill = &depacketizer->spill;

	device_row->noc_read(&base->stage, depacketizer->config.spill_tile,
		depacketizer->config.spill + spill->head, spill->chunk,
		depacketizer->config.layout.scratch);
	spill->reads = base->stage.reads_posted;
	spill->head = (spill->head + spill->chunk) % spill->bytes;
	spill->used -= spill->chunk;
	spill->read = spill->chunk;
}

static int64_t read_begin(struct depacketizer *depacketizer)
{
	const struct stage *stage = &depacketizer->base.stage;
	const struct firmware *firmware = depacketizer->base.firmware;
	struct spill *spill = &depacketizer->spill;

	if (hold_room(depacketizer) == 0 || stage->writes_done != stage->writes_posted)
		return STAGE_BLOCKED;
	spill->chunk = least(least(spill->used, spill->bytes - spill->head),
		firmware->limits.spill_scratch_bytes);
	return stage_plan(&depacketizer->base, CHARGED(&firmware->price, depacketizer_unspill, 1),
		read_commit);
}

int64_t spill_begin(struct depacketizer *depacketizer)
{
	const struct spill *spill = &depacketizer->spill;

	if (spill->read > 0)
		return spill_pass_begin(depacketizer);
	return spill->used > 0 ? read_begin(depacketizer) : STAGE_BLOCKED;
}

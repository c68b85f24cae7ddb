/* The fetch part of prefetchers: reads pieces of the issue queue over PCIe (prefetch.h). It decodes
 * only the first command of a piece, to find the operation to which the piece belongs. */
#include "firmware/prefetch/prefetch.h"

#include "base/allocate.h"
#include "command/prefetch.h"
#include "world/world.h"

#include <stdlib.h>

void fetch_init(
	struct fetch *fetch, const struct stage_base *base, const struct fetch_config *config)
{
	const struct firmware_limits *limits = &base->firmware->limits;

	*fetch = (struct fetch){.config = *config,
		.ring = {config->fetch_ring, limits->fetch_ring_bytes, 0},
		.pieces = allocate(limits->fetch_outstanding, sizeof *fetch->pieces)};
}

void fetch_fini(struct fetch *fetch)
{
	free(fetch->pieces);
}

void fetch_take(struct fetch *fetch, uint32_t length)
{
	ring_advance(&fetch->ring, length);
	fetch->landed -= length;
}

static uint32_t entry_address(const struct fetch *fetch)
{
	return fetch->config.fetch_queue + 4 * fetch->entry;
}

static uint32_t entry_word(const struct fetch *fetch, const struct stage *stage)
{
	return device_row->word(stage, entry_address(fetch));
}

bool fetch_idle(const struct fetch *fetch, const struct stage *stage)
{
	return fetch->count == 0 && entry_word(fetch, stage) == 0;
}

/* ---- landing ---- */

/* Returns true if the first outstanding piece has certainly arrived. If the stage reads nothing but
 * pieces, its reads complete in order, so the number of completed reads tells which pieces have
 * arrived. If `mixed` is set, the stage may also have made other reads, and reads may complete in
 * any order. Then a piece has certainly arrived only if no read is outstanding. */
static bool piece_landed(const struct fetch *fetch, const struct stage *stage, bool mixed)
{
	if (fetch->count == 0)
		return false;
	if (mixed)
		return stage->reads_done == stage->reads_posted;
	return (int32_t)(stage->reads_done - fetch->pieces[fetch->first].reads) >= 0;
}

/* Sets fetch->operation to the id of the operation to which a piece belongs. Marks use this id. The
 * first command of the piece may contain the id. Otherwise only the low bits of the id are known,
 * from the fetch entry. Of all ids with these low bits, the function then takes the one that is
 * nearest to the last known id. */
static void operation_learn(
	struct fetch *fetch, const struct stage *stage, const struct fetch_piece *piece)
{
	struct prefetch_command first;
	uint8_t bytes[COMMAND_BYTES];
	uint32_t operation = 0;

	if (ring_load(stage, &fetch->ring, fetch->landed, sizeof bytes, bytes) == STATUS_OK &&
		prefetch_decode(bytes, &first) == STATUS_OK)
		operation = prefetch_operation(&first);
	if (operation == 0 || (uint16_t)operation != piece->operation)
		operation = fetch_entry_operation(piece->operation, fetch->operation);
	fetch->operation = operation;
}

static void land(struct fetch *fetch, struct stage_base *base)
{
	const struct fetch_piece *piece = &fetch->pieces[fetch->first];

	operation_learn(fetch, &base->stage, piece);
	fetch->landed += piece->bytes;
	fetch->under_way -= piece->bytes;
	fetch->first = (fetch->first + 1) % base->firmware->limits.fetch_outstanding;
	fetch->count--;
	fetch->landed_entries++;
	device_row->pcie_write_word(&base->stage, fetch->config.read_word, fetch->landed_entries);
	if (piece->last)
		world->mark(fetch->operation, MARK_FETCHED, base->marked_chip);
}

/* ---- issuing ---- */

static uint32_t ring_free(const struct fetch *fetch)
{
	return fetch->ring.bytes - fetch->landed - fetch->under_way;
}

uint32_t fetch_room(const struct fetch *fetch, uint32_t *address)
{
	uint32_t head = fetch->ring.head, behind = fetch->ring.bytes - fetch->tail;

	*address = fetch->ring.address + fetch->tail;
	if (ring_free(fetch) == 0)
		return 0;
	if (head > fetch->tail)
		return head - fetch->tail;
	if (behind >= head)
		return behind;
	*address = fetch->ring.address;
	return head;
}

/* Posts the reads of one piece. A read does not cross the end of the L1 ring, and has at most
 * fetch_read_bytes bytes, so a piece may need several reads. */
static void piece_read(struct fetch *fetch, struct stage_base *base, uint64_t from, uint32_t bytes)
{
	uint32_t most = base->firmware->limits.fetch_read_bytes;

	while (bytes > 0) {
		uint32_t part = least(least(bytes, most), fetch->ring.bytes - fetch->tail);

		device_row->pcie_read(&base->stage, from, part, fetch->ring.address + fetch->tail);
		from += part;
		bytes -= part;
		fetch->tail += part;
		if (fetch->tail == fetch->ring.bytes)
			fetch->tail = 0;
	}
}

static void issue(struct fetch *fetch, struct stage_base *base)
{
	const struct firmware_limits *limits = &base->firmware->limits;
	uint32_t place = issue_ring_place(
		fetch->host_end, fetch->next.bytes, fetch->config.issue_ring_bytes);
	struct fetch_piece *piece =
		&fetch->pieces[(fetch->first + fetch->count) % limits->fetch_outstanding];

	piece_read(fetch, base, fetch->config.issue_ring + place, fetch->next.bytes);
	*piece = (struct fetch_piece){
		.bytes = fetch->next.bytes,
		.reads = base->stage.reads_posted,
		.last = fetch->next.last,
		.operation = fetch->next.operation,
	};
	fetch->count++;
	fetch->under_way += fetch->next.bytes;
	fetch->host_end = place + fetch->next.bytes;
	device_row->set_word(&base->stage, entry_address(fetch), 0);
	fetch->entry = (fetch->entry + 1) % limits->fetch_entries;
}

void fetch_commit(struct fetch *fetch, struct stage_base *base)
{
	if (fetch->lands)
		land(fetch, base);
	else
		issue(fetch, base);
}

static bool entry_refused(const struct fetch *fetch, const struct stage_base *base)
{
	return fetch->next.bytes > base->firmware->limits.fetch_entry_bytes ||
	       fetch->next.bytes > fetch->config.issue_ring_bytes;
}

int64_t fetch_begin(struct fetch *fetch, struct stage_base *base, struct fetch_leave leave,
	void (*plan)(struct stage_base *base))
{
	const struct firmware_prices *price = &base->firmware->price;
	uint32_t word;

	fetch->lands = piece_landed(fetch, &base->stage, leave.mixed);
	if (fetch->lands)
		return stage_plan(base, CHARGED(price, fetch_land, 1), plan);
	if (!leave.issue || fetch->count == base->firmware->limits.fetch_outstanding)
		return STAGE_BLOCKED;
	word = entry_word(fetch, &base->stage);
	if (word == 0)
		return STAGE_BLOCKED;
	if (fetch_entry_decode(word, &fetch->next) != STATUS_OK || entry_refused(fetch, base))
		return stage_fault(base, FAULT_FETCH, entry_address(fetch),
			"halted: malformed fetch-queue entry");
	if (ring_free(fetch) < fetch->next.bytes)
		return STAGE_BLOCKED;
	return stage_plan(base, CHARGED(price, fetch_issue, 1), plan);
}

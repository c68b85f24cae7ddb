/* The fetch half of prefetch_h and prefetch_hd: takes fetch-queue entries, keeps several pieces of
 * the issue queue under way over PCIe, and tells the host what has been read. Looks into no
 * command. */
#include "prefetch_private.h"

#include "base/allocate.h"
#include "world/world.h"

#include <stdlib.h>

void fetch_init(struct prefetcher *prefetcher)
{
	const struct firmware_limits *limits = &prefetcher->base.firmware->limits;
	struct fetch *fetch = &prefetcher->fetch;

	fetch->ring =
		(struct ring){prefetcher->config.layout.fetch_ring, limits->fetch_ring_bytes, 0};
	fetch->pieces = allocate(limits->fetch_outstanding, sizeof *fetch->pieces);
}

static uint32_t entry_address(const struct prefetcher *prefetcher)
{
	return prefetcher->config.layout.fetch_queue + 4 * prefetcher->fetch.entry;
}

static uint32_t entry_word(const struct prefetcher *prefetcher)
{
	return device_row->word(&prefetcher->base.stage, entry_address(prefetcher));
}

bool fetch_idle(const struct prefetcher *prefetcher)
{
	return prefetcher->fetch.count == 0 && entry_word(prefetcher) == 0;
}

/* ---- landing ---- */

/* Reads over PCIe complete in order; once others are among them, only their sum says anything. */
static bool piece_landed(const struct prefetcher *prefetcher)
{
	const struct fetch *fetch = &prefetcher->fetch;
	const struct stage *stage = &prefetcher->base.stage;

	if (fetch->count == 0)
		return false;
	if (prefetcher->mixed)
		return stage->reads_done == stage->reads_posted;
	return (int32_t)(stage->reads_done - fetch->pieces[fetch->first].reads) >= 0;
}

/* The full id of a piece's operation, for marks: from the first command of the piece if that names
 * one, else the nearest to the last one. */
static void operation_learn(struct prefetcher *prefetcher, const struct fetch_piece *piece)
{
	struct fetch *fetch = &prefetcher->fetch;
	struct prefetch_command first;
	uint8_t bytes[COMMAND_BYTES];
	uint32_t operation = 0;

	if (ring_load(&prefetcher->base.stage, &fetch->ring, fetch->landed, sizeof bytes, bytes) ==
			STATUS_OK &&
		prefetch_decode(bytes, &first) == STATUS_OK)
		operation = prefetch_operation(&first);
	if (operation == 0 || (uint16_t)operation != piece->operation)
		operation = fetch_entry_operation(piece->operation, fetch->operation);
	fetch->operation = operation;
}

static void land_commit(struct stage_base *base)
{
	struct prefetcher *prefetcher = prefetcher_of(base);
	struct fetch *fetch = &prefetcher->fetch;
	const struct fetch_piece *piece = &fetch->pieces[fetch->first];

	operation_learn(prefetcher, piece);
	fetch->landed += piece->bytes;
	fetch->under_way -= piece->bytes;
	fetch->first = (fetch->first + 1) % base->firmware->limits.fetch_outstanding;
	fetch->count--;
	fetch->landed_entries++;
	device_row->pcie_write_word(
		&base->stage, prefetcher->config.read_word, fetch->landed_entries);
	if (piece->last)
		world->mark(fetch->operation, MARK_FETCHED, base->chip);
}

/* ---- issuing ---- */

static uint32_t ring_free(const struct fetch *fetch)
{
	return fetch->ring.bytes - fetch->landed - fetch->under_way;
}

uint32_t fetch_room(const struct prefetcher *prefetcher, uint32_t *address)
{
	const struct fetch *fetch = &prefetcher->fetch;
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

/* Posts the reads of one piece, split at the L1 ring's end and by the largest read. */
static void piece_read(struct prefetcher *prefetcher, uint64_t from, uint32_t bytes)
{
	struct fetch *fetch = &prefetcher->fetch;
	uint32_t most = prefetcher->base.firmware->limits.fetch_read_bytes;

	while (bytes > 0) {
		uint32_t part = least(least(bytes, most), fetch->ring.bytes - fetch->tail);

		device_row->pcie_read(
			&prefetcher->base.stage, from, part, fetch->ring.address + fetch->tail);
		from += part;
		bytes -= part;
		fetch->tail += part;
		if (fetch->tail == fetch->ring.bytes)
			fetch->tail = 0;
	}
}

static void issue_commit(struct stage_base *base)
{
	struct prefetcher *prefetcher = prefetcher_of(base);
	const struct firmware_limits *limits = &base->firmware->limits;
	struct fetch *fetch = &prefetcher->fetch;
	uint32_t place = issue_ring_place(
		fetch->host_end, fetch->next.bytes, prefetcher->config.issue_ring_bytes);
	struct fetch_piece *piece =
		&fetch->pieces[(fetch->first + fetch->count) % limits->fetch_outstanding];

	piece_read(prefetcher, prefetcher->config.issue_ring + place, fetch->next.bytes);
	*piece = (struct fetch_piece){
		.bytes = fetch->next.bytes,
		.reads = base->stage.reads_posted,
		.last = fetch->next.last,
		.operation = fetch->next.operation,
	};
	fetch->count++;
	fetch->under_way += fetch->next.bytes;
	fetch->host_end = place + fetch->next.bytes;
	device_row->set_word(&base->stage, entry_address(prefetcher), 0);
	fetch->entry = (fetch->entry + 1) % limits->fetch_entries;
}

static bool entry_refused(const struct prefetcher *prefetcher)
{
	return prefetcher->fetch.next.bytes > prefetcher->base.firmware->limits.fetch_entry_bytes ||
	       prefetcher->fetch.next.bytes > prefetcher->config.issue_ring_bytes;
}

int64_t fetch_begin(struct prefetcher *prefetcher)
{
	struct stage_base *base = &prefetcher->base;
	struct fetch *fetch = &prefetcher->fetch;
	uint32_t word;

	if (piece_landed(prefetcher))
		return stage_plan(
			base, CHARGED(&base->firmware->price, fetch_land, 1), land_commit);
	if (fetch->count == base->firmware->limits.fetch_outstanding || reads_closing(prefetcher) ||
		prefetcher->relay.executing)
		return STAGE_BLOCKED;
	word = entry_word(prefetcher);
	if (word == 0)
		return STAGE_BLOCKED;
	if (fetch_entry_decode(word, &fetch->next) != STATUS_OK || entry_refused(prefetcher))
		return stage_fault(base, FAULT_FETCH, entry_address(prefetcher),
			"halted: malformed fetch-queue entry");
	if (ring_free(fetch) < fetch->next.bytes)
		return STAGE_BLOCKED;
	return stage_plan(base, CHARGED(&base->firmware->price, fetch_issue, 1), issue_commit);
}

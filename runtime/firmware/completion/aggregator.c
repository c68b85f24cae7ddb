/* The aggregator gathers the announcements of one event at a time, notifies the host, and opens
 * gates (aggregator.h). The naive variant only passes the number of announcements on to the
 * host. */
#include "firmware/completion/aggregator.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "firmware/completion/upstream.h"
#include "world/world.h"

struct announcement {
	uint32_t last;	/* last announced event, 0 at first */
	uint32_t event; /* waiting event; 0: none */
	uint32_t operation;
	uint64_t who;
	bool opening; /* its gate is due to open */
};

struct aggregator {
	struct stage_base base;
	struct aggregator_config config;
	struct aggregator_path *paths;
	struct announcement *waiting; /* by path */
	struct host_port port;
	uint32_t taken;	   /* announcements */
	uint32_t next;	   /* path to check first */
	uint32_t held;	   /* waiting announcements */
	uint32_t opening;  /* number of gates due to open */
	uint32_t complete; /* event that all have announced, or 0 */
};

static struct aggregator *aggregator_of(struct stage_base *base)
{
	return (struct aggregator *)base;
}

/* ---- announcements ---- */

/* Returns the lowest announced event if all devices that record it have announced it; else 0. */
static uint32_t generation(const struct aggregator *aggregator)
{
	const struct announcement *lowest = NULL;
	uint32_t have = 0, want = 0;

	for (uint32_t i = 0; i < aggregator->config.path_count; i++) {
		const struct announcement *at = &aggregator->waiting[i];

		if (at->event != 0 && (lowest == NULL || (int32_t)(at->event - lowest->event) < 0))
			lowest = at;
	}
	if (lowest == NULL)
		return 0;
	for (uint32_t i = 0; i < aggregator->config.path_count; i++) {
		const struct aggregator_path *path = &aggregator->paths[i];

		want += gather_has(
			gather_unpack(lowest->who), path->row, path->column, path->queue);
		have += aggregator->waiting[i].event == lowest->event;
	}
	return have == want ? lowest->event : 0;
}

static bool slot_load(
	const struct aggregator *aggregator, uint32_t path, struct announcement *announcement)
{
	uint8_t bytes[AGGREGATOR_SLOT_BYTES];
	enum status status = device_row->load(&aggregator->base.stage,
		aggregator->config.layout.slots + path * AGGREGATOR_SLOT_BYTES, sizeof bytes,
		bytes);

	ensure(status == STATUS_OK, "slot %u of the aggregator: %s", path, status_message(status));
	announcement->event = bytes_get32(bytes);
	announcement->operation = bytes_get32(bytes + 4);
	announcement->who = bytes_get64(bytes + 8);
	return announcement->event != 0 && announcement->event != announcement->last;
}

static void take_commit(struct stage_base *base)
{
	struct aggregator *aggregator = aggregator_of(base);

	for (uint32_t i = 0; i < aggregator->config.path_count; i++) {
		uint32_t path = (aggregator->next + i) % aggregator->config.path_count;
		struct announcement found = aggregator->waiting[path];

		if (found.event != 0 || !slot_load(aggregator, path, &found))
			continue;
		found.last = found.event;
		aggregator->waiting[path] = found;
		aggregator->next = path + 1;
		aggregator->taken++;
		aggregator->held++;
		aggregator->complete = generation(aggregator);
		return;
	}
	ensure(false, "an announcement without a slot");
}

/* ---- notifications ---- */

static void aggregator_notify_commit(struct stage_base *base)
{
	struct aggregator *aggregator = aggregator_of(base);
	struct completion_record record = {.kind = COMPLETION_GATHERED, .chip = base->chip};
	uint8_t bytes[COMPLETION_BYTES];
	struct span span;

	for (uint32_t i = 0; i < aggregator->config.path_count; i++) {
		struct announcement *at = &aggregator->waiting[i];

		if (at->event != aggregator->complete)
			continue;
		record.tag = at->event;
		record.operation = at->operation;
		record.address = at->who;
		at->event = 0;
		at->opening = true;
		aggregator->opening++;
		aggregator->held--;
	}
	completion_encode(&record, bytes);
	span = span_copy(bytes, sizeof bytes);
	host_port_write(&aggregator->port, &base->stage, span, sizeof bytes);
	span_release(span);
	if (record.operation != 0)
		world->mark(record.operation, MARK_NOTIFIED, base->marked_chip);
	aggregator->complete = 0;
}

static uint32_t path_opening(const struct aggregator *aggregator)
{
	uint32_t path = 0;

	while (!aggregator->waiting[path].opening)
		path++;
	return path;
}

static void open_commit(struct stage_base *base)
{
	struct aggregator *aggregator = aggregator_of(base);
	uint32_t number = path_opening(aggregator);
	const struct aggregator_path *path = &aggregator->paths[number];

	if (path->backward != NULL)
		device_row->fabric_write(&base->stage, path->backward, path->tile, 0,
			(struct span){0}, path->open_word, 1);
	else
		device_row->noc_increment(&base->stage, path->tile, path->open_word, 1);
	aggregator->waiting[number].opening = false;
	if (--aggregator->opening == 0)
		aggregator->complete = generation(aggregator);
}

static int64_t open_begin(struct aggregator *aggregator, struct stage_wait *wait)
{
	const struct aggregator_path *path = &aggregator->paths[path_opening(aggregator)];
	const struct firmware_prices *price = &aggregator->base.firmware->price;

	if (path->backward == NULL)
		return stage_plan(
			&aggregator->base, CHARGED(price, aggregator_open, 1), open_commit);
	if (!device_row->fabric_ready(&aggregator->base.stage, path->backward))
		return block_on_fabric(wait, path->backward, "the router, to open a gate");
	return stage_plan(&aggregator->base,
		CHARGED(price, aggregator_open, 1) + CHARGED(price, fabric_send, 1), open_commit);
}

/* ---- naive: a count ---- */

static void count_commit(struct stage_base *base)
{
	struct aggregator *aggregator = aggregator_of(base);

	aggregator->taken = device_row->word(&base->stage, aggregator->config.layout.arrival_word);
	device_row->pcie_write_word(&base->stage, aggregator->config.count_word, aggregator->taken);
}

/* ---- the stage ---- */

static int64_t aggregator_begin(struct stage *stage, struct stage_wait *wait)
{
	struct aggregator *aggregator = (struct aggregator *)stage;
	const struct firmware_prices *price = &aggregator->base.firmware->price;
	bool naive = aggregator->config.naive;
	int64_t cost = stage_over(&aggregator->base, wait);

	if (cost != 0)
		return cost;
	/* gates of the event before must be open before the next notification */
	if (aggregator->opening > 0)
		return open_begin(aggregator, wait);
	if (aggregator->complete != 0) {
		if (host_port_room(&aggregator->port, stage) < COMPLETION_BYTES)
			return block_on_tile(wait, false, "room in the notification queue");
		return stage_plan(&aggregator->base, CHARGED(price, aggregator_notify, 1),
			aggregator_notify_commit);
	}
	if (device_row->word(stage, aggregator->config.layout.arrival_word) != aggregator->taken)
		return naive ? stage_plan(&aggregator->base,
				       CHARGED(price, aggregator_take, 1) +
					       CHARGED(price, aggregator_notify, 1),
				       count_commit)
			     : stage_plan(&aggregator->base, CHARGED(price, aggregator_take, 1),
				       take_commit);
	return block_on_tile(wait, aggregator->held == 0, "announcements of an event");
}

static const struct stage_ops aggregator_ops = STAGE_OPS("aggregator", aggregator_begin);

static void aggregator_fini(struct stage_base *base)
{
	free(aggregator_of(base)->paths);
	free(aggregator_of(base)->waiting);
}

enum status aggregator_place(
	struct tile_plan *plan, uint32_t paths, struct aggregator_layout *layout)
{
	enum status status = tile_plan_words(plan, 1, &layout->arrival_word);

	if (status == STATUS_OK)
		status = tile_plan_words(plan, 1, &layout->read_word);
	if (status == STATUS_OK)
		status = tile_plan_bytes(plan, paths * AGGREGATOR_SLOT_BYTES, &layout->slots);
	return status;
}

struct stage *aggregator_new(
	const struct firmware *firmware, const struct aggregator_config *config)
{
	struct aggregator *aggregator =
		stage_new(sizeof *aggregator, &aggregator_ops, firmware, config->place);

	aggregator->base.fini = aggregator_fini;
	aggregator->config = *config;
	aggregator->paths = allocate(config->path_count, sizeof *aggregator->paths);
	aggregator->waiting = allocate(config->path_count, sizeof *aggregator->waiting);
	memcpy(aggregator->paths, config->paths, config->path_count * sizeof *aggregator->paths);
	host_port_init(&aggregator->port, &config->host);
	return &aggregator->base.stage;
}

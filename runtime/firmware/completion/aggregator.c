/* The aggregator gathers the announcements of one event at a time. When all announcements of an
 * event have arrived, the aggregator notifies the host and opens the gates of the devices
 * (aggregator.h). The aggregator of a row notifies the grid's aggregator instead of the host. The
 * naive variant only counts announcements and writes the count to the host. */
#include "firmware/completion/aggregator.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "firmware/completion/upstream.h"
#include "world/world.h"

struct announcement {
	uint32_t event; /* event that the path has announced; 0: none */
	uint32_t operation;
	uint64_t who;
	uint32_t owed; /* number of events for which the path's gate must still open */
	bool sent;     /* aggregator of a row: the event was announced to the grid's aggregator */
};

struct aggregator {
	struct stage_base base;
	struct aggregator_config config;
	struct aggregator_path *paths;
	struct announcement *waiting; /* [path] announcements that wait for other devices */
	uint32_t *last;		      /* [slot] last announced event; 0 at first */
	uint32_t *announced;	      /* [path] number of announcements that were taken */
	struct host_port port;
	/* the two members below are for the aggregator of a row: */
	uint32_t *up_slots; /* [path] slot at the grid's aggregator */
	uint32_t *opened;   /* [path] number of openings that were seen */
	uint32_t taken;	    /* number of announcements that were taken */
	uint32_t next;	    /* number of the path to check first */
	uint32_t held;	    /* number of announcements in `waiting` */
	uint32_t opening;   /* number of gates for which an opening is due */
	uint32_t complete;  /* event for which all announcements have arrived; 0: none */
};

static struct aggregator *aggregator_of(struct stage_base *base)
{
	return (struct aggregator *)base;
}

/* ---- announcements ---- */

/* Returns true if this path must announce an event. `who` is a packed struct gather: the devices
 * that record the event. If `by_row` is set, one path announces the event for a whole row: the path
 * of the row's first device that records the event. */
static bool aggregator_has(uint64_t who, const struct aggregator_path *path)
{
	struct gather gather = gather_unpack(who);
	uint8_t first = path->first > gather.column0 ? path->first : gather.column0;

	return gather_has(gather, path->row, path->column, path->queue) &&
	       (!path->by_row || path->column == first);
}

/* Returns the number of events for which one increment opens a gate. */
static uint32_t aggregator_batch(const struct aggregator *aggregator)
{
	return (aggregator->config.generations + 1u) / 2;
}

/* Finds the lowest event that was announced and is not passed on yet. Returns it if all of its
 * paths have announced it; otherwise returns 0. */
static uint32_t generation(const struct aggregator *aggregator)
{
	const struct announcement *lowest = NULL;
	uint32_t have = 0, want = 0;

	for (uint32_t i = 0; i < aggregator->config.path_count; i++) {
		const struct announcement *at = &aggregator->waiting[i];

		if (at->event != 0 && !at->sent &&
			(lowest == NULL || (int32_t)(at->event - lowest->event) < 0))
			lowest = at;
	}
	if (lowest == NULL)
		return 0;
	for (uint32_t i = 0; i < aggregator->config.path_count; i++) {
		const struct aggregator_path *path = &aggregator->paths[i];

		want += aggregator_has(lowest->who, path);
		have += aggregator->waiting[i].event == lowest->event;
	}
	return have == want ? lowest->event : 0;
}

/* Returns the slot of the path's next announcement. */
static uint32_t path_slot(const struct aggregator *aggregator, uint32_t path)
{
	uint32_t generations = aggregator->config.generations;

	return path * generations + aggregator->announced[path] % generations;
}

static bool slot_load(
	const struct aggregator *aggregator, uint32_t path, struct announcement *announcement)
{
	uint8_t bytes[AGGREGATOR_SLOT_BYTES];
	uint32_t slot = path_slot(aggregator, path);
	enum status status = device_row->load(&aggregator->base.stage,
		aggregator->config.layout.slots + slot * AGGREGATOR_SLOT_BYTES, sizeof bytes,
		bytes);

	ensure(status == STATUS_OK, "slot %u of the aggregator: %s", path, status_message(status));
	announcement->event = bytes_get32(bytes);
	announcement->operation = bytes_get32(bytes + 4);
	announcement->who = bytes_get64(bytes + 8);
	return announcement->event != 0 && announcement->event != aggregator->last[slot];
}

/* Finds a path with a new announcement, and sets *path and *found. Skips a path whose previous
 * announcement is still in aggregator->waiting. Returns false if no path has a new announcement. */
static bool aggregator_find(
	const struct aggregator *aggregator, uint32_t *path, struct announcement *found)
{
	for (uint32_t i = 0; i < aggregator->config.path_count; i++) {
		*path = (aggregator->next + i) % aggregator->config.path_count;
		*found = aggregator->waiting[*path];
		if (found->event == 0 && slot_load(aggregator, *path, found))
			return true;
	}
	return false;
}

static void take_commit(struct stage_base *base)
{
	struct aggregator *aggregator = aggregator_of(base);
	struct announcement found;
	uint32_t path;
	bool has = aggregator_find(aggregator, &path, &found);

	ensure(has, "an announcement without a slot");
	aggregator->last[path_slot(aggregator, path)] = found.event;
	aggregator->announced[path]++;
	aggregator->waiting[path] = found;
	aggregator->next = path + 1;
	aggregator->taken++;
	aggregator->held++;
	aggregator->complete = generation(aggregator);
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
		aggregator->opening += ++at->owed == aggregator_batch(aggregator);
		aggregator->held--;
	}
	completion_encode(&record, bytes);
	span = span_copy(bytes, sizeof bytes);
	host_port_write(&aggregator->port, &base->stage, span, sizeof bytes);
	span_release(span);
	if (record.operation != 0)
		world->mark(record.operation, MARK_NOTIFIED, base->marked_chip);
	aggregator->complete = generation(aggregator);
}

/* ---- aggregator of a row: announcements to the grid's aggregator ---- */

/* Returns the first path that announces the complete event. */
static uint32_t row_first(const struct aggregator *aggregator)
{
	uint32_t path = 0;

	while (aggregator->waiting[path].event != aggregator->complete)
		path++;
	return path;
}

static void up_commit(struct stage_base *base)
{
	struct aggregator *aggregator = aggregator_of(base);
	const struct aggregator_up *up = &aggregator->config.up;
	uint32_t first = row_first(aggregator), slot = aggregator->up_slots[first];
	uint8_t bytes[AGGREGATOR_SLOT_BYTES];
	struct span span;

	bytes_put32(bytes, aggregator->waiting[first].event);
	bytes_put32(bytes + 4, aggregator->waiting[first].operation);
	bytes_put64(bytes + 8, aggregator->waiting[first].who);
	span = span_copy(bytes, sizeof bytes);
	if (up->forward != NULL)
		device_row->fabric_write(
			&base->stage, up->forward, up->tile, slot, span, up->arrival_word, 1);
	else
		device_row->noc_write_counted(
			&base->stage, up->tile, slot, span, up->arrival_word, 1);
	span_release(span);
	for (uint32_t i = first; i < aggregator->config.path_count; i++)
		if (aggregator->waiting[i].event == aggregator->complete)
			aggregator->waiting[i].sent = true;
	aggregator->complete = generation(aggregator);
}

static int64_t up_begin(struct aggregator *aggregator, struct stage_wait *wait)
{
	const struct firmware_prices *price = &aggregator->base.firmware->price;
	struct fabric_tree *forward = aggregator->config.up.forward;

	if (forward == NULL)
		return stage_plan(&aggregator->base, CHARGED(price, gate_announce, 1), up_commit);
	if (!device_row->fabric_ready(&aggregator->base.stage, forward))
		return block_on_fabric(wait, forward, "the router, to announce an event");
	return stage_plan(&aggregator->base,
		CHARGED(price, gate_announce, 1) + CHARGED(price, fabric_send, 1), up_commit);
}

/* Opens the gates of the row's devices for each event that the grid's aggregator has gathered. */
static void row_look(struct aggregator *aggregator)
{
	for (uint32_t path = 0; path < aggregator->config.path_count; path++) {
		uint32_t word = aggregator->config.layout.open_words + 4 * path;
		uint32_t event = aggregator->waiting[path].event;

		if (device_row->word(&aggregator->base.stage, word) == aggregator->opened[path])
			continue;
		aggregator->opened[path]++;
		for (uint32_t i = path; i < aggregator->config.path_count; i++) {
			struct announcement *at = &aggregator->waiting[i];

			if (at->event != event)
				continue;
			at->event = 0;
			at->sent = false;
			at->owed = 1;
			aggregator->opening++;
			aggregator->held--;
		}
		aggregator->complete = generation(aggregator);
	}
}

static int64_t aggregator_notify_begin(struct aggregator *aggregator, struct stage_wait *wait)
{
	const struct firmware_prices *price = &aggregator->base.firmware->price;
	struct stage *stage = &aggregator->base.stage;

	if (aggregator->config.up.used)
		return up_begin(aggregator, wait);
	if (host_port_room(&aggregator->port, stage) < COMPLETION_BYTES)
		return block_on_tile(wait, false, "room in the notification queue");
	return stage_plan(
		&aggregator->base, CHARGED(price, aggregator_notify, 1), aggregator_notify_commit);
}

static uint32_t path_opening(const struct aggregator *aggregator)
{
	uint32_t path = 0;

	while (aggregator->waiting[path].owed < aggregator_batch(aggregator))
		path++;
	return path;
}

static void open_commit(struct stage_base *base)
{
	struct aggregator *aggregator = aggregator_of(base);
	uint32_t number = path_opening(aggregator);
	const struct aggregator_path *path = &aggregator->paths[number];
	uint32_t owed = aggregator->waiting[number].owed;

	if (path->backward != NULL)
		device_row->fabric_write(&base->stage, path->backward, path->tile, 0,
			(struct span){0}, path->open_word, owed);
	else
		device_row->noc_increment(&base->stage, path->tile, path->open_word, owed);
	aggregator->waiting[number].owed = 0;
	aggregator->opening--;
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

static int64_t take_begin(struct aggregator *aggregator)
{
	const struct firmware_prices *price = &aggregator->base.firmware->price;

	if (aggregator->config.naive)
		return stage_plan(&aggregator->base,
			CHARGED(price, aggregator_take, 1) + CHARGED(price, aggregator_notify, 1),
			count_commit);
	return stage_plan(&aggregator->base, CHARGED(price, aggregator_take, 1), take_commit);
}

/* Returns true if there is an announcement that can be taken. With one generation, every
 * announcement that has arrived can be taken, because the gate of a device lets the next event pass
 * only after the previous event was gathered. */
static bool aggregator_may_take(const struct aggregator *aggregator)
{
	struct announcement found;
	uint32_t path;

	return device_row->word(&aggregator->base.stage, aggregator->config.layout.arrival_word) !=
		       aggregator->taken &&
	       (aggregator->config.generations == 1 || aggregator_find(aggregator, &path, &found));
}

static int64_t aggregator_begin(struct stage *stage, struct stage_wait *wait)
{
	struct aggregator *aggregator = (struct aggregator *)stage;
	int64_t cost = stage_over(&aggregator->base, wait);

	if (cost != 0)
		return cost;
	if (aggregator->config.up.used)
		row_look(aggregator);
	/* with one generation, all gates (aggregator.h) must open for the previous event before the
	 * next notification; with several generations, devices do not wait for the opening of the
	 * gates */
	if (aggregator->opening > 0 && aggregator->config.generations == 1)
		return open_begin(aggregator, wait);
	if (aggregator->complete != 0)
		return aggregator_notify_begin(aggregator, wait);
	if (aggregator_may_take(aggregator))
		return take_begin(aggregator);
	if (aggregator->opening > 0)
		return open_begin(aggregator, wait);
	return block_on_tile(wait, aggregator->held == 0, "announcements of an event");
}

static const struct stage_ops aggregator_ops = STAGE_OPS("aggregator", aggregator_begin);

static void aggregator_fini(struct stage_base *base)
{
	free(aggregator_of(base)->paths);
	free(aggregator_of(base)->waiting);
	free(aggregator_of(base)->last);
	free(aggregator_of(base)->announced);
	free(aggregator_of(base)->up_slots);
	free(aggregator_of(base)->opened);
}

enum status aggregator_place(
	struct tile_plan *plan, uint32_t slots, uint32_t opens, struct aggregator_layout *layout)
{
	enum status status = tile_plan_words(plan, 1, &layout->arrival_word);

	if (status == STATUS_OK)
		status = tile_plan_words(plan, 1, &layout->read_word);
	if (status == STATUS_OK && opens > 0)
		status = tile_plan_words(plan, opens, &layout->open_words);
	if (status == STATUS_OK)
		status = tile_plan_bytes(plan, slots * AGGREGATOR_SLOT_BYTES, &layout->slots);
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
	aggregator->last = allocate(
		(size_t)config->path_count * config->generations, sizeof *aggregator->last);
	aggregator->announced = allocate(config->path_count, sizeof *aggregator->announced);
	host_port_init(&aggregator->port, &config->host);
	aggregator->opened = allocate(config->path_count, sizeof *aggregator->opened);
	aggregator->up_slots = allocate(config->path_count, sizeof *aggregator->up_slots);
	if (config->up.used)
		memcpy(aggregator->up_slots, config->up.slots,
			config->path_count * sizeof *aggregator->up_slots);
	return &aggregator->base.stage;
}

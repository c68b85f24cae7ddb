/* Starts stages of firmware for tests: on one chip, on a chip behind a gateway, and for broadcasts
 * (rig.h). */
#include "rig_private.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "fabric/tree.h"
#include "fabric/shape.h"

enum { RING_BYTES = 256 * 1024, COMPLETION_RING_BYTES = 16 * 1024 };

static struct rig rig_of_process;

/* Raises the count after the fault is written, so that readers of the count see the fault. */
static void report(void *context, const struct firmware_fault *fault)
{
	struct rig *rig = context;
	uint32_t place = __atomic_fetch_add(&rig->fault_claims, 1, __ATOMIC_ACQ_REL);

	if (place < RIG_FAULTS)
		rig->faults[place] = *fault;
	__atomic_fetch_add(&rig->fault_count, 1, __ATOMIC_ACQ_REL);
}

/* Does not free the queues. Freeing them needs the cluster, which is already gone. */
static void rig_fini(void)
{
	struct rig *rig = &rig_of_process;

	for (uint32_t i = 0; i < rig->stage_count; i++)
		firmware_stage_free(rig->stages[i]);
	for (uint32_t i = 0; i < RIG_CHIPS; i++)
		worker_group_free(rig->chips[i].workers);
	firmware_free(rig->firmware);
	arena_fini(&rig->arena);
}

struct rig *rig_init(struct cluster *cluster)
{
	struct rig *rig = &rig_of_process;
	double *costs = (double *)&rig->costs;

	if (rig->cluster != NULL)
		return rig;
	rig->cluster = cluster;
	atexit(rig_fini);
	rig->info = device_row->info(cluster);
	rig->credits = true;
	rig->ordering = DISPATCH_ORDER_ARRIVAL;
	arena_init(&rig->arena);
	fabric_graph_init(&rig->graph, rig->info, &rig->arena);
	for (size_t i = 0; i < sizeof(rig->costs) / sizeof(double); i++)
		costs[i] = 10 + (double)i;
	firmware_limits_plain(&rig->limits);
	return rig;
}

void rig_start(struct rig *rig)
{
	struct firmware_faults faults = {rig, report, NULL};

	rig->firmware = firmware_new(&rig->costs, &rig->limits, &faults);
}

uint16_t rig_tile_at(const struct rig_chip *chip, uint32_t place)
{
	check(place < chip->geometry->dispatch_tile_count, "chip %u has %u dispatch tiles",
		chip->chip, chip->geometry->dispatch_tile_count);
	return chip->geometry->dispatch_tiles[place];
}

struct rig_chip *rig_chip_get(struct rig *rig, uint16_t number)
{
	struct rig_chip *chip = &rig->chips[number];

	check(number < RIG_CHIPS, "chip %u", number);
	if (chip->rig != NULL)
		return chip;
	chip->rig = rig;
	chip->chip = number;
	chip->device = device_row->chip(rig->cluster, number);
	chip->geometry = rig->info->chips[number].geometry;
	return chip;
}

struct stage_place rig_place(const struct rig_chip *chip, uint32_t at)
{
	return (struct stage_place){chip->device, rig_tile_at(chip, at), 0};
}

void rig_attach(const struct rig_chip *chip, struct stage *stage)
{
	struct rig *rig = chip->rig;

	check(rig->stage_count < RIG_STAGES, "more than %d stages", RIG_STAGES);
	rig->stages[rig->stage_count++] = stage;
	device_row->stage_start(chip->device, stage);
}

struct fabric_tree *rig_way(struct rig *rig, uint16_t from, uint16_t to)
{
	struct fabric_tree *tree;

	check_status(fabric_unicast(&rig->graph, from, to, &rig->arena, &tree), STATUS_OK);
	return tree;
}

/* Makes a link from one tile to another, over the NoC or, between chips, over the fabric. */
struct link_layout rig_link_make(struct rig *rig, const struct rig_chip *from, uint32_t from_at,
	uint32_t credit_word, const struct rig_chip *to, uint32_t to_at, uint32_t arrival_word,
	uint32_t ring, uint32_t ring_bytes)
{
	bool far = from != to;

	return (struct link_layout){
		.consumer_tile = rig_tile_at(to, to_at),
		.ring = ring,
		.ring_bytes = ring_bytes,
		.arrival_word = arrival_word,
		.producer_tile = rig_tile_at(from, from_at),
		.credit_word = credit_word,
		.batch_bytes = far ? rig->limits.fabric_credit_batch_bytes
				   : rig->limits.credit_batch_bytes,
		.forward = far ? rig_way(rig, from->chip, to->chip) : NULL,
		.backward = far ? rig_way(rig, to->chip, from->chip) : NULL,
	};
}

/* Makes an issue queue whose readers are prefetchers on `count` chips. On each chip, the prefetcher
 * is on the tile rig_tile_at(chip, at), and has the layout `layout`. */
static struct issue_queue *issue_make_shared(const struct rig_chip *chips, uint16_t count,
	uint32_t at, const struct prefetch_layout *layout)
{
	const struct firmware_limits *limits = &chips->rig->limits;
	struct issue_queue_config config = {
		.cluster = chips->rig->cluster,
		.name = "issue queue",
		.ring_bytes = RING_BYTES,
		.entry_bytes_max = limits->fetch_entry_bytes,
		.fetch_entries = limits->fetch_entries,
		.reader_count = count,
		.mode = WAIT_SPIN,
	};
	struct issue_reader readers[RIG_CHIPS];
	struct issue_queue *queue;

	config.readers = readers;
	for (uint16_t i = 0; i < count; i++)
		readers[i] = (struct issue_reader){
			chips[i].device, rig_tile_at(&chips[i], at), layout->fetch_queue};
	check_status(issue_queue_new(&config, &queue), STATUS_OK);
	check(chips->rig->queue_count < RIG_QUEUES, "more than %d queues", RIG_QUEUES);
	chips->rig->queues[chips->rig->queue_count] = queue;
	chips->rig->queue_chips[chips->rig->queue_count++] = chips->chip;
	return queue;
}

struct issue_queue *rig_issue_make(
	const struct rig_chip *chip, uint32_t at, const struct prefetch_layout *layout)
{
	return issue_make_shared(chip, 1, at, layout);
}

struct prefetch_config rig_issue_reader(
	const struct rig_chip *chip, uint32_t at, struct issue_queue *queue, uint32_t reader)
{
	return (struct prefetch_config){
		.place = rig_place(chip, at),
		.issue_ring = issue_queue_ring(queue),
		.issue_ring_bytes = RING_BYTES,
		.read_word = issue_queue_read_word(queue, reader),
		.counterpart_tile = CHIP_NONE,
	};
}

/* Makes the completion queue of `chip`; its read word is on tile `at` of `writer`. */
static struct host_queue completion_make(
	struct rig_chip *chip, const struct rig_chip *writer, uint32_t at, uint32_t read_word)
{
	struct completion_queue_config config = {
		.cluster = chip->rig->cluster,
		.name = "completion queue",
		.ring_bytes = COMPLETION_RING_BYTES,
		.device = writer->device,
		.tile = rig_tile_at(writer, at),
		.read_word = read_word,
		.mode = WAIT_SPIN,
	};

	check_status(completion_queue_new(&config, &chip->completion), STATUS_OK);
	return (struct host_queue){
		.ring = completion_queue_ring(chip->completion),
		.ring_bytes = COMPLETION_RING_BYTES,
		.write_word = completion_queue_write_word(chip->completion),
		.read_word = read_word,
	};
}

static void workers_start(struct rig_chip *chip)
{
	uint32_t count = (uint32_t)chip->geometry->worker_columns * chip->geometry->worker_rows;
	struct worker_group_config config = {
		.device = chip->device,
		.words = {RIG_GO_WORD, RIG_RESULT_WORDS, RIG_PROCESSOR_WORDS, RIG_SEMAPHORE_WORDS},
		.data_base = RIG_DATA,
		.launch_ring = RIG_LAUNCH_RING,
		.done_words = chip->dispatch.done_words,
	};

	chip->workers =
		worker_group_new(chip->rig->firmware, &config, chip->geometry->worker_tiles, count);
	for (uint32_t i = 0; i < count; i++)
		device_row->stage_start(chip->device, worker_group_stage(chip->workers, i));
}

/* Computes the addresses that the dispatcher of `chip` and its executing prefetcher share. */
static void dispatcher_plan(struct rig_chip *chip)
{
	struct rig *rig = chip->rig;

	tile_plan_init(&chip->prefetch_plan, chip->geometry, rig_tile_at(chip, AT_D));
	tile_plan_init(&chip->dispatch_plan, chip->geometry, rig_tile_at(chip, AT_DISPATCHER));
	check_status(
		dispatch_place(&chip->dispatch_plan, &rig->limits, 2, &chip->dispatch), STATUS_OK);
	check_status(
		device_row->window_reserve(rig->cluster, "event", 4, &chip->event_slot), STATUS_OK);
	chip->dispatcher_config = (struct dispatch_config){
		.place = rig_place(chip, AT_DISPATCHER),
		.layout = chip->dispatch,
		.input_count = 1,
		.ordering = rig->ordering,
		.worker_go_word = RIG_GO_WORD,
		.event_base = chip->event_slot,
	};
}

/* Makes the link from a prefetcher that executes commands to input `index` of the dispatcher. */
struct link_layout rig_dispatch_link(
	struct rig_chip *chip, uint32_t at, const struct prefetch_layout *layout, uint32_t index)
{
	struct dispatch_config *config = &chip->dispatcher_config;

	config->release_tile[index] = rig_tile_at(chip, at);
	config->release_word[index] = layout->release_word;
	config->input[index] = rig_link_make(chip->rig, chip, at, layout->credit_word, chip,
		AT_DISPATCHER, chip->dispatch.arrival_word[index], chip->dispatch.ring[index],
		chip->rig->limits.dispatch_ring_bytes);
	return config->input[index];
}

void rig_dispatcher_start(struct rig_chip *chip)
{
	chip->dispatcher = dispatcher_new(chip->rig->firmware, &chip->dispatcher_config);
	if (chip->rig->dispatch_s)
		chip->dispatch_s = dispatch_s_new(chip->rig->firmware, chip->dispatcher, 1);
	rig_attach(chip, chip->dispatcher);
	workers_start(chip);
}

/* ---- one chip ---- */

static void local_place(struct rig_chip *chip)
{
	dispatcher_plan(chip);
	check_status(prefetch_place(&chip->prefetch_plan, PREFETCH_ROLE_HD, &chip->rig->limits,
			     &chip->prefetch),
		STATUS_OK);
}

static void counterpart_set(const struct rig_chip *chip, struct prefetch_config *config)
{
	if (!chip->has_broadcast)
		return;
	config->counterpart_tile = rig_tile_at(chip, AT_DEPACKETIZER);
	config->counterpart_word = chip->broadcast.counterpart_word;
}

static void local_start(struct rig_chip *chip, struct issue_queue *queue, uint32_t reader)
{
	struct prefetch_config config = rig_issue_reader(chip, AT_D, queue, reader);

	chip->issue = queue;
	counterpart_set(chip, &config);
	config.layout = chip->prefetch;
	config.output = rig_dispatch_link(chip, AT_D, &chip->prefetch, 0);
	chip->dispatcher_config.host =
		completion_make(chip, chip, AT_DISPATCHER, chip->dispatch.read_word);
	rig_attach(chip, prefetch_hd_new(chip->rig->firmware, &config));
}

struct rig_chip *rig_local_plan(struct rig *rig, uint16_t number)
{
	struct rig_chip *chip = rig_chip_get(rig, number);

	local_place(chip);
	local_start(chip, rig_issue_make(chip, AT_D, &chip->prefetch), 0);
	return chip;
}

struct rig_chip *rig_local(struct rig *rig, uint16_t number)
{
	struct rig_chip *chip = rig_local_plan(rig, number);

	rig_dispatcher_start(chip);
	return chip;
}

void rig_start_dispatch_s(const struct rig_chip *chip)
{
	rig_attach(chip, chip->dispatch_s);
}

void rig_local_shared(struct rig *rig, uint16_t count)
{
	struct issue_queue *queue;

	for (uint16_t i = 0; i < count; i++)
		local_place(rig_chip_get(rig, i));
	queue = issue_make_shared(rig->chips, count, AT_D, &rig->chips[0].prefetch);
	for (uint16_t i = 0; i < count; i++) {
		local_start(&rig->chips[i], queue, i);
		rig_dispatcher_start(&rig->chips[i]);
	}
}

/* ---- a chip behind a gateway ---- */

static void dispatch_h_start(struct rig_chip *chip, struct rig_chip *gateway, uint32_t at)
{
	struct rig *rig = chip->rig;
	struct tile_plan plan;
	struct dispatch_h_layout layout;
	struct dispatch_h_config config = {.place = rig_place(gateway, at)};

	tile_plan_init(&plan, gateway->geometry, rig_tile_at(gateway, at));
	check_status(dispatch_h_place(&plan, &rig->limits, &layout), STATUS_OK);
	config.input = rig_link_make(rig, chip, AT_DISPATCHER, chip->dispatch.credit_word, gateway,
		at, layout.arrival_word, layout.ring, rig->limits.dispatch_h_ring_bytes);
	config.host = completion_make(chip, gateway, at, layout.read_word);
	chip->dispatcher_config.remote = true;
	chip->dispatcher_config.output = config.input;
	rig_attach(gateway, dispatch_h_new(rig->firmware, &config));
}

struct rig_chip *rig_remote_plan(struct rig *rig, uint16_t number)
{
	struct rig_chip *chip = rig_chip_get(rig, number);
	struct rig_chip *gateway = rig_chip_get(rig, rig->info->chips[number].gateway);
	struct prefetch_config config_h, config_d = {.counterpart_tile = CHIP_NONE};
	struct prefetch_layout layout_h;
	struct tile_plan plan_h;
	uint32_t index = gateway->behind++,
		 at = index ? AT_MORE_H + 2 * (index - 1) : (uint32_t)AT_H;
	uint32_t ring;

	dispatcher_plan(chip);
	check_status(prefetch_place(
			     &chip->prefetch_plan, PREFETCH_ROLE_D, &rig->limits, &chip->prefetch),
		STATUS_OK);
	check_status(tile_plan_bytes(&chip->prefetch_plan, rig->limits.fetch_ring_bytes, &ring),
		STATUS_OK);
	tile_plan_init(&plan_h, gateway->geometry, rig_tile_at(gateway, at));
	check_status(prefetch_place(&plan_h, PREFETCH_ROLE_H, &rig->limits, &layout_h), STATUS_OK);
	chip->issue = rig_issue_make(gateway, at, &layout_h);
	config_h = rig_issue_reader(gateway, at, chip->issue, 0);
	config_h.layout = layout_h;
	config_h.output = rig_link_make(rig, gateway, at, layout_h.credit_word, chip, AT_D,
		chip->prefetch.arrival_word, ring, rig->limits.fetch_ring_bytes);
	counterpart_set(chip, &config_d);
	config_d.place = rig_place(chip, AT_D);
	config_d.layout = chip->prefetch;
	config_d.input = config_h.output;
	config_d.output = rig_dispatch_link(chip, AT_D, &chip->prefetch, 0);
	dispatch_h_start(chip, gateway, at + 1);
	rig_attach(gateway, prefetch_h_new(rig->firmware, &config_h));
	rig_attach(chip, prefetch_d_new(rig->firmware, &config_d));
	return chip;
}

struct rig_chip *rig_remote(struct rig *rig, uint16_t number)
{
	struct rig_chip *chip = rig_remote_plan(rig, number);

	rig_dispatcher_start(chip);
	return chip;
}

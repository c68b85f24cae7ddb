/* The device.h implementation for `model.noc: links`. Each tile has a FIFO queue of operations that
 * wait to leave. A transfer leaves when the NIU (the tile's network interface) and the links of the
 * transfer's path are free. After that, it proceeds as without links (chip/noc/noc.c). An operation
 * of a single word waits for the earlier operations of its tile, but not for links. A read waits
 * only for earlier operations of its stage. With `model.cores: chip`, the arrival time of an
 * acknowledgement is announced in advance. If an operation of the same tile then has to wait in the
 * queue, this time could be wrong, and the run ends with an error. */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/chain.h"
#include "chip/device/entries.h"
#include "chip/noc/links.h"
#include "chip/noc/noc.h"
#include "chip/tile/tile.h"

enum departure_kind {
	DEPART_WRITE,
	DEPART_PACKED,
	DEPART_MULTICAST,
	DEPART_WORD,
	DEPART_INCREMENT,
	DEPART_READ,
	DEPART_PCIE,
	DEPART_PCIE_WORD,
};

/* An operation that a stage has requested. */
struct departure {
	struct departure *next;
	enum departure_kind kind;
	bool placed; /* the links are reserved, from start_ps on */
	struct stage *stage;
	struct span span; /* data; while the operation waits, it has a reference to them */
	const struct packed_target *targets;
	uint64_t host_address, pace;
	uint32_t address, local_address, length, value, count, stride;
	uint16_t tile;
	struct worker_rect rect;
	int64_t start_ps, asked_ps; /* time when it leaves; time when it requested its links */
	cause_id cause;		    /* cause of the operation; owns a reference */
	struct packed_target *kept; /* copy of the targets, made if the operation has to wait */
	uint32_t capacity; /* capacity of `kept`, which stays with this object in the pool */
};

void sim_departures_open(struct cluster *cluster)
{
	sim_links_open(cluster);
	sim_pool_init(&cluster->links->departures, sizeof(struct departure));
}

static void departure_fini(void *object)
{
	struct departure *departure = object;

	span_release(departure->span);
	free(departure->kept);
}

void sim_departures_close(struct cluster *cluster)
{
	if (cluster->links == NULL)
		return;
	sim_pool_each(&cluster->links->departures, departure_fini);
	sim_pool_fini(&cluster->links->departures);
	sim_links_close(cluster);
}

/* ---- links ---- */

static struct noc_load load_of(
	const struct sim_timing *timing, int64_t first_ps, uint64_t bytes, uint64_t bytes_per_s)
{
	uint64_t wire = sim_noc_wire_bytes(timing, bytes);

	return (struct noc_load){
		first_ps, server_transfer_ps(wire, bytes_per_s), wire, NOC_SENDS, false};
}

static int64_t departure_pass(
	const struct departure *departure, uint16_t to, const struct noc_load *load)
{
	const struct stage *stage = departure->stage;

	return sim_links_pass(stage->device, stage->noc, stage->tile, to, load);
}

/* Reserves links for each piece of a packed write, and returns the time at which the write may
 * leave. The stage passes the pieces to the NIU one after another, at intervals of
 * departure->pace. If one piece has to wait for its links, all pieces are delayed by the longest
 * of these waits. */
static int64_t place_packed(const struct departure *departure, const struct noc_load *each)
{
	const struct sim_timing *timing = &departure->stage->device->cluster->timing;
	int64_t pace_ps = sim_price_ps(timing, departure->pace);
	int64_t issue_ps = sim_noc_issue_ps(timing, departure->stride), late_ps = 0;
	int64_t ready_ps = each->first_ps - ((int64_t)departure->count - 1) * pace_ps;
	int64_t free_ps = sim_own_tile(departure->stage)->out.busy_until_ps;
	struct noc_load load = *each;

	for (uint32_t i = 0; i < departure->count; i++, ready_ps += pace_ps) {
		int64_t wait_ps;

		load.first_ps = ready_ps > free_ps ? ready_ps : free_ps;
		free_ps = load.first_ps + (load.takes_ps > issue_ps ? load.takes_ps : issue_ps);
		wait_ps = departure_pass(departure, departure->targets[i].tile, &load) -
			  load.first_ps;
		late_ps = wait_ps > late_ps ? wait_ps : late_ps;
	}
	return each->first_ps + late_ps;
}

static int64_t place_multicast(const struct departure *departure)
{
	const struct stage *stage = departure->stage;
	struct device *device = stage->device;
	struct sim_links *links = device->cluster->links;
	const struct sim_timing *timing = &device->cluster->timing;
	struct noc_load load = load_of(
		timing, engine_now(), departure->span.length, timing->noc_multicast_bytes_per_s);

	load.tree = true;
	sim_way_multicast(links, device->grid, stage->noc,
		sim_grid_multicast(device->grid, stage->tile, departure->rect), &links->way);
	return sim_links_take(device, stage->noc, stage->tile, &links->way, &load);
}

/* Reserves the links of the operation. Returns the time at which the operation leaves. */
static int64_t departure_place(const struct departure *departure)
{
	const struct device *device = departure->stage->device;
	const struct sim_timing *timing = &device->cluster->timing;
	uint64_t rate = timing->noc_injection_bytes_per_s;
	struct noc_load load = load_of(timing, engine_now(),
		departure->kind == DEPART_PACKED ? departure->stride : departure->span.length,
		rate);

	switch (departure->kind) {
	case DEPART_WRITE:
		return departure_pass(departure, departure->tile, &load);
	case DEPART_PACKED:
		return place_packed(departure, &load);
	case DEPART_MULTICAST:
		return place_multicast(departure);
	case DEPART_PCIE:
		return departure_pass(departure, device->info->geometry->pcie_tile, &load);
	default:
		return engine_now();
	}
}

static bool is_word(const struct departure *departure)
{
	switch (departure->kind) {
	case DEPART_WRITE:
	case DEPART_MULTICAST:
	case DEPART_PCIE:
		return departure->span.length <= sizeof(uint32_t);
	case DEPART_PACKED:
		return departure->count == 0;
	default:
		return true;
	}
}

/* ---- the operation itself ---- */

static void perform(const struct departure *departure)
{
	struct stage *stage = departure->stage;

	switch (departure->kind) {
	case DEPART_WRITE:
		sim_noc_write(stage, departure->tile, departure->address, departure->span);
		break;
	case DEPART_PACKED:
		sim_noc_write_packed(stage, departure->targets, departure->count,
			departure->address, departure->stride, departure->span, departure->pace);
		break;
	case DEPART_MULTICAST:
		sim_noc_multicast(stage, departure->rect, departure->address, departure->span);
		break;
	case DEPART_WORD:
		sim_noc_write_word(stage, departure->tile, departure->address, departure->value);
		break;
	case DEPART_INCREMENT:
		sim_noc_increment(stage, departure->tile, departure->address, departure->value);
		break;
	case DEPART_READ:
		sim_noc_read(stage, departure->tile, departure->address, departure->length,
			departure->local_address);
		break;
	case DEPART_PCIE:
		sim_pcie_write(stage, departure->host_address, departure->span);
		break;
	case DEPART_PCIE_WORD:
		sim_pcie_write_word(stage, departure->host_address, departure->value);
		break;
	}
}

/* Adds an operation to the stage's count of posted reads or writes (`sign` 1), or subtracts it
 * (`sign` UINT32_MAX, which is -1). An operation is added when it enters the queue of departures,
 * and subtracted when it leaves the queue. It leaves the queue to be performed, and the function
 * that performs it adds it again. */
static void departure_count(const struct departure *departure, uint32_t sign)
{
	struct stage *stage = departure->stage;
	uint32_t writes = 1;

	if (departure->kind == DEPART_READ) {
		stage->reads_posted += sign;
		return;
	}
	if (departure->kind == DEPART_PACKED)
		writes = departure->count;
	else if (departure->kind == DEPART_MULTICAST)
		writes = sim_grid_multicast(stage->device->grid, stage->tile, departure->rect)
				 ->count;
	stage->writes_posted += sign * writes;
}

/* ---- the queue of a tile ---- */

static struct noc_source *source_of(const struct tile *tile)
{
	return sim_links_source(tile->device, tile->number);
}

static void departure_leave(struct noc_source *source, struct departure *departure)
{
	struct cluster *cluster = departure->stage->device->cluster;
	cause_id before = cause_enter(departure->cause), left;

	source->first = departure->next;
	cause_charge(CHARGE_NOC_LINK_RATE, departure->start_ps - departure->asked_ps);
	cause_rest(CHARGE_WAIT_NOC);
	left = cause_take(engine_now());
	cause_release(cause_enter(left));
	departure_count(departure, UINT32_MAX);
	perform(departure);
	cause_release(cause_enter(before));
	cause_clear();
	span_release(departure->span);
	departure->span.extent = NULL;
	sim_pool_give(&cluster->links->departures, departure);
	sim_operation_end(cluster);
}

/* Returns the time at which `departure`, the first operation in the tile's queue, may leave. A
 * single word may leave at once. Other operations first wait for the NIU: if it is busy, returns
 * the time at which it will be free. If it is free, reserves links for the operation, and returns
 * the time at which they are free. */
static int64_t ready_ps(const struct tile *tile, struct departure *departure)
{
	if (is_word(departure))
		return engine_now();
	if (!departure->placed && tile->out.busy_until_ps > engine_now())
		return tile->out.busy_until_ps;
	if (!departure->placed) {
		departure->placed = true;
		departure->asked_ps = engine_now();
		departure->start_ps = departure_place(departure);
	}
	return departure->start_ps;
}

static void turn_event(void *subject, uint64_t argument)
{
	struct tile *tile = subject;
	struct noc_source *source = source_of(tile);

	(void)argument;
	while (source->first != NULL) {
		int64_t at_ps = ready_ps(tile, source->first);

		if (at_ps > engine_now()) {
			engine_push_alone(at_ps, turn_event, tile, 0);
			return;
		}
		departure_leave(source, source->first);
	}
}

static struct departure *keep(struct cluster *cluster, const struct departure *asked)
{
	struct departure *departure = sim_pool_take(&cluster->links->departures);
	struct packed_target *kept = departure->kept;
	uint32_t capacity = departure->capacity;

	if (asked->count > capacity) {
		capacity = asked->count;
		kept = allocate_more(kept, capacity, sizeof *kept);
	}
	if (asked->count > 0)
		memcpy(kept, asked->targets, asked->count * sizeof *kept);
	*departure = *asked;
	departure->kept = kept;
	departure->capacity = capacity;
	departure->targets = kept;
	departure->cause = cause_now();
	span_hold(departure->span);
	return departure;
}

static void wait(struct tile *tile, const struct departure *asked)
{
	struct noc_source *source = source_of(tile);
	struct departure *departure = keep(tile->device->cluster, asked);
	int64_t at_ps;

	if (tile->promised_ps != 0)
		sim_cores_refuse(tile, "it waits for its NIU beside its acknowledgement");
	sim_operation_begin(tile->device->cluster);
	departure_count(departure, 1);
	CHAIN_APPEND(source->first, source->last, departure, next);
	if (source->first != departure)
		return;
	at_ps = ready_ps(tile, departure);
	engine_push_alone(at_ps > engine_now() ? at_ps : engine_now(), turn_event, tile, 0);
}

/* Returns true if the operation may leave before all operations that wait in the queue. If the
 * queue is empty, every operation may leave. Otherwise, only a read may leave, and only if no
 * operation of the read's stage is in the queue. */
static bool is_free(const struct noc_source *source, const struct departure *departure)
{
	for (const struct departure *ahead = source->first; ahead != NULL; ahead = ahead->next)
		if (departure->kind != DEPART_READ || ahead->stage == departure->stage)
			return false;
	return true;
}

static void depart(struct departure *departure)
{
	struct tile *tile = sim_own_tile(departure->stage);

	if (is_free(source_of(tile), departure) && ready_ps(tile, departure) <= engine_now())
		perform(departure);
	else
		wait(tile, departure);
}

/* ---- entries ---- */

static void noc_write(struct stage *stage, uint16_t tile, uint32_t address, struct span span)
{
	depart(&(struct departure){.kind = DEPART_WRITE,
		.stage = stage,
		.tile = tile,
		.address = address,
		.span = span});
}

static void noc_write_packed(struct stage *stage, const struct packed_target *targets,
	uint32_t count, uint32_t address, uint32_t stride, struct span span, uint64_t pace)
{
	depart(&(struct departure){.kind = DEPART_PACKED,
		.stage = stage,
		.targets = targets,
		.count = count,
		.address = address,
		.stride = stride,
		.span = span,
		.pace = pace});
}

static void noc_multicast(
	struct stage *stage, struct worker_rect rect, uint32_t address, struct span span)
{
	depart(&(struct departure){.kind = DEPART_MULTICAST,
		.stage = stage,
		.rect = rect,
		.address = address,
		.span = span});
}

static void noc_write_word(struct stage *stage, uint16_t tile, uint32_t address, uint32_t value)
{
	depart(&(struct departure){.kind = DEPART_WORD,
		.stage = stage,
		.tile = tile,
		.address = address,
		.value = value});
}

static void noc_increment(struct stage *stage, uint16_t tile, uint32_t address, uint32_t delta)
{
	depart(&(struct departure){.kind = DEPART_INCREMENT,
		.stage = stage,
		.tile = tile,
		.address = address,
		.value = delta});
}

static void noc_write_counted(struct stage *stage, uint16_t tile, uint32_t address,
	struct span span, uint32_t word, uint32_t delta)
{
	noc_write(stage, tile, address, span);
	noc_increment(stage, tile, word, delta);
}

static void noc_read(struct stage *stage, uint16_t tile, uint32_t address, uint32_t length,
	uint32_t local_address)
{
	depart(&(struct departure){.kind = DEPART_READ,
		.stage = stage,
		.tile = tile,
		.address = address,
		.length = length,
		.local_address = local_address});
}

static void pcie_write(struct stage *stage, uint64_t host_address, struct span span)
{
	depart(&(struct departure){
		.kind = DEPART_PCIE, .stage = stage, .host_address = host_address, .span = span});
}

static void pcie_write_word(struct stage *stage, uint64_t host_address, uint32_t value)
{
	depart(&(struct departure){.kind = DEPART_PCIE_WORD,
		.stage = stage,
		.host_address = host_address,
		.value = value});
}

const struct device_ops sim_device_links = {
	SIM_ENTRIES,
	.post_word = sim_pcie_post_word,
	.post = sim_pcie_post,
	.peek = sim_pcie_peek,
	.noc_write = noc_write,
	.noc_write_packed = noc_write_packed,
	.noc_multicast = noc_multicast,
	.noc_write_word = noc_write_word,
	.noc_increment = noc_increment,
	.noc_write_counted = noc_write_counted,
	.noc_read = noc_read,
	.pcie_write = pcie_write,
	.pcie_write_word = pcie_write_word,
};

/* Unicast reads and writes on the NoC. */
#include "chip/noc/noc.h"

#include "chip/machine/flight.h"
#include "chip/machine/network.h"
#include "chip/noc/links.h"
#include "chip/tile/scheduler.h"
#include "chip/tile/tile.h"

struct noc_message sim_noc_message(
	const struct sim_timing *timing, uint64_t bytes, uint64_t bytes_per_s, int64_t extra_ps)
{
	int64_t issue_ps = sim_noc_issue_ps(timing, bytes) + extra_ps;
	int64_t transfer_ps = server_transfer_ps(sim_noc_wire_bytes(timing, bytes), bytes_per_s);
	enum charge charge = CHARGE_NOC_ISSUE;

	if (extra_ps > 0)
		charge = transfer_ps > issue_ps ? CHARGE_NOC_MULTICAST_RATE : CHARGE_NOC_MULTICAST;
	else if (transfer_ps > issue_ps)
		charge = CHARGE_NOC_INJECTION_RATE;
	return (struct noc_message){.bytes = bytes,
		.transfer_ps = transfer_ps,
		.takes_ps = transfer_ps > issue_ps ? transfer_ps : issue_ps,
		.charge = charge};
}

struct injection sim_noc_inject_message(
	struct tile *tile, int64_t ready_ps, const struct noc_message *message)
{
	int64_t takes_ps = message->takes_ps;
	int64_t start_ps = sim_niu_pass(tile, ready_ps, message->bytes, takes_ps) - takes_ps;

	return (struct injection){.start_ps = start_ps,
		.sent_ps = start_ps + message->transfer_ps,
		.wait = pipe_wait(&tile->out, message->charge, CHARGE_WAIT_NOC)};
}

struct injection sim_noc_inject(
	struct tile *tile, uint64_t bytes, uint64_t bytes_per_s, int64_t extra_ps)
{
	struct noc_message message =
		sim_noc_message(&tile->device->cluster->timing, bytes, bytes_per_s, extra_ps);

	return sim_noc_inject_message(tile, engine_now(), &message);
}

/* Sends a word, and returns the time at which the word leaves the tile. A word is one flit; its
 * issue time is part of noc_latency_ps. */
static int64_t inject_word(struct tile *tile)
{
	const struct sim_timing *timing = &tile->device->cluster->timing;

	return sim_niu_pass(tile, engine_now(), sizeof(uint32_t), timing->noc_issue_ps) -
	       timing->noc_issue_ps;
}

static void mark_late(struct tile *to, uint16_t source, int64_t until_ps)
{
	bool others = to->late_until_ps > engine_now() && to->late_source != source;

	to->late_source = others ? TILE_ANY : source;
	if (until_ps > to->late_until_ps)
		to->late_until_ps = until_ps;
}

static int64_t land_at(struct tile *to, struct pipe *in, uint16_t source, int64_t head_ps,
	int64_t last_ps, uint64_t bytes)
{
	const struct cluster *cluster = to->device->cluster;
	const struct sim_timing *timing = &cluster->timing;
	enum charge charge = CHARGE_NOC_EJECTION_RATE;
	int64_t takes_ps, tail_ps;

	sim_tile_alone(to);
	if (to->word_bytes > 0) {
		takes_ps = server_transfer_ps(
			sim_noc_wire_bytes(timing, bytes), timing->noc_ejection_bytes_per_s);
	} else {
		takes_ps = server_transfer_ps(bytes, timing->dram_write_bytes_per_s);
		charge = CHARGE_DRAM_WRITE_BANDWIDTH;
		if (takes_ps < timing->dram_request_ps) {
			takes_ps = timing->dram_request_ps;
			charge = CHARGE_DRAM_REQUEST;
		}
	}
	cause_charge(charge, takes_ps - (last_ps - head_ps));
	cause_rest(pipe_wait(in, charge, to->word_bytes > 0 ? CHARGE_WAIT_NOC : CHARGE_WAIT_DRAM));
	tail_ps = sim_serve(cluster, in, head_ps, bytes, takes_ps);
	if (tail_ps < last_ps)
		tail_ps = last_ps;
	tail_ps = sim_noc_in_order(to, source, tail_ps);
	if (tail_ps > last_ps)
		mark_late(to, source, tail_ps);
	return tail_ps;
}

int64_t sim_noc_land(
	struct tile *to, uint16_t source, int64_t head_ps, int64_t last_ps, uint64_t bytes)
{
	return land_at(to, &to->in, source, head_ps, last_ps, bytes);
}

/* ---- words ---- */

/* Call when a word arrives. If bulk data that the same source sent earlier have not arrived yet,
 * pushes the word's event again for a later time, and returns true. The delay of the word does not
 * delay the completion of the stage's write. */
static bool must_wait(struct tile *tile, engine_run *event, uint64_t argument)
{
	uint16_t source = (uint16_t)(argument >> 48);
	int64_t now_ps = engine_now();
	int64_t at_ps = sim_noc_in_order(tile, source, now_ps);

	/* A late write of the same source (land()) may arrive at this very time; the word must
	 * follow that write. */
	if (at_ps == now_ps &&
		(tile->landing == 0 || tile->late_until_ps != now_ps ||
			(tile->late_source != source && tile->late_source != TILE_ANY)))
		return false;
	cause_rest(CHARGE_WAIT_NOC);
	if (causes.current != CAUSE_NONE)
		engine_push(at_ps, event, tile, argument);
	else
		engine_push_alone(at_ps, event, tile, argument);
	return true;
}

/* The word's address from an event's argument. */
static uint32_t address_in(uint64_t argument)
{
	return (uint32_t)(argument >> 32 & 0xffff) * 4;
}

static void word_delivered(struct cluster *cluster)
{
	cluster->conservation.noc_delivered_bytes += sizeof(uint32_t);
	sim_operation_end(cluster);
}

static void word_event(void *subject, uint64_t argument)
{
	struct tile *tile = subject;

	if (must_wait(tile, word_event, argument))
		return;
	sim_tile_arrive_word(tile, address_in(argument), (uint32_t)argument);
	word_delivered(tile->device->cluster);
}

static void increment_event(void *subject, uint64_t argument)
{
	struct tile *tile = subject;
	uint16_t source = (uint16_t)(argument >> 48);

	if (must_wait(tile, increment_event, argument))
		return;
	sim_tile_increment(tile, address_in(argument), (uint32_t)argument, source);
	word_delivered(tile->device->cluster);
}

/* Counts a word as sent, and returns the argument of its arrival event. */
static uint64_t noc_send_word(struct tile *to, uint16_t source, uint32_t address, uint32_t value)
{
	struct cluster *cluster = to->device->cluster;

	ensure(address % 4 == 0 && address < to->word_bytes,
		"word at 0x%x of tile %u of chip %u, which has %u B of words", address, to->number,
		to->device->number, to->word_bytes);
	cluster->conservation.noc_sent_bytes += sizeof value;
	sim_operation_begin(cluster);
	return (uint64_t)source << 48 | (uint64_t)(address / 4) << 32 | value;
}

void sim_noc_word_at(
	struct tile *to, uint16_t source, int64_t at_ps, uint32_t address, uint32_t value)
{
	engine_push(at_ps, word_event, to, noc_send_word(to, source, address, value));
}

/* Posts a word, and returns the time at which it arrives. */
static int64_t post_word(struct stage *stage, struct tile *to)
{
	struct device *device = stage->device;
	int64_t path_ps = sim_noc_path_ps(device, stage->tile, to->number);
	int64_t at_ps = inject_word(sim_own_tile(stage)) + path_ps;

	stage->writes_posted++;
	sim_task_writes_done_at(sim_task_of(stage), 1,
		at_ps + sim_noc_path_ps(device, to->number, stage->tile), CAUSE_NONE,
		CHARGE_NOC_LATENCY);
	sim_noc_charge_path(device, path_ps, 1);
	cause_rest(pipe_wait(&sim_own_tile(stage)->out, CHARGE_NOC_ISSUE, CHARGE_WAIT_NOC));
	return at_ps;
}

void sim_noc_write_word(struct stage *stage, uint16_t tile, uint32_t address, uint32_t value)
{
	struct tile *to = sim_tile(stage->device, tile);

	sim_noc_word_at(to, stage->tile, post_word(stage, to), address, value);
}

/* Workers send many increments, and creating a cause costs time. So usually only a note of the
 * increment's cause is kept, in the task. The task has space for one note; if the note of the
 * previous increment may still be needed, a full cause is created for this increment. */
void sim_noc_increment(struct stage *stage, uint16_t tile, uint32_t address, uint32_t delta)
{
	struct tile *to = sim_tile(stage->device, tile);
	struct cause_note *note = &sim_task_of(stage)->increment;
	int64_t at_ps = post_word(stage, to);
	uint64_t argument = noc_send_word(to, stage->tile, address, delta);

	if (causes.current != CAUSE_NONE && note->at_ps < engine_now()) {
		cause_note(note, at_ps);
		engine_push_alone(at_ps, increment_event, to, argument);
	} else {
		engine_push(at_ps, increment_event, to, argument);
	}
}

/* ---- bulk ---- */

static void noc_bulk_event(void *subject, uint64_t argument)
{
	struct flight *flight = subject;
	struct cluster *cluster = flight->device->cluster;

	cluster->conservation.noc_delivered_bytes += flight->span.length;
	flight->device->tiles[flight->tile].landing -= (uint16_t)argument;
	sim_tile_arrive(&flight->device->tiles[flight->tile], flight->address, flight->span);
	sim_flight_free(flight);
	sim_operation_end(cluster);
}

static struct flight *bulk_new(struct tile *to, uint32_t address, struct span span)
{
	struct flight *flight = sim_flight_new(to->device);

	to->device->cluster->conservation.noc_sent_bytes += span.length;
	span_hold(span);
	flight->span = span;
	flight->tile = to->number;
	flight->address = address;
	return flight;
}

void sim_noc_bulk_at(struct tile *to, int64_t at_ps, uint32_t address, struct span span)
{
	struct flight *flight = bulk_new(to, address, span);

	sim_operation_begin(to->device->cluster);
	engine_push(at_ps, noc_bulk_event, flight, 0);
}

/* Reserves the receiving tile's time for the write, and schedules the arrival. `late` is set if
 * this function is called when the write arrives, and not set if it is called when the write is
 * posted. If `late` is set, the heap may already hold words that were posted after the write. */
static void land(struct flight *flight, bool late)
{
	struct device *device = flight->device;
	struct tile *to = &device->tiles[flight->tile];
	cause_id before;
	int64_t tail_ps;

	cause_charge(CHARGE_NOC_INJECTION_RATE, flight->last_ps - flight->head_ps);
	tail_ps = sim_noc_land(
		to, flight->source, flight->head_ps, flight->last_ps, flight->span.length);

	if (late) {
		mark_late(to, flight->source, tail_ps);
		to->landing++;
	}
	before = cause_enter(cause_take(tail_ps));
	engine_push(tail_ps, noc_bulk_event, flight, late);
	sim_task_writes_done_at(flight->task, 1,
		tail_ps + sim_noc_path_ps(device, to->number, flight->source), cause_now(),
		CHARGE_NOC_LATENCY);
	cause_release(cause_enter(before));
}

static void land_event(void *subject, uint64_t argument)
{
	(void)argument;
	land(subject, true);
}

/* Normally the receiver's time is reserved as soon as the write is posted. There is one exception
 * (only if contention is modelled): a write that waits at the sender's NIU reserves the time only
 * when it arrives, so that it does not delay messages that arrive earlier. Later writes of the same
 * stage, posted before that arrival, also reserve on arrival, so that they do not overtake it. */
void sim_noc_write(struct stage *stage, uint16_t tile, uint32_t address, struct span span)
{
	struct device *device = stage->device;
	struct cluster *cluster = device->cluster;
	struct tile *to = sim_tile(device, tile);
	int64_t path_ps = sim_noc_path_ps(device, stage->tile, tile);
	struct injection injection = sim_noc_inject(
		sim_own_tile(stage), span.length, cluster->timing.noc_injection_bytes_per_s, 0);
	struct flight *flight = bulk_new(to, address, span);

	sim_operation_begin(cluster);
	stage->writes_posted++;
	flight->task = sim_task_of(stage);
	flight->source = stage->tile;
	flight->head_ps = injection.start_ps + path_ps;
	flight->last_ps = injection.sent_ps + path_ps;
	sim_noc_charge_path(device, path_ps, 1);
	if ((injection.start_ps > engine_now() || flight->task->lands_ps > engine_now()) &&
		cluster->network->contention) {
		if (flight->head_ps > flight->task->lands_ps)
			flight->task->lands_ps = flight->head_ps;
		cause_rest(injection.wait);
		engine_push(flight->head_ps, land_event, flight, 0);
	} else {
		land(flight, false);
	}
}

/* ---- reads ---- */

static void read_event(void *subject, uint64_t argument)
{
	struct flight *flight = subject;
	struct device *device = flight->device;
	struct task *task = flight->task;

	(void)argument;
	device->cluster->conservation.noc_delivered_bytes += flight->length;
	sim_tile_copy(task->tile, flight->local_address, &device->tiles[flight->tile],
		flight->address, flight->length);
	sim_flight_free(flight);
	sim_task_read_done(task);
	sim_operation_end(device->cluster);
}

/* Schedules the arrival of the data at the reading tile. */
static void come(struct flight *flight, int64_t head_ps, int64_t last_ps)
{
	struct tile *to = flight->task->tile;
	struct pipe *in = sim_niu_of_answers(to, flight->task->stage);

	engine_push(land_at(to, in, flight->tile, head_ps, last_ps, flight->length), read_event,
		flight, 0);
}

/* With `model.noc: links`: called when the data of a read are ready to leave. From here on, the
 * data wait for links. */
static void noc_leave_event(void *subject, uint64_t argument)
{
	struct flight *flight = subject;
	struct device *device = flight->device;
	const struct tile *to = flight->task->tile;
	const struct sim_timing *timing = &device->cluster->timing;
	int64_t takes_ps = flight->last_ps - flight->head_ps;
	int64_t path_ps = sim_noc_path_ps(device, flight->tile, to->number);
	struct noc_load load = {engine_now(), takes_ps, sim_noc_wire_bytes(timing, flight->length),
		NOC_ANSWERS, false};
	int64_t head_ps =
		sim_links_pass(device, flight->task->stage->noc, flight->tile, to->number, &load);

	(void)argument;
	cause_charge(CHARGE_NOC_LINK_RATE, head_ps - engine_now());
	sim_noc_charge_path(device, path_ps, 1);
	cause_charge(device->tiles[flight->tile].word_bytes > 0 ? CHARGE_NOC_INJECTION_RATE
								: CHARGE_DRAM_READ_BANDWIDTH,
		takes_ps);
	come(flight, head_ps + path_ps, head_ps + takes_ps + path_ps);
}

static void noc_leave(struct flight *flight, int64_t head_ps, int64_t last_ps)
{
	flight->head_ps = head_ps;
	flight->last_ps = last_ps;
	cause_rest(flight->device->tiles[flight->tile].word_bytes > 0 ? CHARGE_WAIT_NOC
								      : CHARGE_WAIT_DRAM);
	engine_push(head_ps, noc_leave_event, flight, 0);
}

/* Returns the times at which the bank begins and ends to read `length` bytes. */
static struct injection bank_gives(struct tile *bank, uint64_t length)
{
	const struct cluster *cluster = bank->device->cluster;
	const struct sim_timing *timing = &cluster->timing;
	int64_t takes_ps = server_transfer_ps(length, timing->dram_read_bytes_per_s);
	struct injection data;

	if (takes_ps < timing->dram_request_ps)
		takes_ps = timing->dram_request_ps;
	data.sent_ps = sim_serve(cluster, &bank->in, engine_now(), length, takes_ps);
	data.start_ps = data.sent_ps - takes_ps;
	return data;
}

/* Sends data to a reader, over the NoC on which the request came. */
static struct injection inject_answer(
	struct tile *from, const struct stage *reader, uint64_t length)
{
	const struct sim_timing *timing = &from->device->cluster->timing;
	struct pipe *niu = sim_niu_of_requests(from, reader);
	struct noc_message message =
		sim_noc_message(timing, length, timing->noc_injection_bytes_per_s, 0);
	int64_t start_ps;

	if (niu == &from->out)
		return sim_noc_inject_message(from, engine_now(), &message);
	start_ps = pipe_pass(niu, engine_now(), message.bytes, message.takes_ps) - message.takes_ps;
	return (struct injection){.start_ps = start_ps,
		.sent_ps = start_ps + message.transfer_ps,
		.wait = pipe_wait(niu, message.charge, CHARGE_WAIT_NOC)};
}

/* The request has reached the tile that is read. */
static void noc_request_event(void *subject, uint64_t argument)
{
	struct flight *flight = subject;
	struct device *device = flight->device;
	struct tile *from = &device->tiles[flight->tile];
	const struct sim_timing *timing = &device->cluster->timing;
	bool links = device->cluster->links != NULL, bank = from->word_bytes == 0;
	int64_t path_ps = sim_noc_path_ps(device, from->number, flight->task->tile->number);
	int64_t access_ps = bank ? timing->dram_latency_ps : timing->noc_read_ps;
	struct injection data;

	(void)argument;
	if (!links)
		sim_noc_charge_path(device, path_ps, 1);
	cause_charge(bank ? CHARGE_DRAM_LATENCY : CHARGE_NOC_READ, access_ps);
	if (bank)
		data = bank_gives(from, flight->length);
	else
		data = inject_answer(from, flight->task->stage, flight->length);
	if (links) {
		noc_leave(flight, data.start_ps + access_ps, data.sent_ps + access_ps);
		return;
	}
	cause_charge(bank ? CHARGE_DRAM_READ_BANDWIDTH : CHARGE_NOC_INJECTION_RATE,
		data.sent_ps - data.start_ps);
	come(flight, data.start_ps + access_ps + path_ps, data.sent_ps + access_ps + path_ps);
}

/* Sends a read request, and returns the time at which it leaves. */
static int64_t inject_request(const struct stage *stage)
{
	struct tile *tile = sim_own_tile(stage);
	struct pipe *niu = sim_niu_of_requests(tile, stage);
	int64_t takes_ps = tile->device->cluster->timing.noc_issue_ps;

	return niu == &tile->out
		       ? inject_word(tile)
		       : pipe_pass(niu, engine_now(), sizeof(uint32_t), takes_ps) - takes_ps;
}

void sim_noc_read(struct stage *stage, uint16_t tile, uint32_t address, uint32_t length,
	uint32_t local_address)
{
	struct device *device = stage->device;
	struct cluster *cluster = device->cluster;
	struct tile *from = sim_tile(device, tile);
	struct flight *flight = sim_flight_new(device);
	int64_t start_ps = inject_request(stage);

	stage->reads_posted++;
	cluster->conservation.noc_sent_bytes += length;
	flight->task = sim_task_of(stage);
	flight->tile = from->number;
	flight->address = address;
	flight->length = length;
	flight->local_address = local_address;
	sim_operation_begin(cluster);
	sim_noc_charge_path(device, sim_noc_path_ps(device, stage->tile, tile), 1);
	cause_rest(pipe_wait(sim_niu_of_requests(sim_own_tile(stage), stage), CHARGE_NOC_ISSUE,
		CHARGE_WAIT_NOC));
	engine_push(start_ps + sim_noc_path_ps(device, stage->tile, tile), noc_request_event,
		flight, 0);
}

/* Sends unicast writes and increments over the NoC, and schedules their arrivals (noc.h). */
#include "chip/noc/noc.h"

#include <string.h>

#include "chip/machine/network.h"
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

int64_t sim_noc_inject_word(struct tile *tile)
{
	const struct sim_timing *timing = &tile->device->cluster->timing;

	return sim_niu_pass(tile, engine_now(), sizeof(uint32_t), timing->noc_issue_ps) -
	       timing->noc_issue_ps;
}

static void singles_arrive(struct tile *to);

static void mark_late(struct tile *to, uint16_t source, int64_t until_ps)
{
	bool others = to->late_until_ps > engine_now() && to->late_source != source;

	to->late_source = others ? TILE_ANY : source;
	if (until_ps > to->late_until_ps)
		to->late_until_ps = until_ps;
	if (to->atomic != NULL && to->atomic->single > 0)
		singles_arrive(to);
}

int64_t sim_noc_land_at(struct tile *to, struct pipe *in, uint16_t source, int64_t head_ps,
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
	return sim_noc_land_at(to, &to->in, source, head_ps, last_ps, bytes);
}

/* ---- words ---- */

/* Called when a word arrives. Returns false if the word takes effect now. The word must wait if
 * bulk data that its source sent earlier have not arrived yet. Then pushes the event `again` for
 * the time at which they arrive, and returns true. The wait does not delay the completion of the
 * stage's write.
 *
 * The word also waits if late data of the same source (sim_noc_land()) arrive at exactly this time.
 * It must take effect after these data, and after earlier words that wait for them. Late data that
 * come with an increment have no event of their own (counted_until_ps). If such data arrive at this
 * time, the word is pushed again once (`first`) for the same time, so that it runs after all other
 * events of this time. */
static bool must_wait(
	const struct tile *tile, bool first, engine_run *again, void *subject, uint64_t argument)
{
	uint16_t source = (uint16_t)(argument >> 48);
	int64_t now_ps = engine_now();
	int64_t at_ps = sim_noc_in_order(tile, source, now_ps);

	if (at_ps == now_ps &&
		(tile->late_until_ps != now_ps ||
			(tile->late_source != source && tile->late_source != TILE_ANY) ||
			(tile->landing == 0 && !(first && tile->counted_until_ps == now_ps))))
		return false;
	cause_rest(CHARGE_WAIT_NOC);
	if (causes.current != CAUSE_NONE)
		engine_push(at_ps, again, subject, argument);
	else
		engine_push_alone(at_ps, again, subject, argument);
	return true;
}

/* Returns the address of the word, from the argument of an event. */
static uint32_t address_in(uint64_t argument)
{
	return (uint32_t)(argument >> 32 & 0xffff) * 4;
}

static void word_delivered(struct tile *tile)
{
	struct cluster *cluster = tile->device->cluster;

	tile->words_flying--;
	cluster->conservation.noc_delivered_bytes += sizeof(uint32_t);
	sim_operation_end(cluster);
}

static void word_again_event(void *subject, uint64_t argument);

static void word_arrives(struct tile *tile, uint64_t argument, bool first)
{
	if (must_wait(tile, first, word_again_event, tile, argument))
		return;
	sim_tile_arrive_word(tile, address_in(argument), (uint32_t)argument);
	word_delivered(tile);
}

static void word_again_event(void *subject, uint64_t argument)
{
	word_arrives(subject, argument, false);
}

static void word_event(void *subject, uint64_t argument)
{
	word_arrives(subject, argument, true);
}

static void increment_again_event(void *subject, uint64_t argument);

static void increment_arrives(struct tile *tile, uint64_t argument, bool first)
{
	uint16_t source = (uint16_t)(argument >> 48);

	if (must_wait(tile, first, increment_again_event, tile, argument))
		return;
	/* after this increment, an announced increment that arrives later may end a wait */
	if (tile->atomic != NULL && tile->atomic->single > 0 &&
		sim_tasks_end_wait(tile, address_in(argument), (uint32_t)argument))
		singles_arrive(tile);
	sim_tile_increment(tile, address_in(argument), (uint32_t)argument, source);
	word_delivered(tile);
}

static void increment_again_event(void *subject, uint64_t argument)
{
	increment_arrives(subject, argument, false);
}

static void increment_event(void *subject, uint64_t argument)
{
	increment_arrives(subject, argument, true);
}

/* Counts a word as sent, and returns the argument of its arrival event. */
static uint64_t noc_send_word(struct tile *to, uint16_t source, uint32_t address, uint32_t value)
{
	struct cluster *cluster = to->device->cluster;

	ensure(address % 4 == 0 && address < to->word_bytes,
		"word at 0x%x of tile %u of chip %u, which has %u B of words", address, to->number,
		to->device->number, to->word_bytes);
	cluster->conservation.noc_sent_bytes += sizeof value;
	to->words_flying++;
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
	int64_t at_ps = sim_noc_inject_word(sim_own_tile(stage)) + path_ps;

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

/* Stores a note of the cause of an increment. The cause can be created from this note later. This
 * saves time, because workers send many increments, and creating a cause takes time. The note is
 * in the task of the stage, which has room for only one. If the note of an earlier increment may
 * still be needed, returns false; the caller must then create the cause of this increment at
 * once. */
static bool note_cause(struct stage *stage, int64_t at_ps)
{
	struct cause_note *note = &sim_task_of(stage)->increment;

	if (!causes.on)
		return true;
	if (causes.current == CAUSE_NONE || note->at_ps >= engine_now())
		return false;
	cause_note(note, at_ps);
	return true;
}

/* Sends an increment. When it arrives, the engine runs `event` with `subject`. */
static void send_increment(struct stage *stage, struct tile *to, uint32_t address, uint32_t delta,
	engine_run *event, void *subject)
{
	int64_t at_ps = post_word(stage, to);
	uint64_t argument = noc_send_word(to, stage->tile, address, delta);

	if (note_cause(stage, at_ps))
		engine_push_alone(at_ps, event, subject, argument);
	else
		engine_push(at_ps, event, subject, argument);
}

/* Takes back the increments that sim_tile_increment_comes() has announced and that have not arrived
 * yet. Schedules an event for each of them instead. Called if one of these increments may have to
 * wait for late bulk data (tile.h), or may end a wait. At the end, restores the pending charges of
 * the current cause, which belong to other work. */
static void singles_arrive(struct tile *to)
{
	struct cluster *cluster = to->device->cluster;
	uint64_t charges[CAUSE_PENDING];
	uint32_t count = causes.count, rest = causes.rest;
	struct arrival arrival;

	memcpy(charges, causes.charges, count * sizeof *charges);
	while (sim_tile_single_take(to, &arrival)) {
		cluster->conservation.noc_sent_bytes -= sizeof(uint32_t);
		cluster->conservation.noc_delivered_bytes -= sizeof(uint32_t);
		engine_push_alone(arrival.at_ps, increment_event, to,
			noc_send_word(to, arrival.source, arrival.address, arrival.value));
	}
	sim_tasks_foresee(to);
	memcpy(causes.charges, charges, count * sizeof *charges);
	causes.count = count;
	causes.rest = rest;
}

/* An increment that ends no wait is only announced, and needs no event. An example is the
 * acknowledgement of any worker except the last one. Increments that arrive at the same time must
 * take effect in the order in which they were posted. So while an event is on its way to the tile,
 * increments are not announced. */
void sim_noc_increment(struct stage *stage, uint16_t tile, uint32_t address, uint32_t delta)
{
	struct cluster *cluster = stage->device->cluster;
	struct tile *to = sim_tile(stage->device, tile);
	int64_t at_ps = post_word(stage, to);
	const struct arrival arrival = {at_ps, address, delta, true, stage->tile, CAUSE_NONE};

	if (!note_cause(stage, at_ps)) {
		engine_push(
			at_ps, increment_event, to, noc_send_word(to, stage->tile, address, delta));
	} else if (to->words_flying == 0 && to->late_until_ps < at_ps &&
		   sim_tile_increment_comes(to, &arrival)) {
		cluster->conservation.noc_sent_bytes += sizeof delta;
		cluster->conservation.noc_delivered_bytes += sizeof delta;
		sim_settles_at(cluster, at_ps);
	} else {
		engine_push_alone(
			at_ps, increment_event, to, noc_send_word(to, stage->tile, address, delta));
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

/* Reserves the receiving tile's time for a write. Also schedules the arrival of the data, except
 * for writes of sim_noc_write_counted(). `late` is false if the write is just being posted. It is
 * true if the write is arriving: then words that were posted after the write may already be in the
 * engine's heap of events. */
static void land(struct flight *flight, bool late)
{
	struct device *device = flight->device;
	struct tile *to = &device->tiles[flight->tile];
	cause_id before;
	int64_t tail_ps;

	cause_charge(CHARGE_NOC_INJECTION_RATE, flight->last_ps - flight->head_ps);
	tail_ps = sim_noc_land(
		to, flight->source, flight->head_ps, flight->last_ps, flight->span.length);

	if (late)
		mark_late(to, flight->source, tail_ps);
	before = cause_enter(cause_take(tail_ps));
	if (!flight->counted) {
		to->landing += late;
		engine_push(tail_ps, noc_bulk_event, flight, late);
	} else if (late) {
		to->counted_until_ps = tail_ps;
	}
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

/* Sends a write of bulk data. Normally, the write reserves its time at the receiver when it is
 * posted. But if the network models contention, and the write waits at the sender's NIU, it
 * reserves this time only on arrival. Otherwise, it would delay messages that arrive before it. As
 * long as such a write is under way, later writes of the same stage also reserve their time on
 * arrival, so that they do not overtake it. */
static struct flight *send_bulk(
	struct stage *stage, uint16_t tile, uint32_t address, struct span span, bool counted)
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
	flight->counted = counted;
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
	return flight;
}

void sim_noc_write(struct stage *stage, uint16_t tile, uint32_t address, struct span span)
{
	send_bulk(stage, tile, address, span, false);
}

/* ---- bulk data with a count ---- */

/* Called when data that also increment a word have arrived. The data become visible now, but the
 * increment may have to wait for other data that are late. Several increments may wait for the same
 * time, and then run in any order. Each of them must find the data of all earlier ones. */
static void counted_event(void *subject, uint64_t argument)
{
	struct flight *flight = subject;
	struct cluster *cluster = flight->device->cluster;
	struct tile *tile = &flight->device->tiles[flight->tile];

	cluster->conservation.noc_delivered_bytes += flight->span.length;
	sim_tile_arrive(tile, flight->address, flight->span);
	sim_flight_free(flight);
	sim_operation_end(cluster);
	increment_arrives(tile, argument, true);
}

/* Writes data and increments a count after them. The receiver reads the data only after it has
 * seen the count. So the arrival of the data needs no separate event: the data become visible when
 * the increment of the count arrives at the tile. */
void sim_noc_write_counted(struct stage *stage, uint16_t tile, uint32_t address, struct span span,
	uint32_t word, uint32_t delta)
{
	struct tile *to = sim_tile(stage->device, tile);
	struct flight *flight;

	/* A part of the data lies in the words, which wake stages when they arrive. */
	if (sim_words_part(to, address, span.length) > 0) {
		sim_noc_write(stage, tile, address, span);
		sim_noc_increment(stage, tile, word, delta);
		return;
	}
	flight = send_bulk(stage, tile, address, span, true);
	send_increment(stage, to, word, delta, counted_event, flight);
}

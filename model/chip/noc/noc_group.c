/* Writes to many tiles of a chip: packed writes (each tile gets its own bytes) and multicasts (all
 * tiles get the same bytes). A single event writes the bulk data of all tiles. It runs when the
 * last byte leaves the sender, so it is too early by the latency of the path. But no stage can
 * observe this: bulk data wake no stage, and a stage reads the data only after it has seen a word
 * that was sent after the data. This word arrives at every tile after the event, because it leaves
 * the NIU after the data and then still has to cross the NoC. */
#include "chip/machine/network.h"
#include "chip/noc/noc.h"
#include "chip/tile/scheduler.h"
#include "chip/tile/tile.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"

#define FETCH_AHEAD 8u

/* ---- packed ---- */

/* Writes the piece for target i - FETCH_AHEAD, if there is such a target, and prefetches later
 * targets. Callers call this function for each `i` from 0 to flight->count + FETCH_AHEAD - 1, in
 * ascending order. The pieces are bulk data (is_bulk), so they wake no stage. */
static void packed_arrives(struct flight *flight, uint32_t i)
{
	const struct packed_target *targets = flight->targets;
	struct tile *tiles = flight->device->tiles;
	uint32_t at = i - FETCH_AHEAD, half = i - FETCH_AHEAD / 2;

	if (i < flight->count)
		sim_tile_fetch(&tiles[targets[i].tile]);
	if (half < flight->count)
		sim_tile_fetch_written(&tiles[targets[half].tile]);
	if (at < flight->count)
		sim_bulk_write(&tiles[targets[at].tile], flight->address,
			span_part(flight->span, at * flight->stride, flight->stride));
}

static void packed_event(void *subject, uint64_t argument)
{
	struct flight *flight = subject;
	struct device *device = flight->device;

	(void)argument;
	if (!sim_layer_write_packed(device, flight->targets, flight->count, flight->address,
		    flight->stride, flight->span))
		for (uint32_t i = 0; i < flight->count + FETCH_AHEAD; i++)
			packed_arrives(flight, i);
	device->cluster->conservation.noc_delivered_bytes +=
		(uint64_t)flight->count * flight->stride;
	sim_flight_free(flight);
	sim_operation_end(device->cluster);
}

static void keep_targets(struct flight *flight, const struct packed_target *targets, uint32_t count)
{
	if (count > flight->capacity) {
		flight->targets = allocate_more(flight->targets, count, sizeof *targets);
		flight->capacity = count;
	}
	memcpy(flight->targets, targets, count * sizeof *targets);
	flight->count = count;
}

/* True if every target is in an L1, and the bytes lie above the words of the L1. */
static bool is_bulk(struct device *device, const struct packed_target *targets, uint32_t count,
	uint32_t address)
{
	for (uint32_t i = 0; i < count; i++) {
		const struct tile *tile = sim_tile(device, targets[i].tile);

		if (tile->word_bytes == 0 || address < tile->word_bytes)
			return false;
	}
	return true;
}

static int64_t round_trip_ps(const struct device *device, uint16_t from, uint16_t to)
{
	return sim_noc_path_ps(device, from, to) + sim_noc_path_ps(device, to, from);
}

/* Sends the messages of a series one by one. This is needed if the tile has promised an
 * acknowledgement (sim_niu_promise()). If the receipt of a message comes back after *done_ps, sets
 * *done_ps to the time of the last receipt. Returns the time at which the last byte of the last
 * message leaves. */
static int64_t inject_each(const struct stage *stage, const struct packed_target *targets,
	const struct pipe_series *series, const struct noc_message *message, int64_t *done_ps)
{
	const struct device *device = stage->device;
	int64_t ready_ps = series->ready_ps, back_ps;
	struct injection injection = {0};

	for (uint32_t i = 0; i < series->count; i++, ready_ps += series->pace_ps) {
		injection = sim_noc_inject_message(sim_own_tile(stage), ready_ps, message);
		back_ps = injection.sent_ps + round_trip_ps(device, stage->tile, targets[i].tile);
		if (back_ps > *done_ps)
			*done_ps = back_ps;
	}
	return injection.sent_ps;
}

/* Like inject_each(), but sends the whole series in one step. This is possible if the NIU sends
 * nothing else during the series. To find the last receipt, goes through the targets from the last
 * to the first. Stops when the receipts of all remaining targets certainly come back before
 * *done_ps. */
static int64_t inject_series(const struct stage *stage, const struct packed_target *targets,
	const struct pipe_series *series, const struct noc_message *message, int64_t *done_ps)
{
	const struct device *device = stage->device;
	struct pipe *pipe = &sim_own_tile(stage)->out;
	int64_t first_ps = pipe_pass_series(pipe, series), last_ps = 0;
	int64_t most_ps = sim_noc_round_trip_max_ps(device);

	pipe_wait(pipe, message->charge, CHARGE_WAIT_NOC);
	for (uint32_t i = series->count; i-- > 0;) {
		int64_t sent_ps = pipe_series_start_ps(series, first_ps, i) + message->transfer_ps;
		int64_t back_ps = sent_ps + round_trip_ps(device, stage->tile, targets[i].tile);

		if (i == series->count - 1)
			last_ps = sent_ps;
		else if (sent_ps + most_ps <= *done_ps)
			break;
		if (back_ps > *done_ps)
			*done_ps = back_ps;
	}
	return last_ps;
}

void sim_noc_write_packed(struct stage *stage, const struct packed_target *targets, uint32_t count,
	uint32_t address, uint32_t stride, struct span span, uint64_t pace)
{
	struct device *device = stage->device;
	struct cluster *cluster = device->cluster;
	const struct sim_timing *timing = &cluster->timing;
	struct noc_message message =
		sim_noc_message(timing, stride, timing->noc_injection_bytes_per_s, 0);
	int64_t pace_ps = sim_price_ps(timing, pace), done_ps = 0, sent_ps;
	struct pipe_series series = {engine_now() - ((int64_t)count - 1) * pace_ps, pace_ps,
		message.takes_ps, stride, count};
	struct flight *flight;

	ensure((uint64_t)count * stride <= span.length, "%u packed writes of %u B from %u B", count,
		stride, span.length);
	if (!is_bulk(device, targets, count, address)) {
		for (uint32_t i = 0; i < count; i++)
			sim_noc_write(stage, targets[i].tile, address,
				span_part(span, i * stride, stride));
		return;
	}
	if (count == 0)
		return;
	sent_ps = sim_own_tile(stage)->promised_ps != 0
			  ? inject_each(stage, targets, &series, &message, &done_ps)
			  : inject_series(stage, targets, &series, &message, &done_ps);
	flight = sim_flight_new(device);
	keep_targets(flight, targets, count);
	span_hold(span);
	flight->span = span;
	flight->address = address;
	flight->stride = stride;
	cluster->conservation.noc_sent_bytes += (uint64_t)count * stride;
	sim_operation_begin(cluster);
	cause_rest(CHARGE_NOC_INJECTION_RATE);
	engine_push(sent_ps, packed_event, flight, 0);
	stage->writes_posted += count;
	sim_task_writes_done_at(
		sim_task_of(stage), count, done_ps, cause_now(), CHARGE_NOC_LATENCY);
}

/* ---- multicast ---- */

static void noc_group_bulk_event(void *subject, uint64_t argument)
{
	struct flight *flight = subject;
	struct device *device = flight->device;
	const struct sim_multicast *multicast = flight->multicast;

	(void)argument;
	sim_layer_write(device, multicast, flight->address, flight->span);
	device->cluster->conservation.noc_delivered_bytes +=
		(uint64_t)multicast->count * flight->span.length;
	sim_flight_free(flight);
	sim_operation_end(device->cluster);
}

static void words_arrive(struct flight *flight, struct tile *tile)
{
	struct device *device = flight->device;
	int64_t at_ps = sim_noc_in_order(tile, flight->source, engine_now());

	if (at_ps > engine_now()) {
		device->cluster->conservation.noc_sent_bytes -= flight->span.length;
		sim_noc_bulk_at(tile, at_ps, flight->address, flight->span);
		return;
	}
	device->cluster->conservation.noc_delivered_bytes += flight->span.length;
	if (flight->span.length == sizeof(uint32_t))
		sim_tile_arrive_word(tile, flight->address, flight->length);
	else
		sim_tile_arrive(tile, flight->address, flight->span);
}

/* Prefetches all tiles that are at the same distance as tile `first` of the multicast. In a
 * simulation of 80,000 cores, tiles are seldom in the cache. */
static void prefetch(const struct flight *flight, uint32_t first)
{
	const struct sim_multicast *multicast = flight->multicast;
	uint32_t end = first;

	while (end < multicast->count && multicast->hops[end] == multicast->hops[first])
		sim_tile_fetch(&flight->device->tiles[multicast->tiles[end++]]);
	for (uint32_t i = first; i < end; i++) {
		const struct tile *tile = &flight->device->tiles[multicast->tiles[i]];

		__builtin_prefetch(tile->hot);
		__builtin_prefetch(tile->tasks);
		sim_tile_fetch_read(tile);
	}
	for (uint32_t i = first; i < end; i++) {
		const struct tile *tile = &flight->device->tiles[multicast->tiles[i]];

		if (tile->tasks != NULL) {
			__builtin_prefetch(tile->tasks->stage);
			__builtin_prefetch((const char *)tile->tasks->stage + CACHE_LINE);
			__builtin_prefetch((const char *)tile->tasks->stage + 2 * CACHE_LINE);
		}
	}
}

/* Handles the tiles at one distance, then schedules itself for the next distance. */
static void words_event(void *subject, uint64_t argument)
{
	struct flight *flight = subject;
	struct cluster *cluster = flight->device->cluster;
	const struct sim_multicast *multicast = flight->multicast;
	uint32_t i = flight->count;
	uint8_t hops = multicast->hops[i];

	(void)argument;
	prefetch(flight, i);
	for (; i < multicast->count && multicast->hops[i] == hops; i++)
		words_arrive(flight, &flight->device->tiles[multicast->tiles[i]]);
	if (i < multicast->count) {
		flight->count = i;
		cause_rest(CHARGE_NOC_HOP);
		engine_push(flight->head_ps + multicast->hops[i] * cluster->timing.noc_hop_ps,
			words_event, flight, 0);
		return;
	}
	sim_flight_free(flight);
	sim_operation_end(cluster);
}

/* Sends one part of a multicast. If `words` is set, it is the part that goes to the words of the
 * tiles; otherwise it is the part that goes to the memory above the words. Sets *wait to the charge
 * for the time that the part waits at the NIU. Returns the time at which all tiles have
 * acknowledged the part. */
static int64_t noc_group_multicast_part(struct stage *stage, const struct sim_multicast *multicast,
	uint32_t address, struct span span, bool words, enum charge *wait)
{
	struct device *device = stage->device;
	struct cluster *cluster = device->cluster;
	const struct sim_timing *timing = &cluster->timing;
	struct injection injection = sim_noc_inject(sim_own_tile(stage), span.length,
		timing->noc_multicast_bytes_per_s, timing->noc_multicast_ps);
	struct flight *flight = sim_flight_new(device);
	int64_t done_ps = injection.sent_ps + 2 * timing->noc_latency_ps +
			  multicast->round_trip * timing->noc_hop_ps +
			  multicast->count * timing->noc_acknowledge_ps;
	uint32_t value = 0;

	*wait = injection.wait;
	flight->multicast = multicast;
	flight->source = stage->tile;
	flight->address = address;
	span_hold(span);
	flight->span = span;
	flight->head_ps = injection.start_ps + timing->noc_latency_ps;
	if (words && span.length == sizeof value) {
		ensure(span_read(span, 0, sizeof value, &value) == STATUS_OK,
			"multicast of an elided word by stage %s", stage->ops->name);
		flight->length = value;
		if (cluster->options.cores != NULL &&
			sim_cores_take(stage, multicast, address, value, flight->head_ps)) {
			sim_flight_free(flight);
			return done_ps;
		}
	}
	cluster->conservation.noc_sent_bytes += (uint64_t)multicast->count * span.length;
	sim_operation_begin(cluster);
	if (words)
		sim_noc_charge_path(device,
			timing->noc_latency_ps + multicast->hops[0] * timing->noc_hop_ps, 1);
	else
		cause_charge(CHARGE_NOC_MULTICAST_RATE, injection.sent_ps - injection.start_ps);
	cause_rest(injection.wait);
	if (words)
		engine_push(flight->head_ps + multicast->hops[0] * timing->noc_hop_ps, words_event,
			flight, 0);
	else
		engine_push(injection.sent_ps, noc_group_bulk_event, flight, 0);
	return done_ps;
}

/* Returns the cause of the last acknowledgement, which arrives at `done_ps`. */
static cause_id noc_group_acknowledged(const struct sim_multicast *multicast,
	const struct stage *stage, uint64_t bytes, int64_t done_ps, enum charge wait)
{
	const struct device *device = stage->device;
	const struct sim_timing *timing = &device->cluster->timing;

	cause_charge(CHARGE_NOC_MULTICAST_RATE,
		server_transfer_ps(bytes, timing->noc_multicast_bytes_per_s));
	sim_noc_charge_path(
		device, 2 * timing->noc_latency_ps + multicast->round_trip * timing->noc_hop_ps, 2);
	cause_charge(CHARGE_NOC_ACKNOWLEDGE, multicast->count * timing->noc_acknowledge_ps);
	cause_rest(wait);
	return cause_take(done_ps);
}

void sim_noc_multicast(
	struct stage *stage, struct worker_rect rect, uint32_t address, struct span span)
{
	struct device *device = stage->device;
	const struct sim_multicast *multicast = sim_grid_multicast(device->grid, stage->tile, rect);
	uint32_t words = sim_words_part(&device->tiles[multicast->tiles[0]], address, span.length);
	enum charge wait = CHARGE_WAIT_NOC;
	int64_t done_ps = 0;

	if (words == 0 || words < span.length)
		done_ps = noc_group_multicast_part(stage, multicast, address + words,
			span_part(span, words, span.length - words), false, &wait);
	if (words > 0)
		done_ps = noc_group_multicast_part(
			stage, multicast, address, span_part(span, 0, words), true, &wait);
	stage->writes_posted += multicast->count;
	sim_task_writes_done_at(sim_task_of(stage), multicast->count, done_ps,
		noc_group_acknowledged(multicast, stage, span.length, done_ps, wait),
		CHARGE_WAIT_NOC);
}

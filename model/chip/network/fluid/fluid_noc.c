/* Network `fluid`: the NoC. A multicast consists of one communication to the middle of the chip,
 * and one from the middle to each tile. Atomic units are not SimGrid links: they serve increments
 * first come, first served, as in the other networks. */
#include "chip/machine/network.h"
#include "chip/noc/noc.h"
#include "chip/pcie/pcie.h"
#include "chip/tile/scheduler.h"
#include "chip/tile/tile.h"
#include "fluid.h"

static struct fluid_message *posted(struct stage *stage, fluid_arrive *arrive, uint32_t writes)
{
	struct fluid_message *message = sim_fluid_message(sim_own_tile(stage), arrive);

	sim_fluid_counts_as(message, stage, writes);
	return message;
}

static void take(struct fluid_message *message, uint32_t address, struct span span)
{
	span_hold(span);
	message->span = span;
	message->address = address;
	message->length = span.length;
}

static void sent(const struct stage *stage, uint64_t bytes)
{
	stage->device->cluster->conservation.noc_sent_bytes += bytes;
}

static bool is_bank(const struct tile *tile)
{
	return tile->word_bytes == 0;
}

/* Number of bytes of a message at a tile. DRAM banks do not process NoC headers. */
static uint64_t bytes_at(const struct tile *tile, uint64_t bytes)
{
	return is_bank(tile) ? bytes : sim_fluid_noc_bytes(tile->device->cluster, bytes);
}

/* A short request keeps the tile's DRAM bank busy for longer than the transfer of its bytes takes.
 * The links of the path are then free for other messages before the bank is. Returns the time that
 * the bank needs for such a request. Returns 0 if the tile has no bank, or if the transfer takes at
 * least as long. */
static int64_t bank_ps(const struct tile *tile, uint64_t bytes, uint64_t bytes_per_s)
{
	int64_t request_ps = tile->device->cluster->timing.dram_request_ps;

	return is_bank(tile) && server_transfer_ps(bytes, bytes_per_s) < request_ps ? request_ps
										    : 0;
}

/* ---- arrivals ---- */

static void delivered(const struct tile *to, uint64_t bytes)
{
	to->device->cluster->conservation.noc_delivered_bytes += bytes;
}

static void arrive(struct tile *to, uint32_t address, struct span span)
{
	delivered(to, span.length);
	sim_tile_arrive(to, address, span);
}

void sim_fluid_noc_written(struct fluid_part *part)
{
	const struct fluid_message *message = part->message;

	part->to->in.bytes += message->length;
	part->to->in.messages++;
	arrive(part->to, message->address, message->span);
}

void sim_fluid_noc_word_written(struct fluid_part *part)
{
	delivered(part->to, sizeof part->message->value);
	sim_tile_arrive_word(part->to, part->message->address, part->message->value);
}

static void incremented(struct fluid_part *part)
{
	delivered(part->to, sizeof part->message->value);
	sim_tile_increment(part->to, part->message->address, part->message->value, TILE_ANY);
}

static void packed_written(struct fluid_part *part)
{
	const struct fluid_message *message = part->message;

	arrive(part->to, message->address,
		span_part(message->span, part->index * message->length, message->length));
}

static void multicast_arrived(struct fluid_part *part)
{
	arrive(part->to, part->message->address, part->message->span);
}

static void multicast_bulk_arrived(struct fluid_part *part)
{
	const struct fluid_message *message = part->message;
	struct device *device = message->source->device;

	device->cluster->conservation.noc_delivered_bytes +=
		(uint64_t)message->multicast->count * message->length;
	sim_layer_write(device, message->multicast, message->address, message->span);
}

static void read_answered(struct fluid_part *part)
{
	const struct fluid_message *message = part->message;

	delivered(part->to, message->length);
	part->to->in.bytes += message->length;
	part->to->in.messages++;
	sim_tile_copy(part->to, message->local_address, message->source, message->address,
		message->length);
	sim_task_read_done(message->task);
}

/* Called when a read request has arrived. Sends the data. */
static void fluid_noc_read_arrived(struct fluid_part *request)
{
	const struct fluid_message *asked = request->message;
	struct tile *from = request->to;
	const struct sim_timing *timing = &from->device->cluster->timing;
	struct fluid_message *data = sim_fluid_message(from, read_answered);

	data->task = asked->task;
	data->address = asked->address;
	data->local_address = asked->local_address;
	data->length = asked->length;
	sim_fluid_send(sim_fluid_part(data, asked->source, 0, bytes_at(from, asked->length)),
		(is_bank(from) ? timing->dram_latency_ps : timing->noc_read_ps) +
			sim_fluid_hops_ps(from, asked->source));
}

/* ---- entries of the table of device.h ---- */

static void send_behind(struct fluid_message *message, struct tile *to, uint32_t index,
	uint32_t bytes, int64_t delay_ps)
{
	const struct sim_timing *timing = &to->device->cluster->timing;
	struct fluid_part *part = sim_fluid_part(message, to, index, bytes_at(to, bytes));

	part->bank_ps = message->arrive == fluid_noc_read_arrived
				? bank_ps(to, message->length, timing->dram_read_bytes_per_s)
				: bank_ps(to, bytes, timing->dram_write_bytes_per_s);
	sim_fluid_send(part, delay_ps + sim_fluid_hops_ps(message->source, to));
}

static void send_to(struct fluid_message *message, struct tile *to, uint32_t index, uint32_t bytes)
{
	uint64_t rate = to->device->cluster->timing.noc_injection_bytes_per_s;

	send_behind(message, to, index, bytes, sim_fluid_issue_ps(message->source, bytes, rate, 0));
}

void sim_fluid_noc_write(struct stage *stage, uint16_t tile, uint32_t address, struct span span)
{
	struct fluid_message *message = posted(stage, sim_fluid_noc_written, 1);

	take(message, address, span);
	sent(stage, span.length);
	send_to(message, sim_tile(stage->device, tile), 0, span.length);
}

void sim_fluid_noc_write_packed(struct stage *stage, const struct packed_target *targets,
	uint32_t count, uint32_t address, uint32_t stride, struct span span, uint64_t pace)
{
	struct fluid_message *message;

	(void)pace;
	ensure((uint64_t)count * stride <= span.length, "%u packed writes of %u B from %u B", count,
		stride, span.length);
	if (count == 0)
		return;
	message = posted(stage, packed_written, count);
	take(message, address, span);
	message->length = stride;
	sent(stage, (uint64_t)count * stride);
	for (uint32_t i = 0; i < count; i++)
		send_to(message, sim_tile(stage->device, targets[i].tile), i, stride);
}

static void fluid_noc_send_word(struct stage *stage, fluid_arrive *effect, struct tile *to,
	uint32_t address, uint32_t value)
{
	struct fluid_message *message = posted(stage, effect, 1);

	ensure(address % 4 == 0 && address < to->word_bytes,
		"word at 0x%x of tile %u of chip %u, which has %u B of words", address, to->number,
		to->device->number, to->word_bytes);
	message->address = address;
	message->value = value;
	sent(stage, sizeof value);
	send_to(message, to, 0, sizeof value);
}

void sim_fluid_noc_write_word(struct stage *stage, uint16_t tile, uint32_t address, uint32_t value)
{
	fluid_noc_send_word(
		stage, sim_fluid_noc_word_written, sim_tile(stage->device, tile), address, value);
}

void sim_fluid_noc_increment(struct stage *stage, uint16_t tile, uint32_t address, uint32_t delta)
{
	fluid_noc_send_word(stage, incremented, sim_tile(stage->device, tile), address, delta);
}

void sim_fluid_noc_write_counted(struct stage *stage, uint16_t tile, uint32_t address,
	struct span span, uint32_t word, uint32_t delta)
{
	sim_fluid_noc_write(stage, tile, address, span);
	sim_fluid_noc_increment(stage, tile, word, delta);
}

void sim_fluid_noc_read(struct stage *stage, uint16_t tile, uint32_t address, uint32_t length,
	uint32_t local_address)
{
	struct fluid_message *message =
		sim_fluid_message(sim_own_tile(stage), fluid_noc_read_arrived);

	stage->reads_posted++;
	sent(stage, length);
	message->task = sim_task_of(stage);
	message->address = address;
	message->local_address = local_address;
	message->length = length;
	send_behind(message, sim_tile(stage->device, tile), 0, sizeof(uint32_t),
		sim_fluid_request_ps(stage));
}

/* ---- multicast ---- */

/* Called when the multicast has reached the middle of the chip. Sends it on to each tile. */
static void spread_event(void *subject, uint64_t argument)
{
	struct fluid_part *part = subject;
	const struct fluid_message *message = part->message;
	const struct sim_multicast *multicast = message->multicast;
	struct device *device = message->source->device;
	struct fluid_flow *flows =
		sim_fluid_of(device->cluster)->flows[message->source - device->cluster->tiles];

	(void)argument;
	for (uint32_t i = 0; i < multicast->count; i++) {
		part = flows[multicast->tiles[i]].first;
		while (part->message != message)
			part = part->next;
		sim_fluid_send_on(part, multicast->hops[i] * device->cluster->timing.noc_hop_ps);
	}
}

static void fluid_noc_leave_event(void *subject, uint64_t bytes)
{
	struct fluid_part *part = subject;
	const struct tile *source = part->message->source;
	struct device *device = source->device;
	struct transfer transfer = {
		sim_fluid_endpoint(source), sim_fluid_chip(device->cluster, device->number), bytes};

	cause_rest(CHARGE_NOC_MULTICAST_RATE);
	engine_transfer(&transfer, spread_event, part, 0);
}

/* Sends either the part of a multicast that lies in the words, or the part above them. */
static void fluid_noc_multicast_part(struct stage *stage, const struct sim_multicast *multicast,
	uint32_t address, struct span span, bool words)
{
	struct device *device = stage->device;
	const struct sim_timing *timing = &device->cluster->timing;
	struct fluid_message *message =
		posted(stage, words ? multicast_arrived : multicast_bulk_arrived, multicast->count);
	uint64_t bytes = sim_fluid_noc_bytes(device->cluster, span.length);
	double slower = (double)timing->noc_injection_bytes_per_s /
			(double)timing->noc_multicast_bytes_per_s;
	struct fluid_part *first = NULL;
	int64_t delay_ps = sim_fluid_issue_ps(message->source, span.length,
		timing->noc_multicast_bytes_per_s, timing->noc_multicast_ps);

	take(message, address, span);
	message->multicast = multicast;
	message->together = !words;
	sent(stage, (uint64_t)multicast->count * span.length);
	for (uint32_t i = 0; i < multicast->count; i++) {
		struct fluid_part *part =
			sim_fluid_part(message, &device->tiles[multicast->tiles[i]], i, bytes);

		if (first == NULL)
			first = part;
	}
	cause_rest(CHARGE_WAIT_NOC);
	engine_push(engine_now() + delay_ps, fluid_noc_leave_event, first,
		(uint64_t)((double)bytes * (slower > 1 ? slower : 1)));
}

void sim_fluid_noc_multicast(
	struct stage *stage, struct worker_rect rect, uint32_t address, struct span span)
{
	struct device *device = stage->device;
	const struct sim_multicast *multicast = sim_grid_multicast(device->grid, stage->tile, rect);
	uint32_t words = sim_words_part(&device->tiles[multicast->tiles[0]], address, span.length);

	if (words == 0 || words < span.length)
		fluid_noc_multicast_part(stage, multicast, address + words,
			span_part(span, words, span.length - words), false);
	if (words > 0)
		fluid_noc_multicast_part(
			stage, multicast, address, span_part(span, 0, words), true);
}

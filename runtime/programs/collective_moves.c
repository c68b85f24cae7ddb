/* Computes the moves of each core of a collective, and writes them as arguments. A move contains
 * the pages that the core sends and their destination. */
#include <stdlib.h>

#include "base/allocate.h"
#include "base/refuse.h"
#include "collective_private.h"
#include "mesh/program.h"

/* A range of pages within an item or within half an item. */
struct pages {
	uint32_t first, count;
};

static struct pages half_of(const struct collective *pages, struct pages item, uint32_t half)
{
	uint32_t first = (uint32_t)collective_half(pages, item.count);

	return half == 0 ? (struct pages){item.first, first}
			 : (struct pages){item.first + first, item.count - first};
}

static struct pages collective_moves_part_of(const struct collective *pages, uint32_t device)
{
	struct collective_part part = collective_part(pages, device);

	return (struct pages){(uint32_t)part.first, (uint32_t)part.elements};
}

/* Returns the device that is `steps` away in the core's direction; if `backward` is set, in the
 * opposite direction. On a line, this device may not exist. */
static uint32_t collective_moves_device_at(
	const struct core_job *job, uint32_t steps, bool backward)
{
	uint32_t count = job->config->device_count;
	bool up = (job->direction == COLLECTIVE_UP) != backward;

	return (job->place + (up ? steps : count - steps)) % count;
}

static bool collective_moves_is_there(const struct core_job *job, uint32_t steps, bool backward)
{
	uint32_t count = job->config->device_count;
	bool up = (job->direction == COLLECTIVE_UP) != backward;

	if (steps >= count)
		return false;
	return job->config->ring || (up ? job->place + steps < count : job->place >= steps);
}

static enum collective_direction backward_of(const struct core_job *job)
{
	return job->direction == COLLECTIVE_UP ? COLLECTIVE_DOWN : COLLECTIVE_UP;
}

/* Returns the number of the core's first chunk. Chunks are assigned to the links in turn, and the
 * chunks of a link are assigned to the link's cores in turn. */
static uint32_t first_chunk(const struct core_job *job)
{
	return job->link + job->config->links * job->worker;
}

/* Returns how many of the chunks of `pages` pages belong to the core. */
static uint32_t chunks_of(const struct core_job *job, uint32_t pages)
{
	uint32_t each = collective_chunk_pages(job->config), lanes = collective_lanes(job->config);
	uint32_t chunks = (pages + each - 1) / each;

	return chunks / lanes + (first_chunk(job) < chunks % lanes);
}

/* ---- words ---- */

static void collective_moves_add_word(struct core_job *job, uint32_t word)
{
	if (job->words->count < job->words->most)
		job->words->words[job->words->count++] = word;
	else if (job->status == STATUS_OK)
		job->status = refuse(job->why, STATUS_NO_SPACE,
			"a collective of %u devices has more moves than the %u words of a core's "
			"table hold",
			job->config->device_count, job->words->most);
}

static void add_move(struct core_job *job, const uint32_t move[MOVE_WORDS])
{
	if (chunks_of(job, move[MOVE_PAGES]) == 0)
		return;
	for (uint32_t i = 0; i < MOVE_WORDS; i++)
		collective_moves_add_word(job, move[i]);
	job->words->words[HEAD_MOVES]++;
}

/* Adds a route along `devices`, which are on the first line, and the corresponding routes on all
 * further lines. Returns the number of the route. All lines run the same programs, so the number
 * must be the same on all lines. If the numbers differ, sets job->status to UNSUPPORTED. */
static uint32_t route_of_lines(struct core_job *job, struct route_config *config, uint32_t *devices)
{
	uint32_t first = 0, number = 0;

	for (uint32_t line = 0; job->status == STATUS_OK; line++) {
		job->status = program_add_route(job->program, config, job->why, &number);
		first = line == 0 ? number : first;
		if (job->status == STATUS_OK && number != first)
			job->status = refuse(job->why, STATUS_UNSUPPORTED,
				"device %u knows a route as %u, and its like as %u", devices[0],
				number, first);
		if (line + 1 >= job->config->lines)
			break;
		for (uint32_t i = 0; i < config->count; i++)
			devices[i] += job->config->line_step;
	}
	return first;
}

/* Adds a route of `hops` hops, forward or backward. */
static uint32_t route(struct core_job *job, uint32_t hops, bool backward)
{
	uint32_t *devices, number,
		columns = job->config->columns,
		end = job->config->devices[collective_moves_device_at(job, hops, backward)];
	struct route_config config = {.count = hops + 1,
		.round = job->config->ring && hops > 1,
		.link = (uint8_t)job->link};

	if (job->status != STATUS_OK)
		return 0;
	if (columns > 0)
		config.count =
			1 + route_across(columns, job->config->devices[job->place], end, NULL);
	config.devices = devices = allocate(config.count, sizeof(*devices));
	for (uint32_t i = 0; i <= hops && columns == 0; i++)
		devices[i] = job->config->devices[collective_moves_device_at(job, i, backward)];
	if (columns > 0) {
		devices[0] = job->config->devices[job->place];
		(void)route_across(columns, devices[0], end, devices + 1);
	}
	number = route_of_lines(job, &config, devices);
	free(devices);
	return number;
}

/* ---- data for all devices ---- */

/* Returns true if the first half of an item ends at this device, but the second half is forwarded.
 * The core then needs a move for the first half, too, in which it only waits. It knows just the
 * number of chunks that have arrived, and the chunks of the first half come first. */
static bool ends_before_other(const struct core_job *job, const struct collective *pages,
	uint32_t source, uint32_t away, uint32_t half)
{
	return half == 0 && away > 0 &&
	       away == collective_reach(pages, source, job->direction, 0) &&
	       away < collective_reach(pages, source, job->direction, 1);
}

/* An item is the pages that one device, its source, sends to all other devices. Adds the moves by
 * which this device sends an item to the next device. The source is `away` steps behind this
 * device; if `away` is 0, this device is the source. Also counts the chunks of the item that arrive
 * here. */
static void pass_on(struct core_job *job, const struct collective *pages, uint32_t away,
	struct pages item, bool from_input, uint32_t flags)
{
	const struct collective_places *places = job->places;
	uint32_t source = collective_moves_device_at(job, away, true);

	for (uint32_t half = 0; half < 2; half++) {
		uint32_t reach = collective_reach(pages, source, job->direction, half);
		struct pages run = half_of(pages, item, half);
		bool sends = away < reach;
		uint32_t move[MOVE_WORDS] = {[MOVE_FLAGS] = flags | (sends ? MOVE_SEND : 0u) |
							    (away > 0 ? MOVE_AFTER_DATA : 0u),
			[MOVE_PAGES] = run.count,
			[MOVE_FROM_AT] = from_input ? places->input_at : places->output_at,
			[MOVE_FROM] = from_input ? run.first - item.first : run.first,
			[MOVE_TO_AT] = places->output_at,
			[MOVE_TO] = run.first,
			[MOVE_KEPT] = run.first};

		if (away > 0 && away <= reach)
			job->words->words[HEAD_DATA] += chunks_of(job, run.count);
		if (sends)
			move[MOVE_ROUTE] = route(job, 1, false);
		if (sends || (flags & MOVE_KEEP) ||
			ends_before_other(job, pages, source, away, half))
			add_move(job, move);
	}
}

static void collective_moves_gather(
	struct core_job *job, const struct collective *pages, bool of_parts)
{
	for (uint32_t away = 0; collective_moves_is_there(job, away, true); away++) {
		uint32_t source = collective_moves_device_at(job, away, true);
		struct pages item =
			of_parts ? collective_moves_part_of(pages, source)
				 : (struct pages){source * job->config->pages, job->config->pages};
		uint32_t flags = 0;

		if (away == 0 && of_parts)
			flags = MOVE_AFTER_FINAL;
		else if (away == 0 && job->direction == COLLECTIVE_UP)
			flags = MOVE_KEEP;
		pass_on(job, pages, away, item, away == 0 && !of_parts, flags);
	}
}

static void broadcast(struct core_job *job, const struct collective *pages)
{
	struct pages item = {0, job->config->pages};

	for (uint32_t away = 0; collective_moves_is_there(job, away, true); away++)
		if (collective_moves_device_at(job, away, true) == job->config->root)
			pass_on(job, pages, away, item, away == 0,
				away == 0 && job->direction == COLLECTIVE_UP ? MOVE_KEEP : 0);
}

/* ---- all to all ---- */

static void exchange_half(
	struct core_job *job, const struct collective *pages, uint32_t away, uint32_t half)
{
	uint32_t target = collective_moves_device_at(job, away, false);
	struct pages part = collective_moves_part_of(pages, target),
		     run = half_of(pages, part, half);

	if (away > collective_reach(pages, job->place, job->direction, half))
		return;
	add_move(job, (uint32_t[MOVE_WORDS]){[MOVE_FLAGS] = MOVE_SEND,
			      [MOVE_PAGES] = run.count,
			      [MOVE_FROM_AT] = job->places->input_at,
			      [MOVE_FROM] = run.first,
			      [MOVE_TO_AT] = job->places->output_at,
			      [MOVE_TO] = job->place * part.count + run.first - part.first,
			      [MOVE_ROUTE] = route(job, away, false)});
}

static void exchange(struct core_job *job, const struct collective *pages)
{
	struct pages own = collective_moves_part_of(pages, job->place);

	if (job->direction == COLLECTIVE_UP)
		for (uint32_t half = 0; half < 2; half++) {
			struct pages run = half_of(pages, own, half);

			add_move(job, (uint32_t[MOVE_WORDS]){[MOVE_FLAGS] = MOVE_KEEP,
					      [MOVE_PAGES] = run.count,
					      [MOVE_FROM_AT] = job->places->input_at,
					      [MOVE_FROM] = run.first,
					      [MOVE_KEPT] = job->place * own.count + run.first -
							    own.first});
		}
	for (uint32_t away = 1; away < pages->devices; away++)
		for (uint32_t half = 0; half < 2; half++) {
			if (collective_moves_is_there(job, away, false))
				exchange_half(job, pages, away, half);
			if (collective_moves_is_there(job, away, true) &&
				away <= collective_reach(pages,
						collective_moves_device_at(job, away, true),
						job->direction, half))
				job->words->words[HEAD_DATA] +=
					chunks_of(job, half_of(pages, own, half).count);
		}
}

/* ---- sums on their way to one device ---- */

/* Returns the number of the first page that holds the sums for the pages `run` in the buffer of
 * sums. The sums of the two directions are in different pages. */
static uint32_t sums_of(
	const struct core_job *job, struct pages run, enum collective_direction direction)
{
	return run.first + (direction == COLLECTIVE_UP ? 0 : job->config->pages);
}

/* Adds a move for one half of a part of the result. The owner of the part is `away` steps ahead of
 * this device. The move adds this device's input to the sums that have arrived from the device
 * behind, if there are any, and sends the result one step ahead. */
static void add_on(
	struct core_job *job, const struct collective *pages, uint32_t away, uint32_t half)
{
	uint32_t owner = collective_moves_device_at(job, away, false);
	struct pages run = half_of(pages, collective_moves_part_of(pages, owner), half);
	uint32_t reach = collective_sums_reach(pages, owner, backward_of(job), half);
	bool ends = away == 1 && job->direction == COLLECTIVE_DOWN;
	uint32_t move[MOVE_WORDS] = {
		[MOVE_FLAGS] = MOVE_SEND | (away < reach ? MOVE_AFTER_DATA | MOVE_ADD_NEAR : 0u) |
			       (ends ? MOVE_SAY_CROSS : 0u),
		[MOVE_PAGES] = run.count,
		[MOVE_FROM_AT] = job->places->input_at,
		[MOVE_FROM] = run.first,
		[MOVE_TO_AT] = job->places->sums_at,
		[MOVE_TO] = sums_of(job, run, job->direction),
		[MOVE_NEAR] = sums_of(job, run, job->direction)};

	if (away > reach)
		return;
	if (away < reach)
		job->words->words[HEAD_DATA] += chunks_of(job, run.count);
	move[MOVE_ROUTE] = route(job, 1, false);
	add_move(job, move);
}

/* Adds the move for one half of the device's own part. The move takes the device's input, adds the
 * sums that have come from below and the sums that have come from above, and writes the result to
 * the output. Only the core that sends up gets this move. */
static void add_own(struct core_job *job, const struct collective *pages, uint32_t half)
{
	struct pages part = collective_moves_part_of(pages, job->place),
		     run = half_of(pages, part, half);
	bool all = job->config->op == COLLECTIVE_ALL_REDUCE;
	bool below = collective_sums_reach(pages, job->place, COLLECTIVE_DOWN, half) > 0;
	bool above = collective_sums_reach(pages, job->place, COLLECTIVE_UP, half) > 0;
	uint32_t *words = job->words->words, chunks = chunks_of(job, run.count);

	if (all)
		words[HEAD_FINAL] += chunks;
	if (job->direction != COLLECTIVE_UP)
		return;
	if (below)
		words[HEAD_DATA] += chunks;
	if (above)
		words[HEAD_CROSS] += chunks;
	add_move(job, (uint32_t[MOVE_WORDS]){
			      [MOVE_FLAGS] = MOVE_KEEP | (all ? MOVE_FINAL : 0u) |
					     (below ? MOVE_AFTER_DATA | MOVE_ADD_NEAR : 0u) |
					     (above ? MOVE_AFTER_CROSS | MOVE_ADD_CROSS : 0u),
			      [MOVE_PAGES] = run.count,
			      [MOVE_FROM_AT] = job->places->input_at,
			      [MOVE_FROM] = run.first,
			      [MOVE_KEPT] = run.first - (all ? 0 : part.first),
			      [MOVE_NEAR] = sums_of(job, run, COLLECTIVE_UP),
			      [MOVE_CROSS] = sums_of(job, run, COLLECTIVE_DOWN)});
}

/* Adds the moves that send sums, and then those that finish the device's own part. The part of the
 * farthest device comes first, so that no device waits for more than one part. */
static void reduce(struct core_job *job, const struct collective *pages)
{
	for (uint32_t away = pages->devices - 1; away > 0; away--)
		for (uint32_t half = 0; half < 2 && collective_moves_is_there(job, away, false);
			half++)
			add_on(job, pages, away, half);
	for (uint32_t half = 0; half < 2; half++)
		add_own(job, pages, half);
}

/* ---- all collectives ---- */

/* Returns true if `source` sends directly to the device `away` steps ahead. */
static bool sends_to(const struct core_job *job, uint32_t source, uint32_t away)
{
	struct collective pages = collective_of_pages(job->config);

	return away <= collective_reach(&pages, source, job->direction, 0) ||
	       away <= collective_reach(&pages, source, job->direction, 1);
}

/* Counts the devices to which this core sends. Adds a route to each device that sends to this core.
 * Over these routes, the core signals that it is running. */
static void collective_moves_greet(struct core_job *job)
{
	bool far = job->config->op == COLLECTIVE_ALL_TO_ALL;
	uint32_t end = far ? job->config->device_count : 2, *words = job->words->words;

	for (uint32_t away = 1; away < end; away++) {
		if (collective_moves_is_there(job, away, false) && sends_to(job, job->place, away))
			words[HEAD_READY]++;
		if (!collective_moves_is_there(job, away, true) ||
			!sends_to(job, collective_moves_device_at(job, away, true), away))
			continue;
		collective_moves_add_word(job, route(job, away, true));
		words[HEAD_ROUTES]++;
	}
}

enum status collective_moves(struct core_job *job)
{
	struct collective pages = collective_of_pages(job->config);

	job->words->count = 0;
	job->status = STATUS_OK;
	for (uint32_t i = 0; i < HEAD_WORDS; i++)
		collective_moves_add_word(job, i == HEAD_FIRST ? first_chunk(job) : 0);
	switch (job->config->op) {
	case COLLECTIVE_ALL_GATHER:
		collective_moves_gather(job, &pages, false);
		break;
	case COLLECTIVE_BROADCAST:
		broadcast(job, &pages);
		break;
	case COLLECTIVE_ALL_TO_ALL:
		exchange(job, &pages);
		break;
	case COLLECTIVE_REDUCE_SCATTER:
		reduce(job, &pages);
		break;
	default:
		reduce(job, &pages);
		collective_moves_gather(job, &pages, true);
		break;
	}
	collective_moves_greet(job);
	return job->status;
}

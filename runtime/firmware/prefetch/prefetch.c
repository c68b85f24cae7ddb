/* The code that all prefetchers share: creation, placement, and the source of commands. */
#include "prefetch_private.h"

#include "base/ensure.h"

static enum status prefetch_place_as(struct tile_plan *plan, enum prefetch_role role, bool held,
	const struct firmware_limits *limits, struct prefetch_layout *layout)
{
	bool fetches = role != PREFETCH_ROLE_D, executes = role != PREFETCH_ROLE_H;
	enum status status = tile_plan_words(plan, 1, &layout->credit_word);

	if (status == STATUS_OK && fetches)
		status = tile_plan_words(plan, limits->fetch_entries, &layout->fetch_queue);
	if (status == STATUS_OK && fetches)
		status = tile_plan_bytes(plan, limits->fetch_ring_bytes, &layout->fetch_ring);
	if (status == STATUS_OK && !fetches)
		status = tile_plan_words(plan, 1, &layout->arrival_word);
	if (status == STATUS_OK)
		status = tile_plan_bytes(plan, limits->scratch_bytes, &layout->scratch);
	if (status != STATUS_OK || !executes)
		return status;
	status = tile_plan_bytes(plan, limits->cache_bytes, &layout->cache);
	if (status == STATUS_OK && held)
		status = tile_plan_words(plan, 1, &layout->held_word);
	else if (status == STATUS_OK)
		status = tile_plan_bytes(plan, limits->execute_ring_bytes, &layout->execute_ring);
	if (status == STATUS_OK)
		status = tile_plan_words(plan, 1, &layout->release_word);
	if (status == STATUS_OK)
		status = tile_plan_words(plan, 1, &layout->counterpart_word);
	return status;
}

enum status prefetch_place(struct tile_plan *plan, enum prefetch_role role,
	const struct firmware_limits *limits, struct prefetch_layout *layout)
{
	return prefetch_place_as(plan, role, false, limits, layout);
}

enum status prefetch_place_held(struct tile_plan *plan, const struct firmware_limits *limits,
	struct prefetch_layout *layout)
{
	return prefetch_place_as(plan, PREFETCH_ROLE_D, true, limits, layout);
}

static void prefetcher_fini(struct stage_base *base)
{
	fetch_fini(&prefetcher_of(base)->fetch);
}

struct prefetcher *prefetcher_new(const struct firmware *firmware,
	const struct prefetch_config *config, enum prefetch_role role, const struct stage_ops *ops)
{
	struct prefetcher *prefetcher = stage_new(sizeof *prefetcher, ops, firmware, config->place);

	prefetcher->config = *config;
	prefetcher->base.fini = prefetcher_fini;
	prefetcher->fetches = role != PREFETCH_ROLE_D;
	prefetcher->marks_received = !prefetcher->fetches && config->input.forward != NULL;
	prefetcher->marks_sent = role == PREFETCH_ROLE_H && config->output.forward != NULL;
	if (prefetcher->fetches)
		fetch_init(&prefetcher->fetch, &prefetcher->base,
			&(struct fetch_config){.fetch_queue = config->layout.fetch_queue,
				.fetch_ring = config->layout.fetch_ring,
				.issue_ring = config->issue_ring,
				.issue_ring_bytes = config->issue_ring_bytes,
				.read_word = config->read_word});
	else
		link_receiver_init(&prefetcher->input, &config->input);
	link_sender_init(&prefetcher->output, &prefetcher->base, &config->output);
	return prefetcher;
}

int64_t prefetcher_begin(struct prefetcher *prefetcher, struct stage_wait *wait)
{
	const struct stage *stage = &prefetcher->base.stage;

	reads_settle(prefetcher, stage->reads_done == stage->reads_posted);
	return stage_over(&prefetcher->base, wait);
}

static void fetch_plan(struct stage_base *base)
{
	fetch_commit(&prefetcher_of(base)->fetch, base);
}

int64_t prefetcher_host_begin(struct stage *stage, struct stage_wait *wait,
	int64_t (*next)(struct prefetcher *prefetcher, struct stage_wait *wait))
{
	struct prefetcher *prefetcher = (struct prefetcher *)stage;
	int64_t cost = prefetcher_begin(prefetcher, wait);
	struct fetch_leave leave;

	if (cost != 0)
		return cost;
	leave.mixed = prefetcher->mixed;
	leave.issue = !reads_closing(prefetcher) && !prefetcher->relay.executing;
	cost = fetch_begin(&prefetcher->fetch, &prefetcher->base, leave, fetch_plan);
	return cost != STAGE_BLOCKED ? cost : next(prefetcher, wait);
}

/* ---- commands ---- */

uint32_t commands_available(const struct prefetcher *prefetcher)
{
	if (prefetcher->fetches)
		return prefetcher->fetch.landed;
	return link_receiver_available(&prefetcher->input, &prefetcher->base.stage);
}

const struct ring *commands_ring(const struct prefetcher *prefetcher)
{
	return prefetcher->fetches ? &prefetcher->fetch.ring : &prefetcher->input.ring;
}

uint64_t commands_take_price(const struct prefetcher *prefetcher, uint32_t length)
{
	if (prefetcher->fetches)
		return 0;
	return link_receiver_take_price(&prefetcher->input, prefetcher->base.firmware, length);
}

void commands_take(struct prefetcher *prefetcher, uint32_t length)
{
	if (!prefetcher->fetches) {
		link_receiver_take(&prefetcher->input, &prefetcher->base.stage, length);
		return;
	}
	fetch_take(&prefetcher->fetch, length);
}

int64_t commands_block(const struct prefetcher *prefetcher, struct stage_wait *wait)
{
	bool idle = !prefetcher->relay.active && !prefetcher->relay.executing &&
		    prefetcher->forward.run_left == 0;

	if (!prefetcher->fetches)
		return block_on_arrival(wait, idle && commands_available(prefetcher) == 0,
			prefetcher->input.arrival_word, sizeof(uint32_t),
			"commands from the prefetcher upstream");
	if (!fetch_idle(&prefetcher->fetch, &prefetcher->base.stage))
		return block_on_tile(wait, false, "commands over PCIe");
	return block_on_tile(
		wait, idle && commands_available(prefetcher) == 0, "commands in the issue queue");
}

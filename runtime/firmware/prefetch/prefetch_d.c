/* prefetch_d: prefetch commands from a link, executed; dispatch commands to the dispatcher. Knows
 * no PCIe. */
#include "prefetch_private.h"

static void credits_commit(struct stage_base *base)
{
	link_receiver_return(&prefetcher_of(base)->input, &base->stage);
}

/* Credits over the fabric are a packet of their own; over the NoC they go with the taking. */
static int64_t credits_begin(struct prefetcher *prefetcher)
{
	const struct link_receiver *input = &prefetcher->input;
	const struct firmware_prices *price = &prefetcher->base.firmware->price;

	if (!link_receiver_owes(input) ||
		!device_row->fabric_ready(&prefetcher->base.stage, input->backward))
		return STAGE_BLOCKED;
	return stage_plan(&prefetcher->base,
		CHARGED(price, credit_return, 1) + CHARGED(price, fabric_send, 1), credits_commit);
}

static int64_t prefetch_d_begin(struct stage *stage, struct stage_wait *wait)
{
	struct prefetcher *prefetcher = (struct prefetcher *)stage;
	int64_t cost = prefetcher_begin(prefetcher, wait);

	if (cost != 0)
		return cost;
	cost = credits_begin(prefetcher);
	if (cost == STAGE_BLOCKED)
		cost = relay_begin(prefetcher, wait);
	/* Whatever else is missing: credits go first, or they might be what it waits for. */
	if (cost == STAGE_BLOCKED && link_receiver_owes(&prefetcher->input))
		return block_on_fabric(
			wait, prefetcher->input.backward, "the router, to return credits");
	return cost;
}

static const struct stage_ops prefetch_d_ops = STAGE_OPS("prefetch_d", prefetch_d_begin);

struct stage *prefetch_d_new(const struct firmware *firmware, const struct prefetch_config *config)
{
	return &prefetcher_new(firmware, config, PREFETCH_ROLE_D, &prefetch_d_ops)->base.stage;
}

/* The stage prefetch_d. Executes prefetch commands that arrive over a link, and sends dispatch
 * commands to the dispatcher. */
#include "prefetch_private.h"

static void credits_commit(struct stage_base *base)
{
	link_receiver_return(&prefetcher_of(base)->input, &base->stage);
}

static int64_t prefetch_d_begin(struct stage *stage, struct stage_wait *wait)
{
	struct prefetcher *prefetcher = (struct prefetcher *)stage;
	int64_t cost = prefetcher_begin(prefetcher, wait);

	if (cost != 0)
		return cost;
	cost = link_receiver_return_begin(&prefetcher->input, &prefetcher->base, credits_commit);
	if (cost == STAGE_BLOCKED)
		cost = relay_begin(prefetcher, wait);
	return cost != STAGE_BLOCKED ? cost : link_receiver_block(&prefetcher->input, wait);
}

static const struct stage_ops prefetch_d_ops = STAGE_OPS("prefetch_d", prefetch_d_begin);

struct stage *prefetch_d_new(const struct firmware *firmware, const struct prefetch_config *config)
{
	return &prefetcher_new(firmware, config, PREFETCH_ROLE_D, &prefetch_d_ops)->base.stage;
}

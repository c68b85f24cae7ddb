/* prefetch_hd: issue queue over PCIe, commands executed; dispatch commands to the dispatcher of the
 * same chip. */
#include "prefetch_private.h"

static int64_t prefetch_hd_begin(struct stage *stage, struct stage_wait *wait)
{
	struct prefetcher *prefetcher = (struct prefetcher *)stage;
	int64_t cost = prefetcher_begin(prefetcher, wait);

	if (cost != 0)
		return cost;
	cost = fetch_begin(prefetcher);
	return cost != STAGE_BLOCKED ? cost : relay_begin(prefetcher, wait);
}

static const struct stage_ops prefetch_hd_ops = STAGE_OPS("prefetch_hd", prefetch_hd_begin);

struct stage *prefetch_hd_new(const struct firmware *firmware, const struct prefetch_config *config)
{
	return &prefetcher_new(firmware, config, PREFETCH_ROLE_HD, &prefetch_hd_ops)->base.stage;
}

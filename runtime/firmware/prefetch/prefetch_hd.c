/* prefetch_hd: reads the issue queue over PCIe, executes commands, and sends dispatch commands to
 * the dispatcher of the same chip. */
#include "prefetch_private.h"

static int64_t prefetch_hd_begin(struct stage *stage, struct stage_wait *wait)
{
	return prefetcher_host_begin(stage, wait, relay_begin);
}

static const struct stage_ops prefetch_hd_ops = STAGE_OPS("prefetch_hd", prefetch_hd_begin);

struct stage *prefetch_hd_new(const struct firmware *firmware, const struct prefetch_config *config)
{
	return &prefetcher_new(firmware, config, PREFETCH_ROLE_HD, &prefetch_hd_ops)->base.stage;
}

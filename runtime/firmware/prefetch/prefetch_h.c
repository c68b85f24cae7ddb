/* prefetch_h: reads the issue queue over PCIe, and forwards the prefetch commands to the next stage
 * without executing them. */
#include "prefetch_private.h"

static int64_t prefetch_h_begin(struct stage *stage, struct stage_wait *wait)
{
	return prefetcher_host_begin(stage, wait, forward_begin);
}

static const struct stage_ops prefetch_h_ops = STAGE_OPS("prefetch_h", prefetch_h_begin);

struct stage *prefetch_h_new(const struct firmware *firmware, const struct prefetch_config *config)
{
	return &prefetcher_new(firmware, config, PREFETCH_ROLE_H, &prefetch_h_ops)->base.stage;
}

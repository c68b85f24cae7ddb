/* Quotas of chips, and the count `busy` of a cluster. A quota limits how many deliveries of a
 * chip's packets are in progress. So inboxes stay small, and firmware must wait as on a real
 * fabric. Each delivery comes to an end, because chips empty their inboxes even if their stages are
 * blocked. Deliveries in progress also count in `busy`: as long as `busy` is not 0, the cluster is
 * not at rest. */
#include "native_chip.h"

/* Maximum number of deliveries in progress for the packets of one chip. A packet with more
 * deliveries may be sent while the chip has no deliveries in progress. */
enum { FABRIC_QUOTA = 512 };

bool native_fabric_accepts(struct device *device, const struct fabric_tree *tree)
{
	uint32_t outgoing = __atomic_load_n(&device->outgoing, __ATOMIC_SEQ_CST);

	return outgoing == 0 || outgoing + tree->deliver_count <= FABRIC_QUOTA;
}

void native_quota_take(struct device *source, uint32_t count)
{
	__atomic_add_fetch(&source->outgoing, count, __ATOMIC_SEQ_CST);
}

/* Gives the quota of one delivery back to its source. Wakes the stages that wait for quota when
 * half of the quota is free, which is enough for most trees, and again when the whole quota is
 * free. */
void native_quota_return(struct device *source)
{
	uint32_t outgoing = __atomic_sub_fetch(&source->outgoing, 1, __ATOMIC_SEQ_CST);

	if (outgoing != FABRIC_QUOTA / 2 && outgoing != 0)
		return;
	if (__atomic_load_n(&source->fabric_waiter_count, __ATOMIC_SEQ_CST) > 0)
		native_inbox_returned(source);
}

void native_rest_release(struct cluster *cluster)
{
	if (__atomic_sub_fetch(&cluster->busy, 1, __ATOMIC_SEQ_CST) > 0)
		return;
	pthread_mutex_lock(&cluster->rest_lock);
	pthread_cond_broadcast(&cluster->rest_cond);
	pthread_mutex_unlock(&cluster->rest_lock);
}

/* Threads that poll together with the caller, see completion_parts.h. They shorten the caller's
 * wait. Both when they poll and when they are idle, they wait in the same way as the caller
 * (runtime.host.caller_wait). */
#include "completion_parts.h"

#include <stdlib.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "mesh/queue/job.h"
#include "world/pool.h"

struct polling {
	enum status (*poll)(void *arg, uint32_t share, uint32_t shares);
	void *arg;
	uint32_t shares;
	enum status status[MESH_POLLERS_MAX]; /* [share] status of the share's last poll */
};

uint32_t pollers_thread_count(const struct mesh_config *config, uint32_t devices)
{
	(void)devices;
	return config->host.pollers > 1 ? config->host.pollers - 1 : 0;
}

void pollers_start(struct mesh_device *mesh)
{
	uint32_t count = pollers_thread_count(&mesh->config, mesh->devices);
	struct affinity *where = allocate(count + 1, sizeof(*where));

	ensure(count < MESH_POLLERS_MAX, "%u pollers, at most %d", count + 1, MESH_POLLERS_MAX);
	for (uint32_t i = 0; i < count; i++)
		where[i] = host_threads_place(mesh);
	if (count > 0)
		mesh->pollers =
			pool_new("poller", count, where, mesh->config.host.caller_wait, POOL_OWN);
	free(where);
}

void pollers_stop(struct mesh_device *mesh)
{
	pool_free(mesh->pollers);
}

static void run_share(void *arg, uint32_t index)
{
	struct polling *polling = arg;
	uint32_t share = index + 1;

	polling->status[share] = polling->poll(polling->arg, share, polling->shares);
}

enum status pollers_run(struct mesh_device *mesh, uint32_t things,
	enum status (*poll)(void *arg, uint32_t share, uint32_t shares), void *arg)
{
	uint32_t others = mesh->pollers ? mesh->config.host.pollers - 1 : 0;
	struct polling polling = {.poll = poll, .arg = arg};
	struct pool_batch *batch;

	if (others >= things)
		others = things > 0 ? things - 1 : 0;
	if (others == 0)
		return poll(arg, 0, 1);
	polling.shares = others + 1;
	batch = pool_submit(mesh->pollers, others, run_share, &polling);
	polling.status[0] = poll(arg, 0, polling.shares);
	pool_wait(mesh->pollers, batch, mesh->config.host.caller_wait);
	for (uint32_t share = 0; share < polling.shares; share++)
		if (polling.status[share] != STATUS_OK)
			return polling.status[share];
	return STATUS_OK;
}

/* Forward path `unicast` (spec 3.10.2): the host sends every command to every device, by a loop or
 * by threads. Each device has an issue queue of its own. */
#include "forward_unicast.h"

#include "mesh/queue/host_threads.h"
#include "mesh/queue/job.h"
#include "rows.h"

static void run(void *arg, uint32_t device)
{
	job_run(arg, device);
}

static void done(void *arg)
{
	job_release(arg);
}

void forward_to_range(struct job *job, struct device_range range)
{
	struct mesh_device *mesh = job->queue->mesh;

	if (job->same && !mesh->config.host.threads->own_streams && job->shared == NULL)
		job->shared = job_stream(job, range_device(mesh, range, 0));
	job_hold(job);
	host_threads_post(mesh, range, run, done, job);
}

static void send(struct job *job)
{
	forward_to_range(job, job->range);
}

const struct forward_ops forward_unicast = {
	.entry = {.name = "unicast",
		.description = "host loop over devices: every device gets its own copy",
		.section = "3.10.2",
		.resources = "issue queue, prefetcher and dispatcher per device and queue"},
	.send = send,
};

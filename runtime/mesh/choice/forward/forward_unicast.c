/* The variant `unicast` of struct forward_ops (spec 3.10.2): the host sends every command to each
 * device separately, in a loop or from several threads. Each device has its own issue queue. */
#include "mesh/queue/job.h"
#include "mesh/choice/rows.h"

static void send(struct job *job)
{
	job_send_unicast(job, job->range);
}

const struct forward_ops forward_unicast = {
	.entry = {.name = "unicast",
		.description = "host loop over devices: every device gets its own copy",
		.section = "3.10.2",
		.resources = "issue queue, prefetcher and dispatcher per device and queue"},
	.send = send,
};

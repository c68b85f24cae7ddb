/* Go signals, either as commands of a launch or as separate jobs (spec 3.8.5, 3.10.2). Separate
 * jobs are used in three cases. First, for devices that run no program of the launch. Second, if
 * the launch sends its commands to the devices kind by kind (lowering_ops.breadth_first). Third, if
 * the launch is broadcast, and only its go signals are the same for all devices. */
#include "mesh/program/program.h"

struct goes_job {
	struct job job; /* must be the first member */
	struct launch_goes goes;
	uint8_t slot;
	bool barrier;
};

struct dispatch_command launch_go(const struct launch_goes *goes, uint32_t index, uint8_t slot)
{
	const struct launch_target *target = &goes->target[index];
	struct dispatch_command go = {.kind = DISPATCH_GO};

	go.flags = index > 0 ? DISPATCH_SAME_RUN : 0;
	go.go.group = (uint8_t)goes->sub_device;
	go.go.slot = slot;
	if (target->ethernet) {
		go.flags |= DISPATCH_TILE;
		go.go.tile = target->tile;
	} else {
		go.go.rect = target->rect;
	}
	return go;
}

uint32_t launch_goes_workers(const struct launch_goes *goes)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < goes->count; i++)
		count += goes->target[i].ethernet ? 1 : worker_rect_count(goes->target[i].rect);
	return count;
}

static struct command_stream *goes_stream(struct job *job, uint32_t device)
{
	const struct goes_job *own = (struct goes_job *)job;
	struct command_stream *stream = job_stream_slot(job, device);
	struct dispatch_command command = {.kind = DISPATCH_WAIT, .flags = DISPATCH_BARRIER};

	if (own->barrier)
		command_stream_dispatch(stream, &command);
	for (uint32_t i = 0; i < own->goes.count; i++) {
		command = launch_go(&own->goes, i, own->slot);
		command_stream_dispatch(stream, &command);
	}
	command_stream_finish(stream);
	return stream;
}

static const struct job_ops goes_ops = {.stream = goes_stream};

void launch_goes_send(struct command_queue *queue, struct device_range range,
	const struct launch_goes *goes, uint8_t slot, bool barrier, uint32_t operation)
{
	struct goes_job *job = job_new(sizeof(*job), &goes_ops, queue, range, operation);

	job->goes = *goes;
	job->slot = slot;
	job->barrier = barrier;
	job->job.same = job->job.uniform = job->job.names_tiles = true;
	job->job.launches = 1u << goes->sub_device;
	job_streams_prepare(&job->job);
	job_send(&job->job);
}

/* Sends small operations without data, for example events. Each operation consists of a few
 * dispatch commands, which are the same for every device. */
#include "mesh/queue/control.h"

#include "base/ensure.h"

struct control_job {
	struct job job; /* must be the first member */
	struct control control;
};

struct dispatch_command *control_add(
	struct control *control, enum dispatch_kind kind, uint8_t flags)
{
	struct dispatch_command *command = &control->commands[control->count];

	ensure(control->count < CONTROL_COMMANDS_MAX, "more than %d commands",
		CONTROL_COMMANDS_MAX);
	control->count++;
	*command = (struct dispatch_command){.kind = kind, .flags = flags};
	return command;
}

void control_add_workers(struct control *control, const struct mesh_device *mesh,
	uint32_t sub_devices, uint8_t flags)
{
	uint32_t left = sub_devices & mesh_sub_devices(mesh);

	control->waits |= left;
	if (left == 0 && flags != 0)
		control_add(control, DISPATCH_WAIT, flags);
	for (uint32_t i = 0; left != 0; i++, left >>= 1)
		if (left & 1)
			control_add(
				control, DISPATCH_WAIT, DISPATCH_WORKERS | (left == 1 ? flags : 0))
				->wait.group = (uint8_t)i;
}

static void control_add_word(
	struct control *control, uint16_t tile, uint32_t address, uint32_t value)
{
	struct dispatch_command *command = control_add(control, DISPATCH_WRITE_WORD, 0);

	command->write_word.tile = tile;
	command->write_word.address = address;
	command->write_word.value = value;
}

/* Every dispatcher has one word for each queue, in which the queue's events are reported. A queue's
 * dispatcher is on the same tile of every chip, so the commands are the same for all devices. */
void control_add_words(struct control *control, const struct command_queue *queue, uint32_t event)
{
	const struct mesh_device *mesh = queue->mesh;

	for (uint32_t other = 0; other < mesh->queue_count; other++) {
		const struct device_plan *plan = &mesh->plan.device[other * mesh->devices];
		uint32_t address = plan->dispatch_layout.event_words + 4 * queue->index;

		if (other == queue->index)
			continue;
		control_add_word(control, plan->dispatcher.tile, address, event);
		if (plan->dispatcher_m.chip != CHIP_NONE)
			control_add_word(control, plan->dispatcher_m.tile, address, event);
	}
}

void control_add_wait(struct control *control, const struct command_queue *recorded, uint32_t event)
{
	const struct dispatch_layout *layout = &recorded->mesh->plan.device[0].dispatch_layout;
	struct dispatch_command *command = control_add(control, DISPATCH_WAIT, DISPATCH_WORD);

	command->wait.address = layout->event_words + 4 * recorded->index;
	command->wait.value = event;
}

static struct command_stream *control_stream(struct job *job, uint32_t device)
{
	const struct control *control = &((struct control_job *)job)->control;
	struct command_stream *stream = job_stream_slot(job, device);

	if (job->creates)
		world->work(WORK_CREATE_OPERATION, 1);
	for (uint32_t i = 0; i < control->count; i++)
		command_stream_dispatch(stream, &control->commands[i]);
	if (control->prefetch.kind != 0)
		command_stream_prefetch(stream, &control->prefetch);
	command_stream_finish(stream);
	return stream;
}

static void control_expect(struct job *job, struct lane *lane)
{
	const struct control *control = &((struct control_job *)job)->control;
	const struct completion_ops *completion = job->queue->mesh->config.completion;

	if (control->to_host && completion->expect != NULL)
		completion->expect(lane, control->event);
}

static struct job *control_again(
	const struct job *job, struct command_queue *queue, uint32_t events, uint32_t operation);

static const struct job_ops control_ops = {
	.stream = control_stream, .expect = control_expect, .again = control_again};

static struct job *control_again(
	const struct job *job, struct command_queue *queue, uint32_t events, uint32_t operation)
{
	const struct control *captured = &((const struct control_job *)job)->control;
	const struct completion_ops *completion = queue->mesh->config.completion;
	struct control_job *made;

	if (!captured->to_host)
		return NULL;
	made = job_new(sizeof(*made), &control_ops, queue, job->range, operation);
	made->control.to_host = true;
	made->control.event = events + captured->event;
	if (completion->record != NULL)
		completion->record(queue, job->range, made->control.event);
	return &made->job;
}

/* The host's work of a call that records or waits for an event depends on the number of operations
 * that the call creates. Returns true if this is one for each device, and false if it is one for
 * all devices. */
static bool creates_events(const struct mesh_device *mesh)
{
	return mesh->config.host.create->scope == CREATE_PER_DEVICE &&
	       !mesh->config.forward.path->broadcasts;
}

void control_send(struct command_queue *queue, struct device_range range, uint32_t operation,
	const struct control *control)
{
	struct control_job *job = job_new(sizeof(*job), &control_ops, queue, range, operation);

	job->control = *control;
	job->job.same = true;
	/* a dispatcher that executes only broadcasts has no path to the host */
	job->job.uniform = !control->unicast &&
			   !(control->to_host && plan_splits_dispatchers(&queue->mesh->plan));
	job->job.any_order = control->any_order;
	job->job.for_order = control->for_order;
	job->job.to_host = control->to_host;
	job->job.waits = control->waits;
	job->job.creates = control->captured != CAPTURED_NOTHING && creates_events(queue->mesh);
	for (uint32_t i = 0; i < control->count; i++)
		job->job.names_tiles |= control->commands[i].kind == DISPATCH_WRITE_WORD ||
					control->commands[i].kind == DISPATCH_GO;
	job_streams_prepare(&job->job);
	if (control->captured != CAPTURED_NOTHING)
		job_enqueue(&job->job, control->captured);
	else
		job_send(&job->job);
}

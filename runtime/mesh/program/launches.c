/* Orders the launches from all queues of a mesh: assigns run numbers, launch slots and places in
 * the config ring. If the previous launch on a sub-device came from another queue, the devices
 * first wait until the launches of that queue on the sub-device are done. */
#include "mesh/program/launches.h"

#include "base/ensure.h"
#include "mesh/queue/control.h"

uint32_t launches_last(
	const struct mesh_device *mesh, uint32_t sub_device, struct device_range range)
{
	const struct launches *launches = &mesh->sub_devices[sub_device].launches;
	uint32_t count = device_range_count(range), least = launches->run;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t last = launches->last[range_device(mesh, range, i)];

		if ((int32_t)(last - least) < 0)
			least = last;
	}
	return least;
}

void launches_started(struct mesh_device *mesh, uint32_t sub_device)
{
	struct launches *launches = &mesh->sub_devices[sub_device].launches;

	launches->started = launches->run;
}

static struct dispatch_command launch_set_run(const struct mesh_device *mesh, uint32_t sub_device)
{
	struct dispatch_command command = {.kind = DISPATCH_SET_RUN};

	command.set_run.group = (uint8_t)sub_device;
	command.set_run.run = mesh->sub_devices[sub_device].launches.run & 0xffff;
	return command;
}

static void add_set_run(
	struct control *control, const struct mesh_device *mesh, uint32_t sub_device)
{
	*control_add(control, DISPATCH_SET_RUN, 0) = launch_set_run(mesh, sub_device);
	control->waits |= 1u << sub_device;
}

/* Hands the sequence of a sub-device's launches over from queue `from`, which launched last, to
 * `queue`. `from` records an event after the workers of this sub-device are done. `queue` waits for
 * the event, and then sets the number of the last run. No queue waits for other sub-devices. */
static void take_over(struct command_queue *queue, struct command_queue *from, uint32_t sub_device)
{
	struct mesh_device *mesh = queue->mesh;
	struct device_range all = device_range_all(mesh->plan.mesh.shape);
	uint32_t event = ++mesh->next_event;
	struct control leave = {.count = 0}, enter = {.count = 0};

	control_add_workers(&leave, mesh, 1u << sub_device, DISPATCH_BARRIER);
	control_add_words(&leave, from, event);
	control_send(from, all, 0, &leave);
	control_add_wait(&enter, from, event);
	add_set_run(&enter, mesh, sub_device);
	control_send(queue, all, 0, &enter);
}

/* Called for the first queue that launches on a sub-device after the mesh was divided. Sends the
 * number of the last run to the queue's dispatchers. They need it although all earlier launches are
 * done, because each worker continues from the last run that it has seen. */
static void begin_at(struct command_queue *queue, uint32_t sub_device)
{
	struct control control = {.count = 0};

	add_set_run(&control, queue->mesh, sub_device);
	control_send(queue, device_range_all(queue->mesh->plan.mesh.shape), 0, &control);
}

/* Sends a go signal without a launch to a rectangle of workers, or to an Ethernet core. If `first`
 * is set, the signal begins a new run, and dispatchers send it only when all earlier launches of
 * the sub-device are done. Otherwise the signal belongs to the same run as the previous go signal.
 */
static void catch_up_target(struct command_queue *queue, uint32_t sub_device,
	const struct launch_target *target, bool first)
{
	struct launch_goes goes = {sub_device, 1, target};
	struct control control = {.count = 0};
	struct dispatch_command *go;

	if (first) {
		control_add_workers(&control, queue->mesh, 1u << sub_device, 0);
		add_set_run(&control, queue->mesh, sub_device);
	}
	go = control_add(&control, DISPATCH_GO, 0);
	control.waits |= 1u << sub_device;
	*go = launch_go(&goes, 0, 0);
	go->flags |= (uint8_t)(DISPATCH_IDLE | (first ? 0 : DISPATCH_SAME_RUN));
	control_send(queue, device_range_all(queue->mesh->plan.mesh.shape), 0, &control);
}

/* Sends a go signal without a launch to all workers of a sub-device, so that workers that took no
 * part in some runs receive the current run number. */
static void catch_up(struct command_queue *queue, uint32_t sub_device)
{
	struct mesh_device *mesh = queue->mesh;
	const struct sub_device *of = &mesh->sub_devices[sub_device];
	struct launches *launches = &mesh->sub_devices[sub_device].launches;

	for (uint32_t i = 0; i < of->rect_count; i++)
		catch_up_target(
			queue, sub_device, &(struct launch_target){.rect = of->rects[i]}, i == 0);
	for (uint32_t i = 0; i < of->ethernet; i++)
		catch_up_target(queue, sub_device,
			&(struct launch_target){
				.ethernet = true, .tile = mesh->plan.ethernet_tiles[i]},
			of->rect_count + i == 0);
	launches->run++;
	launches_started(mesh, sub_device);
	launches->run_seen_by_all = launches->run;
	launches->runs_missed = false;
}

void launches_reset(struct command_queue *queue, uint32_t sub_device)
{
	catch_up(queue, sub_device);
	queue->mesh->sub_devices[sub_device].launches.queue = queue;
}

static uint32_t align_up(uint32_t bytes)
{
	return (bytes + CONFIG_RING_ALIGN - 1) / CONFIG_RING_ALIGN * CONFIG_RING_ALIGN;
}

/* Prepares `queue` for `count` launches on a sub-device. If another queue launched last, that queue
 * first hands over the sequence of launches. If no queue has launched since the mesh was divided,
 * sends the number of the last run to the dispatchers. If some worker could be RUN_LAG_MAX runs
 * behind after these launches, also sends the current run number to all workers. */
static void launches_begin(struct command_queue *queue, uint32_t sub_device, uint32_t count)
{
	struct launches *launches = &queue->mesh->sub_devices[sub_device].launches;

	if (launches->queue != NULL && launches->queue != queue)
		take_over(queue, launches->queue, sub_device);
	else if (launches->queue == NULL && launches->run > 0)
		begin_at(queue, sub_device);
	if (!launches->runs_missed)
		launches->run_seen_by_all = launches->run;
	if (launches->run - launches->run_seen_by_all + count >= RUN_LAG_MAX)
		catch_up(queue, sub_device);
	launches->queue = queue;
}

/* Returns which earlier launches may still run while dispatchers prepare a launch. If `full` is
 * above 0, the last `full` launches went to every device, so all of them may still run. If `full`
 * is 0, the last launch went to only some devices. The other devices have counted fewer launches,
 * so only one launch may then still run. */
struct launch_past launch_past_of(uint32_t run, uint32_t full, uint32_t oldest)
{
	if (full == 0)
		return (struct launch_past){.behind = 1, .oldest = oldest};
	return (struct launch_past){.behind = full, .oldest = run - full};
}

uint8_t launch_slot(uint32_t run)
{
	return (uint8_t)(run % LAUNCH_SLOTS);
}

uint32_t launch_behind(uint32_t run, uint32_t full, uint32_t user)
{
	uint32_t behind = run - 1 - user;

	return behind < full ? behind : 0;
}

void launches_take(struct command_queue *queue, const struct launch_request *request,
	struct launch_ticket *ticket)
{
	struct mesh_device *mesh = queue->mesh;
	struct launches *launches = &mesh->sub_devices[request->sub_device].launches;
	uint32_t config_bytes = align_up(request->config_bytes), base;
	struct launch_past past;
	struct config_use use;

	world->work(WORK_LAUNCH, 1);
	launches_begin(queue, request->sub_device, 0);
	launches->run++;
	past = launch_past_of(launches->run, launches->full_in_a_row, request->oldest);
	launches->runs_missed |= !request->all_workers;
	for (uint32_t i = 0; mesh->config.forward.go->everywhere && i < mesh->devices; i++)
		launches->last[i] = launches->run;
	ticket->run = launches->run;
	ticket->sub_device = request->sub_device;
	base = config_ring_take(&launches->ring, config_bytes + request->image_bytes, launches->run,
		past.oldest, &use);
	ticket->behind = past.behind;
	if (use.used)
		ticket->behind = launch_behind(launches->run, launches->full_in_a_row, use.run);
	launches->full_in_a_row = launch_full_after(launches->full_in_a_row, request->all_devices);
	mesh->counters.ring_waits += use.used;
	ticket->place = (struct launch_place){.config_base = base,
		.kernel_base = base + config_bytes,
		.slot = launch_slot(launches->run)};
	ticket->slot_address = mesh->plan.launch_ring + ticket->place.slot * LAUNCH_BYTES;
}

struct dispatch_command launch_set_offsets(const struct launch_place *place, uint32_t slot_address)
{
	struct dispatch_command command = {.kind = DISPATCH_SET_OFFSETS};

	command.set_offsets.offset[LAUNCH_OFFSET_CONFIG - 1] = place->config_base;
	command.set_offsets.offset[LAUNCH_OFFSET_KERNEL - 1] = place->kernel_base;
	command.set_offsets.offset[LAUNCH_OFFSET_SLOT - 1] = slot_address;
	return command;
}

struct dispatch_command launch_wait(uint32_t sub_device, uint32_t behind)
{
	struct dispatch_command command = {.kind = DISPATCH_WAIT, .flags = DISPATCH_WORKERS};

	command.wait.group = (uint8_t)sub_device;
	command.wait.value = behind;
	return command;
}

void launches_preamble(const struct launch_ticket *ticket, struct job *job)
{
	struct mesh_device *mesh = job->queue->mesh;
	struct launches *launches = &mesh->sub_devices[ticket->sub_device].launches;
	uint32_t count = device_range_count(job->range);
	struct dispatch_command *command = &job->preamble[job->preamble_count++];

	*command = launch_set_offsets(&ticket->place, ticket->slot_address);
	if (ticket->behind < DISPATCH_BEHIND_MAX) {
		command = &job->preamble[job->preamble_count++];
		*command = launch_wait(ticket->sub_device, ticket->behind);
		command->wait.operation = job->operation;
	}
	for (uint32_t i = 0; i < count; i++)
		launches->last[range_device(mesh, job->range, i)] = ticket->run;
}

void launches_replay(const struct launch_series *series, struct job *job)
{
	struct mesh_device *mesh = job->queue->mesh;
	struct launches *launches = &mesh->sub_devices[series->sub_device].launches;
	struct dispatch_command *command;

	launches_begin(job->queue, series->sub_device, launches->runs_missed ? series->count : 0);
	command = &job->preamble[job->preamble_count++];
	*command = launch_wait(series->sub_device, 0);
	command->wait.operation = job->operation;
	job->preamble[job->preamble_count++] = launch_set_run(mesh, series->sub_device);
	for (uint32_t device = 0; device < mesh->devices; device++)
		if (series->last[device] > 0)
			launches->last[device] = launches->run + series->count;
	launches->run += series->count;
	launches->runs_missed |= !series->all_workers;
	launches->full_in_a_row = 0;
	config_ring_fill(&launches->ring, launches->run);
}

/* Whether what several command queues do to one buffer is ordered by events and finishes. Walks the
 * steps as the client will, and refuses races: their data would depend on who comes first, which is
 * no bug of the simulator's. One queue is in order with itself. */
#include <string.h>

#include "bench/scenario/step_buffer.h"
#include "programs/gather.h"
#include "step_check.h"
#include "steps/check.h"

/* A read of a replicated buffer waits for the first device alone (mesh/queue.h). What other events
 * are recorded on some devices only orders neither. */
enum scope { SCOPE_NONE = -1, SCOPE_FIRST, SCOPE_ALL, SCOPE_COUNT };

/* What is complete before whatever comes next: of every queue, its operations up to a number. */
struct reached {
	uint32_t number[SCOPE_COUNT][MESH_COMMAND_QUEUES_MAX];
};

struct access {
	uint32_t number; /* among the operations of its queue; 0: none */
	uint32_t queue;
	const struct step *step;
};

struct ordered_buffer {
	struct ordered_buffer *next;
	const char *name;
	enum scope scope; /* devices that reads look at */
	enum scope waited; /* that are done when a read of all of it is */
	bool of_host; /* the host copies it, when all that the queue was sent before is complete */
	struct access written[MESH_COMMAND_QUEUES_MAX], read[MESH_COMMAND_QUEUES_MAX]; /* last */
};

struct ordered_event {
	struct ordered_event *next;
	const char *name;
	struct reached before;
	enum scope widest; /* that it orders */
};

struct refused_step {
	struct refused_step *next;
	const struct step *step;
};

struct order {
	struct arena arena;
	struct diag *diag;
	uint32_t mesh; /* whose steps are walked */
	struct mesh_shape shape;
	bool one_device;
	bool gathers; /* a read of all parts waits for the device that has gathered them */
	uint32_t queue_count;
	uint32_t replayed; /* queue that a trace is replayed through, or UINT32_MAX */
	uint32_t enqueued[MESH_COMMAND_QUEUES_MAX];
	struct reached queue[MESH_COMMAND_QUEUES_MAX], host;
	struct ordered_buffer *buffers;
	struct ordered_event *events;
	struct refused_step *refused;
};

static void join(struct reached *reached, const struct reached *other, enum scope widest)
{
	for (int scope = 0; scope <= (int)widest; scope++)
		for (int queue = 0; queue < MESH_COMMAND_QUEUES_MAX; queue++)
			if (reached->number[scope][queue] < other->number[scope][queue])
				reached->number[scope][queue] = other->number[scope][queue];
}

static void enqueue(struct order *order, uint32_t queue)
{
	order->enqueued[queue]++;
	join(&order->queue[queue], &order->host, SCOPE_ALL);
	for (int scope = 0; scope < SCOPE_COUNT; scope++)
		order->queue[queue].number[scope][queue] = order->enqueued[queue];
}

/* The host waits for everything that was enqueued on the queue. */
static void finish(struct order *order, uint32_t queue, enum scope widest)
{
	join(&order->host, &order->queue[queue], widest);
}

static struct ordered_buffer *find_buffer(struct order *order, const char *name)
{
	struct ordered_buffer *buffer = order->buffers;

	while (buffer && strcmp(buffer->name, name) != 0)
		buffer = buffer->next;
	return buffer;
}

static struct ordered_event *find_event(struct order *order, const char *name)
{
	struct ordered_event *event = order->events;

	while (event && strcmp(event->name, name) != 0)
		event = event->next;
	return event;
}

/* ---- races ---- */

/* The last of `accesses` from another queue that may be under way when `queue` goes on. */
static const struct access *unordered(
	const struct order *order, const struct access *accesses, uint32_t queue, enum scope scope)
{
	for (uint32_t other = 0; other < order->queue_count; other++)
		if (other != queue &&
			accesses[other].number > order->queue[queue].number[scope][other])
			return &accesses[other];
	return NULL;
}

/* What a step does to a buffer, through a queue. */
struct touch {
	const struct step *step;
	const char *buffer;
	uint32_t queue;
	bool writes;
};

static void refuse(struct order *order, const struct touch *touch, const struct access *earlier,
	bool earlier_writes)
{
	char cited[LOCATION_CITE_BYTES];
	uint32_t queue = touch->queue, other = earlier->queue;
	struct refused_step *refused = order->refused;

	while (refused && refused->step != touch->step)
		refused = refused->next;
	if (refused)
		return;
	refused = arena_alloc(&order->arena, sizeof *refused);
	*refused = (struct refused_step){order->refused, touch->step};
	order->refused = refused;
	diag_error(order->diag, touch->step->where,
		"buffer '%s' is %s through queue %u while queue %u may still %s it (%s): have "
		"queue %u wait for an event of queue %u, or finish queue %u, in between "
		"(measure.verify: false lets it be)",
		touch->buffer, touch->writes ? "written" : "read", queue, other,
		earlier_writes ? "write" : "read",
		location_cite(earlier->step->where, cited, sizeof cited), queue, other, other);
}

/* The operation that was enqueued last touches a buffer on the devices of `scope`. */
static void touch_buffer(
	struct order *order, struct ordered_buffer *buffer, struct touch touch, enum scope scope)
{
	const struct access *earlier = unordered(order, buffer->written, touch.queue, scope);
	struct access *accesses = touch.writes ? buffer->written : buffer->read;

	if (earlier)
		refuse(order, &touch, earlier, true);
	earlier = touch.writes ? unordered(order, buffer->read, touch.queue, scope) : NULL;
	if (earlier)
		refuse(order, &touch, earlier, false);
	accesses[touch.queue] =
		(struct access){order->enqueued[touch.queue], touch.queue, touch.step};
}

/* ---- steps ---- */

/* Of a step that says `queue`: a trace may go through another one than it did when it was captured.
 */
static uint32_t queue_of(const struct order *order, uint32_t queue)
{
	return order->replayed != UINT32_MAX ? order->replayed : queue;
}

/* The host waits for the devices of a buffer, or for the one whose part it is. */
static void finish_shard(struct order *order, uint32_t queue, enum scope whole,
	const uint16_t *shard, uint32_t shard_count)
{
	enum scope scope = whole;

	if (shard_count)
		scope = shard[0] == 0 && shard[1] == 0 ? SCOPE_FIRST : SCOPE_NONE;
	finish(order, queue, order->one_device ? SCOPE_ALL : scope);
}

/* Of rows or columns of devices that have the same, a read looks at one device each. */
static struct ordered_buffer *add_buffer(struct order *order, const struct write_step *keys)
{
	bool several = step_buffer_parts(keys, order->shape) > 1;
	struct ordered_buffer *buffer = arena_alloc(&order->arena, sizeof *buffer);

	*buffer = (struct ordered_buffer){.next = order->buffers,
		.name = keys->buffer,
		.of_host = keys->memory == BUFFER_SYSTEM,
		.scope = several ? SCOPE_ALL : SCOPE_FIRST,
		.waited = several && keys->spread == STEP_PARTS && !order->gathers ? SCOPE_ALL
										   : SCOPE_FIRST};
	order->buffers = buffer;
	return buffer;
}

static void walk_write(struct order *order, const struct step *step)
{
	const struct write_step *keys = &step->write;
	struct ordered_buffer *buffer = find_buffer(order, keys->buffer);
	uint32_t queue = queue_of(order, keys->queue);

	enqueue(order, queue);
	if (!buffer)
		buffer = add_buffer(order, keys);
	if (buffer->of_host) {
		finish(order, queue, SCOPE_ALL);
		return;
	}
	touch_buffer(order, buffer, (struct touch){step, keys->buffer, queue, true}, buffer->scope);
	if (keys->blocking)
		finish_shard(order, queue, SCOPE_ALL, keys->shard, keys->shard_count);
}

static void walk_read(struct order *order, const struct step *step)
{
	const struct read_step *keys = &step->read;
	struct ordered_buffer *buffer = find_buffer(order, keys->buffer);
	enum scope scope = keys->shard_count && !order->one_device ? SCOPE_ALL : buffer->scope;
	uint32_t queue = queue_of(order, keys->queue);

	enqueue(order, queue);
	if (buffer->of_host) {
		finish(order, queue, SCOPE_ALL);
		return;
	}
	touch_buffer(order, buffer, (struct touch){step, keys->buffer, queue, false}, scope);
	if (keys->blocking)
		finish_shard(order, queue, buffer->waited, keys->shard, keys->shard_count);
}

static enum scope scope_of(const struct order *order, const struct devices_keys *devices)
{
	struct device_range range = devices_range(devices, order->shape);

	if (device_range_covers(range, device_range_all(order->shape)))
		return SCOPE_ALL;
	return device_range_has(range, 0, 0) ? SCOPE_FIRST : SCOPE_NONE;
}

static void walk_record(struct order *order, const struct step *step)
{
	struct ordered_event *event = find_event(order, step->record.event);

	enqueue(order, step->record.queue);
	if (!event) {
		event = arena_alloc(&order->arena, sizeof *event);
		event->name = step->record.event;
		event->next = order->events;
		order->events = event;
	}
	event->before = order->queue[step->record.queue];
	event->widest = scope_of(order, step->record.devices);
}

/* False if nobody has recorded the event: what follows is not reached. */
static bool walk_wait(struct order *order, const struct step *step)
{
	const struct ordered_event *event = find_event(order, step->wait.event);

	if (!event)
		return false;
	/* executors serve commands in order: all that come later come behind the event */
	if (step->wait.host || step->wait.executors) {
		join(&order->host, &event->before, event->widest);
		return true;
	}
	enqueue(order, step->wait.queue);
	join(&order->queue[step->wait.queue], &event->before, event->widest);
	return true;
}

static void walk_launch(struct order *order, uint32_t queue, bool blocking)
{
	enqueue(order, queue);
	if (blocking)
		finish(order, queue, SCOPE_ALL);
}

/* Kernels that act read and write the buffers of all devices that run them. */
static void walk_workload(struct order *order, const struct step *step)
{
	uint32_t queue = queue_of(order, step->workload.queue), count;
	const struct program_keys *programs = step_programs(step, &count);

	enqueue(order, queue);
	for (uint32_t i = 0; i < count; i++)
		for (uint32_t k = 0; k < programs[i].buffer_count; k++) {
			const struct port_keys *port = &programs[i].buffers[k];
			struct ordered_buffer *buffer = find_buffer(order, port->buffer);
			struct touch touch = {
				step, port->buffer, queue, program_writes(&programs[i], port)};

			touch_buffer(order, buffer, touch, SCOPE_ALL);
		}
	if (step->workload.blocking)
		finish(order, queue, SCOPE_ALL);
}

static void walk_finish(struct order *order, const struct step *step)
{
	for (uint32_t queue = 0; queue < order->queue_count; queue++)
		if (step->finish.queue == UINT32_MAX || step->finish.queue == queue) {
			enqueue(order, queue);
			finish(order, queue, SCOPE_ALL);
		}
}

static bool walk(struct order *order, const struct step *steps, uint32_t count);

/* What a trace does at a replay is what its steps would do there; what counts are two in a row. */
static bool walk_replays(struct order *order, const struct step *trace, uint32_t queue,
	uint32_t times, bool blocking)
{
	const struct repeat_step *body = &trace->trace.body;
	bool good = true;

	order->replayed = queue;
	for (uint32_t i = 0; good && i < times && i < 2; i++) {
		walk_launch(order, queue, false);
		for (uint32_t k = 0; good && k < body->times && k < 2; k++)
			good = walk(order, body->steps, body->step_count);
		if (good && blocking)
			finish(order, queue, SCOPE_ALL);
	}
	order->replayed = UINT32_MAX;
	return good;
}

static bool walk_step(struct order *order, const struct step *step)
{
	if (!step_has_mesh(step, order->mesh))
		return true;
	switch (step->kind) {
	case STEP_REPEAT:
		/* what the second time does to the first, each later one does to the one before */
		for (uint32_t i = 0; i < step->repeat.times && i < 2; i++)
			if (!walk(order, step->repeat.steps, step->repeat.step_count))
				return false;
		return true;
	case STEP_WRITE_BUFFER:
		walk_write(order, step);
		return true;
	case STEP_READ_BUFFER:
		walk_read(order, step);
		return true;
	case STEP_ENQUEUE_WORKLOAD:
		walk_workload(order, step);
		return true;
	case STEP_TRACE:
		return walk_replays(
			order, step, step->trace.queue, step->trace.replays, step->trace.blocking);
	case STEP_REPLAY_TRACE:
		return walk_replays(order, step->replay.captured, step->replay.queue,
			step->replay.times, step->replay.blocking);
	case STEP_RECORD_EVENT:
		walk_record(order, step);
		return true;
	case STEP_WAIT_EVENT:
		return walk_wait(order, step);
	case STEP_WRITE_TENSOR: /* blocking: nothing of a tensor is ever under way */
	case STEP_READ_TENSOR:
		walk_launch(order, step->tensor.queue, true);
		return true;
	case STEP_FINISH:
		walk_finish(order, step);
		return true;
	case STEP_CLOSE_MESH: /* all of it is finished, and gone */
		for (uint32_t queue = 0; queue < order->queue_count; queue++) {
			enqueue(order, queue);
			finish(order, queue, SCOPE_ALL);
		}
		return true;
	default: /* of the fabric: no queue, no buffer */
		return true;
	}
}

static bool walk(struct order *order, const struct step *steps, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (!walk_step(order, &steps[i]))
			return false;
	return true;
}

void check_order(const struct run_plan *run, uint32_t mesh, const struct mesh_config *config,
	struct diag *diag)
{
	const struct scenario *scenario = run->scenario;
	struct order order = {
		.diag = diag,
		.mesh = mesh,
		.shape = config->shape,
		.gathers = gather_row(scenario->runtime.gather)->on_devices,
		.one_device = mesh_shape_count(config->shape) == 1,
		.queue_count = config->command_queues,
		.replayed = UINT32_MAX,
	};

	if (!scenario->measure.verify || config->command_queues == 1)
		return;
	arena_init(&order.arena);
	(void)walk(&order, scenario->steps, scenario->step_count);
	arena_fini(&order.arena);
}

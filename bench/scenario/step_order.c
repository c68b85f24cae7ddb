/* Detects races. In a race, several command queues, or programs on several sub-devices, access one
 * buffer, and no event or finish orders the accesses. The data would then depend on timing, so
 * races are errors. Walks the steps in the order of the client. The operations of one queue are
 * ordered, except for launches on different sub-devices. */
#include <string.h>

#include "bench/scenario/step_layout.h"
#include "programs/gather.h"
#include "step_check.h"
#include "steps/check.h"

/* The devices on which an operation orders accesses. SCOPE_FIRST: the first one, for example a read
 * of a replicated buffer, which waits only for this device (mesh/queue.h). */
enum scope { SCOPE_NONE = -1, SCOPE_FIRST, SCOPE_ALL, SCOPE_COUNT };

/* A lane is a sequence of operations whose effects happen one after another. Each queue has a lane
 * for the launches on each sub-device, numbered from 1. Its lane 0 has all other operations,
 * including launches on whole devices. */
enum { LANES = SUB_DEVICES_MAX + 1, LANES_MAX = MESH_COMMAND_QUEUES_MAX * LANES };

static uint32_t lane_of(uint32_t queue, uint32_t sub_device)
{
	return queue * LANES + sub_device;
}

static uint32_t queue_of_lane(uint32_t lane)
{
	return lane / LANES;
}

/* For every lane, the last operation that is complete before the next operation starts. */
struct reached {
	uint32_t number[SCOPE_COUNT][LANES_MAX];
};

struct access {
	uint32_t number; /* number among the operations of the lane; 0: no access */
	uint32_t lane;
	const struct step *step;
};

struct ordered_buffer {
	struct ordered_buffer *next;
	const char *name;
	enum scope scope;    /* devices that a read accesses */
	enum scope waited;   /* devices that are done when a read of the whole buffer is done */
	uint32_t sub_device; /* the sub-device whose L1 has the buffer, from 1; 0: none */
	bool of_host;	     /* the buffer is in system memory; the host copies it after all earlier
			      * operations of the queue */
	struct access written[LANES_MAX], read[LANES_MAX]; /* the last access of each lane */
};

struct ordered_event {
	struct ordered_event *next;
	const char *name;
	struct reached before;
	enum scope widest; /* the widest scope of accesses that the event orders */
};

struct refused_step {
	struct refused_step *next;
	const struct step *step;
};

struct order {
	struct arena arena;
	struct diag *diag;
	const struct scenario *scenario;
	const struct chip_geometry *geometry;
	uint32_t mesh; /* the mesh whose steps are walked */
	struct mesh_shape shape;
	bool one_device;
	bool gathers; /* a read of all parts waits for the device that gathers the parts */
	uint32_t queue_count;
	uint32_t replayed; /* queue of the replay whose steps are walked, or UINT32_MAX */
	uint32_t lanes;
	uint32_t enqueued[LANES_MAX];
	struct reached lane[LANES_MAX], host;
	struct ordered_buffer *buffers;
	struct ordered_event *events;
	struct refused_step *refused;
};

static void step_order_join(struct reached *reached, const struct reached *other, enum scope widest)
{
	for (int scope = 0; scope <= (int)widest; scope++)
		for (int lane = 0; lane < LANES_MAX; lane++)
			if (reached->number[scope][lane] < other->number[scope][lane])
				reached->number[scope][lane] = other->number[scope][lane];
}

static void enqueue_on(struct order *order, uint32_t lane)
{
	order->enqueued[lane]++;
	step_order_join(&order->lane[lane], &order->host, SCOPE_ALL);
	for (int scope = 0; scope < SCOPE_COUNT; scope++)
		order->lane[lane].number[scope][lane] = order->enqueued[lane];
}

/* Appends an operation to queue `queue`. On the devices of scope `widest`, the operation waits for
 * earlier launches on sub-device `sub_device` (0: on all sub-devices). */
static void enqueue_for(struct order *order, uint32_t queue, enum scope widest, uint32_t sub_device)
{
	uint32_t own = lane_of(queue, 0);

	for (uint32_t i = 1; i < LANES; i++)
		if (sub_device == 0 || sub_device == i)
			step_order_join(&order->lane[own], &order->lane[own + i], widest);
	enqueue_on(order, own);
}

static void enqueue(struct order *order, uint32_t queue, enum scope widest)
{
	enqueue_for(order, queue, widest, 0);
}

/* Appends a launch to queue `queue`, and returns its lane. The launch waits for earlier launches on
 * the same sub-device, and for the earlier operations in lane 0 of the queue. */
static uint32_t enqueue_launch(struct order *order, uint32_t queue, uint32_t sub_device)
{
	uint32_t lane = lane_of(queue, sub_device);

	if (sub_device > 0)
		step_order_join(&order->lane[lane], &order->lane[lane_of(queue, 0)], SCOPE_ALL);
	enqueue_on(order, lane);
	return lane;
}

/* The host waits for all operations that were enqueued on the lane. */
static void finish_lane(struct order *order, uint32_t lane, enum scope widest)
{
	step_order_join(&order->host, &order->lane[lane], widest);
}

static void finish(struct order *order, uint32_t queue, enum scope widest)
{
	finish_lane(order, lane_of(queue, 0), widest);
}

static struct ordered_buffer *find_buffer(struct order *order, const char *name)
{
	struct ordered_buffer *buffer = order->buffers;

	while (buffer && strcmp(buffer->name, name) != 0)
		buffer = buffer->next;
	return buffer;
}

static struct ordered_event *step_order_find_event(struct order *order, const char *name)
{
	struct ordered_event *event = order->events;

	while (event && strcmp(event->name, name) != 0)
		event = event->next;
	return event;
}

/* ---- races ---- */

/* Returns an access in another lane that may still be in progress on the devices of `scope` when
 * the last operation of `lane` runs; NULL if there is none. An operation in lane 0 of a queue waits
 * for all launches of its queue on the devices that it accesses. */
static const struct access *unordered(
	const struct order *order, const struct access *accesses, uint32_t lane, enum scope scope)
{
	bool waits = lane % LANES == 0;

	for (uint32_t other = 0; other < order->lanes; other++)
		if (other != lane && !(waits && queue_of_lane(other) == queue_of_lane(lane)) &&
			accesses[other].number > order->lane[lane].number[scope][other])
			return &accesses[other];
	return NULL;
}

/* An access of a step to a buffer, through a lane. */
struct touch {
	const struct step *step;
	const char *buffer;
	uint32_t lane;
	bool writes;
};

static void refuse_sub_devices(const struct order *order, const struct touch *touch,
	const struct access *earlier, bool earlier_writes)
{
	const struct runtime_keys *keys = &order->scenario->runtime;
	char cited[LOCATION_CITE_BYTES];

	diag_error(order->diag, touch->step->where,
		"buffer '%s' is %s on sub-device '%s' while '%s' may still %s it (%s): launches of "
		"sub-devices are in no order, so have an event, a finish, a write or a read of "
		"queue %u come in between (measure.verify: false lets it be)",
		touch->buffer, touch->writes ? "written" : "read",
		sub_device_at(keys, touch->lane % LANES)->name,
		sub_device_at(keys, earlier->lane % LANES)->name, earlier_writes ? "write" : "read",
		location_cite(earlier->step->where, cited, sizeof cited),
		queue_of_lane(touch->lane));
}

static void step_order_refuse(struct order *order, const struct touch *touch,
	const struct access *earlier, bool earlier_writes)
{
	char cited[LOCATION_CITE_BYTES];
	uint32_t queue = queue_of_lane(touch->lane), other = queue_of_lane(earlier->lane);
	struct refused_step *refused = order->refused;

	while (refused && refused->step != touch->step)
		refused = refused->next;
	if (refused)
		return;
	refused = arena_alloc(&order->arena, sizeof *refused);
	*refused = (struct refused_step){order->refused, touch->step};
	order->refused = refused;
	if (queue == other) {
		refuse_sub_devices(order, touch, earlier, earlier_writes);
		return;
	}
	diag_error(order->diag, touch->step->where,
		"buffer '%s' is %s through queue %u while queue %u may still %s it (%s): have "
		"queue %u wait for an event of queue %u, or finish queue %u, in between "
		"(measure.verify: false lets it be)",
		touch->buffer, touch->writes ? "written" : "read", queue, other,
		earlier_writes ? "write" : "read",
		location_cite(earlier->step->where, cited, sizeof cited), queue, other, other);
}

/* Records that the last operation of lane touch.lane accesses a buffer on the devices of `scope`.
 * Reports an error if an operation of another lane may access the buffer at the same time, unless
 * both operations only read. */
static void touch_buffer(
	struct order *order, struct ordered_buffer *buffer, struct touch touch, enum scope scope)
{
	const struct access *earlier = unordered(order, buffer->written, touch.lane, scope);
	struct access *accesses = touch.writes ? buffer->written : buffer->read;

	if (earlier)
		step_order_refuse(order, &touch, earlier, true);
	earlier = touch.writes ? unordered(order, buffer->read, touch.lane, scope) : NULL;
	if (earlier)
		step_order_refuse(order, &touch, earlier, false);
	accesses[touch.lane] = (struct access){order->enqueued[touch.lane], touch.lane, touch.step};
}

/* ---- steps ---- */

/* Returns the queue on which a step runs. This is the value `queue` of the step's key, but the
 * steps of a trace run on the queue of the replay. */
static uint32_t queue_of(const struct order *order, uint32_t queue)
{
	return order->replayed != UINT32_MAX ? order->replayed : queue;
}

/* Returns the scope of an access to a whole buffer, or to the part of one device. */
static enum scope scope_of_shard(
	const struct order *order, enum scope whole, const uint16_t *shard, uint32_t shard_count)
{
	enum scope scope = whole;

	if (shard_count)
		scope = shard[0] == 0 && shard[1] == 0 ? SCOPE_FIRST : SCOPE_NONE;
	return order->one_device ? SCOPE_ALL : scope;
}

/* Adds a buffer. A read of the whole buffer waits for all devices only if the host reads a
 * different part from each. Otherwise it certainly waits for the first device only. */
static struct ordered_buffer *add_buffer(struct order *order, const struct write_step *keys)
{
	uint32_t parts = step_buffer_parts(keys, order->shape);
	bool several = parts > 1, everywhere = parts == mesh_shape_count(order->shape);
	struct ordered_buffer *buffer = arena_alloc(&order->arena, sizeof *buffer);

	*buffer = (struct ordered_buffer){.next = order->buffers,
		.name = keys->buffer,
		.sub_device = keys->sub_device_number,
		.of_host = keys->memory == BUFFER_SYSTEM,
		.scope = several ? SCOPE_ALL : SCOPE_FIRST,
		.waited = several && everywhere && !order->gathers ? SCOPE_ALL : SCOPE_FIRST};
	order->buffers = buffer;
	return buffer;
}

static void walk_write(struct order *order, const struct step *step)
{
	const struct write_step *keys = &step->write;
	struct ordered_buffer *buffer = find_buffer(order, keys->buffer);
	uint32_t queue = queue_of(order, keys->queue);
	enum scope waited = scope_of_shard(order, SCOPE_ALL, keys->shard, keys->shard_count);

	if (!buffer)
		buffer = add_buffer(order, keys);
	enqueue_for(order, queue, waited, buffer->sub_device);
	if (buffer->of_host) {
		finish(order, queue, SCOPE_ALL);
		return;
	}
	touch_buffer(order, buffer, (struct touch){step, keys->buffer, lane_of(queue, 0), true},
		buffer->scope);
	if (keys->blocking)
		finish(order, queue, waited);
}

static void walk_read(struct order *order, const struct step *step)
{
	const struct read_step *keys = &step->read;
	struct ordered_buffer *buffer = find_buffer(order, keys->buffer);
	enum scope scope = keys->shard_count && !order->one_device ? SCOPE_ALL : buffer->scope;
	enum scope waited = scope_of_shard(order, buffer->waited, keys->shard, keys->shard_count);
	uint32_t queue = queue_of(order, keys->queue);

	enqueue_for(order, queue, waited, buffer->sub_device);
	if (buffer->of_host) {
		finish(order, queue, SCOPE_ALL);
		return;
	}
	touch_buffer(
		order, buffer, (struct touch){step, keys->buffer, lane_of(queue, 0), false}, scope);
	if (keys->blocking)
		finish(order, queue, waited);
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
	struct ordered_event *event = step_order_find_event(order, step->record.event);
	enum scope widest = scope_of(order, step->record.devices);

	enqueue(order, step->record.queue, widest);
	if (!event) {
		event = arena_alloc(&order->arena, sizeof *event);
		*event = (struct ordered_event){.next = order->events, .name = step->record.event};
		order->events = event;
	}
	event->before = order->lane[lane_of(step->record.queue, 0)];
	event->widest = widest;
}

/* False if no step has recorded the event: the run then stops at the wait. */
static bool walk_wait(struct order *order, const struct step *step)
{
	const struct ordered_event *event = step_order_find_event(order, step->wait.event);

	if (!event)
		return false;
	/* executors process commands in order, so all later commands come after the event */
	if (step->wait.host || step->wait.executors) {
		step_order_join(&order->host, &event->before, event->widest);
		return true;
	}
	enqueue(order, step->wait.queue, SCOPE_NONE);
	step_order_join(&order->lane[lane_of(step->wait.queue, 0)], &event->before, event->widest);
	return true;
}

/* Kernels that act read and write their buffers on all devices that run these kernels. */
static void walk_workload(struct order *order, const struct step *step)
{
	uint32_t queue = queue_of(order, step->workload.queue), count;
	const struct program_keys *programs = step_programs(step, &count);

	for (uint32_t i = 0; i < count; i++) {
		uint32_t lane = enqueue_launch(order, queue, programs[i].sub_device_number);

		for (uint32_t k = 0; k < programs[i].buffer_count; k++) {
			const struct port_keys *port = &programs[i].buffers[k];
			struct touch touch = {
				step, port->buffer, lane, program_writes(&programs[i], port)};

			touch_buffer(order, find_buffer(order, port->buffer), touch, SCOPE_ALL);
		}
		if (step->workload.blocking)
			finish_lane(order, lane, SCOPE_ALL);
	}
}

static void walk_finish(struct order *order, const struct step *step)
{
	for (uint32_t queue = 0; queue < order->queue_count; queue++)
		if (step->finish.queue == UINT32_MAX || step->finish.queue == queue) {
			enqueue_for(order, queue, SCOPE_ALL, step->finish.sub_device_number);
			finish(order, queue, SCOPE_ALL);
		}
}

static bool step_order_walk(struct order *order, const struct step *steps, uint32_t count);

/* A replay has the effect of the captured steps. Two replays show all races of more replays. */
static bool walk_replays(struct order *order, const struct step *trace, uint32_t queue,
	uint32_t times, bool blocking)
{
	const struct repeat_step *body = &trace->trace.body;
	uint32_t own = lane_of(queue, 0), before[LANES];
	bool good = true;

	order->replayed = queue;
	memcpy(before, &order->enqueued[own], sizeof before);
	for (uint32_t i = 0; good && i < times && i < 2; i++) {
		enqueue(order, queue, SCOPE_NONE);
		for (uint32_t k = 0; good && k < body->times && k < 2; k++)
			good = step_order_walk(order, body->steps, body->step_count);
		for (uint32_t lane = 0; good && blocking && lane < LANES; lane++)
			if (order->enqueued[own + lane] != before[lane]) /* launches on this lane */
				finish_lane(order, own + lane, SCOPE_ALL);
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
		/* two iterations show all races of more iterations */
		for (uint32_t i = 0; i < step->repeat.times && i < 2; i++)
			if (!step_order_walk(order, step->repeat.steps, step->repeat.step_count))
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
	case STEP_WRITE_TENSOR: /* both block, so no access to a tensor is ever in progress */
	case STEP_READ_TENSOR:
		enqueue(order, step->tensor.queue, SCOPE_ALL);
		finish(order, step->tensor.queue, SCOPE_ALL);
		return true;
	case STEP_FINISH:
		walk_finish(order, step);
		return true;
	case STEP_LOAD_SUB_DEVICES: /* these steps wait for everything */
	case STEP_CLEAR_SUB_DEVICES:
	case STEP_FREE_BUFFER:
	case STEP_CLOSE_MESH: /* its buffers no longer exist */
		for (uint32_t queue = 0; queue < order->queue_count; queue++) {
			enqueue(order, queue, SCOPE_ALL);
			finish(order, queue, SCOPE_ALL);
		}
		return true;
	default: /* fabric steps use no queue and no buffer */
		return true;
	}
}

static bool step_order_walk(struct order *order, const struct step *steps, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (!walk_step(order, &steps[i]))
			return false;
	return true;
}

void check_order(const struct run_plan *run, uint32_t mesh, const struct mesh_config *config,
	const struct chip_geometry *geometry, struct diag *diag)
{
	const struct scenario *scenario = run->scenario;
	struct order order = {
		.diag = diag,
		.scenario = scenario,
		.geometry = geometry,
		.mesh = mesh,
		.shape = config->shape,
		.gathers = gather_row(scenario->runtime.gather)->on_devices,
		.one_device = mesh_shape_count(config->shape) == 1,
		.queue_count = config->command_queues,
		.lanes = lane_of(config->command_queues, 0),
		.replayed = UINT32_MAX,
	};

	if (!scenario->measure.verify ||
		(config->command_queues == 1 && sub_devices_all(&scenario->runtime) == 0))
		return;
	arena_init(&order.arena);
	(void)step_order_walk(&order, scenario->steps, scenario->step_count);
	arena_fini(&order.arena);
}

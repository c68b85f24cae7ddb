/* Answers commands that are complete only when the devices have done their work. Each queue has an
 * ordered list of actions. An action waits for a point of the queue, which is reached when all
 * earlier work of the queue is complete. Only one thread may call a mesh device (mesh/mesh.h). So
 * either the event loop checks the points between commands, or a reader thread checks them
 * (executor_reader.c). The data of a write are kept until the next point is reached. */
#include <stdlib.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "executor_private.h"

enum {
	HELD_POINT = 4 << 20,
	/* The executor holds the data of writes until the devices have reached a point in the queue
	 * after these writes. It adds a point after HELD_POINT held bytes. A message in a slot
	 * counts as at least LANDED_AS bytes, because there are few slots */
	LANDED_AS = HELD_POINT / 4,
	PIECE_MOST = 16 << 20,
	PIECE_OVERHEAD = 512
};

static void append(struct pending_queue *queue, struct pending *pending)
{
	*queue->last = pending;
	queue->last = &pending->next;
}

static struct pending *executor_pending_make(const struct wire_head *head, enum pending_kind kind)
{
	struct pending *made = allocate(1, sizeof *made);

	made->kind = kind;
	made->number = head->number;
	return made;
}

struct point executor_point(const struct served *served, uint32_t sub_devices, uint32_t operation)
{
	bool divided = sub_devices_count(served->mesh) > 0;

	return (struct point){device_range_all(mesh_device_shape(served->mesh)),
		divided ? sub_devices : SUB_DEVICES_ALL, operation};
}

void pending_add(struct served *served, const struct wire_head *head, enum pending_kind kind,
	struct point point, uint8_t *data, uint64_t bytes)
{
	struct pending_queue *queue = &served->pending[head->queue];
	struct pending *made = executor_pending_make(head, kind);
	enum status status = enqueue_record_event_of(mesh_queue(served->mesh, head->queue),
		point.range, point.sub_devices, true, point.operation, &made->point);

	ensure(status == STATUS_OK, "a point of queue %u: %s", head->queue, status_message(status));
	made->arrived.data = data;
	made->bytes = bytes;
	queue->held_bytes = 0;
	served->executor->mesh_turn.changed = true;
	append(queue, made);
}

void pending_cut(struct served *served, uint32_t queue, const struct mesh_spread *spread)
{
	struct pending *last = served->pending[queue].first;

	while (last->next != NULL)
		last = last->next;
	last->spread = allocate(1, sizeof *last->spread);
	*last->spread = *spread;
}

void pending_add_there(struct served *served, const struct wire_head *head, enum pending_kind kind,
	uint8_t *data, uint64_t bytes)
{
	struct pending *made = executor_pending_make(head, kind);

	made->same_point = true;
	made->arrived.data = data;
	made->bytes = bytes;
	append(&served->pending[head->queue], made);
}

void pending_add_event(
	struct served *served, const struct wire_head *head, const struct remote_event *event)
{
	struct pending *made = executor_pending_make(head, PENDING_EVENT);

	made->id = event->id;
	made->point = event->event;
	served->executor->mesh_turn.changed = true;
	append(&served->pending[head->queue], made);
}

void pending_hold(struct served *served, uint32_t number, uint32_t sub_devices,
	struct arrived arrived, uint64_t bytes)
{
	const struct point point = {
		device_range_all(mesh_device_shape(served->mesh)), sub_devices, 0};
	const struct wire_head head = {.queue = number};
	struct pending_queue *queue = &served->pending[number];
	struct pending *made = executor_pending_make(&head, PENDING_HELD);

	made->arrived = arrived;
	append(queue, made);
	queue->held_bytes += arrived.landed.extent != NULL && bytes < LANDED_AS ? LANDED_AS : bytes;
	if (queue->held_bytes >= HELD_POINT)
		pending_add(served, &head, PENDING_POINT, point, NULL, 0);
}

/* ---- answers ---- */

static void send_data(struct served *served, const struct pending *pending, uint32_t queue)
{
	uint64_t most = served->executor->settings->channel.message_bytes_max - PIECE_OVERHEAD;

	if (most > PIECE_MOST)
		most = PIECE_MOST;
	for (uint64_t offset = 0; offset < pending->bytes; offset += most) {
		uint64_t left = pending->bytes - offset;
		const struct wire_command answer = {.kind = WIRE_read_data,
			.read_data = {.number = pending->number,
				.queue = queue,
				.offset = offset,
				.bytes = pending->bytes,
				.data = {pending->arrived.data + offset,
					(uint32_t)(left < most ? left : most)}}};

		executor_answer(served->executor, &answer);
	}
}

static void answer_event(
	struct served *served, const struct pending *pending, uint32_t queue, enum status status)
{
	const struct wire_command answer = {.kind = WIRE_event_reached,
		.event_reached = {.number = pending->number,
			.queue = queue,
			.event = pending->id,
			.status = (uint8_t)status}};

	executor_answer(served->executor, &answer);
}

/* Replaces the data of all hosts by the data of this host. */
static void cut_data(const struct served *served, struct pending *pending)
{
	const struct mesh_spread *spread = pending->spread;
	uint8_t *whole = allocate(1, spread->layout.size_bytes), *piece;

	pending->bytes = part_shards(&served->near, spread) * spread->device_bytes;
	piece = allocate(1, pending->bytes + 1);
	part_scatter(&served->part, spread, pending->arrived.data, whole);
	part_gather(&served->near, spread, whole, piece);
	free(whole);
	free(pending->arrived.data);
	pending->arrived.data = piece;
}

static void executor_pending_free(struct served *served, struct pending *pending)
{
	free(pending->spread);
	free(pending->arrived.data);
	pinned_keep(served, pending->arrived.pinned);
	span_release(pending->arrived.landed);
	free(pending);
}

/* An action that waits for a point owns no pinned memory. */
void pending_answer(struct served *served, struct pending *pending, uint32_t queue)
{
	enum status status = pending->status;
	const struct wire_head head = {pending->number, queue};
	const struct text nothing = {0};

	if (pending->spread != NULL && pending->kind == PENDING_READ)
		cut_data(served, pending);
	if (pending->kind == PENDING_EVENT)
		answer_event(served, pending, queue, status);
	else if (pending->kind == PENDING_READ && status == STATUS_OK)
		send_data(served, pending, queue);
	else if (pending->kind == PENDING_READ || pending->kind == PENDING_ANSWER)
		executor_complete(served->executor, &head, status, &nothing);
	executor_pending_free(served, pending);
}

/* ---- checking points ---- */

static struct pending *pop(struct pending_queue *queue)
{
	struct pending *first = queue->first;

	queue->first = first->next;
	if (queue->first == NULL)
		queue->last = &queue->first;
	return first;
}

static struct pending *next_point(const struct pending_queue *queue)
{
	struct pending *pending = queue->first;

	while (pending != NULL && pending->kind == PENDING_HELD)
		pending = pending->next;
	return pending;
}

static bool is_reached(const struct pending *pending)
{
	return pending->same_point || event_query(&pending->point);
}

/* Takes the next action of a queue if its point has been reached. Otherwise returns NULL. */
static struct pending *executor_pending_next(
	struct served *served, struct pending_queue *queue, struct pending *next)
{
	if (next == NULL || !is_reached(next))
		return NULL;
	if (!next->same_point)
		queue->status = event_synchronize(&next->point, DEADLINE_NEVER);
	next->status = queue->status;
	while (queue->first != next)
		executor_pending_free(served, pop(queue));
	return pop(queue);
}

/* Takes the next action of one queue of a mesh, and sets *queue to the queue's number. Returns NULL
 * if no queue has reached the point of its next action. */
static struct pending *pending_take_of(struct served *served, uint32_t *queue)
{
	for (uint32_t i = 0; i < MESH_COMMAND_QUEUES_MAX; i++) {
		struct pending *next = next_point(&served->pending[i]);
		struct pending *taken = executor_pending_next(served, &served->pending[i], next);

		*queue = i;
		if (taken != NULL)
			return taken;
	}
	return NULL;
}

struct pending *pending_take(struct executor *executor, struct served **of, uint32_t *queue)
{
	for (uint32_t i = 0; i < executor->meshes.count; i++) {
		struct pending *taken = NULL;

		*of = executor->meshes.at[i];
		if (*of != NULL)
			taken = pending_take_of(*of, queue);
		if (taken != NULL)
			return taken;
	}
	return NULL;
}

uint32_t pending_points(
	const struct served *served, struct mesh_event points[MESH_COMMAND_QUEUES_MAX])
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < MESH_COMMAND_QUEUES_MAX; i++) {
		const struct pending *next = next_point(&served->pending[i]);

		if (next != NULL)
			points[count++] = next->point;
	}
	return count;
}

static bool pending_look_at(struct served *served)
{
	bool left = false;

	for (uint32_t i = 0; i < MESH_COMMAND_QUEUES_MAX; i++) {
		struct pending_queue *queue = &served->pending[i];
		struct pending *taken;

		while ((taken = executor_pending_next(served, queue, next_point(queue))) != NULL)
			pending_answer(served, taken, i);
		left = left || next_point(queue) != NULL;
	}
	return left;
}

bool pending_look(struct executor *executor)
{
	bool left = false;

	for (uint32_t i = 0; i < executor->meshes.count; i++)
		if (executor->meshes.at[i] != NULL && pending_look_at(executor->meshes.at[i]))
			left = true;
	return left;
}

void pending_drop(struct served *served)
{
	for (uint32_t i = 0; i < MESH_COMMAND_QUEUES_MAX; i++)
		while (served->pending[i].first != NULL)
			executor_pending_free(served, pop(&served->pending[i]));
}

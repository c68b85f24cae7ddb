/* Writes a job's commands into an issue queue. Everything that differs between devices (transaction
 * number, preamble, routes) goes into a head before the body. All devices have the same body, so
 * the body is built and cached only once. */
#include "mesh/queue/job.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "mesh/queue/transfer.h"

enum {
	RESUME_COMMANDS = 2 * SUB_DEVICES_MAX,
	INLINE_BYTES = (2 + RESUME_COMMANDS) * COMMAND_BYTES +
		       (2 + JOB_PREAMBLE_MAX) * DISPATCH_HEADER_MAX,
	FEW_DEVICES = 1024,
	HEAD_BYTES = INLINE_BYTES + 2 * COMMAND_BYTES + FEW_DEVICES,
};

/* A segment must have room for three things: the head for up to FEW_DEVICES devices, the commands
 * before a page, and the largest page. A head for more devices may have a segment of its own. */
_Static_assert(PAGE_WHOLE_MAX + 4 * COMMAND_BYTES + HEAD_BYTES <= PREFETCH_SEGMENT_MAX,
	"a page and all that goes before it fit behind one ROUTE");

/* The bytes before a body. */
struct head {
	uint8_t few[HEAD_BYTES];
	/* points to `few`; or to allocated memory, if the transaction numbers of more than
	 * FEW_DEVICES devices do not fit into `few` */
	uint8_t *bytes;
	uint32_t length;
	uint32_t commands;
	/* bytes and commands that only keep the order of broadcasts and unicasts */
	uint32_t order_bytes, order_commands;
	/* sub-devices whose launches continue from the other dispatcher to this one; the commands
	 * for this come before the job's preamble */
	struct run_resume resume;
};

/* The position up to which a job was written: first in the head, then in the pieces of the body. */
struct cursor {
	struct span head;
	const struct command_stream *body;
	uint64_t offset; /* offset in bytes, over head and body together */
	uint32_t piece;
};

/* Makes an empty head that has room for the numbers of `devices` devices. */
static void head_init(struct head *head, uint32_t devices)
{
	head->bytes = devices <= FEW_DEVICES ? head->few
					     : allocate(HEAD_BYTES + command_padded(devices), 1);
	head->length = head->commands = head->order_bytes = head->order_commands = 0;
	head->resume = (struct run_resume){.due = 0};
}

static void head_fini(struct head *head)
{
	if (head->bytes != head->few)
		free(head->bytes);
}

static void head_prefetch(struct head *head, const struct prefetch_command *command)
{
	prefetch_encode(command, head->bytes + head->length);
	head->length += COMMAND_BYTES;
	head->commands++;
}

static void head_dispatch(struct head *head, const struct dispatch_command *command)
{
	head->length += dispatch_encode(command, head->bytes + head->length);
	head->commands++;
}

/* If *notification is not 0, appends a command with which the prefetcher waits for this
 * notification from its counterpart, and sets *notification to 0. The counterpart of a prefetcher
 * of broadcasts is a prefetcher of unicasts, and the other way round. */
static void head_wait(struct head *head, uint32_t *notification)
{
	struct prefetch_command wait = {.kind = PREFETCH_WAIT_COUNTERPART};

	if (*notification == 0)
		return;
	wait.counterpart.value = *notification;
	*notification = 0;
	head_prefetch(head, &wait);
	head->order_bytes += COMMAND_BYTES;
	head->order_commands++;
}

/* Appends the commands with which a dispatcher takes over sub-devices from the other dispatcher.
 * For each of these sub-devices, the dispatcher waits for the workers, and then continues from the
 * number of the last run that the other dispatcher started. */
static void head_resume(struct head *head)
{
	uint32_t due = head->resume.due;

	for (uint32_t i = 0; due >> i != 0; i++) {
		struct dispatch_command wait = {.kind = DISPATCH_WAIT, .flags = DISPATCH_WORKERS};
		struct dispatch_command set = {.kind = DISPATCH_SET_RUN};
		uint32_t at = head->length;

		if (!(due >> i & 1))
			continue;
		wait.wait.group = set.set_run.group = (uint8_t)i;
		set.set_run.run = head->resume.run[i] & 0xffff;
		head_dispatch(head, &wait);
		head_dispatch(head, &set);
		head->order_bytes += head->length - at;
		head->order_commands += 2;
	}
}

static struct run_resume resume_take(struct run_resume *resume)
{
	struct run_resume taken = *resume;

	resume->due = 0;
	return taken;
}

/* Appends one RELAY_INLINE with the transaction number (if there is one), the commands that take
 * over sub-devices, and the job's preamble. If `stall` is set, the prefetcher continues only after
 * the dispatcher has executed these commands and all data that the dispatcher has written have
 * arrived. */
static void head_preamble(
	struct head *head, struct job *job, const uint8_t *transaction, bool stall)
{
	struct prefetch_command command = {.kind = PREFETCH_RELAY_INLINE};
	uint32_t at = head->length;

	if (transaction == NULL && job->preamble_count == 0 && !stall && head->resume.due == 0)
		return;
	head->length += COMMAND_BYTES;
	head->commands++;
	if (transaction != NULL) {
		struct dispatch_command number = {.kind = DISPATCH_TRANSACTION};

		number.transaction.id = *transaction;
		number.transaction.operation = job->operation;
		head_dispatch(head, &number);
		head->order_bytes += COMMAND_BYTES;
		head->order_commands++;
		/* the command is needed only for the number */
		if (job->preamble_count == 0 && !stall) {
			head->order_bytes += COMMAND_BYTES;
			head->order_commands++;
		}
	}
	head_resume(head);
	for (uint32_t i = 0; i < job->preamble_count; i++)
		head_dispatch(head, &job->preamble[i]);
	if (stall)
		head_dispatch(head, &(struct dispatch_command){.kind = DISPATCH_WAIT,
					    .flags = DISPATCH_BARRIER | DISPATCH_RELEASE});
	command.relay_inline.length = head->length - at - COMMAND_BYTES;
	command.relay_inline.operation = job->operation;
	prefetch_encode(&command, head->bytes + at);
	if (stall)
		head_prefetch(head, &(struct prefetch_command){.kind = PREFETCH_STALL});
}

/* Returns true if the prefetchers must stall for this job, because they have not stalled for the
 * job's epoch yet. *stalled is the highest epoch for which they have stalled. If the result is
 * true, sets *stalled to the job's epoch. */
static bool stall_due(const struct job *job, uint32_t *stalled)
{
	if ((int32_t)(job->epoch - *stalled) <= 0)
		return false;
	*stalled = job->epoch;
	return true;
}

/* Appends a transaction number for each chip of a feed (an issue queue of broadcasts), up to the
 * last chip of `range`. For chips in the range, this is their next number; for chips before or
 * between them, it is 0. */
static void head_grid(struct head *head, struct job *job, struct device_range range)
{
	struct prefetch_command grid = {.kind = PREFETCH_TRANSACTION_GRID};
	struct mesh_device *mesh = job->queue->mesh;
	const struct device_routes *routes = mesh->plan.routes;
	uint32_t devices = device_range_count(range);
	uint32_t count = routes[range_device(mesh, range, devices - 1)].number + 1;
	uint32_t padded = command_padded(count);

	grid.transaction_grid.count = (uint16_t)count;
	grid.transaction_grid.operation = job->operation;
	head_prefetch(head, &grid);
	memset(head->bytes + head->length, 0, padded);
	for (uint32_t i = 0; i < devices; i++) {
		uint32_t device = range_device(mesh, range, i);

		head->bytes[head->length + routes[device].number] =
			++job->queue->lanes[device].transaction;
	}
	head->length += padded;
	head->order_bytes += COMMAND_BYTES + padded;
	head->order_commands++;
	world->work(WORK_BUILD_BYTES, count);
}

/* Returns true if the mesh numbers transactions. In this case, checks that the body has a dispatch
 * command. The last one must have the flag DISPATCH_LAST, because dispatchers take all commands up
 * to this flag as one transaction. */
static bool numbered(const struct mesh_device *mesh, const struct command_stream *body)
{
	bool numbers = mesh->plan.grids > 0 && mesh->config.forward.ordering->numbers;

	ensure(!numbers || body->last_dispatch != STREAM_NOWHERE,
		"a transaction of %llu B has no last command", (unsigned long long)body->bytes);
	return numbers;
}

static void submit_count(struct issued *issued, const struct job *job, const struct head *head,
	const struct command_stream *body, uint32_t routes)
{
	uint32_t header_bytes = head->length + routes * COMMAND_BYTES;
	uint32_t commands = head->commands + routes + body->commands;

	issued->transactions++;
	issued->bytes += header_bytes + body->bytes;
	issued->commands += commands;
	issued->header_bytes += header_bytes;
	issued->order_transactions += job->for_order;
	issued->order_commands += job->for_order ? commands : head->order_commands;
	issued->order_bytes += job->for_order ? header_bytes + body->bytes : head->order_bytes;
}

/* ---- writing ---- */

static void cursor_write(
	struct cursor *cursor, struct issue_queue *issue, uint64_t address, uint32_t length)
{
	while (length > 0) {
		struct span span = cursor->head;
		enum memory_kind from = MEMORY_CACHED;
		uint64_t at = cursor->offset;
		uint32_t part;

		if (at >= cursor->head.length) {
			const struct command_piece *piece = &cursor->body->pieces[cursor->piece];

			span = piece->span;
			from = piece->from;
			at -= cursor->head.length + piece->offset;
			if (at == span.length) {
				cursor->piece++;
				continue;
			}
		}
		part = span.length - at < length ? (uint32_t)(span.length - at) : length;
		issue_queue_write(issue, address, span_part(span, (uint32_t)at, part), from);
		cursor->offset += part;
		address += part;
		length -= part;
	}
}

static uint64_t submit_reserve(struct issue_queue *issue, uint32_t bytes)
{
	uint64_t address;
	enum status status = issue_queue_reserve(issue, bytes, DEADLINE_NEVER, &address);

	ensure(status == STATUS_OK, "reservation of %u B: %s", bytes, status_message(status));
	return address;
}

static void mark(const struct job *job, enum mark_point point, uint32_t number)
{
	if (job->operation != 0)
		world->mark(job->operation, point, number);
}

static struct cursor cursor_of(const struct head *head, const struct command_stream *body)
{
	world->work(WORK_BUILD_COMMAND, head->commands);
	ensure(body->bytes > 0 && body->bytes % COMMAND_ALIGN == 0, "a stream of %llu B",
		(unsigned long long)body->bytes);
	return (struct cursor){
		.head = head->length ? span_copy(head->bytes, head->length) : (struct span){0},
		.body = body};
}

void submit_unicast_elsewhere(const struct job *job, struct lane *lane)
{
	lane->transaction++;
	lane->order.broadcasts = 0;
	lane->order.wait = 0;
	(void)resume_take(&lane->order.resume);
	(void)stall_due(job, &lane->stalled);
}

void submit_unicast(struct job *job, struct lane *lane, const struct command_stream *body)
{
	const struct mesh_device *mesh = job->queue->mesh;
	uint32_t most = mesh->config.limits->fetch_entry_bytes;
	uint64_t left;
	struct head head;
	struct cursor cursor;

	head_init(&head, 0);
	lane->transaction++;
	lane->order.broadcasts = 0;
	head_wait(&head, &lane->order.wait);
	head.resume = resume_take(&lane->order.resume);
	head_preamble(&head, job, numbered(mesh, body) ? &lane->transaction : NULL,
		stall_due(job, &lane->stalled));
	submit_count(&lane->issued, job, &head, body, 0);
	cursor = cursor_of(&head, body);
	left = cursor.head.length + body->bytes;
	while (left > 0) {
		uint32_t part = left < most ? (uint32_t)left : most;

		cursor_write(&cursor, lane->issue, submit_reserve(lane->issue, part), part);
		left -= part;
		if (left == 0)
			mark(job, MARK_COPIED, lane->marked_chip);
		issue_queue_post(lane->issue, job->operation, left == 0 && job->operation != 0);
	}
	LOG_TO(DISPATCH, DEBUG, "queue %u, operation %u: %llu B of commands to chip %u",
		job->queue->index, job->operation,
		(unsigned long long)(cursor.head.length + body->bytes), lane->marked_chip);
	mark(job, MARK_DOORBELL, lane->marked_chip);
	span_release(cursor.head);
	head_fini(&head);
}

/* ---- routes ---- */

/* Marks the job for every initiator that reads the issue queue. */
static void mark_feed(const struct job *job, const struct feed *feed, enum mark_point point)
{
	const struct plan *plan = &job->queue->mesh->plan;

	for (uint32_t i = 0; i < feed->plan->count; i++)
		mark(job, point,
			mesh_marked(job->queue->mesh, plan->grid[feed->plan->first + i].initiator));
}

/* Returns how many bytes of the body, from `offset` on, fit into a segment that already has `used`
 * other bytes. Counts only whole commands. Returns 0 if the segment has no room for a command. */
static uint32_t segment_bytes(const struct command_stream *body, uint64_t offset, uint32_t used)
{
	uint64_t end = offset;

	if (used + body->bytes - offset <= PREFETCH_SEGMENT_MAX)
		return (uint32_t)(body->bytes - offset);
	for (;;) {
		struct prefetch_command command;
		uint8_t bytes[COMMAND_BYTES];
		uint64_t next;
		enum status status = command_stream_read(body, end, sizeof(bytes), bytes);

		if (status == STATUS_OK)
			status = prefetch_decode(bytes, &command);
		ensure(status == STATUS_OK, "command at %llu of a stream: %s",
			(unsigned long long)end, status_message(status));
		next = end + COMMAND_BYTES + prefetch_data_bytes(&command);
		if (used + next - offset > PREFETCH_SEGMENT_MAX)
			break;
		end = next;
	}
	ensure(end > offset || used > 0, "a command at %llu of a stream is too long for a route",
		(unsigned long long)offset);
	return (uint32_t)(end - offset);
}

/* Returns true if the depacketizers must hold back everything after the last segment of a job. */
static bool is_held_behind(const struct job *job)
{
	enum trace_hold kind = job->queue->mesh->config.forward.trace_hold->kind;

	return job->executes && (kind == TRACE_HOLD_DEPACKETIZER || kind == TRACE_HOLD_SENDER);
}

static struct span route_header(
	const struct job *job, const struct feed_part *part, uint32_t length, bool last)
{
	struct prefetch_command route = {.kind = PREFETCH_ROUTE};
	uint8_t bytes[COMMAND_BYTES];

	if (last && is_held_behind(job))
		route.flags = PREFETCH_TRACE;
	route.route.length = length;
	route.route.operation = job->operation;
	route.route.tree = part->tree;
	route.route.rect = part->rect;
	prefetch_encode(&route, bytes);
	world->work(WORK_BUILD_COMMAND, 1);
	return span_copy(bytes, sizeof(bytes));
}

/* Writes one segment in as many pieces as needed. The first piece starts with the route. */
static void post_segment(struct job *job, struct feed *feed, struct span route,
	struct cursor *cursor, uint32_t length, bool last)
{
	uint32_t most = job->queue->mesh->config.limits->fetch_entry_bytes;
	uint32_t left = route.length + length;

	while (left > 0) {
		uint32_t part = left < most ? left : most, skip = route.length;
		uint64_t address = submit_reserve(feed->issue, part);

		if (skip > 0)
			issue_queue_write(feed->issue, address, route, MEMORY_CACHED);
		cursor_write(cursor, feed->issue, address + skip, part - skip);
		route.length = 0;
		left -= part;
		if (left == 0 && last)
			mark_feed(job, feed, MARK_COPIED);
		issue_queue_post(
			feed->issue, job->operation, left == 0 && last && job->operation != 0);
	}
	span_release(route);
}

/* Returns true if the prefetchers of the part must stall for this job (job->epoch). They need not
 * if they have already stalled for this epoch, either in a job of the part or in a job of the whole
 * feed. */
static bool part_stall_due(const struct job *job, const struct feed *feed, struct feed_part *part)
{
	return (int32_t)(job->epoch - feed->parts[0].stalled) > 0 && stall_due(job, &part->stalled);
}

void submit_broadcast_elsewhere(struct job *job, struct feed *feed, struct feed_part *part)
{
	const struct mesh_device *mesh = job->queue->mesh;
	uint32_t devices = device_range_count(part->range);

	feed->wait = 0;
	(void)resume_take(&feed->resume);
	for (uint32_t i = 0; mesh->config.forward.ordering->numbers && i < devices; i++)
		job->queue->lanes[range_device(mesh, part->range, i)].transaction++;
	world->work(WORK_BUILD_BYTES, devices);
	(void)part_stall_due(job, feed, part);
}

void submit_broadcast(struct job *job, struct feed *feed, struct feed_part *part,
	const struct command_stream *body)
{
	struct head head;
	struct cursor cursor;
	uint32_t used, routes = 0;
	uint64_t offset = 0;

	head_init(&head, device_range_count(feed->plan->range));
	head_wait(&head, &feed->wait);
	head.resume = resume_take(&feed->resume);
	if (numbered(job->queue->mesh, body))
		head_grid(&head, job, part->range);
	head_preamble(&head, job, NULL, part_stall_due(job, feed, part));
	cursor = cursor_of(&head, body);
	for (used = head.length; offset < body->bytes; used = 0, routes++) {
		uint32_t length = segment_bytes(body, offset, used);

		offset += length;
		post_segment(job, feed,
			route_header(job, part, used + length, offset == body->bytes), &cursor,
			used + length, offset == body->bytes);
	}
	submit_count(&feed->issued, job, &head, body, routes);
	LOG_TO(DISPATCH, DEBUG, "queue %u, operation %u: %llu B of commands broadcast to %u chips",
		job->queue->index, job->operation, (unsigned long long)(head.length + body->bytes),
		device_range_count(part->range));
	mark_feed(job, feed, MARK_DOORBELL);
	span_release(cursor.head);
	head_fini(&head);
}

void submit_terminate(struct issue_queue *issue)
{
	struct prefetch_command command = {.kind = PREFETCH_TERMINATE};
	uint8_t bytes[COMMAND_BYTES];
	struct span span;

	prefetch_encode(&command, bytes);
	span = span_copy(bytes, sizeof(bytes));
	issue_queue_write(issue, submit_reserve(issue, span.length), span, MEMORY_CACHED);
	issue_queue_post(issue, 0, false);
	span_release(span);
}

/* The queue of a chip's steps (cluster.h). The entries are in a sorted array that can grow at both
 * ends. The engine has an event for the first step. A step with an earlier time may be queued
 * afterwards. It then becomes the first one and gets its own event. A short stack holds the times
 * of these events. Steps are never cancelled. */
#include "chip/machine/cluster.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "chip/tile/scheduler.h"
#include "engine/engine.h"

void sim_step_queue_init(struct step_queue *queue, sim_step_over *over)
{
	*queue = (struct step_queue){.over = over};
}

void sim_step_queue_fini(struct step_queue *queue)
{
	free(queue->entries);
	free(queue->armed_ps);
}

/* Moves the entries to the middle of the array, so that there is space at both ends. If the entries
 * fill a quarter of the array or more, enlarges the array first. */
static void make_room(struct step_queue *queue)
{
	uint32_t count = queue->end - queue->first, first;
	struct step *entries = queue->entries;

	if (queue->capacity <= 4 * count) {
		queue->capacity = queue->capacity ? 2 * queue->capacity : 16;
		entries = malloc(queue->capacity * sizeof *entries);
		ensure_memory(entries != NULL, "%u steps", queue->capacity);
	}
	first = (queue->capacity - count) / 2;
	if (count > 0)
		memmove(entries + first, queue->entries + queue->first, count * sizeof *entries);
	if (entries != queue->entries)
		free(queue->entries);
	queue->entries = entries;
	queue->first = first;
	queue->end = first + count;
}

/* Number of cache lines of a stage and the firmware state that follows it. */
enum { STAGE_LINES = 3 };

/* Prefetches the objects to which a task points. */
static void fetch(const struct task *task)
{
	for (int line = 0; line < STAGE_LINES; line++)
		__builtin_prefetch((const char *)task->stage + line * CACHE_LINE);
	__builtin_prefetch(&task->tile->out);
	sim_tile_fetch(task->tile);
}

/* Prefetches the objects to which the tile of a task points. */
static void fetch_more(const struct task *task)
{
	__builtin_prefetch(task->tile->hot);
	sim_tile_fetch_read(task->tile);
}

/* Prefetches data of the next three steps, which are seldom in the cache. An object must be in the
 * cache before those to which it points can be prefetched. So the task is prefetched for the third
 * step in the queue, the objects to which the task points for the second, and the objects to which
 * the task's tile points for the first. */
static void look_ahead(const struct step_queue *queue)
{
	const struct step *next = &queue->entries[queue->first];
	uint32_t count = queue->end - queue->first;

	if (count > 2)
		sim_task_fetch(next[2].task);
	if (count > 1)
		fetch(next[1].task);
	if (count > 0)
		fetch_more(next[0].task);
}

static void steps_event(void *subject, uint64_t argument);

static void arm(struct step_queue *queue, int64_t at_ps)
{
	if (queue->armed_count > 0 && queue->armed_ps[queue->armed_count - 1] <= at_ps)
		return;
	if (queue->armed_count == queue->armed_capacity) {
		queue->armed_capacity = queue->armed_capacity ? 2 * queue->armed_capacity : 8;
		queue->armed_ps = allocate_more(
			queue->armed_ps, queue->armed_capacity, sizeof *queue->armed_ps);
	}
	queue->armed_ps[queue->armed_count++] = at_ps;
	engine_push_last(at_ps, steps_event, queue, 0);
}

static void steps_event(void *subject, uint64_t argument)
{
	struct step_queue *queue = subject;
	int64_t now_ps = engine_now();

	(void)argument;
	queue->armed_count--;
	queue->running = true;
	while (queue->first < queue->end && queue->entries[queue->first].at_ps == now_ps) {
		struct step entry = queue->entries[queue->first++];

		queue->over(entry.task, entry.cycles);
	}
	queue->running = false;
	look_ahead(queue);
	if (queue->first < queue->end)
		arm(queue, queue->entries[queue->first].at_ps);
}

/* Makes space for a new entry with the time `at_ps`, behind all entries that are not later, and
 * returns its index. If the index is in the first half of the queue, moves the entries before it
 * down. If it is in the second half, moves the entries after it up. This moves few entries, because
 * steps of the firmware usually belong near the front of the queue, and steps of kernels near its
 * end. */
static uint32_t open_place(struct step_queue *queue, int64_t at_ps)
{
	struct step *entries = queue->entries;
	uint32_t middle = queue->first + (queue->end - queue->first) / 2, at;

	if (middle < queue->end && at_ps < entries[middle].at_ps) {
		for (at = --queue->first; entries[at + 1].at_ps <= at_ps; at++)
			entries[at] = entries[at + 1];
	} else {
		at = queue->end++;
		for (; at > queue->first && entries[at - 1].at_ps > at_ps; at--)
			entries[at] = entries[at - 1];
	}
	return at;
}

void sim_step_queue_put(struct step_queue *queue, int64_t at_ps, struct task *task, uint64_t cycles)
{
	uint32_t at;

	if (queue->end == queue->capacity || queue->first == 0)
		make_room(queue);
	at = open_place(queue, at_ps);
	queue->entries[at] = (struct step){at_ps, task, cycles};
	if (at == queue->first && !queue->running)
		arm(queue, at_ps);
}

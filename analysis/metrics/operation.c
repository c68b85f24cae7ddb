/* Finds two operations for each operation A: the next operation of the same step, and the
 * operation that tells the host that A is complete. Also names steps (operation.h). */
#include "analysis/metrics/operation.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/table/alike.h"

bool operation_is(const struct operation *operation, const char *subject)
{
	size_t length = strlen(operation->kind);

	if (strncmp(operation->kind, subject, length) != 0)
		return false;
	return subject[length] == '\0' ||
	       (subject[length] == '/' && strcmp(subject + length + 1, operation->step_name) == 0);
}

bool operation_is_replay(const char *kind)
{
	return strcmp(kind, "trace") == 0 || strcmp(kind, "replay_trace") == 0;
}

int64_t operation_last(const struct operation *operation)
{
	int64_t last = -1;

	for (int i = 0; i < MARK_POINT_COUNT; i++)
		if (operation->marks[i].last > last)
			last = operation->marks[i].last;
	return last;
}

/* Records that the end of a replay shows the host that all operations of the trace are complete.
 * This is an exception: the operations of the trace come after the replay, but normally only a
 * later operation can show that an operation is complete. */
static void link_replays(struct operations *operations)
{
	const struct operation *replay = NULL;

	for (uint32_t i = 0; i < operations->count; i++) {
		const struct operation *operation = &operations->at[i];

		if (operation_is_replay(operation->kind))
			replay = operation;
		else if (replay &&
			 operation->marks[MARK_CALLED].last != replay->marks[MARK_CALLED].last)
			replay = NULL;
		if (replay && replay->marks[MARK_SEEN].last >= 0 &&
			strcmp(replay->thread, operation->thread) == 0)
			operations->waiter[i] = (uint32_t)(replay - operations->at);
	}
}

void operations_link(struct operations *operations, struct arena *arena)
{
	uint32_t count = operations->count, *numbers = allocate(count + 1, sizeof *numbers);
	struct alike_seen *seen = allocate(count + 1, sizeof *seen);

	operations->next = arena_array(arena, count + 1, sizeof *operations->next);
	operations->waiter = arena_array(arena, count + 1, sizeof *operations->waiter);
	for (uint32_t i = 0; i < count; i++)
		numbers[i] = alike_step(operations->at[i].step, operations->at[i].queue,
			operations->at[i].mesh_number);
	alike_next(numbers, count, operations->next);
	for (uint32_t i = 0; i < count; i++) {
		const struct operation *operation = &operations->at[i];

		numbers[i] = alike_pair(operation->queue, operation->mesh_number);
		seen[i] = (struct alike_seen){operation->marks[MARK_SEEN].last >= 0,
			operation->part, operation->sub_devices, operation->awaits};
	}
	alike_teller(numbers, seen, count, operations->waiter);
	link_replays(operations);
	free(seen);
	free(numbers);
}

void operations_name(struct operations *operations, struct arena *arena)
{
	uint32_t count = operations->count;
	struct alike_owned *rows = allocate(count + 1, sizeof *rows);
	bool *shared = allocate(count + 1, sizeof *shared);

	for (uint32_t i = 0; i < count; i++)
		rows[i] = (struct alike_owned){operations->at[i].kind, operations->at[i].step_name,
			operations->at[i].mesh_number};
	alike_shared(rows, count, shared);
	for (uint32_t i = 0; i < count; i++)
		if (shared[i])
			operations->at[i].step_name = arena_printf(arena, "%s of %s",
				operations->at[i].step_name, operations->at[i].mesh);
	free(shared);
	free(rows);
}

/* Records marks: when an operation is dispatched, and when a launch is complete. Marks do not
 * influence what the stages do. */
#include "dispatcher_private.h"

#include "world/world.h"

uint32_t done_address(const struct dispatcher *dispatcher, uint32_t group)
{
	return dispatcher->config.layout.done_words + 4 * group;
}

uint32_t done_word(const struct dispatcher *dispatcher, uint32_t group)
{
	return device_row->word(&dispatcher->base.stage, done_address(dispatcher, group));
}

void marks_enter(struct dispatcher *dispatcher)
{
	const struct dispatch_command *command = &dispatcher->command;

	if (command->kind == DISPATCH_WAIT)
		dispatcher->writing = command->flags & DISPATCH_DATA ? command->wait.operation : 0;
	else if (command->kind != DISPATCH_WRITE_PAGED && command->kind != DISPATCH_WRITE_LINEAR)
		dispatcher->writing = 0;
}

void marks_data(const struct dispatcher *dispatcher)
{
	if (dispatcher->writing != 0)
		world->mark(dispatcher->writing, MARK_DISPATCHED, dispatcher->base.marked_chip);
}

void marks_dispatched(struct dispatcher *dispatcher, uint32_t operation)
{
	if (operation == 0 || operation == dispatcher->dispatched ||
		operation == dispatcher->writing)
		return;
	dispatcher->dispatched = operation;
	world->mark(operation, MARK_DISPATCHED, dispatcher->base.marked_chip);
}

void marks_launch(
	struct dispatcher *dispatcher, uint8_t group_index, uint32_t total, uint32_t operation)
{
	struct group *group = &dispatcher->groups[group_index];
	struct launch_mark *last;

	if (operation == 0)
		return;
	last = &group->marks[(group->first + group->count + LAUNCHES_KEPT - 1) % LAUNCHES_KEPT];
	if (group->count > 0 && last->operation == operation) {
		last->total = total;
		return;
	}
	world->mark(operation, MARK_GO, dispatcher->base.marked_chip);
	/* a group remembers at most LAUNCHES_KEPT launches; if there are more, the oldest one is
	 * forgotten, and its completion is not marked */
	if (group->count == LAUNCHES_KEPT) {
		group->first = (uint8_t)((group->first + 1) % LAUNCHES_KEPT);
		group->count--;
	}
	group->marks[(group->first + group->count++) % LAUNCHES_KEPT] =
		(struct launch_mark){total, operation};
	dispatcher->pending_groups |= 1u << group_index;
}

static bool group_due(const struct dispatcher *dispatcher, uint32_t index)
{
	const struct group *group = &dispatcher->groups[index];

	return group->count > 0 &&
	       (int32_t)(done_word(dispatcher, index) - group->marks[group->first].total) >= 0;
}

bool marks_due(const struct dispatcher *dispatcher)
{
	for (uint32_t left = dispatcher->pending_groups; left != 0; left &= left - 1)
		if (group_due(dispatcher, (uint32_t)__builtin_ctz(left)))
			return true;
	return false;
}

void marks_take(struct dispatcher *dispatcher)
{
	for (uint32_t left = dispatcher->pending_groups; left != 0; left &= left - 1) {
		uint32_t index = (uint32_t)__builtin_ctz(left);
		struct group *group = &dispatcher->groups[index];

		while (group_due(dispatcher, index)) {
			world->mark(group->marks[group->first].operation, MARK_WORKERS_DONE,
				dispatcher->base.marked_chip);
			group->first = (uint8_t)((group->first + 1) % LAUNCHES_KEPT);
			group->count--;
		}
		if (group->count == 0)
			dispatcher->pending_groups &= ~(1u << index);
	}
}

void marks_wait(const struct dispatcher *dispatcher, struct stage_wait *wait)
{
	uint32_t index;

	if (dispatcher->pending_groups == 0)
		return;
	index = (uint32_t)__builtin_ctz(dispatcher->pending_groups);
	wait->address = done_address(dispatcher, index);
	wait->value = dispatcher->groups[index].marks[dispatcher->groups[index].first].total;
	if ((dispatcher->pending_groups & (dispatcher->pending_groups - 1)) != 0)
		wait->range_bytes = 0; /* wait for any done word of the groups */
}

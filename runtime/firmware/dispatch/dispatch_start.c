/* Go signals. A GO command starts a group of workers. The dispatcher prepares a GO as soon as it
 * reads the command, and sends the GO when the previous run of the same group is done. Until then,
 * the dispatcher executes the commands after the GO. Runs of other groups do not delay the GO. The
 * caller has checked the commands. */
#include "command/launch.h"
#include "dispatcher_private.h"

/* ---- prepared starts ---- */

static const struct start *start_at(const struct dispatcher *dispatcher, uint32_t index)
{
	return &dispatcher->starts.start[(dispatcher->starts.first + index) % STARTS_MAX];
}

static const struct start *starts_first(const struct dispatcher *dispatcher)
{
	return start_at(dispatcher, 0);
}

static uint8_t start_group(const struct dispatch_command *command)
{
	return command->kind == DISPATCH_GO ? command->go.group : command->trace_end.group;
}

static bool begins_run(const struct dispatch_command *command)
{
	return command->kind == DISPATCH_GO && !(command->flags & DISPATCH_SAME_RUN);
}

static bool is_due(const struct dispatcher *dispatcher, const struct start *start)
{
	return start->over ||
	       (int32_t)(done_word(dispatcher, start_group(&start->command)) - start->before) >= 0;
}

/* A start is a prepared go signal, or the prepared end of a trace. Returns the index of the first
 * start that can be sent, or the number of starts if none can be sent. The starts of a group are
 * sent in order, so only the first start of each group is considered. */
static uint32_t starts_due(const struct dispatcher *dispatcher)
{
	uint32_t count = dispatcher->starts.count, held = 0;

	for (uint32_t i = 0; i < count; i++) {
		const struct start *start = start_at(dispatcher, i);
		uint32_t group = 1u << start_group(&start->command);

		if (!(held & group) && is_due(dispatcher, start))
			return i;
		held |= group;
	}
	return count;
}

/* Returns true if the prepared starts belong to several groups. Then a wait for the done word of
 * one group is not enough, because that of another group may change first. */
static bool starts_differ(const struct dispatcher *dispatcher)
{
	uint32_t count = dispatcher->starts.count;

	for (uint32_t i = 1; i < count; i++)
		if (start_group(&start_at(dispatcher, i)->command) !=
			start_group(&starts_first(dispatcher)->command))
			return true;
	return false;
}

static void first_wait(const struct dispatcher *dispatcher, struct stage_wait *wait)
{
	const struct start *first = starts_first(dispatcher);
	uint32_t address;

	if (dispatcher->starts.count == 0)
		return;
	if (starts_differ(dispatcher)) {
		block_on_tile(wait, false, wait->what);
		wait->range_bytes = 0;
		return;
	}
	address = done_address(dispatcher, start_group(&first->command));
	if (wait->on == STAGE_WAIT_WORD && wait->address == address) {
		if ((int32_t)(first->before - wait->value) < 0)
			wait->value = first->before;
		return;
	}
	if (wait->on == STAGE_WAIT_WORD) {
		wait->on = STAGE_WAIT_TILE;
		wait->range = wait->address;
		wait->range_bytes = sizeof(uint32_t);
	}
	wait->idle = false;
	if (wait->address == address && (int32_t)(wait->value - first->before) < 0)
		return;
	wait->address = address;
	wait->value = first->before;
}

void starts_wait(const struct dispatcher *dispatcher, struct stage_wait *wait)
{
	if (dispatcher->starter == NULL)
		first_wait(dispatcher, wait);
}

int64_t starts_block_on_writes(const struct dispatcher *dispatcher, uint32_t writes,
	struct stage_wait *wait, const char *what)
{
	const struct start *first = starts_first(dispatcher);

	if (dispatcher->starter != NULL || dispatcher->starts.count == 0)
		return block_on_writes(wait, writes, what);
	block_on_tile(wait, false, what);
	wait->address = done_address(dispatcher, start_group(&first->command));
	wait->value = first->before;
	/* the wait needs a range of words; event words change most rarely */
	wait->range = dispatcher->config.layout.event_words;
	wait->range_bytes = starts_differ(dispatcher) ? 0 : sizeof(uint32_t);
	return STAGE_BLOCKED;
}

uint32_t starts_total(const struct dispatcher *dispatcher, uint8_t group_index, uint32_t behind)
{
	const struct group *group = &dispatcher->groups[group_index];

	return behind == 0 ? group->total
			   : group->before[(uint16_t)(group->run - behind + 1) % RUNS_REMEMBERED];
}

void starts_settle(struct dispatcher *dispatcher, uint8_t group_index)
{
	struct group *group = &dispatcher->groups[group_index];

	for (int i = 0; i < RUNS_REMEMBERED; i++)
		group->before[i] = group->total;
}

/* ---- sending ---- */

static void go_send(struct dispatcher *dispatcher, struct stage *stage, const struct start *start)
{
	const struct dispatch_command *command = &start->command;
	bool alone = dispatcher->starter == NULL && stage->writes_done == stage->writes_posted;
	uint8_t bytes[4];
	struct span span;

	bytes_put32(bytes, go_encode((struct go){
				   .run = start->run,
				   .idle = command->flags & DISPATCH_IDLE,
				   .slot = command->go.slot,
				   .group = command->go.group,
				   .tile = (uint8_t)stage->tile,
			   }));
	span = span_copy(bytes, sizeof bytes);
	marks_dispatched(dispatcher, command->go.operation);
	if (dispatcher->config.lead != NULL && begins_run(command))
		dispatcher->config.lead->ps[command->go.group] = stage->now_ps - start->messages_ps;
	if (command->flags & DISPATCH_TILE)
		device_row->noc_write(
			stage, command->go.tile, dispatcher->config.worker_go_word, span);
	else
		device_row->noc_multicast(
			stage, command->go.rect, dispatcher->config.worker_go_word, span);
	span_release(span);
	if (alone)
		dispatcher->go_writes = stage->writes_posted;
	marks_launch(dispatcher, command->go.group, start->after, command->go.operation);
}

static void dispatch_start_end_mark(struct dispatcher *dispatcher, const struct start *start)
{
	uint32_t operation = start->command.trace_end.operation;

	marks_dispatched(dispatcher, operation);
	marks_launch(dispatcher, start->command.trace_end.group, start->after, operation);
}

static void start_send(
	struct dispatcher *dispatcher, struct stage *stage, const struct start *start)
{
	if (start->command.kind == DISPATCH_GO)
		go_send(dispatcher, stage, start);
	else if (!start->over)
		dispatch_start_end_mark(dispatcher, start);
}

void starts_mark_ends(struct dispatcher *dispatcher)
{
	struct starts *starts = &dispatcher->starts;

	for (uint32_t i = 0; i < starts->count; i++) {
		struct start *start = &starts->start[(starts->first + i) % STARTS_MAX];

		if (start->command.kind == DISPATCH_TRACE_END && !start->over &&
			(int32_t)(done_word(dispatcher, start_group(&start->command)) -
				  start->after) >= 0) {
			dispatch_start_end_mark(dispatcher, start);
			start->over = true;
		}
	}
}

static uint64_t start_price(
	const struct dispatcher *dispatcher, const struct dispatch_command *command)
{
	return command->kind == DISPATCH_GO
		       ? CHARGED(&dispatcher->base.firmware->price, dispatch_go, 1)
		       : 0;
}

/* ---- dispatch_s ---- */

struct dispatch_s {
	struct stage_base base;
	struct dispatcher *dispatcher;
};

/* Returns the dispatcher whose go signals the stage `base` sends. `base` is either that dispatcher
 * itself or its dispatch_s. */
static struct dispatcher *dispatcher_beside(struct stage_base *base);

static void starts_commit(struct stage_base *base)
{
	struct dispatcher *dispatcher = dispatcher_beside(base);
	struct starts *starts = &dispatcher->starts;
	const struct start *start = start_at(dispatcher, starts->due);

	start_send(dispatcher, &base->stage, start);
	starts->runs -= begins_run(&start->command);
	/* moves the starts that are overtaken, to make room */
	for (uint32_t i = starts->due; i > 0; i--)
		starts->start[(starts->first + i) % STARTS_MAX] = *start_at(dispatcher, i - 1);
	starts->first = (uint8_t)((starts->first + 1) % STARTS_MAX);
	starts->count--;
	if (dispatcher->starter != NULL)
		device_row->set_word(
			&base->stage, dispatcher->config.layout.sent_word, ++starts->sent);
}

static void marks_commit(struct stage_base *base)
{
	marks_take(dispatcher_beside(base));
}

int64_t starts_begin(struct dispatcher *dispatcher, struct stage_base *base)
{
	if (dispatcher->pending_groups != 0 && marks_due(dispatcher))
		return stage_plan(base, 0, marks_commit);
	dispatcher->starts.due = (uint8_t)starts_due(dispatcher);
	if (dispatcher->starts.due == dispatcher->starts.count)
		return STAGE_BLOCKED;
	return stage_plan(base,
		start_price(dispatcher, &start_at(dispatcher, dispatcher->starts.due)->command),
		starts_commit);
}

static int64_t dispatch_s_begin(struct stage *stage, struct stage_wait *wait)
{
	struct dispatch_s *own = (struct dispatch_s *)stage;
	struct dispatcher *dispatcher = own->dispatcher;
	int64_t cost = starts_begin(dispatcher, &own->base);

	if (cost != STAGE_BLOCKED)
		return cost;
	if (dispatcher->base.ended && dispatcher->starts.count == 0)
		return STAGE_ENDED;
	block_on_arrival(wait, dispatcher->starts.count == 0,
		dispatcher->config.layout.prepared_word, sizeof(uint32_t), "workers to be done");
	marks_wait(dispatcher, wait);
	first_wait(dispatcher, wait);
	return STAGE_BLOCKED;
}

static const struct stage_ops dispatch_s_ops = STAGE_OPS("dispatch_s", dispatch_s_begin);

static struct dispatcher *dispatcher_beside(struct stage_base *base)
{
	if (base->stage.ops == &dispatch_s_ops)
		return ((struct dispatch_s *)base)->dispatcher;
	return dispatcher_of(base);
}

struct stage *dispatch_s_new(
	const struct firmware *firmware, struct stage *dispatcher, uint8_t processor)
{
	struct stage_place place = {dispatcher->device, dispatcher->tile, processor};
	struct dispatch_s *own = stage_new(sizeof *own, &dispatch_s_ops, firmware, place);

	own->dispatcher = (struct dispatcher *)dispatcher;
	own->dispatcher->starter = &own->base.stage;
	return &own->base.stage;
}

void starts_end(struct dispatcher *dispatcher)
{
	if (dispatcher->starter != NULL)
		device_row->set_word(&dispatcher->base.stage,
			dispatcher->config.layout.prepared_word, ++dispatcher->starts.prepared);
}

/* ---- the commands ---- */

/* Returns the start (struct start) for a GO or TRACE_END. For a GO, also adds the number of its
 * workers to the group's total. */
static struct start start_make(
	struct dispatcher *dispatcher, const struct dispatch_command *command)
{
	struct group *group = &dispatcher->groups[start_group(command)];
	struct start start = {.command = *command,
		.before = group->total,
		.messages_ps = dispatcher->messages_ps};

	if (command->kind == DISPATCH_GO) {
		if (begins_run(command))
			group->before[++group->run % RUNS_REMEMBERED] = group->total;
		start.before = group->before[group->run % RUNS_REMEMBERED];
		group->total +=
			command->flags & DISPATCH_TILE ? 1 : worker_rect_count(command->go.rect);
	} else {
		dispatcher->tracing = false;
		start.before = group->before[group->run % RUNS_REMEMBERED];
	}
	start.run = group->run;
	start.after = group->total;
	return start;
}

static void dispatch_start_commit(struct stage_base *base)
{
	struct dispatcher *dispatcher = dispatcher_of(base);
	struct start start;

	dispatcher_enter(dispatcher);
	start = start_make(dispatcher, &dispatcher->command);
	start_send(dispatcher, &base->stage, &start);
	dispatcher_leave(dispatcher);
}

static void prepare_commit(struct stage_base *base)
{
	struct dispatcher *dispatcher = dispatcher_of(base);
	struct starts *starts = &dispatcher->starts;

	dispatcher_enter(dispatcher);
	starts->start[(starts->first + starts->count++) % STARTS_MAX] =
		start_make(dispatcher, &dispatcher->command);
	starts->runs += begins_run(&dispatcher->command);
	if (dispatcher->starter != NULL)
		device_row->set_word(
			&base->stage, dispatcher->config.layout.prepared_word, ++starts->prepared);
	dispatcher_leave(dispatcher);
}

/* Returns true if the GO can be sent at once, because the previous run is done. */
static bool starts_now(const struct dispatcher *dispatcher, const struct dispatch_command *command)
{
	uint8_t index = start_group(command);
	const struct group *group = &dispatcher->groups[index];
	uint32_t before =
		begins_run(command) ? group->total : group->before[group->run % RUNS_REMEMBERED];

	return dispatcher->starter == NULL && dispatcher->starts.count == 0 &&
	       (int32_t)(done_word(dispatcher, index) - before) >= 0;
}

int64_t start_begin(struct dispatcher *dispatcher, const struct dispatch_command *command,
	uint64_t price, struct stage_wait *wait)
{
	const struct starts *starts = &dispatcher->starts;

	if (starts_now(dispatcher, command))
		return stage_plan(&dispatcher->base, price + start_price(dispatcher, command),
			dispatch_start_commit);
	if (starts->count < STARTS_MAX && (starts->runs < LAUNCHES_AHEAD || !begins_run(command)))
		return stage_plan(&dispatcher->base, price, prepare_commit);
	if (dispatcher->starter != NULL)
		return block_on_word(wait, dispatcher->config.layout.sent_word, starts->sent + 1,
			"a launch before to be started");
	block_on_word(wait,
		done_address(dispatcher, start_group(&starts_first(dispatcher)->command)),
		starts_first(dispatcher)->before, "workers to be done");
	first_wait(dispatcher, wait);
	return STAGE_BLOCKED;
}

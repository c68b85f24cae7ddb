/* Executes dispatch commands that have no data: those that wait, write a word, set an offset, or
 * begin or end a transaction. dispatch_start.c executes the other commands without data: go signals
 * and the ends of traces. The caller has checked the commands. */
#include "command/launch.h"
#include "dispatcher_private.h"

/* ---- WAIT ---- */

/* Returns the value of the done word that a WAIT for workers waits for. */
static uint32_t workers_total(
	const struct dispatcher *dispatcher, const struct dispatch_command *command)
{
	uint32_t behind = command->flags & DISPATCH_WORD ? 0 : command->wait.value;

	return starts_total(dispatcher, command->wait.group, behind);
}

/* Checks the conditions of a WAIT. Returns the flag of a condition that does not hold yet, or 0 if
 * all hold. DISPATCH_BARRIER holds when the first `writes` writes of this dispatcher are
 * acknowledged. */
static uint8_t wait_missing(const struct dispatcher *dispatcher,
	const struct dispatch_command *command, uint32_t writes)
{
	const struct stage *stage = &dispatcher->base.stage;
	uint8_t group = command->wait.group;

	if ((command->flags & DISPATCH_BARRIER) && (int32_t)(stage->writes_done - writes) < 0)
		return DISPATCH_BARRIER;
	if ((command->flags & DISPATCH_WORKERS) &&
		(int32_t)(done_word(dispatcher, group) - workers_total(dispatcher, command)) < 0)
		return DISPATCH_WORKERS;
	if ((command->flags & DISPATCH_WORD) &&
		(int32_t)(device_row->word(stage, command->wait.address) - command->wait.value) < 0)
		return DISPATCH_WORD;
	return 0;
}

/* Records the time at which a WAIT for the dispatcher's own writes began. */
static void note_messages(struct dispatcher *dispatcher)
{
	if (dispatcher->command.flags & DISPATCH_BARRIER)
		dispatcher->messages_ps = dispatcher->base.stage.now_ps;
}

static void wait_commit(struct stage_base *base)
{
	struct dispatcher *dispatcher = dispatcher_of(base);
	const struct dispatch_command *command = &dispatcher->command;
	bool entered = dispatcher->header == 0;
	struct group *group;

	dispatcher_enter(dispatcher);
	if (!entered)
		note_messages(dispatcher);
	marks_dispatched(dispatcher, command->wait.operation);
	starts_mark_ends(dispatcher);
	marks_take(dispatcher);
	group = &dispatcher->groups[command->wait.group];
	if (command->flags & DISPATCH_CLEAR) {
		group->total = 0;
		group->count = 0;
		starts_settle(dispatcher, command->wait.group);
		dispatcher->pending_groups &= ~(1u << command->wait.group);
		device_row->set_word(
			&base->stage, done_address(dispatcher, command->wait.group), 0);
	}
	if (command->flags & DISPATCH_RELEASE)
		device_row->noc_increment(&base->stage,
			dispatcher->config.release_tile[dispatcher->current],
			dispatcher->config.release_word[dispatcher->current], 1);
	dispatcher_leave(dispatcher);
}

static void wait_enter_commit(struct stage_base *base)
{
	struct dispatcher *dispatcher = dispatcher_of(base);

	dispatcher_enter(dispatcher);
	note_messages(dispatcher);
	dispatcher->progress.writes = base->stage.writes_posted;
	if (!(dispatcher->command.flags & DISPATCH_BARRIER))
		marks_dispatched(dispatcher, dispatcher->command.wait.operation);
}

static int64_t wait_block(const struct dispatcher *dispatcher, uint32_t address, uint32_t value,
	struct stage_wait *wait, const char *what)
{
	block_on_word(wait, address, value, what);
	starts_wait(dispatcher, wait);
	return STAGE_BLOCKED;
}

int64_t wait_begin(struct dispatcher *dispatcher, const struct dispatch_command *command,
	uint64_t price, struct stage_wait *wait)
{
	const struct stage_base *base = &dispatcher->base;
	bool entered = dispatcher->header == 0;
	uint32_t writes = entered ? dispatcher->progress.writes : base->stage.writes_posted;
	uint8_t group = command->wait.group;

	switch (wait_missing(dispatcher, command, writes)) {
	case 0:
		return stage_plan(&dispatcher->base,
			price + CHARGED(&base->firmware->price, dispatch_wait, 1), wait_commit);
	case DISPATCH_BARRIER:
		if (entered)
			return starts_block_on_writes(
				dispatcher, writes, wait, "acknowledgement of its own writes");
		break;
	case DISPATCH_WORKERS:
		if (entered)
			return wait_block(dispatcher, done_address(dispatcher, group),
				workers_total(dispatcher, command), wait, "workers to be done");
		break;
	default:
		if (entered)
			return wait_block(dispatcher, command->wait.address, command->wait.value,
				wait, "an event of a command queue");
		break;
	}
	return stage_plan(&dispatcher->base, price, wait_enter_commit);
}

/* ---- other commands ---- */

static void word_send(struct dispatcher *dispatcher)
{
	const struct dispatch_command *command = &dispatcher->command;
	uint16_t tile = command->write_word.tile;

	if (command->flags & DISPATCH_ADD)
		device_row->noc_increment(&dispatcher->base.stage, tile,
			command->write_word.address, command->write_word.value);
	else
		device_row->noc_write_word(&dispatcher->base.stage, tile,
			command->write_word.address, command->write_word.value);
}

static void control_commit(struct stage_base *base)
{
	struct dispatcher *dispatcher = dispatcher_of(base);
	const struct dispatch_command *command = &dispatcher->command;

	dispatcher_enter(dispatcher);
	switch (command->kind) {
	case DISPATCH_WRITE_WORD:
		word_send(dispatcher);
		break;
	case DISPATCH_SET_OFFSETS:
		for (int i = 1; i < DISPATCH_OFFSETS; i++)
			dispatcher->offsets[i] = command->set_offsets.offset[i - 1];
		break;
	case DISPATCH_SET_RUN:
		dispatcher->groups[command->set_run.group].run = (uint16_t)command->set_run.run;
		starts_settle(dispatcher, command->set_run.group);
		break;
	case DISPATCH_TRANSACTION:
		dispatcher->last_id = command->transaction.id;
		break;
	case DISPATCH_TERMINATE:
		base->ended = true;
		starts_end(dispatcher);
		break;
	case DISPATCH_TRACE_BEGIN:
		dispatcher->tracing = true;
		dispatcher->trace_first = command->trace_begin.first;
		dispatcher->trace_event = command->trace_begin.event;
		break;
	default:
		break;
	}
	dispatcher_leave(dispatcher);
}

int64_t control_begin(
	struct dispatcher *dispatcher, const struct dispatch_command *command, uint64_t price)
{
	const struct firmware_prices *prices = &dispatcher->base.firmware->price;

	if (command->kind == DISPATCH_WRITE_WORD)
		price += CHARGED(prices, dispatch_word, 1);
	else if (command->kind == DISPATCH_TRANSACTION)
		price += CHARGED(prices, dispatch_transaction, 1);
	return stage_plan(&dispatcher->base, price, control_commit);
}

/* Describes the state of a processor for worker_watch(), from current words and counters. */
#include "firmware/worker/worker.h"

#include "runner.h"

static uint32_t count_in(
	const struct runner *runner, const struct kernel_instruction *next, uint32_t words)
{
	return device_row->word(&runner->base.stage, runner_count_word(runner, words, next->a));
}

/* Appends the number of pages in the circular buffer, or of its free pages. */
static void tell_buffer(
	const struct runner *runner, const struct kernel_instruction *next, struct text *waits)
{
	const struct circular_buffer *buffer = runner_buffer(runner, next);
	uint32_t pages = sum_of(runner, next);
	uint32_t filled =
		count_in(runner, next, WORDS_PUSHED) - count_in(runner, next, WORDS_POPPED);

	if (next->opcode == KERNEL_AWAIT)
		text_printf(waits, "%u pages in circular buffer %u, which has %u", pages, next->a,
			filled);
	else
		text_printf(waits, "%u free pages of circular buffer %u, which has %u", pages,
			next->a, buffer ? buffer->pages - filled : 0);
}

static void tell_semaphore(
	const struct runner *runner, const struct kernel_instruction *next, struct text *waits)
{
	uint32_t number = next->immediate;

	text_printf(waits, "semaphore %u to be %u%s, which is %u", number,
		value_of(runner, next->a), next->opcode == KERNEL_UNTIL_LEAST ? " or more" : "",
		device_row->word(&runner->base.stage, runner_semaphore(runner, number)));
}

/* Appends the description of a wait for a barrier, or for room for one more transfer. */
static void tell_posted(const struct stage *stage, bool barrier, struct text *waits)
{
	bool reads = stage->wait.on == STAGE_WAIT_READS;
	uint32_t left = reads ? stage->reads_posted - stage->reads_done
			      : stage->writes_posted - stage->writes_done;

	text_printf(waits, "%s, with %u %s under way",
		barrier ? "a barrier" : "one more to be under way", left,
		reads ? "reads" : "writes");
}

static void tell_wait(
	const struct runner *runner, const struct kernel_instruction *next, struct text *waits)
{
	const struct stage *stage = &runner->base.stage;
	bool semaphore = next->opcode == KERNEL_UNTIL || next->opcode == KERNEL_UNTIL_LEAST;

	if (stage->wait.on == STAGE_WAIT_READS || stage->wait.on == STAGE_WAIT_WRITES)
		tell_posted(stage,
			next->opcode == KERNEL_WAIT_READS || next->opcode == KERNEL_WAIT_WRITES ||
				next->opcode == KERNEL_END,
			waits);
	else if (semaphore)
		tell_semaphore(runner, next, waits);
	else if (next->opcode == KERNEL_AWAIT || next->opcode == KERNEL_RESERVE)
		tell_buffer(runner, next, waits);
	else if (stage->wait.on == STAGE_WAIT_FABRIC)
		text_printf(waits, "a slot of the router on route %u", value_of(runner, next->a));
	else
		text_append(waits, stage->wait.what ? stage->wait.what : "something");
}

bool worker_watch(const struct stage *stage, bool blocked, struct worker_watch *watch,
	struct text *at, struct text *waits)
{
	const struct runner *runner = (const struct runner *)stage;

	if (!runner_is(stage))
		return false;
	*watch = (struct worker_watch){.running = runner->running,
		.acts = runner->running && runner->code != NULL,
		.halted = runner->base.halted != NULL,
		.instruction = runner->number,
		.waypoint = runner->waypoint};
	if (watch->acts)
		kernel_instruction_print(runner_next(runner), at);
	if (watch->halted)
		text_append(waits, runner->base.halted);
	else if (blocked && watch->acts)
		tell_wait(runner, runner_next(runner), waits);
	return true;
}

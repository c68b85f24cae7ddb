/* Executes instructions that have effects outside the processor: stores, NoC operations, circular
 * buffers and semaphores. The destination is checked first. If it is illegal, the processor halts
 * and the instruction has no effect. */
#include "runner.h"

/* ---- NoC ---- */

static struct worker_rect rect_of(uint32_t packed)
{
	return (struct worker_rect){(uint8_t)packed, (uint8_t)(packed >> 8),
		(uint8_t)(packed >> 16), (uint8_t)(packed >> 24)};
}

static const char *read(struct runner *runner, const struct kernel_instruction *next)
{
	uint32_t local = value_of(runner, next->a), length = sum_of(runner, next);
	const uint32_t *place = &runner->registers[next->b];
	struct stage *stage = &runner->base.stage;
	const char *why = runner_reads(runner, place[0], place[1], length);

	if (why == NULL)
		why = runner_writes(runner, stage->tile, local, length);
	if (why == NULL && runner_is_semaphore(runner, local, length))
		why = "halted: a read into a semaphore";
	if (why == NULL && length > 0)
		device_row->noc_read(stage, (uint16_t)place[0], place[1], length, local);
	return why;
}

static const char *write(struct runner *runner, const struct kernel_instruction *next)
{
	uint32_t local = value_of(runner, next->a), length = sum_of(runner, next);
	const uint32_t *place = &runner->registers[next->b];
	const char *why = runner_writes(runner, place[0], place[1], length);
	struct span span;

	if (why != NULL || length == 0)
		return why;
	why = runner_source(runner, local, place[1], length, &span);
	if (why != NULL)
		return why;
	device_row->noc_write(&runner->base.stage, (uint16_t)place[0], place[1], span);
	span_release(span);
	return NULL;
}

static const char *multicast(struct runner *runner, const struct kernel_instruction *next)
{
	uint32_t local = value_of(runner, next->a), length = sum_of(runner, next);
	const uint32_t *place = &runner->registers[next->b];
	struct worker_rect rect = rect_of(place[0]);
	const char *why = runner_multicasts(runner, rect, place[1], length);
	struct span span;

	if (why != NULL || length == 0)
		return why;
	why = runner_source(runner, local, place[1], length, &span);
	if (why != NULL)
		return why;
	device_row->noc_multicast(&runner->base.stage, rect, place[1], span);
	span_release(span);
	return NULL;
}

static const char *count(struct runner *runner, const struct kernel_instruction *next)
{
	uint32_t value = value_of(runner, next->a) + next->immediate;
	const uint32_t *place = &runner->registers[next->b];
	const char *why = runner_counts(runner, place[0], place[1]);
	struct stage *stage = &runner->base.stage;

	if (why != NULL)
		return why;
	if (next->opcode == KERNEL_INCREMENT)
		device_row->noc_increment(stage, (uint16_t)place[0], place[1], value);
	else
		device_row->noc_write_word(stage, (uint16_t)place[0], place[1], value);
	return NULL;
}

static const char *page(struct runner *runner, const struct kernel_instruction *next)
{
	uint32_t place[2] = {0};
	const char *why =
		runner_page(runner, value_of(runner, next->b), sum_of(runner, next), place);

	runner->registers[next->a] = place[0];
	runner->registers[next->a + 1] = place[1];
	return why;
}

/* ---- own L1 ---- */

static const char *store(struct runner *runner, const struct kernel_instruction *next)
{
	uint32_t address = value_of(runner, next->b) + next->immediate;
	struct stage *stage = &runner->base.stage;
	const char *why = runner_writes(runner, stage->tile, address, 4);
	uint8_t word[4];

	if (why == NULL && address % 4 != 0)
		why = "halted: a store that is not of a word";
	if (why != NULL)
		return why;
	bytes_put32(word, value_of(runner, next->a));
	device_row->store(stage, address, word, sizeof word);
	return NULL;
}

static const char *raise(struct runner *runner, const struct kernel_instruction *next)
{
	device_row->set_word(&runner->base.stage, runner_semaphore(runner, next->immediate),
		value_of(runner, next->a));
	return NULL;
}

/* ---- circular buffers ---- */

const struct circular_buffer *runner_buffer(
	const struct runner *runner, const struct kernel_instruction *instruction)
{
	const struct circular_buffer *buffer = &runner->worker->processors->buffers[instruction->a];

	return instruction->a < runner->worker->plan->message.circular_buffers &&
			       sum_of(runner, instruction) <= buffer->pages
		       ? buffer
		       : NULL;
}

static const char *pass(struct runner *runner, const struct kernel_instruction *next)
{
	const struct circular_buffer *buffer = runner_buffer(runner, next);
	struct stage *stage = &runner->base.stage;
	uint32_t pushed, popped, pages = sum_of(runner, next), word;

	if (buffer == NULL)
		return "halted: more pages than the circular buffer has, or there is none such";
	pushed = device_row->word(stage, runner_count_word(runner, WORDS_PUSHED, next->a));
	popped = device_row->word(stage, runner_count_word(runner, WORDS_POPPED, next->a));
	if (next->opcode == KERNEL_PUSH && pages > buffer->pages - (pushed - popped))
		return "halted: more pages are pushed than are free";
	if (next->opcode == KERNEL_POP && pages > pushed - popped)
		return "halted: more pages are popped than were pushed";
	if (next->opcode == KERNEL_PUSH || next->opcode == KERNEL_POP) {
		word = next->opcode == KERNEL_PUSH ? WORDS_PUSHED : WORDS_POPPED;
		device_row->set_word(stage, runner_count_word(runner, word, next->a),
			(next->opcode == KERNEL_PUSH ? pushed : popped) + pages);
	}
	return NULL;
}

/* ---- all ---- */

const char *runner_execute(struct runner *runner)
{
	const struct kernel_instruction *next = runner_next(runner);

	if (kernel_opcode_class(next->opcode) == KERNEL_CLASS_TILE)
		return runner_tile_execute(runner, next);
	switch (next->opcode) {
	case KERNEL_STORE:
		return store(runner, next);
	case KERNEL_RAISE:
		return raise(runner, next);
	case KERNEL_PAGE:
		return page(runner, next);
	case KERNEL_READ:
		return read(runner, next);
	case KERNEL_WRITE:
		return write(runner, next);
	case KERNEL_MULTICAST:
		return multicast(runner, next);
	case KERNEL_WRITE_WORD:
	case KERNEL_INCREMENT:
		return count(runner, next);
	case KERNEL_RESERVE:
	case KERNEL_PUSH:
	case KERNEL_AWAIT:
	case KERNEL_POP:
		return pass(runner, next);
	case KERNEL_PRINT:
	case KERNEL_PRINT_TILE:
		return runner_print(runner, next);
	case KERNEL_FABRIC_WRITE:
	case KERNEL_FABRIC_MULTICAST:
	case KERNEL_FABRIC_INCREMENT:
		return runner_send(runner);
	case KERNEL_FABRIC_READ:
		return runner_fetch(runner);
	default: /* waits and BUSY only take time */
		return NULL;
	}
}

/* Executes print instructions of kernels. They print a register, or an element of the tile at the
 * front of a circular buffer. The output goes to the same receiver as faults (struct
 * firmware_faults). A print takes only the time of its price in cycles. */
#include <math.h>
#include <string.h>

#include "runner.h"

/* Sets *value to element `index` of the tile, or to NAN if the element is not simulated. Returns
 * NULL, or the reason why the element does not exist. */
static const char *element_of(const struct runner *runner, const struct kernel_instruction *next,
	uint32_t index, float *value)
{
	const struct circular_buffer *buffer = &runner->worker->processors->buffers[next->a];
	enum element element = tile_element((enum kernel_element)next->b);
	uint32_t bytes = element_bytes(element), popped, address;
	uint8_t bytes_there[4] = {0};
	uint32_t bits;

	if (next->a >= runner->worker->plan->message.circular_buffers)
		return "halted: a circular buffer that the core does not have";
	popped = runner_count_at(runner, runner_count_word(runner, WORDS_POPPED, next->a));
	if (runner_count_at(runner, runner_count_word(runner, WORDS_PUSHED, next->a)) == popped)
		return "halted: an element of a page that was not pushed";
	if (index >= COMPUTE_ELEMENTS || COMPUTE_ELEMENTS * bytes > buffer->page_bytes)
		return "halted: an element outside its tile, or a tile larger than a page";
	address = buffer->address + popped % buffer->pages * buffer->page_bytes +
		  compute_place(index / COMPUTE_SIDE, index % COMPUTE_SIDE) * bytes;
	*value = NAN;
	if (device_row->load(&runner->base.stage, address, bytes, bytes_there) != STATUS_OK)
		return NULL;
	bits = bytes_get32(bytes_there) << (element == ELEMENT_F32 ? 0 : 16);
	memcpy(value, &bits, sizeof bits);
	return NULL;
}

const char *runner_print(struct runner *runner, const struct kernel_instruction *next)
{
	const struct stage_base *base = &runner->base;
	const struct firmware_faults *sink = &base->firmware->faults;
	struct firmware_print print = {.chip = base->marked_chip,
		.tile = base->stage.tile,
		.processor = base->stage.ops->name,
		.operation = runner->worker->plan->message.operation,
		.instruction = runner->number,
		.number = next->immediate,
		.from = next->a};
	const char *why = NULL;

	if (next->opcode == KERNEL_PRINT) {
		print.value = value_of(runner, next->a);
	} else {
		print.element = true;
		print.number = sum_of(runner, next);
		why = element_of(runner, next, print.number, &print.real);
	}
	if (why == NULL && sink->print != NULL)
		sink->print(sink->context, &print);
	return why;
}

/* Executes instructions whose effects stay within the processor: arithmetic, jumps, arguments and
 * loads. If an instruction is illegal, the reason is stored in runner->wrong, and the next commit
 * reports it. */
#include "runner.h"

static bool wrong(struct runner *runner, const char *detail)
{
	runner->wrong = detail;
	return false;
}

/* ---- arguments ---- */

static bool argument(
	const struct runner *runner, uint32_t base, uint32_t bytes, uint64_t index, uint32_t *value)
{
	uint8_t word[4];

	if (index * 4 + 4 > bytes)
		return false;
	if (device_row->load(&runner->base.stage, base + (uint32_t)index * 4, sizeof word, word) !=
		STATUS_OK)
		return false;
	*value = bytes_get32(word);
	return true;
}

static bool unique(const struct runner *runner, uint32_t index, uint32_t *value)
{
	const struct launch_message *message = &runner->worker->plan->message;

	return argument(runner, message->config_base + message->unique_offset,
		message->unique_bytes, (uint64_t)index + runner->kernel.first_argument, value);
}

bool runner_common(const struct runner *runner, uint32_t index, uint32_t *value)
{
	const struct launch_message *message = &runner->worker->plan->message;

	return argument(runner, message->config_base + message->common_offset,
		message->common_bytes, (uint64_t)index + runner->kernel.first_common, value);
}

/* ---- place of the core ---- */

/* Sets `place` to the column and row of the core's tile in the grid of workers. For an Ethernet
 * core, sets it to column 0 and the row after the last row of workers. */
static void own_place(const struct runner *runner, uint32_t place[2])
{
	const struct chip_geometry *geometry = stage_geometry(&runner->base);
	uint32_t columns = geometry->worker_columns, i = 0;

	while (i < columns * geometry->worker_rows &&
		geometry->worker_tiles[i] != runner->base.stage.tile)
		i++;
	place[0] = i % columns;
	place[1] = i / columns;
}

static bool worker_tile(struct runner *runner, uint32_t column, uint32_t row, uint32_t *value)
{
	const struct chip_geometry *geometry = stage_geometry(&runner->base);

	if (column >= geometry->worker_columns || row >= geometry->worker_rows)
		return wrong(runner, "halted: a worker outside the grid");
	*value = geometry->worker_tiles[row * geometry->worker_columns + column];
	return true;
}

/* ---- arithmetic ---- */

static bool arithmetic(
	struct runner *runner, enum kernel_opcode opcode, uint32_t b, uint32_t c, uint32_t *value)
{
	if ((opcode == KERNEL_DIVIDE || opcode == KERNEL_REMAINDER) && c == 0)
		return wrong(runner, "halted: a division by zero");
	switch (opcode) {
	case KERNEL_ADD:
		*value = b + c;
		return true;
	case KERNEL_SUBTRACT:
		*value = b - c;
		return true;
	case KERNEL_MULTIPLY:
		*value = b * c;
		return true;
	case KERNEL_DIVIDE:
		*value = b / c;
		return true;
	case KERNEL_REMAINDER:
		*value = b % c;
		return true;
	case KERNEL_AND:
		*value = b & c;
		return true;
	case KERNEL_OR:
		*value = b | c;
		return true;
	case KERNEL_XOR:
		*value = b ^ c;
		return true;
	case KERNEL_SHIFT_LEFT:
		*value = b << c % 32;
		return true;
	default:
		*value = b >> c % 32;
		return true;
	}
}

static bool runner_compute_jumps(
	const struct runner *runner, const struct kernel_instruction *instruction)
{
	uint32_t a = value_of(runner, instruction->a), b = value_of(runner, instruction->b);

	switch (instruction->opcode) {
	case KERNEL_JUMP_EQUAL:
		return a == b;
	case KERNEL_JUMP_UNEQUAL:
		return a != b;
	case KERNEL_JUMP_BELOW:
		return a < b;
	case KERNEL_JUMP_NOT_BELOW:
		return a >= b;
	default:
		return true;
	}
}

/* ---- loads ---- */

static bool load(struct runner *runner, uint32_t address, uint32_t *value)
{
	uint8_t word[4];

	if (address % 4 != 0 || address > runner->worker->group->l1_bytes - 4)
		return wrong(runner, "halted: a load outside L1, or not of a word");
	if (device_row->load(&runner->base.stage, address, sizeof word, word) != STATUS_OK)
		return wrong(runner, "halted: a load of bytes that are not simulated");
	*value = bytes_get32(word);
	return true;
}

/* Sets *value to the address of the next page of circular buffer `index`: the next page to be
 * written if `words` is WORDS_PUSHED, the next page to be read if it is WORDS_POPPED. */
static bool page_address(struct runner *runner, uint32_t words, uint32_t index, uint32_t *value)
{
	const struct circular_buffer *buffer;
	uint32_t count;

	if (index >= runner->worker->plan->message.circular_buffers)
		return wrong(runner, "halted: a circular buffer that the core does not have");
	buffer = &runner->worker->processors->buffers[index];
	if (buffer->pages == 0)
		return wrong(runner, "halted: a circular buffer without pages");
	count = device_row->word(&runner->base.stage, runner_count_word(runner, words, index));
	*value = buffer->address + count % buffer->pages * buffer->page_bytes;
	return true;
}

/* Computes the value of an instruction that writes one value to register a. */
static bool value_for(
	struct runner *runner, const struct kernel_instruction *instruction, uint32_t *value)
{
	uint32_t b = value_of(runner, instruction->b);

	switch (instruction->opcode) {
	case KERNEL_ARGUMENT:
		return unique(runner, b + instruction->immediate, value) ||
		       wrong(runner, "halted: an argument that the kernel does not have");
	case KERNEL_COMMON:
		return runner_common(runner, b + instruction->immediate, value) ||
		       wrong(runner, "halted: a common argument that the kernel does not have");
	case KERNEL_OWN_TILE:
		*value = runner->base.stage.tile;
		return true;
	case KERNEL_WORKER:
		return worker_tile(runner, b, sum_of(runner, instruction), value);
	case KERNEL_LOAD:
		return load(runner, b + instruction->immediate, value);
	case KERNEL_BACK:
		return page_address(runner, WORDS_PUSHED, instruction->b, value);
	case KERNEL_FRONT:
		return page_address(runner, WORDS_POPPED, instruction->b, value);
	case KERNEL_SEMAPHORE:
		*value = runner_semaphore(runner, instruction->immediate);
		return true;
	default:
		return arithmetic(
			runner, instruction->opcode, b, sum_of(runner, instruction), value);
	}
}

bool runner_compute(struct runner *runner)
{
	const struct kernel_instruction *instruction = runner_next(runner);
	uint32_t value;

	if (instruction->opcode >= KERNEL_JUMP && instruction->opcode <= KERNEL_JUMP_NOT_BELOW) {
		runner->number = runner_compute_jumps(runner, instruction) ? instruction->immediate
									   : runner->number + 1;
		return true;
	}
	if (instruction->opcode == KERNEL_WAYPOINT) {
		runner->waypoint = instruction->immediate;
	} else if (instruction->opcode == KERNEL_OWN_PLACE) {
		own_place(runner, &runner->registers[instruction->a]);
	} else {
		if (!value_for(runner, instruction, &value))
			return false;
		runner->registers[instruction->a] = value;
	}
	runner->number++;
	return true;
}

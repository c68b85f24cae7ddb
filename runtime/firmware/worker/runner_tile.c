/* Instructions on tiles (command/kernel_tile.h): when they must wait, their prices and their
 * effects. Three processors cooperate: the first fills registers, the second computes, and the
 * third packs results. They wait for each other by counts in words of L1; waiting has no price.
 * tile_unit.c implements the computation. */
#include "runner.h"

/* ---- forms of instructions ---- */

struct tile_form {
	uint8_t processor;
	bool left, right; /* the instruction reads this source */
	bool computes;	  /* the instruction writes a destination */
	bool packs;	  /* the instruction reads a destination */
};

static struct tile_form form_of(enum kernel_opcode opcode)
{
	struct tile_form form = {.processor = PROCESSOR_TRISC1};

	switch (opcode) {
	case KERNEL_TILE_UNPACK:
	case KERNEL_TILE_UNPACK_ROWS:
		form.processor = PROCESSOR_TRISC0;
		break;
	case KERNEL_TILE_AWAIT:
	case KERNEL_TILE_RELEASE:
		form.processor = PROCESSOR_TRISC2;
		break;
	case KERNEL_TILE_PACK:
	case KERNEL_TILE_PACK_ROWS:
		form.processor = PROCESSOR_TRISC2;
		form.packs = true;
		break;
	case KERNEL_TILE_ACQUIRE:
	case KERNEL_TILE_COMMIT:
		break;
	default:
		form.computes = true;
		form.left = opcode != KERNEL_TILE_CLEAR && !tile_in_place(opcode);
		form.right = opcode == KERNEL_TILE_ADD || opcode == KERNEL_TILE_SUBTRACT ||
			     opcode == KERNEL_TILE_MULTIPLY || opcode == KERNEL_TILE_MATMUL;
		break;
	}
	return form;
}

/* Returns the source register that the instruction fills. Operand b names it, except in
 * TILE_UNPACK_ROWS, which always fills the left source. */
static enum kernel_source source_of(const struct kernel_instruction *next)
{
	return tile_of_rows(next) ? KERNEL_LEFT : (enum kernel_source)next->b;
}

/* ---- counts ---- */

static uint32_t filled_word(const struct runner *runner, uint32_t source)
{
	return runner_word(runner, WORDS_FILLED + 4 * source);
}

static uint32_t taken_word(const struct runner *runner, uint32_t source)
{
	return runner_word(runner, WORDS_TAKEN + 4 * source);
}

static void count_up(struct runner *runner, uint32_t word)
{
	device_row->set_word(&runner->base.stage, word, runner_count_at(runner, word) + 1);
}

static struct tile_unit *unit_of(const struct runner *runner)
{
	struct runner_set *set = runner->worker->processors;

	if (set->tiles == NULL)
		set->tiles = tile_unit_new(&runner->worker->group->tiles);
	return set->tiles;
}

void runner_tiles_start(struct worker *worker)
{
	struct runner_set *set = worker->processors;

	if (set->tiles == NULL && set->tiles_cleared)
		return;
	set->tiles_cleared = true;
	if (set->tiles != NULL)
		tile_unit_reset(set->tiles);
	for (uint32_t word = WORDS_FILLED; word < WORDS_END; word += 4)
		device_row->set_word(
			&worker->stage, worker->group->config.words.processors + word, 0);
}

/* ---- checks ---- */

static uint32_t destinations(const struct runner *runner, const struct tile_half *half)
{
	uint32_t count = runner->base.firmware->limits.tile_registers / 2;

	return half->element == ELEMENT_F32 ? count / 2 : count;
}

static const char *check_destination(
	const struct runner *runner, const struct kernel_instruction *next, struct tile_form form)
{
	const struct tile_unit *unit = unit_of(runner);
	uint32_t half = form.packs ? unit->awaited - 1 : unit->acquired - 1;
	uint32_t number = form.packs ? kernel_tile_destination(next->immediate) : next->a;

	if (form.packs ? !unit->packs : !unit->computes)
		return form.packs ? "halted: destinations that were not awaited"
				  : "halted: destinations that were not acquired";
	return number < destinations(runner, &unit->halves[half % 2])
		       ? NULL
		       : "halted: a destination that the core does not have";
}

static const char *check_handover(
	const struct runner *runner, const struct kernel_instruction *next)
{
	const struct tile_unit *unit = unit_of(runner);

	switch (next->opcode) {
	case KERNEL_TILE_ACQUIRE:
		return unit->computes ? "halted: destinations are acquired twice" : NULL;
	case KERNEL_TILE_COMMIT:
		return unit->computes ? NULL : "halted: destinations that were not acquired";
	case KERNEL_TILE_AWAIT:
		return unit->packs ? "halted: destinations are awaited twice" : NULL;
	default: /* KERNEL_TILE_RELEASE */
		return unit->packs ? NULL : "halted: destinations that were not awaited";
	}
}

/* Returns NULL, or the reason why the instruction can never be executed. */
static const char *refused(const struct runner *runner, const struct kernel_instruction *next)
{
	struct tile_form form = form_of(next->opcode);
	const char *why = NULL;

	if (runner->base.stage.processor != form.processor)
		return "halted: an instruction on tiles of another processor";
	if (form.computes || form.packs)
		why = check_destination(runner, next, form);
	else if (form.processor != PROCESSOR_TRISC0)
		return check_handover(runner, next);
	if (why == NULL && !form.computes)
		why = runner_tile_check_pages(runner, next);
	return why;
}

/* ---- waits ---- */

static int64_t wait_word(
	const struct runner *runner, uint32_t word, uint32_t least_count, struct stage_wait *wait)
{
	if ((int32_t)(runner_count_at(runner, word) - least_count) >= 0)
		return 0;
	return block_on_word(wait, word, least_count, "registers of tiles");
}

static int64_t wait_sources(
	const struct runner *runner, struct tile_form form, struct stage_wait *wait)
{
	for (uint32_t source = 0; source < KERNEL_SOURCES; source++) {
		uint32_t next = runner_count_at(runner, taken_word(runner, source)) + 1;

		if ((source == KERNEL_LEFT ? form.left : form.right) &&
			wait_word(runner, filled_word(runner, source), next, wait) != 0)
			return STAGE_BLOCKED;
	}
	return 0;
}

int64_t runner_tile_wait(
	const struct runner *runner, const struct kernel_instruction *next, struct stage_wait *wait)
{
	const struct tile_unit *unit = unit_of(runner);
	struct tile_form form = form_of(next->opcode);
	uint32_t source;

	if (refused(runner, next) != NULL)
		return 0;
	switch (next->opcode) {
	case KERNEL_TILE_UNPACK:
	case KERNEL_TILE_UNPACK_ROWS:
		source = source_of(next);
		return wait_word(runner, taken_word(runner, source),
			runner_count_at(runner, filled_word(runner, source)) -
				(KERNEL_SOURCE_DEPTH - 1),
			wait);
	case KERNEL_TILE_ACQUIRE:
		return wait_word(
			runner, runner_word(runner, WORDS_RELEASED), unit->acquired - 1, wait);
	case KERNEL_TILE_AWAIT:
		return wait_word(
			runner, runner_word(runner, WORDS_COMMITTED), unit->awaited + 1, wait);
	default:
		return wait_sources(runner, form, wait);
	}
}

/* ---- costs ---- */

static uint64_t function_price(const struct firmware_prices *price, enum kernel_function function)
{
	switch (function) {
	case KERNEL_EXP:
		return CHARGED(price, tile_exp, 1);
	case KERNEL_RECIPROCAL:
		return CHARGED(price, tile_reciprocal, 1);
	case KERNEL_SQRT:
		return CHARGED(price, tile_sqrt, 1);
	case KERNEL_GELU:
		return CHARGED(price, tile_gelu, 1);
	case KERNEL_SILU:
		return CHARGED(price, tile_silu, 1);
	default: /* KERNEL_TANH */
		return CHARGED(price, tile_tanh, 1);
	}
}

uint64_t runner_tile_price(const struct runner *runner, const struct kernel_instruction *next)
{
	const struct firmware_prices *price = &runner->base.firmware->price;

	switch (next->opcode) {
	case KERNEL_TILE_UNPACK:
	case KERNEL_TILE_UNPACK_ROWS:
		return CHARGED(price, tile_unpack, tile_bytes_of(next) / 16);
	case KERNEL_TILE_PACK:
	case KERNEL_TILE_PACK_ROWS:
		return CHARGED(price, tile_pack, tile_bytes_of(next) / 16);
	case KERNEL_TILE_COPY:
	case KERNEL_TILE_CLEAR:
	case KERNEL_TILE_TRANSPOSE:
		return CHARGED(price, tile_copy, 1);
	case KERNEL_TILE_FUNCTION:
		return function_price(price, (enum kernel_function)next->b);
	case KERNEL_TILE_SCALE:
	case KERNEL_TILE_OFFSET:
		return CHARGED(price, tile_scale, 1);
	case KERNEL_TILE_ADD:
	case KERNEL_TILE_SUBTRACT:
		return CHARGED(price, tile_add, 1);
	case KERNEL_TILE_MULTIPLY:
		return CHARGED(price, tile_multiply, 1);
	case KERNEL_TILE_MATMUL:
		return CHARGED(price, tile_matmul, 1);
	case KERNEL_TILE_REDUCE:
		return CHARGED(price, tile_reduce, 1);
	default:
		return CHARGED(price, tile_handover, 1);
	}
}

/* ---- unpack and pack ---- */

static const char *unpack(struct runner *runner, const struct kernel_instruction *next)
{
	enum kernel_source source = source_of(next);
	uint32_t filled = runner_count_at(runner, filled_word(runner, source));
	const char *why;
	struct span span;

	why = runner_tile_read(runner, next, &span);
	if (why != NULL)
		return why;
	tile_unit_fill(
		unit_of(runner), source, filled % KERNEL_SOURCE_DEPTH, span, tile_element_of(next));
	count_up(runner, filled_word(runner, source));
	return NULL;
}

static const char *pack(struct runner *runner, const struct kernel_instruction *next)
{
	struct tile_unit *unit = unit_of(runner);
	struct span packed = tile_unit_pack(unit, (unit->awaited - 1) % 2,
		kernel_tile_destination(next->immediate), tile_element_of(next));
	const char *why = runner_tile_write(runner, next, packed);

	span_release(packed);
	return why;
}

/* ---- compute ---- */

static const struct tile_source *runner_tile_take(const struct runner *runner, uint32_t source)
{
	uint32_t bank = runner_count_at(runner, taken_word(runner, source)) % KERNEL_SOURCE_DEPTH;

	return &unit_of(runner)->sources[source][bank];
}

static void runner_tile_give_back(struct runner *runner, enum kernel_source source)
{
	uint32_t bank = runner_count_at(runner, taken_word(runner, source)) % KERNEL_SOURCE_DEPTH;

	tile_unit_drop(unit_of(runner), source, bank);
	count_up(runner, taken_word(runner, source));
}

static const char *runner_tile_compute(struct runner *runner, const struct kernel_instruction *next)
{
	struct tile_form form = form_of(next->opcode);
	struct tile_unit *unit = unit_of(runner);
	struct tile_task task = {.instruction = next,
		.left = form.left ? runner_tile_take(runner, KERNEL_LEFT) : NULL,
		.right = form.right ? runner_tile_take(runner, KERNEL_RIGHT) : NULL};

	tile_unit_compute(unit, (unit->acquired - 1) % 2, &task);
	if (form.left)
		runner_tile_give_back(runner, KERNEL_LEFT);
	if (form.right)
		runner_tile_give_back(runner, KERNEL_RIGHT);
	return NULL;
}

static const char *hand_over(struct runner *runner, const struct kernel_instruction *next)
{
	struct tile_unit *unit = unit_of(runner);

	switch (next->opcode) {
	case KERNEL_TILE_ACQUIRE:
		tile_unit_clear(
			unit, unit->acquired % 2, tile_element((enum kernel_element)next->a));
		unit->acquired++;
		unit->computes = true;
		break;
	case KERNEL_TILE_COMMIT:
		unit->computes = false;
		count_up(runner, runner_word(runner, WORDS_COMMITTED));
		break;
	case KERNEL_TILE_AWAIT:
		unit->awaited++;
		unit->packs = true;
		break;
	default: /* KERNEL_TILE_RELEASE */
		unit->packs = false;
		tile_unit_clear(unit, (unit->awaited - 1) % 2, ELEMENT_F32);
		count_up(runner, runner_word(runner, WORDS_RELEASED));
		break;
	}
	return NULL;
}

/* ---- all ---- */

const char *runner_tile_execute(struct runner *runner, const struct kernel_instruction *next)
{
	struct tile_form form = form_of(next->opcode);
	const char *why = refused(runner, next);

	if (why != NULL)
		return why;
	if (form.computes)
		return runner_tile_compute(runner, next);
	if (form.packs)
		return pack(runner, next);
	return form.processor == PROCESSOR_TRISC0 ? unpack(runner, next) : hand_over(runner, next);
}

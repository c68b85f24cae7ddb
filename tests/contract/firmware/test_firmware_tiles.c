/* Tests instructions on tiles, in the native and the simulated world. Kernels unpack, compute and
 * pack random tiles of random elements, and the results must be those of compute/operations.h. The
 * three processors of a core must work at the same time. Each takes as many cycles as the costs of
 * its instructions give. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "command/kernel_tile.h"
#include "compute/operations.h"
#include "rig_kernels.h"
#include "row.h"
#include "test_cluster.h"
#include "tile_matrix.h"

static const struct test_cluster one_chip = {
	.rows = 1, .columns = 1, .worker_columns = 2, .worker_rows = 2};

enum { WORKERS = 4, CASES = 40, PAIRS_MAX = 5, LEFT = 0, RIGHT, OUT };

/* A computation with `pairs` tiles on the left side and as many on the right side. */
struct tile_case {
	struct kernel_instruction instruction;
	enum kernel_function function; /* function that the vector unit applies to the result */
	bool right;
	uint32_t pairs;
	enum kernel_element left_element, right_element, registers, packed;
	struct tile_bytes lefts[PAIRS_MAX], rights[PAIRS_MAX];
};

static enum element element_of(enum kernel_element element)
{
	static const enum element elements[] = {
		ELEMENT_F32, ELEMENT_BF16, ELEMENT_BFP_BF8, ELEMENT_BFP_BF4};

	return elements[element];
}

static uint32_t tile_bytes_of(enum kernel_element element)
{
	static const uint32_t bytes[] = {4096, 2048, 64 + 1024, 64 + 512};

	return bytes[element];
}

static uint32_t next_event(void)
{
	static uint32_t event;

	return ++event;
}

/* ---- expected result ---- */

static void expect(const struct tile_case *tile_case, uint8_t out[4096])
{
	const struct kernel_instruction *instruction = &tile_case->instruction;
	struct compute_registers registers;
	float memory[1024];

	compute_registers_init(&registers, 1, element_of(tile_case->registers), memory);
	for (uint32_t i = 0; i < tile_case->pairs; i++) {
		const struct compute_tile *left = &tile_case->lefts[i].tile;
		const struct compute_tile *right = &tile_case->rights[i].tile;

		if (instruction->opcode == KERNEL_TILE_COPY)
			compute_copy(&registers, 0, left);
		else if (instruction->opcode == KERNEL_TILE_TRANSPOSE)
			compute_transpose(&registers, 0, left);
		else if (instruction->opcode == KERNEL_TILE_SUBTRACT)
			compute_binary(&registers, 0, COMPUTE_SUBTRACT, left, right,
				(enum compute_broadcast)instruction->b);
		else if (instruction->opcode == KERNEL_TILE_ADD)
			compute_binary(&registers, 0, COMPUTE_ADD, left, right,
				(enum compute_broadcast)instruction->b);
		else if (instruction->opcode == KERNEL_TILE_MULTIPLY)
			compute_binary(&registers, 0, COMPUTE_MULTIPLY, left, right,
				(enum compute_broadcast)instruction->b);
		else if (instruction->opcode == KERNEL_TILE_MATMUL)
			compute_matmul(&registers, 0, left, right);
		else
			compute_reduce(&registers, 0, (enum compute_reduction)instruction->c,
				(enum compute_along)instruction->b, left);
	}
	compute_unary(&registers, 0, (enum compute_unary)tile_case->function);
	compute_scale(&registers, 0, 0.75f);
	compute_offset(&registers, 0, -1.5f);
	compute_pack(&registers, 0, element_of(tile_case->packed), out);
}

/* ---- the launch ---- */

/* Fills `text` with the instructions of the reader. The data are already in the pages of the
 * circular buffers, so the reader only pushes the pages. */
static void reader_text(struct kernel_text *text, const struct tile_case *tile_case)
{
	kernel_text_init(text);
	kernel_text_add(text, KERNEL_RESERVE, LEFT, 0, 0, tile_case->pairs);
	kernel_text_add(text, KERNEL_PUSH, LEFT, 0, 0, tile_case->pairs);
	kernel_text_add(text, KERNEL_RESERVE, RIGHT, 0, 0, tile_case->pairs);
	kernel_text_add(text, KERNEL_PUSH, RIGHT, 0, 0, tile_case->pairs);
	kernel_text_finish(text);
}

/* Makes the text of the unpacker, which waits for all tiles at once. */
static void unpack_text(struct kernel_text *text, const struct tile_case *tile_case)
{
	kernel_text_init(text);
	kernel_text_add(text, KERNEL_AWAIT, LEFT, 0, 0, tile_case->pairs);
	kernel_text_add(text, KERNEL_AWAIT, RIGHT, 0, 0, tile_case->pairs);
	for (uint32_t i = 0; i < tile_case->pairs; i++) {
		kernel_text_set(text, 1, i);
		kernel_text_add(
			text, KERNEL_TILE_UNPACK, LEFT, KERNEL_LEFT, 1, tile_case->left_element);
		if (tile_case->right)
			kernel_text_add(text, KERNEL_TILE_UNPACK, RIGHT, KERNEL_RIGHT, 1,
				tile_case->right_element);
	}
	kernel_text_add(text, KERNEL_POP, LEFT, 0, 0, tile_case->pairs);
	kernel_text_add(text, KERNEL_POP, RIGHT, 0, 0, tile_case->pairs);
	kernel_text_finish(text);
}

static void math_text(struct kernel_text *text, const struct tile_case *tile_case)
{
	const struct kernel_instruction *at = &tile_case->instruction;

	kernel_text_init(text);
	kernel_text_add(text, KERNEL_TILE_ACQUIRE, (uint8_t)tile_case->registers, 0, 0, 0);
	for (uint32_t i = 0; i < tile_case->pairs; i++)
		kernel_text_add(text, at->opcode, at->a, at->b, at->c, 0);
	kernel_text_add(text, KERNEL_TILE_FUNCTION, at->a, (uint8_t)tile_case->function, 0, 0);
	kernel_text_add(text, KERNEL_TILE_SCALE, at->a, 0, 0, 0x3f400000 /* 0.75 */);
	kernel_text_add(text, KERNEL_TILE_OFFSET, at->a, 0, 0, 0xbfc00000 /* -1.5 */);
	kernel_text_add(text, KERNEL_TILE_COMMIT, 0, 0, 0, 0);
	kernel_text_finish(text);
}

static void pack_text(struct kernel_text *text, const struct tile_case *tile_case)
{
	kernel_text_init(text);
	kernel_text_add(text, KERNEL_RESERVE, OUT, 0, 0, 1);
	kernel_text_add(text, KERNEL_TILE_AWAIT, 0, 0, 0, 0);
	kernel_text_add(text, KERNEL_TILE_PACK, OUT, 0, 0,
		kernel_tile_result(tile_case->instruction.a, tile_case->packed));
	kernel_text_add(text, KERNEL_TILE_RELEASE, 0, 0, 0, 0);
	kernel_text_add(text, KERNEL_PUSH, OUT, 0, 0, 1);
	kernel_text_finish(text);
}

static void append_tiles(struct command_stream *stream, const struct rig_chip *chip,
	uint32_t address, const struct tile_bytes *tiles, uint32_t count,
	enum kernel_element element)
{
	for (uint32_t i = 0; i < count; i++)
		rig_append_multicast(stream, chip, address + i * tile_bytes_of(element),
			tiles[i].bytes, tile_bytes_of(element));
}

static void compute_on(struct rig_chip *chip, const struct tile_case *tile_case)
{
	uint32_t left_page = tile_bytes_of(tile_case->left_element);
	uint32_t right_page = tile_bytes_of(tile_case->right_element);
	struct rig_launch launch = {.id = 1,
		.buffer_count = 3,
		.buffers = {[LEFT] = {RIG_DATA, PAIRS_MAX, left_page},
			[RIGHT] = {RIG_DATA + 0x8000, PAIRS_MAX, right_page},
			[OUT] = {RIG_DATA + 0x10000, 1, tile_bytes_of(tile_case->packed)}}};
	uint32_t bytes = tile_bytes_of(tile_case->packed);
	struct kernel_text text[PROCESSOR_COUNT];
	uint8_t expected[4096], seen[4096];
	struct command_stream stream;

	command_stream_init(&stream, 0);
	append_tiles(&stream, chip, RIG_DATA, tile_case->lefts, tile_case->pairs,
		tile_case->left_element);
	append_tiles(&stream, chip, RIG_DATA + 0x8000, tile_case->rights, tile_case->pairs,
		tile_case->right_element);
	reader_text(&text[PROCESSOR_NCRISC], tile_case);
	unpack_text(&text[PROCESSOR_TRISC0], tile_case);
	math_text(&text[PROCESSOR_TRISC1], tile_case);
	pack_text(&text[PROCESSOR_TRISC2], tile_case);
	for (int i = PROCESSOR_NCRISC; i <= PROCESSOR_TRISC2; i++)
		launch.text[i] = &text[i];
	rig_append_launch(&stream, chip, &launch, 0);
	rig_run(chip, &stream, next_event());
	expect(tile_case, expected);
	for (uint32_t i = 0; i < WORKERS; i++) {
		rig_inspect(chip, chip->geometry->worker_tiles[i], RIG_DATA + 0x10000, bytes, seen);
		check(memcmp(expected, seen, bytes) == 0, "worker %u: %s of %u tiles differs", i,
			kernel_opcode_word(tile_case->instruction.opcode), tile_case->pairs);
	}
	for (int i = PROCESSOR_NCRISC; i <= PROCESSOR_TRISC2; i++)
		kernel_text_fini(&text[i]);
}

/* ---- random ones ---- */

static enum kernel_element random_element(struct stream *random)
{
	return stream_below(random, 2) ? KERNEL_BF16 : KERNEL_F32;
}

static enum kernel_element random_format(struct stream *random)
{
	return (enum kernel_element)stream_below(random, KERNEL_FORMATS);
}

static void random_tile(struct stream *random, enum kernel_element element, struct tile_bytes *tile)
{
	struct tile_matrix matrix;

	if (element < KERNEL_ELEMENTS) {
		matrix_random(random, element_of(element), &matrix);
		matrix_to_tile(&matrix, element_of(element), tile);
		return;
	}
	for (uint32_t i = 0; i < tile_bytes_of(element); i++)
		tile->bytes[i] = (uint8_t)(i < 64 ? 122 + stream_below(random, 10)
						  : stream_below(random, 256));
	tile->tile = (struct compute_tile){element_of(element), tile->bytes};
}

static void random_case(
	struct stream *random, enum kernel_opcode opcode, struct tile_case *tile_case)
{
	memset(tile_case, 0, sizeof *tile_case);
	tile_case->left_element = random_format(random);
	tile_case->right_element = random_format(random);
	tile_case->registers = random_element(random);
	tile_case->packed = random_format(random);
	tile_case->pairs = 1 + (uint32_t)stream_below(random, PAIRS_MAX);
	tile_case->instruction.opcode = opcode;
	tile_case->instruction.a =
		(uint8_t)stream_below(random, tile_case->registers == KERNEL_F32 ? 4 : 8);
	tile_case->function = (enum kernel_function)stream_below(random, KERNEL_FUNCTIONS);
	if (opcode == KERNEL_TILE_ADD || opcode == KERNEL_TILE_SUBTRACT ||
		opcode == KERNEL_TILE_MULTIPLY)
		tile_case->instruction.b = (uint8_t)stream_below(random, KERNEL_BROADCASTS);
	if (opcode == KERNEL_TILE_REDUCE) {
		tile_case->instruction.b = (uint8_t)stream_below(random, KERNEL_ALONGS);
		tile_case->instruction.c = (uint8_t)stream_below(random, KERNEL_REDUCTIONS);
	}
	tile_case->right = opcode != KERNEL_TILE_COPY && opcode != KERNEL_TILE_TRANSPOSE &&
			   opcode != KERNEL_TILE_REDUCE;
	for (uint32_t i = 0; i < tile_case->pairs; i++) {
		random_tile(random, tile_case->left_element, &tile_case->lefts[i]);
		random_tile(random, tile_case->right_element, &tile_case->rights[i]);
	}
}

static struct rig_chip *start(struct cluster *cluster)
{
	struct rig_chip *chip = rig_start_local(cluster);

	rig_start_processors(chip);
	return chip;
}

static void tiles_become_what_compute_makes_of_them(struct cluster *cluster)
{
	static const enum kernel_opcode opcodes[] = {KERNEL_TILE_COPY, KERNEL_TILE_ADD,
		KERNEL_TILE_SUBTRACT, KERNEL_TILE_MULTIPLY, KERNEL_TILE_MATMUL,
		KERNEL_TILE_TRANSPOSE, KERNEL_TILE_REDUCE};
	struct rig_chip *chip = start(cluster);
	struct tile_case *tile_case = malloc(sizeof *tile_case);
	struct stream random;

	stream_init(&random, 1, "tiles");
	for (uint32_t i = 0; i < CASES; i++) {
		random_case(&random, opcodes[i % 7], tile_case);
		compute_on(chip, tile_case);
	}
	free(tile_case);
}

/* ---- cycles ---- */

static void instructions_on_tiles_take_their_cycles(struct cluster *cluster)
{
	struct rig_chip *chip = start(cluster);
	const struct firmware_costs *costs = &chip->rig->costs;
	struct tile_case *tile_case = malloc(sizeof *tile_case);
	const struct stage *stages[PROCESSOR_COUNT];
	struct stream random;

	for (int i = 0; i < PROCESSOR_COUNT; i++)
		stages[i] = worker_processor(chip->workers, 2, (enum processor)i);
	stream_init(&random, 1, "one case");
	random_case(&random, KERNEL_TILE_MATMUL, tile_case);
	tile_case->pairs = 3;
	tile_case->function = KERNEL_GELU;
	tile_case->left_element = tile_case->packed = KERNEL_BF16;
	tile_case->right_element = KERNEL_F32;
	for (uint32_t i = 0; i < 3; i++) {
		tile_case->lefts[i] = tile_case->lefts[0];
		tile_case->rights[i] = tile_case->rights[0];
		tile_case->lefts[i].tile =
			(struct compute_tile){ELEMENT_BF16, tile_case->lefts[i].bytes};
		tile_case->rights[i].tile =
			(struct compute_tile){ELEMENT_F32, tile_case->rights[i].bytes};
	}
	compute_on(chip, tile_case);
	check_equal(stages[PROCESSOR_TRISC0]->busy_cycles,
		(uint64_t)(3 * costs->kernel_instruction + 4 * costs->kernel_buffer +
			   3 * (128 + 256) * costs->tile_unpack));
	check_equal(stages[PROCESSOR_TRISC1]->busy_cycles,
		(uint64_t)(3 * costs->tile_matmul + costs->tile_gelu + 2 * costs->tile_scale +
			   2 * costs->tile_handover));
	check_equal(stages[PROCESSOR_TRISC2]->busy_cycles,
		(uint64_t)(2 * costs->kernel_buffer + 2 * costs->tile_handover +
			   128 * costs->tile_pack));
	free(tile_case);
}

/* Unpacking a pair of tiles takes as long as multiplying it. The two steps must overlap; if they
 * did not, all pairs together would take twice as long. */
static void unpacking_overlaps_computing(struct cluster *cluster)
{
	enum { PAIRS = 5, EACH_CYCLES = 256 * 10000, WHOLE = (PAIRS + 1) * EACH_CYCLES };
	struct rig *rig = rig_init(cluster);
	struct tile_case *tile_case = malloc(sizeof *tile_case);
	struct rig_chip *chip;
	struct stream random;
	int64_t begin_ns, took_ns;

	rig->costs.tile_unpack = EACH_CYCLES / 256;
	rig->costs.tile_matmul = EACH_CYCLES;
	rig_start(rig);
	chip = rig_local(rig, 0);
	rig_start_processors(chip);
	stream_init(&random, 1, "overlap");
	do
		random_case(&random, KERNEL_TILE_MATMUL, tile_case);
	while (tile_case->pairs != PAIRS || tile_case->left_element != KERNEL_BF16 ||
		tile_case->right_element != KERNEL_BF16);
	begin_ns = world->now_ns();
	compute_on(chip, tile_case);
	took_ns = world->now_ns() - begin_ns;
	if (row_current()->timed)
		check(took_ns > WHOLE && took_ns < WHOLE + EACH_CYCLES,
			"%d pairs took %lld ns, expected a little more than %d", PAIRS,
			(long long)took_ns, WHOLE);
	free(tile_case);
}

int main(void)
{
	static const struct row_case cases[] = {
		ROW_CASE(tiles_become_what_compute_makes_of_them, one_chip),
		ROW_CASE(instructions_on_tiles_take_their_cycles, one_chip),
		ROW_CASE(unpacking_overlaps_computing, one_chip),
	};

	return ROW_RUN_SUITE("instructions on tiles", cases);
}

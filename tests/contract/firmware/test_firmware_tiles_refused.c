/* label: full
 * Tests illegal instructions on tiles, in the native and the simulated world. An illegal
 * instruction halts its processor, and the fault names processor and instruction. If a kernel waits
 * for registers that no other processor releases, the test can read what the kernel waits for.
 * Registers do not keep their contents from one launch to the next. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "command/kernel_tile.h"
#include "rig_kernels.h"
#include "row.h"
#include "test_cluster.h"

static const struct test_cluster one_chip = {
	.rows = 1, .columns = 1, .worker_columns = 2, .worker_rows = 2};

enum { BAD_INSTRUCTIONS = 4, PREFACE = 4, ROWS_PAIR = 5, WIDE_PAIR = 6 };

/* The instructions of one processor of worker 0. The last of them is illegal. */
struct bad {
	struct kernel_instruction instructions[BAD_INSTRUCTIONS];
	const char *detail;
};

static void bad_text(struct kernel_text *text, const struct bad *bad, uint32_t *number)
{
	uint32_t out;

	kernel_text_init(text);
	out = kernel_text_label(text);
	kernel_text_set(text, ROWS_PAIR, 33); /* and r6, r7: 32 rows of 2,000 */
	kernel_text_set(text, WIDE_PAIR + 1, 2000);
	kernel_text_add(text, KERNEL_ARGUMENT, 1, 0, 0, 0);
	kernel_text_jump(text, KERNEL_JUMP_UNEQUAL, 1, 0, out);
	*number = PREFACE - 1;
	for (uint32_t i = 0; i < BAD_INSTRUCTIONS; i++) {
		const struct kernel_instruction *at = &bad->instructions[i];

		if (at->opcode == KERNEL_NOTHING)
			break;
		kernel_text_add(text, at->opcode, at->a, at->b, at->c, at->immediate);
		++*number;
	}
	kernel_text_place(text, out);
	kernel_text_finish(text);
}

/* Buffer 0 has pages of 4 KiB, buffer 1 of 64 B; both are empty. */
static void check_bad(struct cluster *cluster, const struct bad bad[PROCESSOR_COUNT])
{
	static const char *const names[] = {"brisc", "ncrisc", "trisc0", "trisc1", "trisc2"};
	struct rig_chip *chip = rig_start_local(cluster);
	struct rig_launch launch = {
		.id = 1, .buffer_count = 2, .buffers = {{RIG_DATA, 2, 4096}, {RIG_DATA, 2, 64}}};
	struct kernel_text text[PROCESSOR_COUNT];
	uint32_t number[PROCESSOR_COUNT];
	struct command_stream stream;

	rig_start_processors(chip);
	for (int i = 0; i < PROCESSOR_COUNT; i++) {
		bad_text(&text[i], &bad[i], &number[i]);
		launch.text[i] = &text[i];
	}
	command_stream_init(&stream, 0);
	rig_append_launch(&stream, chip, &launch, 0);
	rig_submit(chip->issue, &stream);
	for (int i = 0; i < PROCESSOR_COUNT; i++)
		if (bad[i].detail != NULL)
			rig_check_program_fault(chip->rig, names[i],
				chip->geometry->worker_tiles[0], number[i], bad[i].detail);
	check_status(device_row->drain(cluster, world->now_ns() + 20000000), STATUS_TIMEOUT);
	check(worker_group_stage(chip->workers, 1)->wait.idle, "another core is not done");
	for (int i = 0; i < PROCESSOR_COUNT; i++)
		kernel_text_fini(&text[i]);
}

static void tiles_are_for_their_processor(struct cluster *cluster)
{
	static const struct bad bad[PROCESSOR_COUNT] = {
		{{{KERNEL_TILE_COPY, 0, 0, 0, 0}}, "an instruction on tiles of another processor"},
		{{{KERNEL_TILE_PACK, 0, 0, 0, 0}}, "an instruction on tiles of another processor"},
		{{{KERNEL_TILE_CLEAR, 0, 0, 0, 0}}, "an instruction on tiles of another processor"},
		{{{KERNEL_TILE_AWAIT, 0, 0, 0, 0}}, "an instruction on tiles of another processor"},
		{{{KERNEL_TILE_UNPACK, 0, 0, 0, 0}},
			"an instruction on tiles of another processor"},
	};

	check_bad(cluster, bad);
}

static void registers_that_do_not_exist_halt_their_processor(struct cluster *cluster)
{
	static const struct bad bad[PROCESSOR_COUNT] = {
		[PROCESSOR_TRISC0] = {{{KERNEL_TILE_UNPACK, 2, 0, 0, 0}},
			"a circular buffer that the core does not have"},
		[PROCESSOR_TRISC1] = {{{KERNEL_TILE_ACQUIRE, KERNEL_F32, 0, 0, 0},
					      {KERNEL_TILE_CLEAR, 3, 0, 0, 0},
					      {KERNEL_TILE_CLEAR, 4, 0, 0, 0}},
			"a destination that the core does not have"},
		[PROCESSOR_TRISC2] = {{{KERNEL_TILE_PACK, 0, 0, 0, 0}},
			"destinations that were not awaited"},
	};

	check_bad(cluster, bad);
}

static void pages_that_do_not_hold_a_tile_halt_their_processor(struct cluster *cluster)
{
	static const struct bad bad[PROCESSOR_COUNT] = {
		[PROCESSOR_TRISC0] = {{{KERNEL_TILE_UNPACK, 1, 0, 0, KERNEL_BF16}},
			"a tile, or a row of them, that is larger than a page"},
		[PROCESSOR_TRISC1] = {{{KERNEL_TILE_ACQUIRE, 0, 0, 0, 0},
					      {KERNEL_TILE_COMMIT, 0, 0, 0, 0},
					      {KERNEL_TILE_COMMIT, 0, 0, 0, 0}},
			"destinations that were not acquired"},
		[PROCESSOR_TRISC2] = {{{KERNEL_TILE_AWAIT, 0, 0, 0, 0},
					      {KERNEL_TILE_PACK, 0, 0, WIDE_PAIR + 1, 0}},
			"a tile for a page that is not free"},
	};

	check_bad(cluster, bad);
}

static void pages_that_were_not_pushed_halt_their_processor(struct cluster *cluster)
{
	static const struct bad bad[PROCESSOR_COUNT] = {
		[PROCESSOR_TRISC0] = {{{KERNEL_TILE_UNPACK, 0, KERNEL_RIGHT, 0, 0}},
			"a tile of a page that was not pushed"},
		[PROCESSOR_TRISC1] = {{{KERNEL_TILE_ACQUIRE, 0, 0, 0, 0},
					      {KERNEL_TILE_ACQUIRE, 0, 0, 0, 0}},
			"destinations are acquired twice"},
		[PROCESSOR_TRISC2] = {{{KERNEL_TILE_RELEASE, 0, 0, 0, 0}},
			"destinations that were not awaited"},
	};

	check_bad(cluster, bad);
}

static void rows_that_are_no_tile_halt_their_processor(struct cluster *cluster)
{
	static const struct bad bad[PROCESSOR_COUNT] = {
		[PROCESSOR_TRISC0] = {{{KERNEL_TILE_UNPACK_ROWS, 0, ROWS_PAIR, 0, 0}},
			"a tile of more rows than tiles have"},
		[PROCESSOR_TRISC1] = {{{KERNEL_TILE_ACQUIRE, 0, 0, 0, 0},
					      {KERNEL_TILE_COMMIT, 0, 0, 0, 0},
					      {KERNEL_TILE_MATMUL, 0, 0, 0, 0}},
			"destinations that were not acquired"},
		[PROCESSOR_TRISC2] = {{{KERNEL_TILE_AWAIT, 0, 0, 0, 0},
					      {KERNEL_TILE_PACK_ROWS, 0, WIDE_PAIR, 0, 0}},
			"a tile, or a row of them, that is larger than a page"},
	};

	check_bad(cluster, bad);
}

/* ---- waits ---- */

static void one_kernel(struct rig_chip *chip, struct kernel_text *text, enum processor processor)
{
	struct rig_launch launch = {
		.id = 1, .buffer_count = 1, .buffers = {{RIG_DATA, 2, 4096}}};
	struct command_stream stream;

	kernel_text_finish(text);
	launch.text[processor] = text;
	command_stream_init(&stream, 0);
	rig_append_launch(&stream, chip, &launch, 0);
	rig_submit(chip->issue, &stream);
}

static void sources_that_stay_empty_are_waited_for_by_name(struct cluster *cluster)
{
	struct rig_chip *chip = rig_start_local(cluster);
	const struct stage *stage;
	struct kernel_text text;
	char at[160];

	rig_start_processors(chip);
	stage = worker_processor(chip->workers, 1, PROCESSOR_TRISC1);
	kernel_text_init(&text);
	kernel_text_add(&text, KERNEL_TILE_ACQUIRE, KERNEL_BF16, 0, 0, 0);
	kernel_text_add(&text, KERNEL_TILE_MATMUL, 2, 0, 0, 0);
	one_kernel(chip, &text, PROCESSOR_TRISC1);
	check_status(device_row->drain(cluster, world->now_ns() + 200000000), STATUS_TIMEOUT);
	check_equal(chip->rig->fault_count, 0);
	check(stage->wait.what != NULL && strcmp(stage->wait.what, "registers of tiles") == 0,
		"it waits for %s", stage->wait.what);
	stage->ops->describe(stage, at, sizeof at);
	check(strcmp(at, "instruction 1 (tile_matmul destination 2)") == 0, "it is at %s", at);
	kernel_text_fini(&text);
}

static void a_core_has_as_many_destinations_as_the_machine_says(struct cluster *cluster)
{
	struct rig *rig = rig_init(cluster);
	struct rig_chip *chip;
	struct kernel_text text;

	rig->limits.tile_registers = 32;
	rig_start(rig);
	chip = rig_local(rig, 0);
	rig_start_processors(chip);
	kernel_text_init(&text);
	kernel_text_add(&text, KERNEL_TILE_ACQUIRE, KERNEL_F32, 0, 0, 0);
	kernel_text_add(&text, KERNEL_TILE_CLEAR, 7, 0, 0, 0);
	kernel_text_add(&text, KERNEL_TILE_CLEAR, 8, 0, 0, 0);
	one_kernel(chip, &text, PROCESSOR_TRISC1);
	rig_check_program_fault(rig, "trisc1", chip->geometry->worker_tiles[0], 2,
		"a destination that the core does not have");
	kernel_text_fini(&text);
}

/* Each launch unpacks two tiles and acquires half of the registers. If a register kept a tile of
 * the previous launch, unpacking would wait for ever for a free register. */
static void registers_are_empty_at_every_launch(struct cluster *cluster)
{
	enum { LAUNCHES = 2 * LAUNCH_SLOTS };
	struct rig_chip *chip = rig_start_local(cluster);
	struct rig_launch launch = {
		.id = 1, .buffer_count = 1, .buffers = {{RIG_DATA, 2, 4096}}};
	struct command_stream stream;
	struct kernel_text unpack, math;

	rig_start_processors(chip);
	kernel_text_init(&unpack);
	kernel_text_add(&unpack, KERNEL_PUSH, 0, 0, 0, 2);
	kernel_text_add(&unpack, KERNEL_TILE_UNPACK, 0, 0, 0, KERNEL_F32);
	kernel_text_add(&unpack, KERNEL_TILE_UNPACK, 0, 0, 0, KERNEL_F32);
	kernel_text_finish(&unpack);
	kernel_text_init(&math);
	kernel_text_add(&math, KERNEL_TILE_ACQUIRE, KERNEL_F32, 0, 0, 0);
	kernel_text_add(&math, KERNEL_TILE_COPY, 0, 0, 0, 0);
	kernel_text_add(&math, KERNEL_TILE_COMMIT, 0, 0, 0, 0);
	kernel_text_add(&math, KERNEL_TILE_ACQUIRE, KERNEL_F32, 0, 0, 0);
	kernel_text_finish(&math);
	launch.text[PROCESSOR_TRISC0] = &unpack;
	launch.text[PROCESSOR_TRISC1] = &math;
	command_stream_init(&stream, 0);
	for (uint32_t i = 0; i < LAUNCHES; i++)
		rig_append_launch(&stream, chip, &launch, (uint8_t)(i % LAUNCH_SLOTS));
	rig_run(chip, &stream, 1);
	check_equal(rig_result(chip, 3).launches, LAUNCHES);
	kernel_text_fini(&unpack);
	kernel_text_fini(&math);
}

int main(void)
{
	static const struct row_case cases[] = {
		ROW_CASE(tiles_are_for_their_processor, one_chip),
		ROW_CASE(registers_that_do_not_exist_halt_their_processor, one_chip),
		ROW_CASE(pages_that_do_not_hold_a_tile_halt_their_processor, one_chip),
		ROW_CASE(pages_that_were_not_pushed_halt_their_processor, one_chip),
		ROW_CASE(rows_that_are_no_tile_halt_their_processor, one_chip),
		ROW_CASE(sources_that_stay_empty_are_waited_for_by_name, one_chip),
		ROW_CASE(a_core_has_as_many_destinations_as_the_machine_says, one_chip),
		ROW_CASE(registers_are_empty_at_every_launch, one_chip),
	};

	return ROW_RUN_SUITE("tiles that must not be", cases);
}

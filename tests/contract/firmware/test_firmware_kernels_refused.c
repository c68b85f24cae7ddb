/* label: full
 * Tests illegal instructions in the texts of kernels, in the native and the simulated world. An
 * illegal instruction halts only its processor, and the fault names processor and instruction. If a
 * kernel waits for ever, the test can read what it waits for. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "rig_kernels.h"
#include "row.h"
#include "test_cluster.h"

static const struct test_cluster one_chip = {
	.rows = 1, .columns = 1, .worker_columns = 2, .worker_rows = 2};

enum { WORKERS = 4, PAGE = 64 };

static struct rig_chip *start(struct cluster *cluster)
{
	struct rig_chip *chip = rig_start_local(cluster);

	rig_start_processors(chip);
	return chip;
}

/* One illegal instruction for each processor. */
struct bad {
	struct kernel_instruction instruction;
	const char *detail;
};

/* Fills `text` with instructions. Only worker 0 reaches instruction number 19, which is illegal;
 * the other workers end before it. The earlier instructions set registers: r1 to an address, r3:4
 * to a place on worker 0, r5:6 to a place in DRAM, r7:8 to a place on a dispatch tile, r9 to the
 * number 3, r10 to the address of semaphore 0, r11:12 to this semaphore on worker 0, and r13:14 to
 * a place on all workers. */
static void bad_text(const struct rig_chip *chip, struct kernel_text *text, const struct bad *bad)
{
	const struct kernel_instruction *at = &bad->instruction;
	uint32_t out;

	kernel_text_init(text);
	out = kernel_text_label(text);
	kernel_text_set(text, 1, RIG_DATA);
	kernel_text_set(text, 3, chip->geometry->worker_tiles[0]);
	kernel_text_set(text, 4, RIG_DATA + 64);
	kernel_text_set(text, 5, chip->geometry->dram_tiles[0]);
	kernel_text_set(text, 6, 64);
	kernel_text_set(text, 7, chip->geometry->dispatch_tiles[5]);
	kernel_text_set(text, 8, RIG_DATA);
	kernel_text_set(text, 9, 3);
	kernel_text_add(text, KERNEL_SEMAPHORE, 10, 0, 0, 0);
	kernel_text_set(text, 11, chip->geometry->worker_tiles[0]);
	kernel_text_add(text, KERNEL_SEMAPHORE, 12, 0, 0, 0);
	kernel_text_set(text, 13, 0x01010000);
	kernel_text_set(text, 14, RIG_DATA + 64);
	kernel_text_set(text, 15, 0xfffffff0);
	kernel_text_set(text, 16, 65535);
	kernel_text_add(text, KERNEL_ADD, 17, 5, 0, 0); /* r17:18 past the end of the bank */
	kernel_text_set(text, 18, 0x40000000);
	kernel_text_add(text, KERNEL_ARGUMENT, 20, 0, 0, 0);
	kernel_text_jump(text, KERNEL_JUMP_UNEQUAL, 20, 0, out);
	kernel_text_add(text, at->opcode, at->a, at->b, at->c, at->immediate);
	kernel_text_place(text, out);
	kernel_text_finish(text);
}

static void check_bad(struct cluster *cluster, const struct bad bad[PROCESSOR_COUNT])
{
	static const char *const names[] = {"brisc", "ncrisc", "trisc0", "trisc1", "trisc2"};
	struct rig_chip *chip = start(cluster);
	struct rig_launch launch = {
		.id = 7, .common_count = 4, .common = {KERNEL_PAGES_DRAM, 0x10000, PAGE, 23}};
	struct kernel_text text[PROCESSOR_COUNT];
	struct command_stream stream;

	launch.buffer_count = 1;
	launch.buffers[0] = (struct circular_buffer){RIG_DATA, 2, PAGE};
	launch.semaphore_count = 1;
	for (int i = 0; i < PROCESSOR_COUNT; i++) {
		bad_text(chip, &text[i], &bad[i]);
		launch.text[i] = &text[i];
	}
	command_stream_init(&stream, 0);
	rig_append_launch(&stream, chip, &launch, 3);
	rig_submit(chip->issue, &stream);
	for (int i = 0; i < PROCESSOR_COUNT; i++)
		rig_check_program_fault(
			chip->rig, names[i], chip->geometry->worker_tiles[0], 19, bad[i].detail);
	check_status(device_row->drain(cluster, world->now_ns() + 20000000), STATUS_TIMEOUT);
	check_equal(chip->rig->fault_count, PROCESSOR_COUNT);
	check(!worker_group_stage(chip->workers, 0)->wait.idle, "its core is done");
	check(worker_group_stage(chip->workers, 1)->wait.idle, "another core is not done");
	for (int i = 0; i < PROCESSOR_COUNT; i++)
		kernel_text_fini(&text[i]);
}

static void wild_writes_halt_their_processor(struct cluster *cluster)
{
	static const struct bad bad[PROCESSOR_COUNT] = {
		{{KERNEL_STORE, 1, 0, 0, RIG_GO_WORD}, "a write outside what kernels reach"},
		{{KERNEL_WRITE, 1, 17, 0, 64}, "a write outside what kernels reach"},
		{{KERNEL_WRITE, 1, 7, 0, 64}, "a tile that kernels do not reach"},
		{{KERNEL_MULTICAST, 1, 15, 0, 64}, "a rectangle outside the grid"},
		{{KERNEL_MULTICAST, 1, 13, 15, 0}, "a write outside what kernels reach"},
	};

	check_bad(cluster, bad);
}

static void wild_reads_halt_their_processor(struct cluster *cluster)
{
	static const struct bad bad[PROCESSOR_COUNT] = {
		{{KERNEL_READ, 1, 15, 0, 64}, "a tile that kernels do not reach"},
		{{KERNEL_READ, 1, 17, 0, 64}, "a read outside memory"},
		{{KERNEL_READ, 10, 5, 0, 4}, "a read into a semaphore"},
		{{KERNEL_WRITE, 15, 3, 0, 64}, "a read outside memory"},
		{{KERNEL_LOAD, 2, 15, 0, 0}, "a load outside L1, or not of a word"},
	};

	check_bad(cluster, bad);
}

static void wild_words_halt_their_processor(struct cluster *cluster)
{
	static const struct bad bad[PROCESSOR_COUNT] = {
		{{KERNEL_INCREMENT, 1, 3, 0, 1}, "a word that is no semaphore"},
		{{KERNEL_WRITE_WORD, 1, 5, 0, 1}, "a tile that kernels do not reach"},
		{{KERNEL_WRITE, 1, 11, 0, 6}, "a semaphore is written in part"},
		{{KERNEL_STORE, 1, 1, 0, 2}, "a store that is not of a word"},
		{{KERNEL_DIVIDE, 2, 1, 0, 0}, "a division by zero"},
	};

	check_bad(cluster, bad);
}

static void wild_numbers_halt_their_processor(struct cluster *cluster)
{
	static const struct bad bad[PROCESSOR_COUNT] = {
		{{KERNEL_PAGE, 20, 16, 0, 0}, "a page that the buffer does not have"},
		{{KERNEL_PAGE, 20, 0, 16, 0}, "a buffer that common arguments do not describe"},
		{{KERNEL_ARGUMENT, 20, 0, 0, 1}, "an argument that the kernel does not have"},
		{{KERNEL_COMMON, 20, 15, 0, 0}, "a common argument that the kernel does not have"},
		{{KERNEL_WORKER, 20, 9, 0, 0}, "a worker outside the grid"},
	};

	check_bad(cluster, bad);
}

static void wild_buffers_halt_their_processor(struct cluster *cluster)
{
	static const struct bad bad[PROCESSOR_COUNT] = {
		{{KERNEL_RESERVE, 0, 0, 0, 3},
			"more pages than the circular buffer has, or there is none such"},
		{{KERNEL_AWAIT, 1, 0, 0, 1},
			"more pages than the circular buffer has, or there is none such"},
		{{KERNEL_POP, 0, 0, 0, 1}, "more pages are popped than were pushed"},
		{{KERNEL_BACK, 2, 1, 0, 0}, "a circular buffer that the core does not have"},
		{{KERNEL_FRONT, 2, 31, 0, 0}, "a circular buffer that the core does not have"},
	};

	check_bad(cluster, bad);
}

/* Two kernels that loop for ever: one without visible effects, one with effects that others see. */
static void a_kernel_that_does_not_end_is_stopped(struct cluster *cluster)
{
	struct rig_chip *chip = start(cluster);
	struct rig_launch launch = {.id = 1};
	struct kernel_text silent, busy;
	struct command_stream stream;

	kernel_text_init(&silent);
	kernel_text_jump(&silent, KERNEL_JUMP, 0, 0, kernel_text_here(&silent));
	kernel_text_finish(&silent);
	kernel_text_init(&busy);
	kernel_text_add(&busy, KERNEL_BUSY, 0, 0, 0, 1);
	kernel_text_add(&busy, KERNEL_JUMP, 0, 0, 0, 0);
	kernel_text_finish(&busy);
	launch.text[PROCESSOR_BRISC] = &silent;
	launch.text[PROCESSOR_NCRISC] = &busy;
	command_stream_init(&stream, 0);
	rig_append_launch(&stream, chip, &launch, 0);
	rig_submit(chip->issue, &stream);
	for (uint32_t i = 0; i < WORKERS; i++)
		rig_check_program_fault(chip->rig, "brisc", chip->geometry->worker_tiles[i], 0,
			"the kernel has used up its instructions");
	rig_check_program_fault(chip->rig, "ncrisc", chip->geometry->worker_tiles[0], 0,
		"the kernel has used up its instructions");
	kernel_text_fini(&silent);
	kernel_text_fini(&busy);
}

static void a_semaphore_that_stays_low_is_waited_for_by_name(struct cluster *cluster)
{
	struct rig_chip *chip = start(cluster);
	struct rig_launch launch = {.id = 1, .semaphore_count = 6};
	const struct stage *stage = worker_processor(chip->workers, 1, PROCESSOR_NCRISC);
	struct command_stream stream;
	struct kernel_text text;
	char at[160];

	kernel_text_init(&text);
	kernel_text_add(&text, KERNEL_WAYPOINT, 0, 0, 0, 4);
	kernel_text_set(&text, 3, 2);
	kernel_text_add(&text, KERNEL_UNTIL, 3, 0, 0, 5);
	kernel_text_finish(&text);
	launch.text[PROCESSOR_NCRISC] = &text;
	command_stream_init(&stream, 0);
	rig_append_launch(&stream, chip, &launch, 0);
	rig_submit(chip->issue, &stream);
	check_status(device_row->drain(cluster, world->now_ns() + 200000000), STATUS_TIMEOUT);
	check_equal(chip->rig->fault_count, 0);
	check(stage->wait.what != NULL && strcmp(stage->wait.what, "a semaphore") == 0,
		"it waits for %s", stage->wait.what);
	stage->ops->describe(stage, at, sizeof at);
	check(strcmp(at, "instruction 2 (until r3, semaphore 5), waypoint 4") == 0, "it is at %s",
		at);
	kernel_text_fini(&text);
}

int main(void)
{
	static const struct row_case cases[] = {
		ROW_CASE(wild_writes_halt_their_processor, one_chip),
		ROW_CASE(wild_reads_halt_their_processor, one_chip),
		ROW_CASE(wild_words_halt_their_processor, one_chip),
		ROW_CASE(wild_numbers_halt_their_processor, one_chip),
		ROW_CASE(wild_buffers_halt_their_processor, one_chip),
		ROW_CASE(a_kernel_that_does_not_end_is_stopped, one_chip),
		ROW_CASE(a_semaphore_that_stays_low_is_waited_for_by_name, one_chip),
	};

	return ROW_RUN_SUITE("what kernels must not do", cases);
}

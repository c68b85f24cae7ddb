/* Tests kernels that consist of instructions, in the native and the simulated world. Kernels move
 * real data, count, and synchronize with other cores and processors. They take as many cycles as
 * the costs of their instructions give. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "rig_kernels.h"
#include "row.h"
#include "test_cluster.h"

static const struct test_cluster one_chip = {
	.rows = 1, .columns = 1, .worker_columns = 2, .worker_rows = 2};

enum {
	WORKERS = 4,
	PAGE = 528, /* bytes; not a power of two */
	PAGES = 23,
	FROM = 0x10000, /* buffers in DRAM */
	TO = 0x90000,
};

static struct rig_chip *start(struct cluster *cluster)
{
	struct rig_chip *chip = rig_start_local(cluster);

	rig_start_processors(chip);
	return chip;
}

static uint32_t next_event(void)
{
	static uint32_t event;

	return ++event;
}

static void run(struct rig_chip *chip, const struct rig_launch *launch, uint32_t times)
{
	struct command_stream stream;

	command_stream_init(&stream, 0);
	for (uint32_t i = 0; i < times; i++)
		rig_append_launch(&stream, chip, launch, (uint8_t)(i % LAUNCH_SLOTS));
	rig_run(chip, &stream, next_event());
}

/* ---- pages of DRAM ---- */

static uint16_t page_tile(const struct rig_chip *chip, uint32_t page)
{
	return chip->geometry->dram_tiles[page % chip->geometry->dram_bank_count];
}

static uint32_t page_address(const struct rig_chip *chip, uint32_t base, uint32_t page)
{
	return base + page / chip->geometry->dram_bank_count * PAGE;
}

static void fill_pages(struct rig_chip *chip)
{
	struct command_stream stream;

	command_stream_init(&stream, 0);
	for (uint32_t page = 0; page < PAGES; page++)
		rig_append_write(
			&stream, page_tile(chip, page), page_address(chip, FROM, page), PAGE, page);
	rig_run(chip, &stream, next_event());
}

static void check_pages(const struct rig_chip *chip)
{
	for (uint32_t page = 0; page < PAGES; page++)
		rig_check_bytes(
			chip, page_tile(chip, page), page_address(chip, TO, page), PAGE, page);
}

/* The common arguments are the buffer to read, then the buffer to write. */
static struct rig_launch copy_launch(void)
{
	return (struct rig_launch){.id = 7,
		.common_count = 8,
		.common = {
			KERNEL_PAGES_DRAM, FROM, PAGE, PAGES, KERNEL_PAGES_DRAM, TO, PAGE, PAGES}};
}

/* for (r1 = own number; r1 < PAGES; r1 += WORKERS) { ... } */
static uint32_t loop_begin(struct kernel_text *text, uint32_t *out)
{
	uint32_t again;

	*out = kernel_text_label(text);
	kernel_text_add(text, KERNEL_ARGUMENT, 1, 0, 0, 0);
	kernel_text_set(text, 2, PAGES);
	again = kernel_text_here(text);
	kernel_text_jump(text, KERNEL_JUMP_NOT_BELOW, 1, 2, *out);
	return again;
}

static void loop_end(struct kernel_text *text, uint32_t again, uint32_t out)
{
	kernel_text_add(text, KERNEL_ADD, 1, 1, 0, WORKERS);
	kernel_text_jump(text, KERNEL_JUMP, 0, 0, again);
	kernel_text_place(text, out);
	kernel_text_finish(text);
}

static void pages_are_copied_through_l1(struct cluster *cluster)
{
	struct rig_chip *chip = start(cluster);
	struct rig_launch launch = copy_launch();
	struct kernel_text text;
	uint32_t again, out;

	kernel_text_init(&text);
	kernel_text_set(&text, 10, RIG_DATA + 48);
	again = loop_begin(&text, &out);
	kernel_text_add(&text, KERNEL_PAGE, 3, 1, 0, 0);
	kernel_text_add(&text, KERNEL_PAGE, 5, 1, 0, 4);
	kernel_text_add(&text, KERNEL_READ, 10, 3, 0, PAGE);
	kernel_text_add(&text, KERNEL_WAIT_READS, 0, 0, 0, 0);
	kernel_text_add(&text, KERNEL_WRITE, 10, 5, 0, PAGE);
	kernel_text_add(&text, KERNEL_WAIT_WRITES, 0, 0, 0, 0);
	loop_end(&text, again, out);
	launch.text[PROCESSOR_NCRISC] = &text;
	fill_pages(chip);
	run(chip, &launch, 1);
	check_pages(chip);
	check_equal(rig_result(chip, 3).launches, 1);
	kernel_text_fini(&text);
}

/* Reader and writer of a core, with a circular buffer of two pages. */
static void reader_text(struct kernel_text *text)
{
	uint32_t again, out;

	kernel_text_init(text);
	again = loop_begin(text, &out);
	kernel_text_add(text, KERNEL_RESERVE, 0, 0, 0, 1);
	kernel_text_add(text, KERNEL_BACK, 10, 0, 0, 0);
	kernel_text_add(text, KERNEL_PAGE, 3, 1, 0, 0);
	kernel_text_add(text, KERNEL_READ, 10, 3, 0, PAGE);
	kernel_text_add(text, KERNEL_WAIT_READS, 0, 0, 0, 0);
	kernel_text_add(text, KERNEL_PUSH, 0, 0, 0, 1);
	loop_end(text, again, out);
}

static void writer_text(struct kernel_text *text)
{
	uint32_t again, out;

	kernel_text_init(text);
	again = loop_begin(text, &out);
	kernel_text_add(text, KERNEL_AWAIT, 0, 0, 0, 1);
	kernel_text_add(text, KERNEL_BUSY, 0, 0, 0, 3000); /* makes the reader wait for space */
	kernel_text_add(text, KERNEL_FRONT, 10, 0, 0, 0);
	kernel_text_add(text, KERNEL_PAGE, 3, 1, 0, 4);
	kernel_text_add(text, KERNEL_WRITE, 10, 3, 0, PAGE);
	kernel_text_add(text, KERNEL_WAIT_WRITES, 0, 0, 0, 0);
	kernel_text_add(text, KERNEL_POP, 0, 0, 0, 1);
	loop_end(text, again, out);
}

static void pages_go_through_a_circular_buffer(struct cluster *cluster)
{
	struct rig_chip *chip = start(cluster);
	struct rig_launch launch = copy_launch();
	struct kernel_text reader, writer;

	reader_text(&reader);
	writer_text(&writer);
	launch.text[PROCESSOR_NCRISC] = &reader;
	launch.text[PROCESSOR_BRISC] = &writer;
	launch.filler[PROCESSOR_TRISC1] = 1000; /* runs in parallel */
	launch.buffer_count = 1;
	launch.buffers[0] = (struct circular_buffer){RIG_DATA, 2, PAGE};
	fill_pages(chip);
	run(chip, &launch, 11); /* each launch finds the buffer empty */
	check_pages(chip);
	check_equal(rig_result(chip, 0).launches, 11);
	kernel_text_fini(&reader);
	kernel_text_fini(&writer);
}

/* The kernels of a launch post a long read, and end without waiting for it. The kernels of the next
 * launch copy the last bytes of the data that were read. So this launch must not begin before the
 * read is done. */
static void a_launch_is_over_when_what_it_posted_is_done(struct cluster *cluster)
{
	enum { BYTES = 300 * 1024, TAIL = 64, COPY = RIG_DATA + BYTES };
	struct rig_chip *chip = start(cluster);
	struct rig_launch reads = {.id = 1}, copies = {.id = 2};
	uint16_t bank = chip->geometry->dram_tiles[0];
	struct kernel_text reader, copier;
	struct command_stream stream;
	uint8_t expected[TAIL], seen[TAIL];

	kernel_text_init(&reader);
	kernel_text_set(&reader, 1, RIG_DATA);
	kernel_text_set(&reader, 3, bank);
	kernel_text_set(&reader, 4, FROM);
	kernel_text_add(&reader, KERNEL_READ, 1, 3, 0, BYTES);
	kernel_text_finish(&reader);
	kernel_text_init(&copier);
	kernel_text_set(&copier, 1, COPY - TAIL);
	kernel_text_add(&copier, KERNEL_OWN_TILE, 3, 0, 0, 0);
	kernel_text_set(&copier, 4, COPY);
	kernel_text_add(&copier, KERNEL_WRITE, 1, 3, 0, TAIL);
	kernel_text_finish(&copier);
	reads.text[PROCESSOR_NCRISC] = &reader;
	copies.text[PROCESSOR_BRISC] = &copier;
	command_stream_init(&stream, 0);
	rig_append_write(&stream, bank, FROM, BYTES, 5);
	rig_append_launch(&stream, chip, &reads, 0);
	rig_append_launch(&stream, chip, &copies, 1);
	rig_run(chip, &stream, next_event());
	rig_inspect(chip, bank, FROM + BYTES - TAIL, TAIL, expected);
	for (uint32_t i = 0; i < WORKERS; i++) {
		rig_inspect(chip, chip->geometry->worker_tiles[i], COPY, TAIL, seen);
		check(memcmp(expected, seen, TAIL) == 0, "worker %u copied what was before", i);
	}
	kernel_text_fini(&reader);
	kernel_text_fini(&copier);
}

/* ---- between cores ---- */

/* Worker 0 multicasts a block of data, and then raises semaphore 1 on all workers. Each worker
 * copies the block as soon as it sees the raised semaphore. The copy must be complete. */
static void a_multicast_comes_before_the_semaphore_behind_it(struct cluster *cluster)
{
	enum { BYTES = 3000, BLOCK = RIG_DATA, COPY = RIG_DATA + 0x4000 };
	struct rig_chip *chip = start(cluster);
	struct rig_launch launch = {.id = 1, .semaphore_count = 2};
	struct command_stream stream;
	struct kernel_text text;
	uint32_t others;

	kernel_text_init(&text);
	others = kernel_text_label(&text);
	kernel_text_set(&text, 10, BLOCK);
	kernel_text_set(&text, 12, 1);
	kernel_text_add(&text, KERNEL_ARGUMENT, 1, 0, 0, 0);
	kernel_text_jump(&text, KERNEL_JUMP_UNEQUAL, 1, 0, others);
	kernel_text_set(&text, 3, 0x01010000); /* columns 0-1, rows 0-1 */
	kernel_text_set(&text, 4, BLOCK);
	kernel_text_add(&text, KERNEL_MULTICAST, 10, 3, 0, BYTES);
	kernel_text_add(&text, KERNEL_RAISE, 12, 0, 0, 0);
	kernel_text_add(&text, KERNEL_SEMAPHORE, 11, 0, 0, 0);
	kernel_text_add(&text, KERNEL_SEMAPHORE, 4, 0, 0, 1);
	kernel_text_add(&text, KERNEL_MULTICAST, 11, 3, 0, 4);
	kernel_text_place(&text, others);
	kernel_text_add(&text, KERNEL_UNTIL, 12, 0, 0, 1);
	kernel_text_add(&text, KERNEL_OWN_TILE, 5, 0, 0, 0);
	kernel_text_set(&text, 6, COPY);
	kernel_text_add(&text, KERNEL_WRITE, 10, 5, 0, BYTES);
	kernel_text_finish(&text);
	launch.text[PROCESSOR_BRISC] = &text;
	command_stream_init(&stream, 0);
	rig_append_write(&stream, chip->geometry->worker_tiles[0], BLOCK, BYTES, 77);
	rig_run(chip, &stream, next_event());
	run(chip, &launch, 1);
	for (uint32_t i = 0; i < WORKERS; i++)
		rig_check_bytes(chip, chip->geometry->worker_tiles[i], COPY, BYTES, 77);
	kernel_text_fini(&text);
}

/* All workers add to semaphore 2 of worker (0, 0). This worker waits until each of them has added
 * to it, and then adds to a word in its L1. The workers also add to semaphore 0 of other workers,
 * for which no kernel waits. At the next launch, semaphore 0 must have its initial value again. */
static void semaphores_count_and_begin_anew_at_every_launch(struct cluster *cluster)
{
	enum { LAUNCHES = 3 * LAUNCH_SLOTS + 1, EACH = 5 };
	struct rig_chip *chip = start(cluster);
	struct rig_launch launch = {.id = 1, .semaphore_count = 3, .semaphores = {9, 8, 100}};
	struct kernel_text text;
	uint32_t again, last;
	uint8_t sum[4];

	kernel_text_init(&text);
	last = kernel_text_label(&text);
	kernel_text_add(&text, KERNEL_WORKER, 3, 0, 0, 0);
	kernel_text_add(&text, KERNEL_SEMAPHORE, 4, 0, 0, 2);
	kernel_text_set(&text, 6, EACH);
	again = kernel_text_here(&text);
	kernel_text_add(&text, KERNEL_INCREMENT, 0, 3, 0, 1);
	kernel_text_add(&text, KERNEL_ADD, 5, 5, 0, 1);
	kernel_text_jump(&text, KERNEL_JUMP_BELOW, 5, 6, again);
	kernel_text_set(&text, 8, 1);
	kernel_text_add(&text, KERNEL_WORKER, 7, 8, 0, 1); /* column 1, row 1 */
	kernel_text_add(&text, KERNEL_ADD, 9, 7, 0, 0);
	kernel_text_add(&text, KERNEL_SEMAPHORE, 10, 0, 0, 0);
	kernel_text_add(&text, KERNEL_INCREMENT, 8, 9, 0, 2);
	kernel_text_add(&text, KERNEL_OWN_PLACE, 11, 0, 0, 0);
	kernel_text_add(&text, KERNEL_ADD, 11, 11, 12, 0);
	kernel_text_jump(&text, KERNEL_JUMP_UNEQUAL, 11, 0, last);
	kernel_text_set(&text, 13, 100 + WORKERS * EACH);
	kernel_text_add(&text, KERNEL_UNTIL_LEAST, 13, 0, 0, 2);
	kernel_text_add(&text, KERNEL_SEMAPHORE, 14, 0, 0, 2);
	kernel_text_add(&text, KERNEL_LOAD, 15, 14, 0, 0);
	kernel_text_add(&text, KERNEL_SEMAPHORE, 14, 0, 0, 0);
	kernel_text_add(&text, KERNEL_LOAD, 16, 14, 0, 0);
	kernel_text_set(&text, 17, RIG_DATA);
	kernel_text_add(&text, KERNEL_LOAD, 18, 17, 0, 4);
	kernel_text_add(&text, KERNEL_ADD, 18, 18, 15, 0);
	kernel_text_add(&text, KERNEL_ADD, 18, 18, 16, 0);
	kernel_text_add(&text, KERNEL_STORE, 18, 17, 0, 4);
	kernel_text_place(&text, last);
	kernel_text_finish(&text);
	launch.text[PROCESSOR_TRISC2] = &text;
	run(chip, &launch, LAUNCHES);
	rig_inspect(chip, chip->geometry->worker_tiles[0], RIG_DATA + 4, sizeof sum, sum);
	check_equal(bytes_get32(sum), LAUNCHES * (100 + WORKERS * EACH + 9));
	kernel_text_fini(&text);
}

/* ---- cycles ---- */

static void instructions_take_their_cycles(struct cluster *cluster)
{
	struct rig_chip *chip = start(cluster);
	const struct firmware_costs *costs = &chip->rig->costs;
	struct rig_launch launch = {.id = 1, .semaphore_count = 1};
	const struct stage *stage = worker_processor(chip->workers, 2, PROCESSOR_TRISC0);
	struct kernel_text text;
	uint32_t again;

	kernel_text_init(&text);
	kernel_text_set(&text, 1, 2000);
	again = kernel_text_here(&text);
	kernel_text_add(&text, KERNEL_SUBTRACT, 1, 1, 0, 1);
	kernel_text_jump(&text, KERNEL_JUMP_UNEQUAL, 1, 0, again);
	kernel_text_set(&text, 2, RIG_DATA);
	kernel_text_add(&text, KERNEL_STORE, 2, 2, 0, 0);
	kernel_text_add(&text, KERNEL_LOAD, 3, 2, 0, 0);
	kernel_text_add(&text, KERNEL_OWN_TILE, 4, 0, 0, 0);
	kernel_text_add(&text, KERNEL_ADD, 5, 2, 0, 64);
	kernel_text_add(&text, KERNEL_WRITE, 2, 4, 0, 64);
	kernel_text_add(&text, KERNEL_READ, 2, 4, 0, 64);
	kernel_text_add(&text, KERNEL_WAIT_WRITES, 0, 0, 0, 0);
	kernel_text_add(&text, KERNEL_BUSY, 0, 0, 0, 12345);
	kernel_text_finish(&text);
	launch.text[PROCESSOR_TRISC0] = &text;
	run(chip, &launch, 1);
	check_equal(stage->busy_cycles,
		(uint64_t)(4004 * costs->kernel_instruction + costs->kernel_store +
			   costs->kernel_load + 2 * costs->kernel_noc + costs->kernel_wait) +
			12345);
	kernel_text_fini(&text);
}

int main(void)
{
	static const struct row_case cases[] = {
		ROW_CASE(pages_are_copied_through_l1, one_chip),
		ROW_CASE(pages_go_through_a_circular_buffer, one_chip),
		ROW_CASE(a_launch_is_over_when_what_it_posted_is_done, one_chip),
		ROW_CASE(a_multicast_comes_before_the_semaphore_behind_it, one_chip),
		ROW_CASE(semaphores_count_and_begin_anew_at_every_launch, one_chip),
		ROW_CASE(instructions_take_their_cycles, one_chip),
	};

	return ROW_RUN_SUITE("kernels that act", cases);
}

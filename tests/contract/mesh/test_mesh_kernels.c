/* label: full  needs: simgrid
 * Tests kernels that consist of instructions, through the API, in the native and the simulated
 * world. In every launch, programs copy buffers of all devices, and cores wait for semaphores of
 * other cores. Invalid programs are rejected with the number of the invalid instruction. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command/kernel_text.h"
#include "mesh_case.h"
#include "mesh_rows.h"

enum { SIDE = 2, PAGE = 1056, PAGES = 29, BYTES = PAGE * PAGES, CORES = 5, LAUNCHES = 19 };

static struct mesh_case test;
static struct mesh_buffer *from, *to;

static struct mesh_buffer *buffer_new(void)
{
	struct buffer_config config = {
		.type = BUFFER_DRAM, .layout = LAYOUT_INTERLEAVED, .page_bytes = PAGE};
	struct mesh_layout layout = {.size_bytes = BYTES};
	struct mesh_buffer *buffer;

	assert_int_equal(mesh_buffer_new(test.mesh, &layout, &config, NULL, &buffer), STATUS_OK);
	return buffer;
}

/* for (r1 = argument 0; r1 < PAGES; r1 += CORES) { ... } */
static void loop_begin(struct kernel_text *text, uint32_t *again, uint32_t *out)
{
	kernel_text_init(text);
	*out = kernel_text_label(text);
	kernel_text_add(text, KERNEL_ARGUMENT, 1, 0, 0, 0);
	kernel_text_set(text, 2, PAGES);
	*again = kernel_text_here(text);
	kernel_text_jump(text, KERNEL_JUMP_NOT_BELOW, 1, 2, *out);
}

static void loop_end(struct kernel_text *text, uint32_t again, uint32_t out)
{
	kernel_text_add(text, KERNEL_ADD, 1, 1, 0, CORES);
	kernel_text_jump(text, KERNEL_JUMP, 0, 0, again);
	kernel_text_place(text, out);
}

/* Reads pages into circular buffer 0. */
static void reader_text(struct kernel_text *text)
{
	uint32_t again, out;

	loop_begin(text, &again, &out);
	kernel_text_add(text, KERNEL_PAGE, 3, 1, 0, 0);
	kernel_text_add(text, KERNEL_RESERVE, 0, 0, 0, 1);
	kernel_text_add(text, KERNEL_BACK, 10, 0, 0, 0);
	kernel_text_add(text, KERNEL_READ, 10, 3, 0, PAGE);
	kernel_text_add(text, KERNEL_WAIT_READS, 0, 0, 0, 0);
	kernel_text_add(text, KERNEL_PUSH, 0, 0, 0, 1);
	loop_end(text, again, out);
	kernel_text_finish(text);
}

/* Adds instructions that write the pages of circular buffer 0, and then add to a semaphore of the
 * first core. The kernel on the first core then waits until all cores have added to the semaphore.
 */
static void writer_text(struct kernel_text *text)
{
	uint32_t again, out, end;

	loop_begin(text, &again, &out);
	end = kernel_text_label(text);
	kernel_text_add(text, KERNEL_PAGE, 3, 1, 0, 0);
	kernel_text_add(text, KERNEL_AWAIT, 0, 0, 0, 1);
	kernel_text_add(text, KERNEL_FRONT, 10, 0, 0, 0);
	kernel_text_add(text, KERNEL_WRITE, 10, 3, 0, PAGE);
	kernel_text_add(text, KERNEL_WAIT_WRITES, 0, 0, 0, 0);
	kernel_text_add(text, KERNEL_POP, 0, 0, 0, 1);
	loop_end(text, again, out);
	kernel_text_add(text, KERNEL_WORKER, 5, 0, 0, 0);
	kernel_text_add(text, KERNEL_SEMAPHORE, 6, 0, 0, 1);
	kernel_text_add(text, KERNEL_INCREMENT, 0, 5, 0, 1);
	kernel_text_add(text, KERNEL_ARGUMENT, 7, 0, 0, 0);
	kernel_text_jump(text, KERNEL_JUMP_UNEQUAL, 7, 0, end);
	kernel_text_set(text, 8, 3 + CORES);
	kernel_text_add(text, KERNEL_UNTIL, 8, 0, 0, 1);
	kernel_text_place(text, end);
	kernel_text_finish(text);
}

static uint32_t add_kernel(
	struct program *program, enum processor processor, const struct kernel_text *text)
{
	struct kernel_config config = {.processor = processor,
		.cores = {.kind = CORES_COUNT, .count = CORES},
		.bytes = text->length,
		.unique_args = 1,
		.common_args = KERNEL_PAGES_WORDS,
		.text = text->bytes};
	uint32_t kernel;

	assert_int_equal(program_add_kernel(program, &config, NULL, &kernel), STATUS_OK);
	return kernel;
}

static void set_args(struct program *program, uint32_t kernel, const struct mesh_buffer *buffer)
{
	uint32_t words[KERNEL_PAGES_WORDS] = {KERNEL_PAGES_DRAM, mesh_buffer_address(buffer),
		mesh_buffer_placement(buffer)->page_stride, PAGES};

	assert_int_equal(
		program_set_common_args(program, kernel, words, KERNEL_PAGES_WORDS), STATUS_OK);
	for (uint32_t core = 0; core < CORES; core++)
		assert_int_equal(program_set_args(program, kernel, core, &core, 1), STATUS_OK);
}

static struct program *copy_program(void)
{
	struct program *program = program_new(test.mesh, "copy");
	struct cores cores = {.kind = CORES_COUNT, .count = CORES};
	struct kernel_text reader, writer;
	uint32_t index;

	reader_text(&reader);
	writer_text(&writer);
	set_args(program, add_kernel(program, PROCESSOR_NCRISC, &reader), from);
	set_args(program, add_kernel(program, PROCESSOR_BRISC, &writer), to);
	assert_int_equal(program_add_circular_buffer(program, cores, 2, PAGE, NULL), STATUS_OK);
	assert_int_equal(program_add_semaphore(program, cores, 9, NULL, &index), STATUS_OK);
	assert_int_equal(program_add_semaphore(program, cores, 3, NULL, &index), STATUS_OK);
	assert_int_equal(index, 1);
	kernel_text_fini(&reader);
	kernel_text_fini(&writer);
	return program;
}

/* Fills the source, clears the destination, calls `run`, and compares both. */
static void copy_by(
	void (*run)(struct workload *workload), struct workload *workload, uint32_t seed)
{
	struct command_queue *queue = mesh_queue(test.mesh, 0);
	uint8_t *data = malloc(BYTES), *back = calloc(1, BYTES);

	assert_int_equal(enqueue_write_buffer(queue, to, back, false, 0), STATUS_OK);
	assert_int_equal(queue_finish(mesh_queue(test.mesh, 0), 0, DEADLINE_NEVER), STATUS_OK);
	mesh_case_fill(data, BYTES, seed);
	assert_int_equal(enqueue_write_buffer(queue, from, data, false, 0), STATUS_OK);
	run(workload);
	for (uint16_t row = 0; row < SIDE; row++)
		for (uint16_t column = 0; column < SIDE; column++) {
			memset(back, 0, BYTES);
			assert_int_equal(enqueue_read_shard(queue, to, row, column, back, true, 0),
				STATUS_OK);
			assert_memory_equal(back, data, BYTES);
		}
	free(back);
	free(data);
}

static void launch(struct workload *workload)
{
	assert_int_equal(enqueue_workload(mesh_queue(test.mesh, 0), workload, false, 0), STATUS_OK);
}

static void copy_often(void)
{
	struct program *program;
	struct workload *workload;

	from = buffer_new();
	to = buffer_new();
	program = copy_program();
	workload = mesh_case_workload(&test, program);
	for (uint32_t i = 0; i < LAUNCHES; i++)
		copy_by(launch, workload, i);
	assert_int_equal(queue_finish(mesh_queue(test.mesh, 0), 0, DEADLINE_NEVER), STATUS_OK);
	workload_free(workload);
	program_free(program);
	mesh_buffer_free(from);
	mesh_buffer_free(to);
	mesh_close(test.mesh);
}

/* Copies with kernels. Then opens a second mesh device on the same chips, after the first one was
 * closed, and copies again. */
static void copy_on_row(struct cluster *cluster)
{
	test.cluster = cluster;
	mesh_case_attach(&test);
	copy_often();
	assert_int_equal(mesh_open(test.system, &test.config, NULL, &test.mesh), STATUS_OK);
	copy_often();
}

/* ---- faults ---- */

static struct firmware_fault fault;
static uint32_t fault_count; /* atomic */

static void note_fault(void *context, const struct firmware_fault *found)
{
	(void)context;
	fault = *found;
	__atomic_fetch_add(&fault_count, 1, __ATOMIC_RELEASE);
}

/* The last worker writes past the end of its DRAM bank; the others end. */
static void fault_on_row(struct cluster *cluster)
{
	struct kernel_text text;
	struct program *program;
	struct workload *workload;
	uint32_t out, kernel;

	test.cluster = cluster;
	mesh_case_attach(&test);
	from = buffer_new();
	program = program_new(test.mesh, "wild");
	kernel_text_init(&text);
	out = kernel_text_label(&text);
	kernel_text_add(&text, KERNEL_ARGUMENT, 1, 0, 0, 0);
	kernel_text_set(&text, 2, CORES - 1);
	kernel_text_jump(&text, KERNEL_JUMP_UNEQUAL, 1, 2, out);
	kernel_text_add(&text, KERNEL_PAGE, 3, 1, 0, 0);
	kernel_text_set(&text, 4, 0xfffffff0);
	kernel_text_add(&text, KERNEL_WRITE, 0, 3, 0, 64);
	kernel_text_place(&text, out);
	kernel_text_finish(&text);
	kernel = add_kernel(program, PROCESSOR_TRISC1, &text);
	set_args(program, kernel, from);
	workload = mesh_case_workload(&test, program);
	launch(workload);
	assert_int_equal(queue_finish(mesh_queue(test.mesh, 0), 0, world->now_ns() + 50000000),
		STATUS_TIMEOUT);
	assert_int_equal(__atomic_load_n(&fault_count, __ATOMIC_ACQUIRE), 1);
	assert_int_equal(fault.kind, FAULT_PROGRAM);
	assert_int_equal(fault.tile, test.info->chips[0].geometry->worker_tiles[CORES - 1]);
	assert_string_equal(fault.stage, "trisc1");
	assert_int_equal(fault.instruction, 5);
	assert_string_equal(fault.detail, "halted: a write outside what kernels reach");
	fflush(NULL);
	_Exit(0);
}

static void run_row(const struct row *row, const char *forward, bool cache, uint16_t side,
	void (*body)(struct cluster *cluster))
{
	static const struct firmware_faults faults = {NULL, note_fault, NULL};

	mesh_case_init(&test, side, side, TEST_PCIE_LEFT);
	mesh_case_choose(
		&test, forward, strcmp(forward, "unicast") != 0, sound_name(0), threads_name(0));
	test.config.command_cache = cache;
	test.config.faults = &faults;
	mesh_row_run(row, &test, body, "%s", forward);
}

TEST(programs_copy_the_buffers_of_all_devices)
{
	for (uint32_t row = 0; row < row_count; row++)
		for (int i = 0; i < 4; i++)
			run_row(rows[row], i % 2 ? "unicast" : "broadcast", i / 2, SIDE,
				copy_on_row);
}

TEST(a_wild_kernel_is_a_fault_and_the_host_does_not_wait_for_ever)
{
	for (uint32_t row = 0; row < row_count; row++)
		run_row(rows[row], "unicast", true, 1, fault_on_row);
}

/* ---- refusals ---- */

static void check_refused(struct kernel_config config, enum status expected, const char *sentence)
{
	struct program *program = program_new(test.mesh, "refused");
	struct text why = {0};
	uint32_t kernel;

	assert_int_equal(program_add_kernel(program, &config, &why, &kernel), expected);
	assert_string_equal(text_string(&why), sentence);
	text_fini(&why);
	program_free(program);
}

TEST(what_is_no_program_is_refused)
{
	struct kernel_config config = {
		.cores = {.kind = CORES_COUNT, .count = 1}, .common_args = 4};
	struct kernel_text text;

	mesh_case_init(&test, 1, 1, TEST_PCIE_ALL);
	mesh_case_open(&test);
	reader_text(&text);
	config.text = text.bytes;
	config.bytes = text.length;
	config.cycles = 1;
	check_refused(config, STATUS_INVALID,
		"a kernel that acts has no cycles of its own, and one step");
	config.cycles = 0;
	config.bytes -= 8;
	check_refused(config, STATUS_INVALID, "a text has whole units of 16 B, not 88 B");
	config.bytes += 8;
	text.bytes[2 * 8 + 4] = 200;
	check_refused(config, STATUS_OUT_OF_RANGE, "instruction 2 jumps out of the text");
	text.bytes[8] = KERNEL_OPCODES;
	check_refused(config, STATUS_INVALID, "instruction 1 is none");
	kernel_text_fini(&text);
	mesh_case_close(&test);
}

TEST_MAIN(NULL, NULL)

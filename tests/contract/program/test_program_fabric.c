/* needs: simgrid
 * Tests kernels that communicate over the fabric, in the native and the simulated world. A kernel
 * writes data along a route, and then increments a semaphore along the same route. The receivers
 * are the last device of the route, or all of its devices. On each receiver, the data must arrive
 * before the increment, in every launch. Illegal packets are faults that name core and instruction.
 */
#include "check.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command/kernel_text.h"
#include "mesh/program.h"
#include "mesh_case.h"
#include "mesh_rows.h"

enum { DEVICES = 4, PAGE = 1056, PAGES = 11, BYTES = PAGE * PAGES, LAUNCHES = 9, SENDER = 0 };

static struct mesh_case test;

/* A route, and two buffers of its receivers. Data from the route arrive in `landed`. When the
 * receivers' `semaphore` was incremented, they copy the data to `copied`. */
struct way {
	struct mesh_buffer *landed, *copied;
	uint32_t route, semaphore;
	bool each;
};

static struct mesh_buffer *from;
static struct way last, all;

static struct mesh_buffer *buffer_new(void)
{
	struct buffer_config config = {
		.type = BUFFER_DRAM, .layout = LAYOUT_INTERLEAVED, .page_bytes = PAGE};
	struct mesh_layout layout = {.size_bytes = BYTES};
	struct mesh_buffer *buffer;

	assert_int_equal(mesh_buffer_new(test.mesh, &layout, &config, NULL, &buffer), STATUS_OK);
	return buffer;
}

/* Registers of the kernels. AT: number of a page. PLACE: two registers with the page's tile and
 * address. LOCAL: a local address. ROUTE: a route and a local address. THERE: tile and address of a
 * page of the second buffer, or of a semaphore; for FABRIC_INCREMENT, the tile, an unused register,
 * and the address of the semaphore. MANY: number of pages. BACK: first the value of the semaphore
 * for which a receiver waits, then the amount that the receiver adds to set the semaphore back. */
enum { AT = 1, PLACE = 4, LOCAL = 6, ROUTE = 8, THERE = 10, MANY = 14, BACK = 16 };

/* The common arguments are two buffers, at these indices. */
enum { FIRST = 0, SECOND = KERNEL_PAGES_WORDS };

static void loop_begin(
	struct kernel_text *text, const struct way *way, uint32_t *again, uint32_t *out)
{
	*out = kernel_text_label(text);
	kernel_text_set(text, AT, 0);
	kernel_text_set(text, MANY, PAGES);
	*again = kernel_text_here(text);
	kernel_text_jump(text, KERNEL_JUMP_NOT_BELOW, AT, MANY, *out);
	kernel_text_add(text, KERNEL_PAGE, PLACE, AT, 0, FIRST);
	kernel_text_add(text, KERNEL_BACK, LOCAL, way->each, 0, 0);
	kernel_text_add(text, KERNEL_READ, LOCAL, PLACE, 0, PAGE);
	kernel_text_add(text, KERNEL_WAIT_READS, 0, 0, 0, 0);
}

static void loop_end(struct kernel_text *text, uint32_t again, uint32_t out)
{
	kernel_text_add(text, KERNEL_WAIT_WRITES, 0, 0, 0, 0);
	kernel_text_add(text, KERNEL_ADD, AT, AT, 0, 1);
	kernel_text_jump(text, KERNEL_JUMP, 0, 0, again);
	kernel_text_place(text, out);
}

/* Sends all pages, then notifies the receiver. */
static void sender_text(struct kernel_text *text, const struct way *way)
{
	uint32_t again, out;

	kernel_text_init(text);
	kernel_text_set(text, ROUTE, way->route);
	loop_begin(text, way, &again, &out);
	kernel_text_add(text, KERNEL_ADD, ROUTE + 1, LOCAL, 0, 0);
	kernel_text_add(text, KERNEL_PAGE, THERE, AT, 0, SECOND);
	kernel_text_add(text, way->each ? KERNEL_FABRIC_MULTICAST : KERNEL_FABRIC_WRITE, ROUTE,
		THERE, 0, PAGE);
	loop_end(text, again, out);
	kernel_text_add(text, KERNEL_WORKER, THERE, 0, 0, 0);
	kernel_text_add(text, KERNEL_SEMAPHORE, THERE + 2, 0, 0, way->semaphore);
	kernel_text_add(text, KERNEL_FABRIC_INCREMENT, ROUTE, THERE, 0, 0);
	kernel_text_finish(text);
}

/* Waits for the notification, resets it, and copies all pages. */
static void receiver_text(struct kernel_text *text, const struct way *way)
{
	uint32_t again, out;

	kernel_text_init(text);
	kernel_text_set(text, BACK, 1);
	kernel_text_add(text, KERNEL_UNTIL_LEAST, BACK, 0, 0, way->semaphore);
	kernel_text_add(text, KERNEL_OWN_TILE, THERE, 0, 0, 0);
	kernel_text_add(text, KERNEL_SEMAPHORE, THERE + 1, 0, 0, way->semaphore);
	kernel_text_set(text, BACK, UINT32_MAX);
	kernel_text_add(text, KERNEL_INCREMENT, BACK, THERE, 0, 0);
	loop_begin(text, way, &again, &out);
	kernel_text_add(text, KERNEL_PAGE, THERE, AT, 0, SECOND);
	kernel_text_add(text, KERNEL_WRITE, LOCAL, THERE, 0, PAGE);
	loop_end(text, again, out);
	kernel_text_finish(text);
}

static void describe(const struct mesh_buffer *buffer, uint32_t *words)
{
	words[0] = KERNEL_PAGES_DRAM;
	words[1] = mesh_buffer_address(buffer);
	words[2] = mesh_buffer_placement(buffer)->page_stride;
	words[3] = PAGES;
}

static void add_kernel(struct program *program, struct kernel_text *text, enum processor processor,
	const struct mesh_buffer *first, const struct mesh_buffer *second)
{
	struct kernel_config config = {.processor = processor,
		.cores = {.kind = CORES_COUNT, .count = 1},
		.bytes = text->length,
		.common_args = 2 * KERNEL_PAGES_WORDS,
		.text = text->bytes};
	uint32_t words[2 * KERNEL_PAGES_WORDS], kernel;

	describe(first, words + FIRST);
	describe(second, words + SECOND);
	assert_int_equal(program_add_kernel(program, &config, NULL, &kernel), STATUS_OK);
	assert_int_equal(
		program_set_common_args(program, kernel, words, 2 * KERNEL_PAGES_WORDS), STATUS_OK);
	kernel_text_fini(text);
}

static void way_init(struct way *way, struct program *program, bool each)
{
	static const uint32_t devices[DEVICES] = {0, 1, 2, 3};
	struct route_config config = {.devices = devices, .count = DEVICES, .each = each};
	uint32_t again;

	*way = (struct way){.landed = buffer_new(), .copied = buffer_new(), .each = each};
	assert_int_equal(program_add_route(program, &config, NULL, &way->route), STATUS_OK);
	assert_int_equal(program_add_route(program, &config, NULL, &again), STATUS_OK);
	assert_int_equal(again, way->route);
	assert_int_equal(
		program_add_standing_semaphores(program, 1, NULL, &way->semaphore), STATUS_OK);
}

static void way_fini(struct way *way)
{
	mesh_buffer_free(way->landed);
	mesh_buffer_free(way->copied);
}

/* Device 0 sends on both routes, from two processors. The last device waits for data from both. */
static struct program *program_of(struct program *program, uint32_t device)
{
	struct kernel_text text;

	if (device == SENDER) {
		sender_text(&text, &last);
		add_kernel(program, &text, PROCESSOR_BRISC, from, last.landed);
		sender_text(&text, &all);
		add_kernel(program, &text, PROCESSOR_NCRISC, from, all.landed);
	} else {
		receiver_text(&text, &all);
		add_kernel(program, &text, PROCESSOR_NCRISC, all.landed, all.copied);
	}
	if (device == DEVICES - 1) {
		receiver_text(&text, &last);
		add_kernel(program, &text, PROCESSOR_BRISC, last.landed, last.copied);
	}
	for (uint32_t i = 0; i < 2; i++)
		assert_int_equal(
			program_add_circular_buffer(program,
				(struct cores){.kind = CORES_COUNT, .count = 1}, 1, PAGE, NULL),
			STATUS_OK);
	return program;
}

static void check_copied(const struct way *way, uint32_t device, const uint8_t *data)
{
	uint8_t back[BYTES] = {0};

	assert_int_equal(enqueue_read_shard(mesh_queue(test.mesh, 0), way->copied, 0,
				 (uint16_t)device, back, true, 0),
		STATUS_OK);
	assert_memory_equal(back, data, BYTES);
}

static void launch(struct workload *workload, uint32_t seed)
{
	struct command_queue *queue = mesh_queue(test.mesh, 0);
	uint8_t data[BYTES];

	mesh_case_fill(data, BYTES, seed);
	assert_int_equal(enqueue_write_shard(queue, from, 0, SENDER, data, false, 0), STATUS_OK);
	assert_int_equal(enqueue_workload(queue, workload, false, 0), STATUS_OK);
	if (seed % 3 == 0)
		return; /* the next launch arrives while this one runs */
	for (uint32_t device = 1; device < DEVICES; device++)
		check_copied(&all, device, data);
	check_copied(&last, DEVICES - 1, data);
}

static void send_on_row(struct cluster *cluster)
{
	struct program *programs[DEVICES];
	struct workload *workload;

	test.cluster = cluster;
	mesh_case_attach(&test);
	from = buffer_new();
	workload = workload_new(test.mesh);
	for (uint32_t device = 0; device < DEVICES; device++)
		programs[device] = program_new(test.mesh, "fabric");
	way_init(&last, programs[0], false);
	way_init(&all, programs[0], true);
	for (uint16_t device = 0; device < DEVICES; device++)
		assert_int_equal(workload_add(workload, program_of(programs[device], device),
					 (struct device_range){0, device, 0, device}, NULL),
			STATUS_OK);
	for (uint32_t i = 0; i < LAUNCHES; i++)
		launch(workload, i + 1);
	assert_int_equal(queue_finish(mesh_queue(test.mesh, 0), 0, DEADLINE_NEVER), STATUS_OK);
	workload_free(workload);
	for (uint32_t device = 0; device < DEVICES; device++)
		program_free(programs[device]);
	way_fini(&last);
	way_fini(&all);
	mesh_buffer_free(from);
	mesh_close(test.mesh);
}

/* ---- faults ---- */

struct wrong {
	enum kernel_opcode opcode;
	bool along_all; /* use the route that delivers to each device */
	uint32_t route_more, address, bytes, semaphore_more;
	const char *detail;
};

static const struct wrong *wrong;
static struct firmware_fault fault;
static uint32_t fault_count; /* atomic */

static void note_fault(void *context, const struct firmware_fault *found)
{
	(void)context;
	fault = *found;
	__atomic_fetch_add(&fault_count, 1, __ATOMIC_RELEASE);
}

static void fault_on_row(struct cluster *cluster)
{
	struct kernel_text text;
	struct program *program;
	struct workload *workload;

	test.cluster = cluster;
	mesh_case_attach(&test);
	from = buffer_new();
	program = program_new(test.mesh, "wrong");
	way_init(&last, program, false);
	way_init(&all, program, true);
	kernel_text_init(&text);
	kernel_text_set(&text, ROUTE, (wrong->along_all ? all : last).route + wrong->route_more);
	kernel_text_set(&text, ROUTE + 1, mesh_buffer_address(from));
	kernel_text_add(&text, KERNEL_WORKER, THERE, 0, 0, 0);
	kernel_text_set(&text, THERE + 1, wrong->address);
	kernel_text_add(&text, KERNEL_SEMAPHORE, THERE + 2, 0, 0, last.semaphore);
	kernel_text_add(&text, KERNEL_ADD, THERE + 2, THERE + 2, 0, wrong->semaphore_more);
	kernel_text_add(&text, wrong->opcode, ROUTE, THERE, 0, wrong->bytes);
	kernel_text_finish(&text);
	add_kernel(program, &text, PROCESSOR_NCRISC, from, from);
	workload = workload_new(test.mesh);
	assert_int_equal(workload_add(workload, program, (struct device_range){0, 0, 0, 0}, NULL),
		STATUS_OK);
	assert_int_equal(enqueue_workload(mesh_queue(test.mesh, 0), workload, false, 0), STATUS_OK);
	assert_int_equal(queue_finish(mesh_queue(test.mesh, 0), 0, world->now_ns() + 50000000),
		STATUS_TIMEOUT);
	assert_int_equal(__atomic_load_n(&fault_count, __ATOMIC_ACQUIRE), 1);
	assert_int_equal(fault.kind, FAULT_PROGRAM);
	assert_int_equal(fault.chip, mesh_device_chip(test.mesh, 0, 0));
	assert_int_equal(fault.tile, test.info->chips[0].geometry->worker_tiles[0]);
	assert_string_equal(fault.stage, "ncrisc");
	assert_int_equal(fault.instruction, 6);
	assert_string_equal(fault.detail, wrong->detail);
	fflush(NULL);
	_Exit(0);
}

static void run_row(const struct row *row, void (*body)(struct cluster *cluster))
{
	static const struct firmware_faults faults = {NULL, note_fault, NULL};

	mesh_case_init(&test, 1, DEVICES, TEST_PCIE_LEFT);
	test.config.faults = &faults;
	mesh_row_run(row, &test, body, "a row of %d", DEVICES);
}

TEST(what_is_sent_arrives_before_its_increment)
{
	for (uint32_t row = 0; row < row_count; row++)
		run_row(rows[row], send_on_row);
}

TEST(what_must_not_be_sent_is_a_fault)
{
	static const struct wrong cases[] = {
		{KERNEL_FABRIC_WRITE, false, 2, 0x40000, 64, 0,
			"halted: a route that the chip does not have"},
		{KERNEL_FABRIC_WRITE, true, 0, 0x40000, 64, 0,
			"halted: a write along a route to several chips"},
		{KERNEL_FABRIC_MULTICAST, false, 0, 0x40000, 64, 0,
			"halted: a multicast along a route to its end alone"},
		{KERNEL_FABRIC_WRITE, false, 0, 0x40000, 1 << 14, 0,
			"halted: more bytes than a packet of the fabric has"},
		{KERNEL_FABRIC_WRITE, false, 0, 0xfffffff0, 64, 0,
			"halted: a write outside what kernels reach"},
		{KERNEL_FABRIC_READ, false, 2, 0x40000, 64, 0,
			"halted: a route that the chip does not have"},
		{KERNEL_FABRIC_READ, true, 0, 0x40000, 64, 0,
			"halted: a read along a route to several chips"},
		{KERNEL_FABRIC_READ, false, 0, 0x40000, 1 << 14, 0,
			"halted: more bytes than a packet of the fabric has"},
		{KERNEL_FABRIC_READ, false, 0, 0xfffffff0, 64, 0, "halted: a read outside memory"},
		{KERNEL_FABRIC_INCREMENT, false, 0, 0, 0, 4096,
			"halted: a word that is no semaphore"},
	};

	for (uint32_t row = 0; row < row_count; row++)
		for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
			wrong = &cases[i];
			run_row(rows[row], fault_on_row);
		}
}

/* ---- refusals ---- */

static void check_refused(
	struct program *program, struct route_config config, enum status expected, const char *why)
{
	struct text said = {0};
	uint32_t number;

	assert_int_equal(program_add_route(program, &config, &said, &number), expected);
	assert_string_equal(text_string(&said), why);
	text_fini(&said);
}

TEST(routes_that_are_not_there_are_refused)
{
	static const uint32_t wide[] = {0, 2}, far[] = {0, 1, 9}, next[] = {0, 1};
	struct program *program, *other;
	struct text why = {0};
	uint32_t first, second;

	mesh_case_init(&test, 1, DEVICES, TEST_PCIE_ALL);
	mesh_case_open(&test);
	program = program_new(test.mesh, "refused");
	other = program_new(test.mesh, "other");
	check_refused(program, (struct route_config){.devices = wide, .count = 2},
		STATUS_UNSUPPORTED,
		"a route from device 0 to device 2 leads over links that are not there");
	check_refused(program, (struct route_config){.devices = far, .count = 3},
		STATUS_OUT_OF_RANGE, "device 9 of a mesh of 4");
	check_refused(program, (struct route_config){.devices = next, .count = 2, .link = 7},
		STATUS_OUT_OF_RANGE, "link 7 of a route, but 2 join devices 0 and 1");
	assert_int_equal(program_add_standing_semaphores(program, 40, NULL, &first), STATUS_OK);
	assert_int_equal(program_add_standing_semaphores(other, 9, &why, &second), STATUS_NO_SPACE);
	assert_string_equal(text_string(&why), "9 standing semaphores, but a worker has 48");
	program_free(program);
	assert_int_equal(program_add_standing_semaphores(other, 9, NULL, &second), STATUS_OK);
	assert_int_equal(second, first);
	program_free(other);
	text_fini(&why);
	mesh_case_close(&test);
}

TEST(programs_of_one_key_share_semaphores_until_the_last_is_freed)
{
	struct program *programs[3];
	uint32_t first, again, other, freed;

	mesh_case_init(&test, 1, DEVICES, TEST_PCIE_ALL);
	mesh_case_open(&test);
	for (uint32_t i = 0; i < 3; i++)
		programs[i] = program_new(test.mesh, "shared");
	check_equal(program_share_standing_semaphores(programs[0], 4, 7, NULL, &first), STATUS_OK);
	check_equal(program_share_standing_semaphores(programs[1], 4, 7, NULL, &again), STATUS_OK);
	check_equal(again, first);
	check_equal(program_share_standing_semaphores(programs[2], 4, 8, NULL, &other), STATUS_OK);
	check(other >= first + 4 || other + 4 <= first, "key 8 has %u, key 7 has %u", other, first);
	program_free(programs[0]);
	check_equal(program_add_standing_semaphores(programs[2], 4, NULL, &freed), STATUS_OK);
	check(freed >= first + 4, "semaphore %u is given away, key 7 still has %u", freed, first);
	program_free(programs[1]);
	check_equal(program_add_standing_semaphores(programs[2], 4, NULL, &freed), STATUS_OK);
	check_equal(freed, first);
	program_free(programs[2]);
	mesh_case_close(&test);
}

TEST_MAIN(NULL, NULL)

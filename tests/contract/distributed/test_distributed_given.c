/* timeout: 300
 * Tests binaries that the controller has compiled (spec 4.9). The controller sends them unchanged,
 * once for each workload, and executors run exactly these binaries. The tests run in the native
 * world, with every codec. The test plays either the controller or the executor. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "check.h"
#include "command/kernel.h"
#include "deadline.h"
#include "hosts_choices.h"
#include "hosts_orders.h"
#include "hosts_script.h"
#include "memory/placement.h"
#include "mesh/description.h"
#include "mesh/plan/plan.h"
#include "wire/codec.h"

enum { KERNEL = 1500, LARGE = 50000, ADDRESS = 1 << 20, GIVEN_MOST = 1 << 18, SETS = 8 };

static struct hosts_case hosts;

static struct hosts_choice choice_of(const char *codec)
{
	struct hosts_choice choice = hosts_choices_alone(codec);

	choice.compile = "controller";
	return choice;
}

/* ---- a real executor ---- */

/* Makes the binaries of `kernel`, with random bytes after the kernel's header. They differ from the
 * bytes that the executor would compile, so a test can find out which binaries were used. The
 * caller frees the result. */
static uint8_t *noise_new(uint64_t seed, uint64_t *bytes)
{
	const struct kernel_config kernel = {
		.cores = {.kind = CORES_ALL}, .bytes = KERNEL, .cycles = 10};
	struct program_limits limits;
	struct program_site *site;
	struct program *program;
	uint8_t *noise;
	uint32_t index;

	check_status(program_limits_plan(hosts.executors[0].info, &hosts.one.config, &limits, NULL),
		STATUS_OK);
	site = program_site_new(&limits, hosts.one.config.shape);
	program = program_new_at(site, "given", 1);
	check_status(program_add_kernel(program, &kernel, NULL, &index), STATUS_OK);
	*bytes = program_binary_bytes(program);
	check_at_most(KERNEL, *bytes);
	noise = allocate(1, *bytes + 1);
	program_binaries(program, noise);
	mesh_case_fill(noise + KERNEL_HEADER_BYTES, *bytes + 1 - KERNEL_HEADER_BYTES, seed);
	program_free(program);
	program_site_free(site);
	return noise;
}

static void describe(struct hosts_orders *by, uint64_t number)
{
	const struct wire_program program = {.rows = 1, .columns = 2, .id = 1};
	const struct wire_cores cores = {.kind = CORES_ALL};
	const struct wire_kernel kernel = {.bytes = KERNEL, .cycles = 10};

	hosts_orders_send(by, (struct wire_command){.kind = WIRE_enqueue_program,
				      .enqueue_program = {.number = number,
					      .workload = 3,
					      .describe = 1,
					      .programs = {&program, 1},
					      .cores = {&cores, 1},
					      .kernels = {&kernel, 1}}});
}

static struct wire_command piece(
	uint64_t number, const uint8_t *all, uint64_t bytes, uint64_t offset, uint32_t count)
{
	return (struct wire_command){.kind = WIRE_give_binaries,
		.give_binaries = {.number = number,
			.workload = 3,
			.offset = offset,
			.bytes = bytes,
			.data = {all + offset, count}}};
}

/* Runs workload 3, with command numbers from 21 on, and closes. */
static void run_and_close(struct hosts_orders *by)
{
	hosts_orders_send(
		by, (struct wire_command){.kind = WIRE_place_workload,
			    .place_workload = {.number = 21, .workload = 3, .address = ADDRESS}});
	hosts_orders_send(by, (struct wire_command){.kind = WIRE_enqueue_program,
				      .enqueue_program = {.number = 22, .workload = 3}});
	hosts_orders_send(by, (struct wire_command){.kind = WIRE_enqueue_finish,
				      .enqueue_finish = {.number = 23}});
	hosts_orders_completed(by, 23, STATUS_OK, "");
	hosts_orders_send(
		by, (struct wire_command){.kind = WIRE_close_mesh, .close_mesh = {.number = 24}});
	hosts_orders_completed(by, 24, STATUS_OK, "");
	hosts_case_join_executors(&hosts);
	hosts_case_drain(&hosts);
}

static bool is_in(const uint8_t *wanted, uint64_t bytes, const uint8_t *memory, uint64_t all)
{
	for (uint64_t i = 0; i + bytes <= all; i++)
		if (memcmp(memory + i, wanted, bytes) == 0)
			return true;
	return false;
}

/* Checks that the program's pages in DRAM hold the bytes in `given`, and that the kernel in the
 * first worker's L1 has the same bytes. */
static void check_given(uint16_t column, const uint8_t *given, uint64_t bytes)
{
	const struct chip_geometry *geometry = hosts.executors[0].info->chips[0].geometry;
	struct device *chip = device_row->chip(hosts.executors[0].cluster, column);
	const struct buffer_config config = {
		.type = BUFFER_DRAM, .page_bytes = sizes_binary_page(&hosts.one.config)};
	uint8_t *page = allocate(1, config.page_bytes), *l1 = allocate(1, geometry->l1_bytes);
	struct placement placement;

	check_status(placement_init(&placement, &config, bytes, geometry,
			     sizes_page_alignment(&hosts.one.config, BUFFER_DRAM), NULL),
		STATUS_OK);
	for (uint32_t i = 0; i < placement.page_count; i++) {
		struct page_place place = placement_page(&placement, i);

		check_status(device_row->inspect(chip, place.tile,
				     (uint32_t)(ADDRESS + place.offset), config.page_bytes, page),
			STATUS_OK);
		check(memcmp(page, given + (uint64_t)i * config.page_bytes, config.page_bytes) == 0,
			"page %u of device %u is not what was given", i, column);
	}
	check_status(device_row->inspect(
			     chip, geometry->worker_tiles[0], 0, (uint32_t)geometry->l1_bytes, l1),
		STATUS_OK);
	check(is_in(given, KERNEL, l1, geometry->l1_bytes),
		"a worker of device %u has another kernel", column);
	free(page);
	free(l1);
}

static void give_noise(const struct hosts_choice *choice)
{
	struct hosts_orders by = {0};
	uint8_t *given;
	uint64_t bytes;

	hosts_orders_open(&by, &hosts, choice, true);
	given = noise_new(77, &bytes);
	describe(&by, 6);
	hosts_orders_send(&by, piece(7, given, bytes, 0, 1000));
	hosts_orders_send(&by, piece(8, given, bytes, 1000, 1));
	hosts_orders_send(&by, piece(9, given, bytes, 1001, (uint32_t)bytes - 1001));
	run_and_close(&by);
	for (uint16_t i = 0; i < 2; i++)
		check_given(i, given, bytes);
	free(given);
	hosts_orders_close(&by, STATUS_OK);
}

TEST(executors_run_what_they_were_given)
{
	hosts_choices_codecs(choice_of("packed"), give_noise);
}

TEST(pieces_that_do_not_follow_each_other_are_refused)
{
	const struct hosts_choice choice = choice_of("packed");
	struct hosts_orders by = {0};
	struct wire_command other;
	struct text why = {0};
	uint8_t *given;
	uint64_t bytes;

	hosts_orders_open(&by, &hosts, &choice, true);
	given = noise_new(78, &bytes);
	describe(&by, 6);
	hosts_orders_send(&by, piece(7, given, bytes, 1, 2));
	text_printf(&why, "2 B at 1 of %llu B of binaries", (unsigned long long)bytes);
	hosts_orders_completed(&by, 7, STATUS_INVALID, text_string(&why));
	hosts_orders_send(&by, piece(8, given, bytes + 1, 0, 2));
	text_clear(&why);
	text_printf(&why, "2 B at 0 of %llu B of binaries", (unsigned long long)bytes + 1);
	hosts_orders_completed(&by, 8, STATUS_INVALID, text_string(&why));
	other = piece(9, given, bytes, 0, 2);
	other.give_binaries.program = 1;
	hosts_orders_send(&by, other);
	hosts_orders_completed(&by, 9, STATUS_NOT_FOUND, "no program 1 of a workload 3");
	hosts_orders_send(&by, piece(10, given, bytes, 0, 2));
	hosts_orders_send(&by, piece(11, given, bytes, 3, 2));
	text_clear(&why);
	text_printf(&why, "2 B at 3 of %llu B of binaries", (unsigned long long)bytes);
	hosts_orders_completed(&by, 11, STATUS_INVALID, text_string(&why));
	/* sending the first piece again restarts the transfer */
	hosts_orders_send(&by, piece(12, given, bytes, 0, (uint32_t)bytes));
	run_and_close(&by);
	check_given(0, given, bytes);
	free(given);
	text_fini(&why);
	hosts_orders_close(&by, STATUS_OK);
}

/* ---- a real controller ---- */

struct received {
	struct hosts_script by;
	uint8_t bytes[SETS][GIVEN_MOST]; /* per program, as received */
	uint64_t have[SETS];
	uint16_t programs[SETS];
	uint32_t sets, runs, arguments;
	bool dies; /* at the first piece */
};

static void receive(struct received *received, const struct wire_give_binaries *message)
{
	uint32_t set;

	if (message->offset == 0) {
		check_less(received->sets, SETS);
		received->programs[received->sets++] = message->program;
	}
	set = received->sets - 1;
	check_equal(message->offset, received->have[set]);
	check_at_most(message->offset + message->data.count, GIVEN_MOST);
	memcpy(received->bytes[set] + message->offset, message->data.at, message->data.count);
	received->have[set] += message->data.count;
}

static bool serve(struct hosts_script *by, const struct wire_command *command)
{
	struct received *received = by->context;
	const struct wire_command done = {
		.kind = WIRE_completed, .completed = {.number = command->head.number}};
	const struct wire_command wanted = {.kind = WIRE_memory_wanted,
		.memory_wanted = {.number = command->head.number, .bytes = 4096}};

	if (command->kind == WIRE_give_binaries && received->dies)
		return false;
	if (command->kind == WIRE_give_binaries)
		receive(received, &command->give_binaries);
	if (command->kind == WIRE_set_runtime_args || command->kind == WIRE_give_commands)
		received->arguments++;
	if (command->kind == WIRE_enqueue_program && !command->enqueue_program.describe)
		received->runs++;
	if (command->kind == WIRE_enqueue_program && command->enqueue_program.describe &&
		strcmp(hosts.choice.allocation, "requests") == 0)
		hosts_script_say(by, &wanted);
	if (command->kind == WIRE_enqueue_finish || command->kind == WIRE_close_mesh)
		hosts_script_say(by, &done);
	return true;
}

static void open_with(struct received *received, const struct hosts_choice *choice)
{
	struct mesh_config config;

	hosts_case_init(&hosts, *choice);
	hosts_case_start_controller(&hosts);
	received->by = (struct hosts_script){.hosts = &hosts, .serve = serve, .context = received};
	hosts_script_start(&received->by);
	hosts_case_accept(&hosts);
	config = hosts.one.config;
	config.shape = (struct mesh_shape){choice->rows, choice->columns};
	check_status(distributed_open(hosts.controller, &config, NULL, &hosts.handle), STATUS_OK);
}

static void close_it(struct received *received)
{
	hosts.handle->ops->close(hosts.handle);
	controller_close(hosts.controller);
	world->join(received->by.thread);
	hosts_case_end_executors(&hosts, STATUS_OK);
	deadline_stop();
}

struct called {
	struct program *programs[2];
	struct workload *workload;
};

/* Makes a workload of two programs: a small program on the first device, and a large program on the
 * second device. The binaries of the large program do not fit into one message. */
static struct called called_new(void)
{
	const struct handle_ops *ops = hosts.handle->ops;
	struct called made = {.workload = ops->workload_new(hosts.handle)};
	uint32_t index;

	for (uint16_t i = 0; i < 2; i++) {
		struct kernel_config kernel = {
			.cores = {.kind = CORES_RECTANGLE, .rect = {0, 0, 1, 0}},
			.bytes = i == 0 ? KERNEL : LARGE,
			.cycles = 10,
			.unique_args = 1};

		made.programs[i] = ops->program_new(hosts.handle, i == 0 ? "small" : "large");
		check_status(
			program_add_kernel(made.programs[i], &kernel, NULL, &index), STATUS_OK);
		kernel.cores.rect = (struct worker_rect){0, 1, 1, 1};
		kernel.cycles = 11;
		check_status(
			program_add_kernel(made.programs[i], &kernel, NULL, &index), STATUS_OK);
		check_status(workload_add(made.workload, made.programs[i],
				     (struct device_range){0, i, 0, i}, NULL),
			STATUS_OK);
	}
	return made;
}

static void call(struct called called)
{
	const struct handle_ops *ops = hosts.handle->ops;
	const struct handle_call later = {.queue = 0};

	check_status(ops->run(hosts.handle, later, called.workload), STATUS_OK);
	check_status(ops->finish(hosts.handle, 0, 0, DEADLINE_NEVER), STATUS_OK);
}

static void called_free(struct called called)
{
	const struct handle_ops *ops = hosts.handle->ops;

	ops->workload_free(hosts.handle, called.workload);
	for (uint32_t i = 0; i < 2; i++)
		ops->program_free(hosts.handle, called.programs[i]);
}

static void check_received(
	const struct received *received, uint32_t set, struct program *program, uint16_t index)
{
	uint64_t bytes = program_binary_bytes(program);
	uint8_t *made = allocate(1, bytes);

	program_binaries(program, made);
	check_equal(received->programs[set], index);
	check_equal(received->have[set], bytes);
	check(memcmp(received->bytes[set], made, bytes) == 0, "%s: not what was made",
		hosts.choice.codec);
	free(made);
}

/* Checks what the controller sends more than once. After a change of arguments, it sends only the
 * arguments. For another workload with the same kernels, it sends the binaries again, but does not
 * compile them again. */
static void take_what_is_made(const struct hosts_choice *choice)
{
	static const char *const allocations[] = {"split", "requests", "controller"};

	for (size_t i = 0; i < sizeof allocations / sizeof *allocations; i++) {
		struct hosts_choice own = *choice;
		struct received *received = allocate(1, sizeof *received);
		struct called first, second;
		struct work_counts work;
		uint32_t arguments;

		own.allocation = allocations[i];
		open_with(received, &own);
		first = called_new();
		call(first);
		check_equal(received->sets, 2);
		for (uint16_t k = 0; k < 2; k++)
			check_received(received, k, first.programs[k], k);
		check_less(HOSTS_CASE_MESSAGE_MAX, received->have[1]);
		arguments = received->arguments;
		program_refresh_args(first.programs[0], 5);
		call(first);
		check_less(arguments, received->arguments);
		check_equal(received->runs, 2);
		check_equal(received->sets, 2);
		second = called_new();
		call(second);
		check_equal(received->sets, 4);
		for (uint16_t k = 0; k < 2; k++)
			check_received(received, 2 + k, second.programs[k], k);
		called_free(first);
		called_free(second);
		close_it(received);
		hosts_case_work(&hosts, &work);
		check_equal(work.units[WORK_COMPILE_KERNEL], 4);
		free(received);
	}
}

TEST(the_controller_sends_what_it_made)
{
	hosts_choices_codecs(choice_of("packed"), take_what_is_made);
}

TEST(a_host_that_is_lost_while_it_is_given_binaries_is_named)
{
	static const char *const pipelines[] = {"main", "pair", "stages"};
	const struct handle_call later = {.queue = 0};

	for (size_t i = 0; i < sizeof pipelines / sizeof *pipelines; i++) {
		struct hosts_choice own = choice_of("packed");
		struct received *received = allocate(1, sizeof *received);
		struct called called;
		enum status status;

		received->dies = true;
		own.allocation = "split";
		own.pipeline = pipelines[i];
		open_with(received, &own);
		called = called_new();
		status = hosts.handle->ops->run(hosts.handle, later, called.workload);
		check(status == STATUS_OK || status == STATUS_CLOSED, "%s", status_name(status));
		check_status(hosts.handle->ops->finish(hosts.handle, 0, 0, DEADLINE_NEVER),
			STATUS_CLOSED);
		check(strcmp(controller_why(hosts.controller), "host host-0 is lost") == 0, "%s",
			controller_why(hosts.controller));
		called_free(called);
		close_it(received);
		free(received);
	}
}

TEST_MAIN(NULL, NULL)

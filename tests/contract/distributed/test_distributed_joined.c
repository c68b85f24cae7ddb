/* label: full  timeout: 240
 * Tests kernels on several hosts that send to each other over links between the hosts. Collectives
 * over the devices of 2 and 4 hosts must give the results that programs/reference/reference.h
 * computes, in the native and in the simulated world. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "hosts_sim.h"
#include "mesh/assembled.h"
#include "programs/collective.h"
#include "sim_case.h"

enum { ROWS = 4, COLUMNS = 2, DEVICES = ROWS * COLUMNS, PAGES = 8, PAGE_BYTES = 2048, RUNS = 2 };

/* A collective over all devices of a case. */
struct joined {
	struct hosts_case *hosts;
	struct collective_config config;
	struct handle_buffer *buffers[3];
	struct program *programs[DEVICES];
	struct workload *workload;
	uint32_t devices[DEVICES];
};

static struct library_buffer joined_buffer(struct joined *joined, uint32_t index, uint64_t pages)
{
	const struct handle_ops *ops = joined->hosts->handle->ops;
	struct mesh_layout layout = {.size_bytes = pages * PAGE_BYTES};
	struct buffer_config config = {
		.type = BUFFER_DRAM, .layout = LAYOUT_INTERLEAVED, .page_bytes = PAGE_BYTES};

	if (pages == 0)
		return (struct library_buffer){0};
	check_status(ops->buffer_new(joined->hosts->handle, &layout, &config, NULL,
			     &joined->buffers[index]),
		STATUS_OK);
	return (struct library_buffer){ops->buffer_placement(joined->buffers[index]),
		ops->buffer_address(joined->buffers[index])};
}

static void joined_make(struct joined *joined, enum collective_op op, bool ring)
{
	const struct handle_ops *ops = joined->hosts->handle->ops;
	struct device_handle *handle = joined->hosts->handle;
	struct collective_config *config = &joined->config;
	struct text why = {0};
	enum status status;

	*config = (struct collective_config){.op = op,
		.element = ELEMENT_BF16,
		.devices = joined->devices,
		.device_count = DEVICES,
		.ring = ring,
		.links = 2,
		.root = 5,
		.pages = PAGES};
	check_status(collective_order(ops->shape(handle), ring, joined->devices, NULL), STATUS_OK);
	config->input = joined_buffer(joined, 0, PAGES);
	config->output = joined_buffer(joined, 1, collective_output_pages(config));
	config->sums = joined_buffer(joined, 2, collective_sums_pages(config));
	joined->workload = ops->workload_new(handle);
	for (uint32_t i = 0; i < DEVICES; i++)
		joined->programs[i] = ops->program_new(handle, "joined");
	status = collective_build(joined->programs, config, &why);
	for (uint32_t i = 0; i < DEVICES && status == STATUS_OK; i++) {
		uint16_t row = (uint16_t)(joined->devices[i] / COLUMNS);
		uint16_t column = (uint16_t)(joined->devices[i] % COLUMNS);

		status = workload_add(joined->workload, joined->programs[i],
			(struct device_range){row, column, row, column}, &why);
	}
	check(status == STATUS_OK, "%s: %s", collective_op_name(op), text_string(&why));
	text_fini(&why);
}

/* Every element of a page is a small whole number, whose sums bf16 has exactly. */
static float value_of(uint32_t place, uint32_t page)
{
	return (float)(1 + (place * 3 + page) % 7);
}

static void fill(uint8_t *page, float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof bits);
	for (uint32_t i = 0; i < PAGE_BYTES; i += 2) {
		page[i] = (uint8_t)(bits >> 16);
		page[i + 1] = (uint8_t)(bits >> 24);
	}
}

static void joined_write(struct joined *joined)
{
	static uint8_t data[PAGES * PAGE_BYTES];
	struct handle_call call = {.blocking = true};

	for (uint32_t i = 0; i < DEVICES; i++) {
		for (uint32_t page = 0; page < PAGES; page++)
			fill(data + page * PAGE_BYTES, value_of(i, page));
		check_status(joined->hosts->handle->ops->write_shard(joined->hosts->handle, call,
				     joined->buffers[0], (uint16_t)(joined->devices[i] / COLUMNS),
				     (uint16_t)(joined->devices[i] % COLUMNS), data),
			STATUS_OK);
	}
}

/* Computes the results with one element for each page. */
static void expect(const struct joined *joined, uint16_t results[DEVICES][DEVICES * PAGES])
{
	struct collective pages = collective_of_pages(&joined->config);
	static uint16_t inputs[DEVICES][PAGES];
	const void *from[DEVICES];
	void *to[DEVICES];

	pages.element = ELEMENT_BF16;
	for (uint32_t i = 0; i < DEVICES; i++) {
		for (uint32_t page = 0; page < PAGES; page++) {
			uint8_t bytes[PAGE_BYTES];

			fill(bytes, value_of(i, page));
			memcpy(&inputs[i][page], bytes, sizeof inputs[i][page]);
		}
		from[i] = inputs[i];
		to[i] = results[i];
	}
	collective_results(&pages, from, to);
}

static void joined_check(struct joined *joined)
{
	static uint16_t results[DEVICES][DEVICES * PAGES];
	static uint8_t got[DEVICES * PAGES * PAGE_BYTES];
	struct collective pages = collective_of_pages(&joined->config);
	struct handle_call call = {.blocking = true};

	pages.element = ELEMENT_BF16;
	expect(joined, results);
	for (uint32_t i = 0; i < DEVICES; i++) {
		check_status(joined->hosts->handle->ops->read_shard(joined->hosts->handle, call,
				     joined->buffers[1], (uint16_t)(joined->devices[i] / COLUMNS),
				     (uint16_t)(joined->devices[i] % COLUMNS), got),
			STATUS_OK);
		for (uint32_t page = 0; page < collective_result_elements(&pages, i); page++)
			for (uint32_t at = 0; at < PAGE_BYTES; at += 2)
				check(memcmp(got + page * PAGE_BYTES + at, &results[i][page], 2) ==
						0,
					"%s %s: byte %u of page %u of device %u is 0x%02x%02x, not "
					"0x%04x",
					collective_op_name(joined->config.op),
					joined->config.ring ? "in a ring" : "in a line", at, page,
					joined->devices[i], got[page * PAGE_BYTES + at + 1],
					got[page * PAGE_BYTES + at], results[i][page]);
	}
}

static void joined_collective(struct hosts_case *hosts, enum collective_op op, bool ring)
{
	const struct handle_ops *ops = hosts->handle->ops;
	struct joined joined = {.hosts = hosts};

	joined_make(&joined, op, ring);
	joined_write(&joined);
	for (uint32_t i = 0; i < RUNS; i++)
		check_status(
			ops->run(hosts->handle, (struct handle_call){.blocking = i + 1 == RUNS},
				joined.workload),
			STATUS_OK);
	joined_check(&joined);
	ops->workload_free(hosts->handle, joined.workload);
	for (uint32_t i = 0; i < DEVICES; i++)
		ops->program_free(hosts->handle, joined.programs[i]);
	for (uint32_t i = 0; i < 3; i++)
		ops->buffer_free(joined.buffers[i]);
}

static struct hosts_choice choice_of(uint32_t count, const char *allocation, uint16_t links)
{
	return (struct hosts_choice){.transport = "tcp",
		.codec = "packed",
		.resolution = "mixed",
		.pipeline = "main",
		.allocation = allocation,
		.hosts = count,
		.axis = HOSTS_IN_ROWS,
		.rows = ROWS,
		.columns = COLUMNS,
		.links = links};
}

static void joined_case(struct hosts_choice choice)
{
	struct hosts_case hosts;

	hosts_case_init(&hosts, choice);
	hosts_case_open(&hosts);
	for (int op = 0; op < COLLECTIVE_OP_COUNT; op++)
		for (int ring = 0; ring < 2; ring++)
			joined_collective(&hosts, (enum collective_op)op, ring);
	hosts_case_close(&hosts, STATUS_OK);
}

TEST(collectives_cross_hosts_natively)
{
	joined_case(choice_of(2, NULL, 2));
	joined_case(choice_of(4, "requests", 2));
	joined_case(choice_of(2, "controller", 2));
}

/* The executors connect to each other, as they do if they are separate processes. */
TEST(collectives_cross_connections_between_executors)
{
	static const char *const transports[] = {"tcp", "unix"};

	for (uint32_t i = 0; i < 3; i++) {
		struct hosts_choice choice =
			choice_of(i == 2 ? 4 : 2, i == 2 ? "requests" : NULL, 2);

		choice.link_transport = transports[i % 2];
		choice.executor_threads = i == 1;
		choice.completion_reader = i == 2 ? "thread" : NULL;
		joined_case(choice);
	}
}

static void run(void *argument)
{
	joined_case(*(struct hosts_choice *)argument);
}

static void simulate(const void *argument, void *result)
{
	struct hosts_choice choice = *(const struct hosts_choice *)argument;

	(void)result;
	choice.ground = &hosts_sim_ground;
	(void)hosts_sim_run(choice.hosts, NULL, run, &choice);
}

TEST(collectives_cross_simulated_hosts)
{
	for (uint32_t count = 2; count <= 4; count += 2) {
		struct hosts_choice choice = choice_of(count, count == 4 ? "controller" : NULL, 2);
		struct sim_case end = sim_case_run(simulate, &choice, NULL, 0);

		check(end.exit_code == 0, "%u hosts: exit code %d: %s", count, end.exit_code,
			end.output);
	}
}

/* ---- refused ---- */

TEST(hosts_that_no_links_join_have_no_routes)
{
	static const uint32_t way[] = {0, 1};
	const struct route_config config = {.devices = way, .count = 2};
	struct hosts_case hosts;
	struct program *program;
	struct text why = {0};
	uint32_t number;

	hosts_case_init(&hosts, choice_of(2, NULL, 0));
	hosts_case_open(&hosts);
	program = hosts.handle->ops->program_new(hosts.handle, "alone");
	check_status(program_add_route(program, &config, &why, &number), STATUS_UNSUPPORTED);
	assert_string_equal(text_string(&why),
		"a route between devices that no links join (hosts: {links: N} of the platform)");
	hosts.handle->ops->program_free(hosts.handle, program);
	hosts_case_close(&hosts, STATUS_OK);
	text_fini(&why);
}

static void refuse_route(struct hosts_case *hosts, const uint32_t *devices, uint32_t count,
	uint8_t link, enum status expected, const char *text)
{
	const struct route_config config = {.devices = devices, .count = count, .link = link};
	struct program *program = hosts->handle->ops->program_new(hosts->handle, "refused");
	struct text why = {0};
	uint32_t number;

	check_status(program_add_route(program, &config, &why, &number), expected);
	assert_string_equal(text_string(&why), text);
	hosts->handle->ops->program_free(hosts->handle, program);
	text_fini(&why);
}

TEST(routes_that_lead_nowhere_are_refused_before_a_host_is_told)
{
	struct hosts_case hosts;

	hosts_case_init(&hosts, choice_of(2, NULL, 2));
	hosts_case_open(&hosts);
	refuse_route(&hosts, (const uint32_t[]){2, 6}, 2, 0, STATUS_UNSUPPORTED,
		"a route from device 2 to device 6 leads over links that are not there");
	refuse_route(&hosts, (const uint32_t[]){2, 4}, 2, 2, STATUS_OUT_OF_RANGE,
		"link 2 of a route, but 2 join devices 2 and 4");
	refuse_route(&hosts, (const uint32_t[]){6, 8}, 2, 0, STATUS_OUT_OF_RANGE,
		"device 8 of a mesh of 8");
	hosts_case_close(&hosts, STATUS_OK);
}

TEST_MAIN(NULL, NULL)

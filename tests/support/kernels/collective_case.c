/* Random collectives (see collective_case.h). */
#include "test.h"

#include "collective_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/stream.h"
#include "check.h"
#include "chip/sim_device.h"
#include "mesh_case.h"
#include "mesh_rows.h"

enum {
	DEVICES_MOST = 6, /* largest number of devices of a line */
	LINES_MOST = 2,
	LAUNCHES = 3, /* number of launches for half of the seeds. The other half has one launch:
		       * after a first launch, memory contains the right data already, and this
		       * could hide errors of later launches */
	LINKS = 4,
	WORKERS = 3,
	ADDED_PAGES_MOST = 24,
	CONNECTION_LINKS_MOST = 128
};

/* A mesh, and the lines of devices in it. If there are several lines, each line is a row. */
static const struct shape {
	uint16_t rows, columns;
	bool ring;
	uint8_t lines;
} shapes[] = {
	{1, 2, false, 1},
	{1, 3, true, 1},
	{1, 3, false, 1},
	{1, 4, true, 1},
	{1, 4, false, 1},
	{1, 5, true, 1},
	{1, 5, false, 1},
	{1, 6, true, 1},
	{2, 3, false, 1}, /* there and back */
	{2, 3, true, 1},  /* back on the other row */
	{2, 4, false, 2},
	{2, 3, true, 2},
};

enum { SHAPES = sizeof shapes / sizeof *shapes };

static struct mesh_case test;
static uint32_t first_seed, seed_count, shape, ops_drawn;

/* One collective with its buffers. The inputs are indexed by line and by place on the line. */
struct drawn {
	struct collective_config config;
	uint32_t page_bytes;
	uint32_t devices[LINES_MOST * DEVICES_MOST]; /* the devices of the lines; before they are
						      * put in order, all devices of the mesh */
	struct mesh_buffer *input, *output, *sums;
	uint8_t *data[LINES_MOST][DEVICES_MOST];
	uint64_t before[CONNECTION_LINKS_MOST];
};

/* Returns the device at a place of a line. */
static struct device_range device_at(const struct drawn *drawn, uint32_t line, uint32_t place)
{
	uint32_t device = drawn->devices[place] + line * drawn->config.line_step;
	uint16_t row = (uint16_t)(device / shapes[shape].columns),
		 column = (uint16_t)(device % shapes[shape].columns);

	return (struct device_range){row, column, row, column};
}

static const char *form(void)
{
	return shapes[shape].ring ? "in a ring" : "in a line";
}

/* ---- made ---- */

static struct mesh_buffer *buffer_new(struct stream *random, uint64_t pages, uint32_t page_bytes)
{
	struct buffer_config config = {.type = stream_below(random, 2) ? BUFFER_DRAM : BUFFER_L1,
		.layout = LAYOUT_INTERLEAVED,
		.page_bytes = page_bytes};
	struct mesh_layout layout = {.size_bytes = pages * page_bytes};
	struct mesh_buffer *buffer;

	if (pages == 0)
		return NULL;
	check_equal(mesh_buffer_new(test.mesh, &layout, &config, NULL, &buffer), STATUS_OK);
	return buffer;
}

static enum collective_op draw_op(struct stream *random)
{
	uint32_t op;

	do {
		op = (uint32_t)stream_below(random, COLLECTIVE_OP_COUNT);
	} while (!(ops_drawn >> op & 1));
	return (enum collective_op)op;
}

static bool adds(const struct drawn *drawn)
{
	return drawn->config.op == COLLECTIVE_REDUCE_SCATTER ||
	       drawn->config.op == COLLECTIVE_ALL_REDUCE;
}

static void order_devices(struct drawn *drawn, bool reversed)
{
	struct mesh_shape of = {shapes[shape].rows, shapes[shape].columns};
	uint32_t count = drawn->config.device_count;

	if (shapes[shape].lines > 1)
		of.rows = 1;
	check_equal(collective_order(of, shapes[shape].ring, drawn->devices, NULL), STATUS_OK);
	for (uint32_t i = 0; i < count / 2 && reversed; i++) {
		uint32_t device = drawn->devices[i];

		drawn->devices[i] = drawn->devices[count - 1 - i];
		drawn->devices[count - 1 - i] = device;
	}
}

/* Draws a collective. Only whole tiles of 32x32 elements can be added. */
static void draw(struct drawn *drawn, struct stream *random)
{
	struct collective_config *config = &drawn->config;
	bool reversed = stream_below(random, 2);

	*drawn = (struct drawn){.config.op = draw_op(random)};
	*config = (struct collective_config){.op = config->op,
		.element = stream_below(random, 2) ? ELEMENT_BF16 : ELEMENT_F32,
		.devices = drawn->devices,
		.device_count =
			(uint32_t)shapes[shape].rows * shapes[shape].columns / shapes[shape].lines,
		.ring = shapes[shape].ring,
		.lines = shapes[shape].lines,
		.line_step = shapes[shape].columns,
		.links = 1 + (uint32_t)stream_below(random, LINKS),
		.pages = 1 + (uint32_t)stream_below(random, adds(drawn) ? ADDED_PAGES_MOST : 50),
		.workers = 1 + (uint32_t)stream_below(random, WORKERS),
		.chunk_pages = (uint32_t)stream_below(random, 6)};
	if (config->op == COLLECTIVE_BROADCAST)
		config->root = (uint32_t)stream_below(random, config->device_count);
	drawn->page_bytes =
		adds(drawn) ? 2048 * (config->element == ELEMENT_F32
						     ? 2
						     : 1 + (uint32_t)stream_below(random, 2))
			    : 16 * (1 + (uint32_t)stream_below(random, 200));
	order_devices(drawn, reversed);
	config->one_way = config->ring && stream_below(random, 3) == 0;
	drawn->input = buffer_new(random, config->pages, drawn->page_bytes);
	drawn->output = buffer_new(random, collective_output_pages(config), drawn->page_bytes);
	drawn->sums = buffer_new(random, collective_sums_pages(config), drawn->page_bytes);
	config->input = library_buffer(drawn->input);
	config->output = library_buffer(drawn->output);
	if (drawn->sums != NULL)
		config->sums = library_buffer(drawn->sums);
}

/* Fills the inputs. If the operation adds, the values are multiples of 1/8 between -100 and 150, so
 * that sums in 32 bits are exact and do not depend on the order of the additions. Sums in bf16
 * depend on it, because each of them is rounded. */
static void fill(const struct drawn *drawn, uint8_t *data, uint64_t seed)
{
	uint64_t bytes = (uint64_t)drawn->config.pages * drawn->page_bytes;
	struct stream random;

	mesh_case_fill(data, bytes, seed);
	if (!adds(drawn))
		return;
	stream_init(&random, seed, "values");
	for (uint64_t i = 0; i < bytes / element_bytes(drawn->config.element); i++) {
		float value = (float)stream_below(&random, 2000) / 8 - 100;
		uint32_t bits;

		memcpy(&bits, &value, sizeof bits);
		if (drawn->config.element == ELEMENT_BF16)
			((uint16_t *)(void *)data)[i] = (uint16_t)(bits >> 16);
		else
			memcpy(data + 4 * i, &value, sizeof value);
	}
}

/* ---- compared ---- */

static uint8_t *read_back(const struct drawn *drawn, uint32_t line, uint32_t place)
{
	struct device_range at = device_at(drawn, line, place);
	uint8_t *back = calloc(1, mesh_buffer_bytes(drawn->output));

	check_equal(enqueue_read_shard(mesh_queue(test.mesh, 0), drawn->output, at.row0, at.column0,
			    back, true, 0),
		STATUS_OK);
	return back;
}

static void check_pages(const struct drawn *drawn, uint32_t line, uint32_t place,
	const uint32_t *expected, uint32_t seed)
{
	struct collective pages = collective_of_pages(&drawn->config);
	uint32_t count = (uint32_t)collective_result_elements(&pages, place);
	uint8_t *back = read_back(drawn, line, place);

	for (uint32_t i = 0; i < count; i++) {
		uint32_t source = expected[i] / drawn->config.pages;
		uint32_t page = expected[i] % drawn->config.pages;

		check(memcmp(back + (size_t)i * drawn->page_bytes,
			      drawn->data[line][source] + (size_t)page * drawn->page_bytes,
			      drawn->page_bytes) == 0,
			"seed %u, %s of %u %s, %u pages of %u B over %u links: page %u of device "
			"%u of line %u is not page %u of device %u",
			seed, collective_op_name(drawn->config.op), drawn->config.device_count,
			form(), drawn->config.pages, drawn->page_bytes, drawn->config.links, i,
			place, line, page, source);
	}
	free(back);
}

/* Checks collectives that only move pages: here, a page is handled like an element. */
static void check_moved(const struct drawn *drawn, uint32_t line, uint32_t seed)
{
	struct collective pages = collective_of_pages(&drawn->config);
	const void *inputs[DEVICES_MOST];
	void *results[DEVICES_MOST];
	uint32_t count = drawn->config.device_count;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t *numbers = calloc(drawn->config.pages, sizeof *numbers);

		for (uint32_t page = 0; page < drawn->config.pages; page++)
			numbers[page] = i * drawn->config.pages + page;
		inputs[i] = numbers;
		results[i] = calloc(collective_result_elements(&pages, i) + 1, sizeof *numbers);
	}
	collective_results(&pages, inputs, results);
	for (uint32_t i = 0; i < count; i++) {
		check_pages(drawn, line, i, results[i], seed);
		free(results[i]);
	}
	for (uint32_t i = 0; i < count; i++) {
		void *numbers;

		memcpy(&numbers, &inputs[i], sizeof numbers);
		free(numbers);
	}
}

/* Compares element `at` of every output page with the expected sum. Computes the expected sums as a
 * collective whose pages have only one element, which is element `at` of the original page. */
static void check_sums_at(
	const struct drawn *drawn, uint32_t line, uint32_t at, uint8_t *const *seen, uint32_t seed)
{
	struct collective pages = collective_of_pages(&drawn->config);
	uint32_t bytes = element_bytes(drawn->config.element), count = drawn->config.device_count;
	uint8_t inputs[DEVICES_MOST][ADDED_PAGES_MOST * 4], results[DEVICES_MOST][sizeof *inputs];
	const void *from[DEVICES_MOST];
	void *to[DEVICES_MOST];

	pages.element = drawn->config.element;
	for (uint32_t i = 0; i < count; i++) {
		for (uint32_t page = 0; page < drawn->config.pages; page++)
			memcpy(inputs[i] + page * bytes,
				drawn->data[line][i] + page * drawn->page_bytes + at * bytes,
				bytes);
		from[i] = inputs[i];
		to[i] = results[i];
	}
	collective_results(&pages, from, to);
	for (uint32_t i = 0; i < count; i++)
		for (uint32_t page = 0; page < collective_result_elements(&pages, i); page++)
			check(memcmp(seen[i] + page * drawn->page_bytes + at * bytes,
				      results[i] + page * bytes, bytes) == 0,
				"seed %u, %s of %u %s, %u pages of %s over %u links: element %u of "
				"page %u of device %u of line %u differs",
				seed, collective_op_name(drawn->config.op), count, form(),
				drawn->config.pages, element_name(drawn->config.element),
				drawn->config.links, at, page, i, line);
}

static void check_sums(const struct drawn *drawn, uint32_t line, uint32_t seed)
{
	uint8_t *seen[DEVICES_MOST];
	uint32_t elements = drawn->page_bytes / element_bytes(drawn->config.element);

	for (uint32_t i = 0; i < drawn->config.device_count; i++)
		seen[i] = read_back(drawn, line, i);
	for (uint32_t at = seed % 13; at < elements; at += 13)
		check_sums_at(drawn, line, at, seen, seed);
	for (uint32_t i = 0; i < drawn->config.device_count; i++)
		free(seen[i]);
}

static uint32_t launches_of(uint32_t seed)
{
	return seed / SHAPES % 2 == 0 ? 1 : LAUNCHES;
}

static uint64_t payload(uint32_t link)
{
	struct sim_link_statistics statistics;

	sim_link_statistics(test.cluster, link, &statistics);
	return statistics.payload_bytes;
}

static uint32_t place_of(const struct drawn *drawn, uint16_t chip, uint32_t *line)
{
	for (*line = 0; *line < drawn->config.lines; ++*line)
		for (uint32_t place = 0; place < drawn->config.device_count; place++) {
			struct device_range at = device_at(drawn, *line, place);

			if (mesh_device_chip(test.mesh, at.row0, at.column0) == chip)
				return place;
		}
	check(false, "chip %u is on no line", chip);
	return 0;
}

/* Compares the bytes that each link has carried with a formula. */
static void check_links(const struct drawn *drawn, uint32_t launches, uint32_t seed)
{
	struct collective pages = collective_of_pages(&drawn->config);
	uint32_t count = drawn->config.device_count;

	for (uint32_t i = 0; i < sim_link_count(test.cluster); i++) {
		struct sim_link_statistics link;
		uint32_t from, to, line, other;
		uint64_t expected = 0, seen;
		bool used;

		sim_link_statistics(test.cluster, i, &link);
		from = place_of(drawn, link.from, &line);
		to = place_of(drawn, link.to, &other);
		used = line == other && link.index < drawn->config.links;
		if (used && (from + 1) % count == to)
			expected += collective_link_bytes(&pages, from, COLLECTIVE_UP, link.index);
		if (used && (to + 1) % count == from)
			expected +=
				collective_link_bytes(&pages, from, COLLECTIVE_DOWN, link.index);
		expected = expected / sizeof(float) * drawn->page_bytes * launches;
		seen = link.payload_bytes - drawn->before[i];
		check(seen == expected,
			"seed %u, %s of %u %s, %u pages over %u links: link %u from device %u of "
			"line %u to %u has carried %llu B, not %llu",
			seed, collective_op_name(drawn->config.op), count, form(),
			drawn->config.pages, drawn->config.links, link.index, from, line, to,
			(unsigned long long)seen, (unsigned long long)expected);
	}
}

/* ---- runs ---- */

/* Writes inputs that are generated from the seed `values`. Then launches the workload `launches`
 * times, without other commands in between. */
static void launch(
	struct drawn *drawn, struct workload *workload, uint32_t launches, uint64_t values)
{
	struct command_queue *queue = mesh_queue(test.mesh, 0);

	for (uint32_t line = 0; line < drawn->config.lines; line++)
		for (uint32_t i = 0; i < drawn->config.device_count; i++) {
			struct device_range at = device_at(drawn, line, i);

			fill(drawn, drawn->data[line][i],
				(values * LINES_MOST + line) * DEVICES_MOST + i);
			check_equal(enqueue_write_shard(queue, drawn->input, at.row0, at.column0,
					    drawn->data[line][i], true, 0),
				STATUS_OK);
		}
	for (uint32_t i = 0; row_current()->timed && i < sim_link_count(test.cluster); i++)
		drawn->before[i] = payload(i);
	for (uint32_t i = 0; i < launches; i++)
		check_equal(enqueue_workload(queue, workload, false, 0), STATUS_OK);
	check_equal(queue_finish(queue, 0, DEADLINE_NEVER), STATUS_OK);
}

static void check_all(const struct drawn *drawn, uint32_t launches, uint32_t seed)
{
	for (uint32_t line = 0; line < drawn->config.lines; line++)
		if (adds(drawn))
			check_sums(drawn, line, seed);
		else
			check_moved(drawn, line, seed);
	if (row_current()->timed)
		check_links(drawn, launches, seed);
}

static struct workload *make(struct drawn *drawn, struct program **programs)
{
	struct workload *workload = workload_new(test.mesh);
	struct text why = {0};

	for (uint32_t i = 0; i < drawn->config.device_count; i++)
		programs[i] = program_new(test.mesh, "collective");
	check(collective_build(programs, &drawn->config, &why) == STATUS_OK, "%s",
		text_string(&why));
	for (uint32_t line = 0; line < drawn->config.lines; line++)
		for (uint32_t i = 0; i < drawn->config.device_count; i++) {
			check_equal(workload_add(
					    workload, programs[i], device_at(drawn, line, i), NULL),
				STATUS_OK);
			drawn->data[line][i] =
				malloc((size_t)drawn->config.pages * drawn->page_bytes);
		}
	text_fini(&why);
	return workload;
}

/* Launches the collective once or three times, and checks the outputs. Then launches it with other
 * inputs, and checks the outputs again. If a launch does not write an output, the second check
 * finds the old output there. */
static void run_seed(uint32_t seed)
{
	struct program *programs[DEVICES_MOST];
	struct workload *workload;
	struct drawn drawn;
	struct stream random;

	stream_init(&random, seed, "collective");
	draw(&drawn, &random);
	workload = make(&drawn, programs);
	launch(&drawn, workload, launches_of(seed), 2 * (uint64_t)seed);
	check_all(&drawn, launches_of(seed), seed);
	launch(&drawn, workload, 1, 2 * (uint64_t)seed + 1);
	check_all(&drawn, 1, seed);
	workload_free(workload);
	for (uint32_t i = 0; i < drawn.config.device_count; i++) {
		program_free(programs[i]);
		for (uint32_t line = 0; line < drawn.config.lines; line++)
			free(drawn.data[line][i]);
	}
	mesh_buffer_free(drawn.input);
	mesh_buffer_free(drawn.output);
	mesh_buffer_free(drawn.sums);
}

static void run_shape(struct cluster *cluster)
{
	test.cluster = cluster;
	mesh_case_attach(&test);
	for (uint32_t i = 0; i < seed_count; i++)
		if ((first_seed + i) % SHAPES == shape)
			run_seed(first_seed + i);
	mesh_close(test.mesh);
}

static void run_row(const struct row *row)
{
	bool wraps = shapes[shape].ring && shapes[shape].rows == shapes[shape].lines;

	mesh_case_init(&test, shapes[shape].rows, shapes[shape].columns, TEST_PCIE_ALL);
	test.cluster_config.links = LINKS;
	test.cluster_config.worker_columns = 2 * LINKS;
	test.cluster_config.worker_rows = WORKERS;
	test.cluster_config.wrap = wraps;
	test.config.topology = wraps ? FABRIC_TORUS : FABRIC_MESH;
	mesh_row_run(row, &test, run_shape, "%u x %u devices %s", shapes[shape].rows,
		shapes[shape].columns, form());
}

void collective_case_run(uint32_t first, uint32_t count, uint32_t ops)
{
	first_seed = first;
	seed_count = count;
	ops_drawn = ops;
	for (uint32_t row = 0; row < row_count; row++)
		for (shape = 0; shape < SHAPES; shape++)
			run_row(rows[row]);
}

/* label: full  needs: simgrid timeout: 300
 * Tests programs on tiles, in the native and the simulated world. The buffers that a program of the
 * library writes must match its reference byte by byte, in the first launch and in later launches
 * with other values. They must also match the values that double_reference.h computes
 * independently. Sizes, elements, layouts and cores are random; sizes need not divide evenly among
 * cores. seeds.h says how to run more seeds of each program. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/stream.h"
#include "double_reference.h"
#include "drawn_buffer.h"
#include "mesh_case.h"
#include "mesh_rows.h"
#include "programs/library.h"
#include "seeds.h"

enum { SEEDS = 6, SIDE = 2, WILD = 8 };

/* Number of seeds of each program that one process tries. It is so small that the process ends
 * before its alarm (mesh_rows.c), unless a seed hangs. A long test uses several processes. */
enum { BATCH = 50 };

static struct mesh_case test;
static uint32_t batch_first, batch_end; /* seeds */

/* ---- inputs of rows ---- */

/* Number of pages of a port of a row, and their bytes. */
struct port_pages {
	uint32_t pages, bytes;
};

struct program_case {
	const struct library_row *row;
	struct library_use use;
	struct port_pages ports[LIBRARY_PORTS_MAX];
	struct mesh_buffer *buffers[LIBRARY_PORTS_MAX];
	uint8_t *values[LIBRARY_PORTS_MAX];
};

static uint32_t up_to(struct stream *random, uint32_t most)
{
	return 1 + (uint32_t)stream_below(random, most);
}

/* The extent that a letter of library_row.shapes stands for. */
static uint32_t extent_of(const struct library_use *use, uint32_t heads, char letter)
{
	return letter == 'r'   ? use->tiles[0]
	       : letter == 'c' ? use->tiles[1]
	       : letter == 'k' ? use->tiles[2]
	       : letter == 's' ? use->tiles[1] + use->tiles[2]
	       : letter == 't' ? use->tiles[0] + use->tiles[2]
	       : letter == 'y' ? use->slice[2]
	       : letter == 'x' ? use->slice[3]
	       : letter == 'h' ? heads
			       : 1;
}

static void draw_slice(struct stream *random, struct library_use *use)
{
	for (uint32_t i = 0; i < 2; i++) {
		use->slice[i] = (uint32_t)stream_below(random, use->tiles[i]);
		use->slice[2 + i] = up_to(random, use->tiles[i] - use->slice[i]);
	}
}

/* Sets the ports of a program on tiles, as its row says. */
static void set_shape(struct stream *random, struct program_case *program, uint32_t bytes)
{
	uint32_t *tiles = program->use.tiles, heads = up_to(random, 3);
	const char *name = program->row->name;

	tiles[1] *= strcmp(name, "rotary") == 0 ? 2 : 1;
	if (strcmp(name, "attention_causal") == 0 && tiles[0] > tiles[2])
		tiles[0] = up_to(random, tiles[2]);
	if (program->row->parameters & LIBRARY_SLICE)
		draw_slice(random, &program->use);
	for (uint32_t port = 0; port < program->row->port_count; port++) {
		const char *letters = program->row->shapes[port];
		uint32_t pages = 1;

		assert_non_null(letters);
		for (size_t at = 0; letters[at] != '\0'; at++)
			pages *= extent_of(&program->use, heads, letters[at]);
		program->ports[port] = (struct port_pages){pages, bytes};
	}
}

/* Draws an image and a convolution kernel, and sets the pages of all ports. A page of the image is
 * a pixel, and a multiple of 32 B. */
static void draw_image(struct stream *random, struct program_case *program, uint32_t tile)
{
	struct library_image *image = &program->use.image;
	uint32_t part = 32 * up_to(random, 4), images = up_to(random, 2), out[2], taps, inner;
	uint32_t groups = up_to(random, 3), wide = groups * up_to(random, 3);

	for (int i = 0; i < 2; i++) {
		uint32_t reach;

		image->kernel[i] = up_to(random, 4);
		image->dilation[i] = up_to(random, 3);
		reach = (image->kernel[i] - 1) * image->dilation[i] + 1;
		image->padding[i] = (uint32_t)stream_below(random, reach);
		image->stride[i] = up_to(random, 3);
		image->size[i] = up_to(random, 9);
		if (image->size[i] + 2 * image->padding[i] < reach)
			image->size[i] = reach;
		out[i] = (image->size[i] + 2 * image->padding[i] - reach) / image->stride[i] + 1;
	}
	image->groups = groups;
	taps = image->kernel[0] * image->kernel[1];
	inner = (taps * part / element_bytes(program->use.element) + 31) / 32;
	program->ports[0] =
		(struct port_pages){images * image->size[0] * image->size[1], groups * part};
	program->ports[1] = (struct port_pages){inner * wide, tile};
	program->ports[2] = (struct port_pages){wide, tile};
	program->ports[3] = (struct port_pages){(images * out[0] * out[1] + 31) / 32 * wide, tile};
}

static void draw_extents(struct stream *random, struct program_case *program)
{
	const char *name = program->row->name;
	uint32_t element = element_bytes(program->use.element);
	uint32_t tile = element_tile_bytes(program->use.element, 32, 32);
	uint32_t *tiles = program->use.tiles;

	bool holds_much = strncmp(name, "attention", 9) == 0 || strcmp(name, "rotary") == 0;

	/* circular buffers fit beside buffers in L1 */
	tiles[0] = up_to(random, 5);
	tiles[1] = up_to(random, holds_much ? 3 : 5);
	tiles[2] = up_to(random, holds_much ? 3 : 4);
	if (strcmp(name, "tilize") == 0 || strcmp(name, "untilize") == 0) {
		uint32_t high = up_to(random, 90), columns = up_to(random, 300);
		struct port_pages lines = {high, columns * element};
		struct port_pages all = {(high + 31) / 32 * ((columns + 31) / 32), tile};

		program->ports[0] = *name == 't' ? lines : all;
		program->ports[1] = *name == 't' ? all : lines;
	} else if (program->row->parameters & LIBRARY_IMAGE) {
		draw_image(random, program, tile);
	} else {
		set_shape(random, program, tile);
	}
}

/* Draws values of either sign with magnitudes from 1/64 to 64 (from 1/64 to 2 if `small` is set).
 * Now and then draws any bit patterns instead. */
static void draw_values(
	struct stream *random, enum element element, bool small, uint8_t *out, uint64_t bytes)
{
	uint32_t powers = small ? 7 : 12;
	bool wild = stream_below(random, WILD) == 0;
	uint32_t size = element_bytes(element), tile = element_tile_bytes(element, 32, 32);

	for (uint64_t at = 0; element_is_block(element) && at < bytes; at++)
		out[at] = (uint8_t)(at % tile < 64 && !wild ? 121 + stream_below(random, powers)
							    : stream_below(random, 256));
	if (element_is_block(element))
		return;
	for (uint64_t at = 0; at + size <= bytes; at += size) {
		uint32_t bits = (uint32_t)stream_below(random, UINT64_C(1) << 32);

		if (!wild)
			bits = (bits & 0x807fffff) | (121 + bits / 65536 % powers) << 23;
		memcpy(out + at, (uint8_t *)&bits + 4 - size, size);
	}
}

static struct cores random_cores(struct stream *random)
{
	struct cores cores = {.kind = CORES_RECTANGLE};
	uint32_t columns = mesh_worker_columns(test.mesh), high = mesh_worker_rows(test.mesh);

	cores.rect.column0 = (uint8_t)stream_below(random, columns);
	cores.rect.row0 = (uint8_t)stream_below(random, high);
	cores.rect.column1 =
		(uint8_t)(cores.rect.column0 + stream_below(random, columns - cores.rect.column0));
	cores.rect.row1 = (uint8_t)(cores.rect.row0 + stream_below(random, high - cores.rect.row0));
	if (stream_below(random, 4) == 0)
		cores = (struct cores){.kind = CORES_ALL};
	return cores;
}

static enum element draw_element(struct stream *random, const struct library_row *row)
{
	static const enum element elements[] = {
		ELEMENT_F32, ELEMENT_BF16, ELEMENT_BFP_BF8, ELEMENT_BFP_BF4};
	bool cut = strcmp(row->name, "tilize") == 0 || strcmp(row->name, "untilize") == 0 ||
		   row->parameters & LIBRARY_IMAGE;

	return elements[stream_below(random, cut ? 2 : 4)];
}

static void draw(struct stream *random, struct program_case *program)
{
	program->use = (struct library_use){.cores = random_cores(random),
		.element = draw_element(random, program->row),
		.devices = mesh_device_shape(test.mesh)};
	draw_extents(random, program);
	for (uint32_t i = 0; i < program->row->port_count; i++) {
		const struct port_pages *port = &program->ports[i];

		program->buffers[i] = drawn_buffer_new(test.mesh, random, port->pages, port->bytes);
		program->use.buffers[i] = library_buffer(program->buffers[i]);
		program->values[i] = malloc((uint64_t)port->pages * port->bytes);
	}
}

/* ---- results ---- */

static void check_port(const struct program_case *program, uint32_t port, uint32_t seed)
{
	uint64_t bytes = mesh_buffer_bytes(program->buffers[port]);
	uint8_t *back = malloc(bytes);

	for (uint16_t i = 0; i < SIDE * SIDE; i++) {
		memset(back, 0x5a, bytes);
		assert_int_equal(enqueue_read_shard(mesh_queue(test.mesh, 0),
					 program->buffers[port], i / SIDE, i % SIDE, back, true, 0),
			STATUS_OK);
		for (uint64_t at = 0; at < bytes; at++)
			if (back[at] != program->values[port][at])
				fail_msg("%s, seed %u, device %u: byte %llu of %llu of '%s' is "
					 "0x%02x, expected 0x%02x (%s, %u x %u x %u tiles)",
					program->row->name, seed, i, (unsigned long long)at,
					(unsigned long long)bytes, program->row->ports[port].name,
					back[at], program->values[port][at],
					element_name(program->use.element), program->use.tiles[0],
					program->use.tiles[1], program->use.tiles[2]);
	}
	free(back);
}

/* Returns true if all ports are tiles, or pixels of images. */
static bool tiled(const struct program_case *program)
{
	bool tiles = true, image = program->row->parameters & LIBRARY_IMAGE;

	for (uint32_t i = image ? 1 : 0; i < program->row->port_count; i++)
		tiles &=
			program->ports[i].bytes == element_tile_bytes(program->use.element, 32, 32);
	return tiles;
}

/* Uses other values for each launch, so that results of the previous launch cannot pass. */
static void launch(struct program_case *program, struct workload *workload, struct stream *random,
	uint32_t launches, uint32_t seed)
{
	struct command_queue *queue = mesh_queue(test.mesh, 0);
	struct library_values values = {{0}};

	for (uint32_t i = 0; i < program->row->port_count; i++) {
		values.ports[i] = program->values[i];
		draw_values(random, program->use.element, double_reference_is_sum(program->row),
			program->values[i], mesh_buffer_bytes(program->buffers[i]));
		if (!program->row->ports[i].written)
			assert_int_equal(enqueue_write_buffer(queue, program->buffers[i],
						 program->values[i], false, 0),
				STATUS_OK);
	}
	while (launches-- > 0) {
		enum status status = enqueue_workload(queue, workload, false, 0);

		if (status != STATUS_OK)
			fail_msg("%s, seed %u, %u x %u x %u tiles of %s: %s", program->row->name,
				seed, program->use.tiles[0], program->use.tiles[1],
				program->use.tiles[2], element_name(program->use.element),
				status_message(status));
	}
	program->row->reference(&program->use, &values);
	for (uint32_t i = 0; i < program->row->port_count; i++)
		check_port(program, i, seed);
	if (tiled(program))
		(void)double_reference_check(program->row, &program->use, program->values, seed);
}

static void run_program(struct program_case *program, struct stream *random, uint32_t seed)
{
	struct workload *workload;
	struct program *made;
	struct text why = {0};

	if (library_program_new(test.mesh, "tiles", program->row, &program->use, &why, &made) !=
		STATUS_OK)
		fail_msg("%s, seed %u: %s", program->row->name, seed, text_string(&why));
	workload = mesh_case_workload(&test, made);
	launch(program, workload, random, 1, seed);
	launch(program, workload, random, 2, seed);
	workload_free(workload);
	program_free(made);
	for (uint32_t i = 0; i < program->row->port_count; i++) {
		mesh_buffer_free(program->buffers[i]);
		free(program->values[i]);
	}
}

static void all_programs(struct cluster *cluster)
{
	struct program_case program;
	struct stream random;

	test.cluster = cluster;
	mesh_case_attach(&test);
	for (size_t i = 0; library_row(i) != NULL; i++) {
		program.row = library_row(i);
		if (!(program.row->parameters & LIBRARY_ELEMENT) || program.row->differs)
			continue;
		for (uint32_t seed = batch_first; seed < batch_end; seed++) {
			stream_init(&random, seed, program.row->name);
			draw(&random, &program);
			run_program(&program, &random, seed);
		}
	}
	mesh_close(test.mesh);
}

TEST(programs_leave_what_their_references_say)
{
	uint32_t end = seeds_first(1) + seeds_count(SEEDS);

	mesh_case_init(&test, SIDE, SIDE, TEST_PCIE_LEFT);
	test.limits.kernel_instructions = 1000; /* thousands: for the taps of images */
	for (batch_first = seeds_first(1); batch_first < end; batch_first = batch_end) {
		batch_end = end - batch_first < BATCH ? end : batch_first + BATCH;
		for (uint32_t row = 0; row < row_count; row++)
			mesh_row_run(rows[row], &test, all_programs, "seeds %u to %u", batch_first,
				batch_end - 1);
	}
}

/* ---- refusals ---- */

static void check_refusal(const char *name, const struct library_use *use, const char *sentence)
{
	struct program *program;
	struct text why = {0};

	assert_int_equal(
		library_program_new(test.mesh, name, library_find(name), use, &why, &program),
		STATUS_INVALID);
	assert_string_equal(text_string(&why), sentence);
	text_fini(&why);
}

TEST(buffers_that_are_not_the_tiles_are_refused)
{
	struct buffer_config config = {
		.type = BUFFER_DRAM, .layout = LAYOUT_INTERLEAVED, .page_bytes = 2048};
	struct mesh_layout layout = {.size_bytes = 6 * 2048};
	struct mesh_buffer *buffer;
	struct library_use use = {
		.cores = {.kind = CORES_ALL}, .element = ELEMENT_BF16, .tiles = {2, 3, 1}};

	mesh_case_init(&test, 1, 1, TEST_PCIE_ALL);
	mesh_case_open(&test);
	assert_int_equal(mesh_buffer_new(test.mesh, &layout, &config, NULL, &buffer), STATUS_OK);
	for (uint32_t i = 0; i < 3; i++)
		use.buffers[i] = library_buffer(buffer);
	check_refusal("matmul", &use,
		"buffer 'left' has 6 pages of 2048 B, not 2 tiles of bf16 of 2048 B");
	check_refusal("add_row", &use,
		"buffer 'right' has 6 pages of 2048 B, not 3 tiles of bf16 of 2048 B");
	use.element = ELEMENT_F32;
	check_refusal(
		"add", &use, "buffer 'left' has 6 pages of 2048 B, not 6 tiles of f32 of 4096 B");
	use.element = ELEMENT_U8;
	check_refusal("multiply", &use, "arithmetic on u8: f32, bf16, bfp_bf8 and bfp_bf4 have it");
	mesh_buffer_free(buffer);
	mesh_case_close(&test);
}

TEST_MAIN(NULL, NULL)

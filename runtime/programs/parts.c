/* Builds the loops and kernels that several programs of the library share, see parts.h. */
#include "parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/refuse.h"
#include "compute/registers.h"
#include "layout/data/convert.h"

/* Registers of the writer. They come after the registers of its walk. */
enum { PLACE = WALK_FREE, LOCAL = WALK_FREE + 2 };

static const struct tile_shape whole = {KERNEL_TILE_SIDE, KERNEL_TILE_SIDE};

void parts_init(struct parts *parts, struct program *program, const struct library_use *use,
	struct text *why)
{
	memset(parts, 0, sizeof *parts);
	parts->program = program;
	parts->use = use;
	parts->why = why;
	parts->status = STATUS_OK;
}

/* ---- kernels ---- */

struct kernel_text *parts_begin(struct parts *parts, enum processor processor)
{
	parts->cores = *parts->use;
	parts->processor = processor;
	parts->count = 0;
	kernel_text_init(&parts->text);
	return &parts->text;
}

struct kernel_text *parts_begin_on(
	struct parts *parts, enum processor processor, struct worker_rect rect)
{
	struct kernel_text *text = parts_begin(parts, processor);

	parts->cores.cores = (struct cores){.kind = CORES_RECTANGLE, .rect = rect};
	return text;
}

uint32_t parts_port(struct parts *parts, uint32_t port, const char *name)
{
	uint32_t first = parts->count;
	uint32_t count = pages_describe(&parts->use->buffers[port], parts->words + first);

	if (count == 0 && parts->status == STATUS_OK) {
		library_refuses(parts->use, LIBRARY_OF_BUFFER, port);
		parts->status = refuse(parts->why, STATUS_UNSUPPORTED,
			"buffer '%s' has a layout that kernels do not know", name);
	}
	parts->count += count;
	return first;
}

void parts_end(struct parts *parts)
{
	uint32_t cores = library_core_count(&parts->cores), kernel;
	struct kernel_config config = {.processor = parts->processor,
		.cores = parts->cores.cores,
		.copied = parts->processor == PROCESSOR_NCRISC,
		.unique_args = 1,
		.common_args = parts->count};
	enum status status = parts->status;

	kernel_text_finish(&parts->text);
	config.text = parts->text.bytes;
	config.bytes = parts->text.length;
	if (status == STATUS_OK)
		status = program_add_kernel(parts->program, &config, parts->why, &kernel);
	if (status == STATUS_OK && parts->count > 0)
		status =
			program_set_common_args(parts->program, kernel, parts->words, parts->count);
	for (uint32_t i = 0; i < cores && status == STATUS_OK; i++)
		status = program_set_args(
			parts->program, kernel, library_core(&parts->cores, i), &i, 1);
	kernel_text_fini(&parts->text);
	parts->status = status;
}

void parts_circular_buffer(struct parts *parts, uint32_t pages, uint32_t page_bytes)
{
	if (parts->status == STATUS_OK)
		parts->status = program_add_circular_buffer(
			parts->program, parts->use->cores, pages, page_bytes, parts->why);
}

/* ---- walks and loops ---- */

void parts_walk(struct parts *parts, uint32_t count)
{
	struct kernel_text *text = &parts->text;

	parts->out = kernel_text_label(text);
	kernel_text_add(text, KERNEL_ARGUMENT, WALK_NUMBER, 0, 0, 0);
	kernel_text_set(text, WALK_COUNT, count);
	kernel_text_set(text, WALK_STEP, library_core_count(&parts->cores));
	parts->again = kernel_text_here(text);
	kernel_text_jump(text, KERNEL_JUMP_NOT_BELOW, WALK_NUMBER, WALK_COUNT, parts->out);
}

void parts_walk_end(struct parts *parts)
{
	struct kernel_text *text = &parts->text;

	kernel_text_add(text, KERNEL_ADD, WALK_NUMBER, WALK_NUMBER, WALK_STEP, 0);
	kernel_text_jump(text, KERNEL_JUMP, 0, 0, parts->again);
	kernel_text_place(text, parts->out);
}

void parts_packer(struct parts *parts, uint8_t buffer, uint32_t tiles)
{
	struct kernel_text *text = parts_begin(parts, PROCESSOR_TRISC2);

	parts_walk(parts, tiles);
	kernel_text_add(text, KERNEL_RESERVE, buffer, 0, 0, 1);
	kernel_text_add(text, KERNEL_TILE_AWAIT, 0, 0, 0, 0);
	kernel_text_add(text, KERNEL_TILE_PACK, buffer, 0, 0,
		kernel_tile_result(0, parts_element(parts->use)));
	kernel_text_add(text, KERNEL_TILE_RELEASE, 0, 0, 0, 0);
	kernel_text_add(text, KERNEL_PUSH, buffer, 0, 0, 1);
	parts_walk_end(parts);
	parts_end(parts);
}

void parts_writer(
	struct parts *parts, uint8_t buffer, uint32_t port, const char *name, uint32_t tiles)
{
	struct kernel_text *text = parts_begin(parts, PROCESSOR_BRISC);
	uint32_t description = parts_port(parts, port, name);

	parts_walk(parts, tiles);
	kernel_text_add(text, KERNEL_PAGE, PLACE, WALK_NUMBER, 0, description);
	kernel_text_add(text, KERNEL_AWAIT, buffer, 0, 0, 1);
	kernel_text_add(text, KERNEL_FRONT, LOCAL, buffer, 0, 0);
	kernel_text_add(text, KERNEL_WRITE, LOCAL, PLACE, 0, parts_tile_bytes(parts->use));
	kernel_text_add(text, KERNEL_WAIT_WRITES, 0, 0, 0, 0);
	kernel_text_add(text, KERNEL_POP, buffer, 0, 0, 1);
	parts_walk_end(parts);
	parts_end(parts);
}

uint32_t loop_begin(struct kernel_text *text, uint8_t counter, uint8_t limit, uint32_t count)
{
	kernel_text_set(text, counter, 0);
	kernel_text_set(text, limit, count);
	return kernel_text_here(text);
}

void loop_end(struct kernel_text *text, uint8_t counter, uint8_t limit, uint32_t label)
{
	kernel_text_add(text, KERNEL_ADD, counter, counter, 0, 1);
	kernel_text_jump(text, KERNEL_JUMP_BELOW, counter, limit, label);
}

/* ---- tiles ---- */

enum kernel_element parts_kernel_element(enum element element)
{
	switch (element) {
	case ELEMENT_F32:
		return KERNEL_F32;
	case ELEMENT_BFP_BF8:
		return KERNEL_BFP8;
	case ELEMENT_BFP_BF4:
		return KERNEL_BFP4;
	default:
		return KERNEL_BF16;
	}
}

enum kernel_element parts_element(const struct library_use *use)
{
	return parts_kernel_element(use->element);
}

enum element parts_registers(const struct library_use *use)
{
	return element_is_block(use->element) ? ELEMENT_F32 : use->element;
}

uint32_t parts_tile_bytes(const struct library_use *use)
{
	return element_tile_bytes(use->element, KERNEL_TILE_SIDE, KERNEL_TILE_SIDE);
}

enum status parts_check_element(const struct library_use *use, struct text *why)
{
	if (!compute_packs(use->element)) {
		library_refuses(use, LIBRARY_OF_ELEMENT, 0);
		return refuse(why, STATUS_INVALID,
			"arithmetic on %s: f32, bf16, bfp_bf8 and bfp_bf4 have it",
			element_name(use->element));
	}
	return STATUS_OK;
}

enum status parts_check_rows(const struct library_use *use, struct text *why)
{
	if (!compute_has(use->element)) {
		library_refuses(use, LIBRARY_OF_ELEMENT, 0);
		return refuse(why, STATUS_INVALID, "rows of %s: f32 and bf16 can be in rows",
			element_name(use->element));
	}
	return STATUS_OK;
}

enum status parts_check_tiles(const struct library_use *use, uint32_t port, const char *name,
	uint64_t tiles, struct text *why)
{
	const struct placement *placement = use->buffers[port].placement;

	if (placement->config.page_bytes == parts_tile_bytes(use) && placement->page_count == tiles)
		return STATUS_OK;
	library_refuses(use,
		placement->config.page_bytes != parts_tile_bytes(use) ? LIBRARY_OF_ELEMENT
								      : LIBRARY_OF_TILES,
		port);
	return refuse(why, STATUS_INVALID,
		"buffer '%s' has %u pages of %u B, not %llu tiles of %s of %u B", name,
		placement->page_count, placement->config.page_bytes, (unsigned long long)tiles,
		element_name(use->element), parts_tile_bytes(use));
}

/* Converts `count` tiles of a block format to tiles of f32, or back. */
static void blocks_load(
	const struct library_use *use, const uint8_t *tiles, uint64_t count, float *out)
{
	for (uint64_t i = 0; i < count; i++)
		compute_load(
			&(struct compute_tile){use->element, tiles + i * parts_tile_bytes(use)},
			out + i * COMPUTE_ELEMENTS);
}

static void blocks_store(
	const struct library_use *use, const float *floats, uint64_t count, uint8_t *tiles)
{
	for (uint64_t i = 0; i < count; i++)
		compute_store(floats + i * COMPUTE_ELEMENTS, use->element,
			tiles + i * parts_tile_bytes(use));
}

void *parts_rows_new(
	const struct library_use *use, const void *tiles, uint64_t rows, uint64_t columns)
{
	uint32_t element = element_bytes(parts_registers(use));
	void *matrix = allocate(rows * columns, COMPUTE_ELEMENTS * element);
	float *floats = NULL;

	if (element_is_block(use->element)) {
		floats = allocate(rows * columns, COMPUTE_ELEMENTS * element);
		blocks_load(use, tiles, rows * columns, floats);
	}
	untilize(floats ? floats : tiles, matrix, rows * KERNEL_TILE_SIDE,
		columns * KERNEL_TILE_SIDE, whole, element);
	free(floats);
	return matrix;
}

void parts_rows_put(
	const struct library_use *use, void *matrix, uint64_t rows, uint64_t columns, void *tiles)
{
	uint32_t element = element_bytes(parts_registers(use));
	float *floats = NULL;

	if (element_is_block(use->element))
		floats = allocate(rows * columns, COMPUTE_ELEMENTS * element);
	tilize(matrix, floats ? (void *)floats : tiles, rows * KERNEL_TILE_SIDE,
		columns * KERNEL_TILE_SIDE, whole, element);
	if (floats)
		blocks_store(use, floats, rows * columns, tiles);
	free(floats);
	free(matrix);
}

/* Copies buffers, see copy.h. */
#include "programs/copy.h"

#include <string.h>

#include "base/refuse.h"
#include "command/kernel_text.h"
#include "programs/pages.h"

/* Common arguments: step, then the buffer. The only argument of a core: its first page. */
enum { COMMON_STEP, COMMON_BUFFER };

/* Registers. */
enum { PAGE = 1, PAGES, STEP, PLACE, LOCAL = 6 };

enum { BUFFERED_PAGES = 2 };

static void step(struct kernel_text *text, bool reads, uint32_t page_bytes)
{
	kernel_text_add(text, KERNEL_PAGE, PLACE, PAGE, 0, COMMON_BUFFER);
	kernel_text_add(text, reads ? KERNEL_RESERVE : KERNEL_AWAIT, 0, 0, 0, 1);
	kernel_text_add(text, reads ? KERNEL_BACK : KERNEL_FRONT, LOCAL, 0, 0, 0);
	kernel_text_add(text, reads ? KERNEL_READ : KERNEL_WRITE, LOCAL, PLACE, 0, page_bytes);
	kernel_text_add(text, reads ? KERNEL_WAIT_READS : KERNEL_WAIT_WRITES, 0, 0, 0, 0);
	kernel_text_add(text, reads ? KERNEL_PUSH : KERNEL_POP, 0, 0, 0, 1);
}

/* Both kernels walk over the same pages. */
static void build(struct kernel_text *text, bool reads, const struct placement *placement)
{
	uint32_t again, out;

	kernel_text_init(text);
	out = kernel_text_label(text);
	kernel_text_add(text, KERNEL_ARGUMENT, PAGE, 0, 0, 0);
	kernel_text_add(text, KERNEL_COMMON, STEP, 0, 0, COMMON_STEP);
	kernel_text_set(text, PAGES, placement->page_count);
	again = kernel_text_here(text);
	kernel_text_jump(text, KERNEL_JUMP_NOT_BELOW, PAGE, PAGES, out);
	step(text, reads, placement->config.page_bytes);
	kernel_text_add(text, KERNEL_ADD, PAGE, PAGE, STEP, 0);
	kernel_text_jump(text, KERNEL_JUMP, 0, 0, again);
	kernel_text_place(text, out);
	kernel_text_finish(text);
}

static enum status add(struct program *program, bool reads, const struct mesh_buffer *buffer,
	uint16_t cores, struct text *why)
{
	uint32_t words[1 + PAGES_WORDS_MAX], count, kernel;
	struct kernel_config config = {.processor = reads ? PROCESSOR_NCRISC : PROCESSOR_BRISC,
		.cores = {.kind = CORES_COUNT, .count = cores},
		.copied = reads,
		.unique_args = 1};
	struct kernel_text text;
	enum status status;

	words[COMMON_STEP] = cores;
	count = pages_describe(buffer, words + COMMON_BUFFER);
	if (count == 0)
		return refuse(why, STATUS_UNSUPPORTED,
			"the buffer that is %s has a layout that kernels do not know",
			reads ? "read" : "written");
	build(&text, reads, mesh_buffer_placement(buffer));
	config.text = text.bytes;
	config.bytes = text.length;
	config.common_args = 1 + count;
	status = program_add_kernel(program, &config, why, &kernel);
	if (status == STATUS_OK)
		status = program_set_common_args(program, kernel, words, 1 + count);
	for (uint32_t core = 0; core < cores && status == STATUS_OK; core++)
		status = program_set_args(program, kernel, core, &core, 1);
	kernel_text_fini(&text);
	return status;
}

enum status copy_program_new(struct mesh_device *mesh, const char *name,
	const struct mesh_buffer *from, const struct mesh_buffer *to, uint16_t cores,
	struct text *why, struct program **program)
{
	const struct placement *source = mesh_buffer_placement(from);
	const struct placement *target = mesh_buffer_placement(to);
	struct program *copy;
	enum status status;

	if (source->page_count != target->page_count ||
		source->config.page_bytes != target->config.page_bytes)
		return refuse(why, STATUS_INVALID, "%u pages of %u B are copied to %u of %u B",
			source->page_count, source->config.page_bytes, target->page_count,
			target->config.page_bytes);
	copy = program_new(mesh, name);
	status = add(copy, true, from, cores, why);
	if (status == STATUS_OK)
		status = add(copy, false, to, cores, why);
	if (status == STATUS_OK)
		status = program_add_circular_buffer(copy,
			(struct cores){.kind = CORES_COUNT, .count = cores}, BUFFERED_PAGES,
			target->page_stride, why);
	if (status == STATUS_OK)
		*program = copy;
	else
		program_free(copy);
	return status;
}

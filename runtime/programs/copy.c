/* A program that copies one buffer to another on every device, page by page, through the L1 of its
 * cores. NCRISC reads, BRISC writes, and a circular buffer of two pages connects them. Core i of n
 * copies pages i, i + n and so on. Both buffers must have equally many pages of the same size;
 * otherwise, the program cannot be built. */

#include <string.h>

#include "base/refuse.h"
#include "command/kernel_text.h"
#include "programs/library.h"

/* Common arguments: first the step, which is the number of cores and leads from one page of a core
 * to its next page; then the description of the buffer. Each core also has one unique argument,
 * the number of its first page. */
enum { COMMON_STEP, COMMON_BUFFER };

/* Registers. */
enum { PAGE = 1, PAGES, STEP, PLACE, LOCAL = 6 };

enum { BUFFERED_PAGES = 2 };

/* Ports. */
enum { FROM, TO };

static void copy_step(struct kernel_text *text, bool reads, uint32_t page_bytes)
{
	kernel_text_add(text, KERNEL_PAGE, PLACE, PAGE, 0, COMMON_BUFFER);
	kernel_text_add(text, reads ? KERNEL_RESERVE : KERNEL_AWAIT, 0, 0, 0, 1);
	kernel_text_add(text, reads ? KERNEL_BACK : KERNEL_FRONT, LOCAL, 0, 0, 0);
	kernel_text_add(text, reads ? KERNEL_READ : KERNEL_WRITE, LOCAL, PLACE, 0, page_bytes);
	kernel_text_add(text, reads ? KERNEL_WAIT_READS : KERNEL_WAIT_WRITES, 0, 0, 0, 0);
	kernel_text_add(text, reads ? KERNEL_PUSH : KERNEL_POP, 0, 0, 0, 1);
}

/* Builds the text of either kernel. Both kernels iterate over the same pages. */
static void programs_copy_build(
	struct kernel_text *text, bool reads, const struct placement *placement)
{
	uint32_t again, out;

	kernel_text_init(text);
	out = kernel_text_label(text);
	kernel_text_add(text, KERNEL_ARGUMENT, PAGE, 0, 0, 0);
	kernel_text_add(text, KERNEL_COMMON, STEP, 0, 0, COMMON_STEP);
	kernel_text_set(text, PAGES, placement->page_count);
	again = kernel_text_here(text);
	kernel_text_jump(text, KERNEL_JUMP_NOT_BELOW, PAGE, PAGES, out);
	copy_step(text, reads, placement->config.page_bytes);
	kernel_text_add(text, KERNEL_ADD, PAGE, PAGE, STEP, 0);
	kernel_text_jump(text, KERNEL_JUMP, 0, 0, again);
	kernel_text_place(text, out);
	kernel_text_finish(text);
}

static enum status copy_add(
	struct program *program, bool reads, const struct library_use *use, struct text *why)
{
	uint32_t words[1 + PAGES_WORDS_MAX], cores = library_core_count(use), count, kernel;
	struct kernel_config config = {.processor = reads ? PROCESSOR_NCRISC : PROCESSOR_BRISC,
		.cores = use->cores,
		.copied = reads,
		.unique_args = 1};
	const struct library_buffer *buffer = &use->buffers[reads ? FROM : TO];
	struct kernel_text text;
	enum status status;

	words[COMMON_STEP] = cores;
	count = pages_describe(buffer, words + COMMON_BUFFER);
	if (count == 0) {
		library_refuses(use, LIBRARY_OF_BUFFER, reads ? FROM : TO);
		return refuse(why, STATUS_UNSUPPORTED,
			"the buffer that is %s has a layout that kernels do not know",
			reads ? "read" : "written");
	}
	programs_copy_build(&text, reads, buffer->placement);
	config.text = text.bytes;
	config.bytes = text.length;
	config.common_args = 1 + count;
	status = program_add_kernel(program, &config, why, &kernel);
	if (status == STATUS_OK)
		status = program_set_common_args(program, kernel, words, 1 + count);
	for (uint32_t i = 0; i < cores && status == STATUS_OK; i++)
		status = program_set_args(program, kernel, library_core(use, i), &i, 1);
	kernel_text_fini(&text);
	return status;
}

static enum status copy_build(
	struct program *program, const struct library_use *use, struct text *why)
{
	const struct placement *source = use->buffers[FROM].placement;
	const struct placement *target = use->buffers[TO].placement;
	enum status status;

	if (source->page_count != target->page_count ||
		source->config.page_bytes != target->config.page_bytes) {
		library_refuses(use, LIBRARY_OF_BUFFER, TO);
		return refuse(why, STATUS_INVALID, "%u pages of %u B are copied to %u of %u B",
			source->page_count, source->config.page_bytes, target->page_count,
			target->config.page_bytes);
	}
	status = copy_add(program, true, use, why);
	if (status == STATUS_OK)
		status = copy_add(program, false, use, why);
	if (status == STATUS_OK)
		status = program_add_circular_buffer(
			program, use->cores, BUFFERED_PAGES, target->page_stride, why);
	return status;
}

static void copy_reference(const struct library_use *use, const struct library_values *values)
{
	memcpy(values->ports[TO], values->ports[FROM], use->buffers[FROM].placement->size_bytes);
}

const struct library_row library_copy = {
	.name = "copy",
	.what = "copies a buffer page by page, through a circular buffer on each core",
	.section = "flow 7",
	.port_count = 2,
	.ports = {[FROM] = {"from", "any pages", false},
		[TO] = {"to", "as many pages of that size", true}},
	.build = copy_build,
	.reference = copy_reference,
};

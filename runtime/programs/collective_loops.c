/* The loops of a core's kernels: over the moves of the core, over the core's chunks of a move, and
 * over the batches of pages in a chunk. All kernels of a core execute them with the same counts. */
#include "collective_private.h"

void loop_word(struct kernel_text *text, uint8_t to, enum move_word word)
{
	kernel_text_add(text, KERNEL_ARGUMENT, to, LOOP_MOVE, 0, word);
}

void loop_unless(struct kernel_text *text, uint32_t flags, uint32_t label)
{
	kernel_text_add(text, KERNEL_AND, LOOP_BIT, LOOP_FLAGS, 0, flags);
	kernel_text_jump(text, KERNEL_JUMP_EQUAL, LOOP_BIT, 0, label);
}

/* ---- loops ---- */

struct loop loop_moves(struct kernel_text *text)
{
	struct loop loop = {.out = kernel_text_label(text)};

	kernel_text_add(text, KERNEL_ARGUMENT, LOOP_MOVES, 0, 0, HEAD_MOVES);
	kernel_text_add(text, KERNEL_MULTIPLY, LOOP_MOVES, LOOP_MOVES, 0, MOVE_WORDS);
	kernel_text_add(text, KERNEL_ADD, LOOP_MOVES, LOOP_MOVES, 0, HEAD_WORDS);
	kernel_text_set(text, LOOP_MOVE, HEAD_WORDS);
	loop.again = kernel_text_here(text);
	kernel_text_jump(text, KERNEL_JUMP_NOT_BELOW, LOOP_MOVE, LOOP_MOVES, loop.out);
	loop_word(text, LOOP_FLAGS, MOVE_FLAGS);
	loop_word(text, LOOP_PAGES, MOVE_PAGES);
	return loop;
}

void loop_moves_end(struct kernel_text *text, struct loop loop)
{
	kernel_text_add(text, KERNEL_ADD, LOOP_MOVE, LOOP_MOVE, 0, MOVE_WORDS);
	kernel_text_jump(text, KERNEL_JUMP, 0, 0, loop.again);
	kernel_text_place(text, loop.out);
}

/* Appends code that sets register a to min(a, b). */
static void collective_loops_least(struct kernel_text *text, uint8_t a, uint8_t b)
{
	uint32_t label = kernel_text_label(text);

	kernel_text_jump(text, KERNEL_JUMP_BELOW, a, b, label);
	kernel_text_add(text, KERNEL_ADD, a, b, 0, 0);
	kernel_text_place(text, label);
}

/* Appends the start of a loop over the chunks of the core's link. */
struct loop loop_chunks(struct kernel_text *text, const struct collective_texts *texts)
{
	struct loop loop = {.out = kernel_text_label(text)};

	kernel_text_add(text, KERNEL_ARGUMENT, LOOP_AT, 0, 0, HEAD_FIRST);
	kernel_text_add(text, KERNEL_MULTIPLY, LOOP_AT, LOOP_AT, 0, texts->chunk_pages);
	loop.again = kernel_text_here(text);
	kernel_text_jump(text, KERNEL_JUMP_NOT_BELOW, LOOP_AT, LOOP_PAGES, loop.out);
	kernel_text_add(text, KERNEL_ADD, LOOP_CHUNK_END, LOOP_AT, 0, texts->chunk_pages);
	collective_loops_least(text, LOOP_CHUNK_END, LOOP_PAGES);
	return loop;
}

void loop_chunks_end(
	struct kernel_text *text, const struct collective_texts *texts, struct loop loop)
{
	kernel_text_add(
		text, KERNEL_ADD, LOOP_AT, LOOP_AT, 0, (texts->lanes - 1) * texts->chunk_pages);
	kernel_text_jump(text, KERNEL_JUMP, 0, 0, loop.again);
	kernel_text_place(text, loop.out);
}

void loop_past_chunk(struct kernel_text *text, uint32_t label)
{
	kernel_text_place(text, label);
	kernel_text_add(text, KERNEL_ADD, LOOP_AT, LOOP_CHUNK_END, 0, 0);
}

struct loop loop_batches(struct kernel_text *text, const struct collective_texts *texts)
{
	struct loop loop = {.out = kernel_text_label(text)};

	loop.again = kernel_text_here(text);
	kernel_text_jump(text, KERNEL_JUMP_NOT_BELOW, LOOP_AT, LOOP_CHUNK_END, loop.out);
	kernel_text_add(text, KERNEL_ADD, LOOP_BATCH_END, LOOP_AT, 0, texts->batch_pages);
	collective_loops_least(text, LOOP_BATCH_END, LOOP_CHUNK_END);
	return loop;
}

void loop_batches_end(struct kernel_text *text, struct loop loop)
{
	kernel_text_add(text, KERNEL_ADD, LOOP_AT, LOOP_BATCH_END, 0, 0);
	kernel_text_jump(text, KERNEL_JUMP, 0, 0, loop.again);
	kernel_text_place(text, loop.out);
}

/* The three kernels with which a core adds pages tile by tile: the first unpacks, the second adds,
 * the third packs. They process the same batches of pages as the reading kernel, and access only
 * circular buffers. */
#include "collective_private.h"

enum { TILE = LOOP_REGISTERS, TILES };

/* The circular buffers of one pass over a batch. The pass combines two of them into a third. */
struct pass {
	uint8_t left, right, out;
};

/* Appends a loop over the tiles of the batch. */
static uint32_t each_tile(struct kernel_text *text, const struct collective_texts *texts)
{
	kernel_text_add(text, KERNEL_SUBTRACT, TILES, LOOP_BATCH_END, LOOP_AT, 0);
	kernel_text_add(text, KERNEL_MULTIPLY, TILES, TILES, 0, texts->page_tiles);
	kernel_text_set(text, TILE, 0);
	return kernel_text_here(text);
}

static void each_tile_end(struct kernel_text *text, uint32_t again)
{
	kernel_text_add(text, KERNEL_ADD, TILE, TILE, 0, 1);
	kernel_text_jump(text, KERNEL_JUMP_BELOW, TILE, TILES, again);
}

static void collective_add_unpack(
	struct kernel_text *text, const struct collective_texts *texts, struct pass pass)
{
	uint32_t again;

	kernel_text_add(text, KERNEL_AWAIT, pass.left, 0, 0, texts->units);
	kernel_text_add(text, KERNEL_AWAIT, pass.right, 0, 0, texts->units);
	again = each_tile(text, texts);
	kernel_text_add(text, KERNEL_TILE_UNPACK, pass.left, KERNEL_LEFT, TILE, texts->element);
	kernel_text_add(text, KERNEL_TILE_UNPACK, pass.right, KERNEL_RIGHT, TILE, texts->element);
	each_tile_end(text, again);
	kernel_text_add(text, KERNEL_POP, pass.left, 0, 0, texts->units);
	kernel_text_add(text, KERNEL_POP, pass.right, 0, 0, texts->units);
}

static void collective_add_add(
	struct kernel_text *text, const struct collective_texts *texts, struct pass pass)
{
	uint32_t again = each_tile(text, texts);

	(void)pass;
	kernel_text_add(text, KERNEL_TILE_ACQUIRE, (uint8_t)texts->element, 0, 0, 0);
	kernel_text_add(text, KERNEL_TILE_ADD, 0, KERNEL_EACH, 0, 0);
	kernel_text_add(text, KERNEL_TILE_COMMIT, 0, 0, 0, 0);
	each_tile_end(text, again);
}

static void collective_add_pack(
	struct kernel_text *text, const struct collective_texts *texts, struct pass pass)
{
	uint32_t again;

	kernel_text_add(text, KERNEL_RESERVE, pass.out, 0, 0, texts->units);
	again = each_tile(text, texts);
	kernel_text_add(text, KERNEL_TILE_AWAIT, 0, 0, 0, 0);
	kernel_text_add(
		text, KERNEL_TILE_PACK, pass.out, 0, TILE, kernel_tile_result(0, texts->element));
	kernel_text_add(text, KERNEL_TILE_RELEASE, 0, 0, 0, 0);
	each_tile_end(text, again);
	kernel_text_add(text, KERNEL_PUSH, pass.out, 0, 0, texts->units);
}

/* Builds the text of one of the three kernels that compute sums. `step` appends the code for one
 * sum. For moves that add values from one side, the kernel executes such code once. For moves that
 * add values from both sides, it executes such code twice. */
static void collective_add_build(struct kernel_text *text, const struct collective_texts *texts,
	void (*step)(
		struct kernel_text *text, const struct collective_texts *texts, struct pass pass))
{
	struct loop moves, chunks, batches;
	uint32_t one, out;

	kernel_text_init(text);
	one = kernel_text_label(text);
	out = kernel_text_label(text);
	moves = loop_moves(text);
	chunks = loop_chunks(text, texts);
	batches = loop_batches(text, texts);
	loop_unless(text, MOVE_ADD_NEAR | MOVE_ADD_CROSS, out);
	loop_unless(text, MOVE_ADD_NEAR, one);
	loop_unless(text, MOVE_ADD_CROSS, one);
	step(text, texts, (struct pass){BUFFER_OWN, BUFFER_ADDED, BUFFER_HALF});
	step(text, texts, (struct pass){BUFFER_HALF, BUFFER_ADDED, BUFFER_SUM});
	kernel_text_jump(text, KERNEL_JUMP, 0, 0, out);
	kernel_text_place(text, one);
	step(text, texts, (struct pass){BUFFER_OWN, BUFFER_ADDED, BUFFER_SUM});
	kernel_text_place(text, out);
	loop_batches_end(text, batches);
	loop_chunks_end(text, texts, chunks);
	loop_moves_end(text, moves);
	kernel_text_finish(text);
}

void collective_unpacker(struct kernel_text *text, const struct collective_texts *texts)
{
	collective_add_build(text, texts, collective_add_unpack);
}

void collective_adder(struct kernel_text *text, const struct collective_texts *texts)
{
	collective_add_build(text, texts, collective_add_add);
}

void collective_packer(struct kernel_text *text, const struct collective_texts *texts)
{
	collective_add_build(text, texts, collective_add_pack);
}

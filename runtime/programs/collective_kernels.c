/* The kernels of collectives. All cores run the same text. The arguments of each core contain its
 * moves: which pages it sends, and to which device. The reading kernel passes pages to the sending
 * kernel through circular buffers, one batch at a time. */
#include "collective_private.h"

enum {
	PLACE = LOOP_REGISTERS, /* takes three registers */
	LOCAL = PLACE + 3,
	ROUTE, /* followed by a register with the address in L1 */
	FROM = ROUTE + 2,
	DESCRIPTION,
	PAGE,
	SEEN_DATA,
	SEEN_CROSS,
	SEEN_FINAL,
	COUNT,
	LIMIT
};

/* Appends a loop over the pages from LOOP_AT to LOOP_BATCH_END - 1. `step` appends the code for one
 * page. This code finds in register PAGE the number of the page plus the value of register FROM. */
static void each_page(struct kernel_text *text, const struct collective_texts *texts,
	void (*step)(struct kernel_text *text, const struct collective_texts *texts))
{
	uint32_t again;

	kernel_text_add(text, KERNEL_ADD, PAGE, LOOP_AT, FROM, 0);
	kernel_text_add(text, KERNEL_ADD, LIMIT, LOOP_BATCH_END, FROM, 0);
	again = kernel_text_here(text);
	kernel_text_add(text, KERNEL_PAGE, PLACE, PAGE, DESCRIPTION, 0);
	step(text, texts);
	kernel_text_add(text, KERNEL_ADD, LOCAL, LOCAL, 0, texts->stride);
	kernel_text_add(text, KERNEL_ADD, PAGE, PAGE, 0, 1);
	kernel_text_jump(text, KERNEL_JUMP_BELOW, PAGE, LIMIT, again);
}

/* ---- semaphores ---- */

/* Appends code that waits for the next increment of a semaphore if the move has `flag`. Register
 * `seen` counts the increments that the kernel has waited for. */
static void after(struct kernel_text *text, const struct collective_texts *texts,
	enum move_flag flag, uint8_t seen, uint32_t semaphore)
{
	uint32_t label = kernel_text_label(text);

	loop_unless(text, flag, label);
	kernel_text_add(text, KERNEL_ADD, seen, seen, 0, 1);
	kernel_text_add(text, KERNEL_UNTIL_LEAST, seen, 0, 0, texts->first_semaphore + semaphore);
	kernel_text_place(text, label);
}

/* Appends code that waits for all increments of a semaphore, and then subtracts them. */
static void collective_kernels_take_all(struct kernel_text *text,
	const struct collective_texts *texts, enum head_word head, uint32_t semaphore)
{
	uint32_t number = texts->first_semaphore + semaphore;
	uint32_t label = kernel_text_label(text);

	kernel_text_add(text, KERNEL_ARGUMENT, COUNT, 0, 0, head);
	kernel_text_jump(text, KERNEL_JUMP_EQUAL, COUNT, 0, label);
	kernel_text_add(text, KERNEL_UNTIL_LEAST, COUNT, 0, 0, number);
	kernel_text_add(text, KERNEL_OWN_TILE, PLACE, 0, 0, 0);
	kernel_text_add(text, KERNEL_SEMAPHORE, PLACE + 1, 0, 0, number);
	kernel_text_add(text, KERNEL_SUBTRACT, COUNT, 0, COUNT, 0);
	kernel_text_add(text, KERNEL_INCREMENT, COUNT, PLACE, 0, 0);
	kernel_text_place(text, label);
}

/* ---- the reader ---- */

static void read_page(struct kernel_text *text, const struct collective_texts *texts)
{
	kernel_text_add(text, KERNEL_READ, LOCAL, PLACE, 0, texts->page_bytes);
}

static void read_batch(
	struct kernel_text *text, const struct collective_texts *texts, uint8_t buffer)
{
	kernel_text_add(text, KERNEL_RESERVE, buffer, 0, 0, texts->units);
	kernel_text_add(text, KERNEL_BACK, LOCAL, buffer, 0, 0);
	each_page(text, texts, read_page);
	kernel_text_add(text, KERNEL_WAIT_READS, 0, 0, 0, 0);
	kernel_text_add(text, KERNEL_PUSH, buffer, 0, 0, texts->units);
}

/* Appends code that reads the pages to be added to the batch from the buffer of sums. */
static void read_added(struct kernel_text *text, const struct collective_texts *texts,
	enum move_flag flag, enum move_word word)
{
	uint32_t label = kernel_text_label(text);

	loop_unless(text, flag, label);
	kernel_text_set(text, DESCRIPTION, texts->sums_at);
	loop_word(text, FROM, word);
	read_batch(text, texts, BUFFER_ADDED);
	kernel_text_place(text, label);
}

static void read_any(struct kernel_text *text, const struct collective_texts *texts)
{
	uint32_t plain = kernel_text_label(text), out = kernel_text_label(text);

	if (texts->adds) {
		loop_unless(text, MOVE_ADD_NEAR | MOVE_ADD_CROSS, plain);
		read_batch(text, texts, BUFFER_OWN);
		read_added(text, texts, MOVE_ADD_NEAR, MOVE_NEAR);
		read_added(text, texts, MOVE_ADD_CROSS, MOVE_CROSS);
		kernel_text_jump(text, KERNEL_JUMP, 0, 0, out);
	}
	kernel_text_place(text, plain);
	read_batch(text, texts, BUFFER_PLAIN);
	kernel_text_place(text, out);
}

void collective_reader(struct kernel_text *text, const struct collective_texts *texts)
{
	struct loop moves, chunks, batches;
	uint32_t ends;

	kernel_text_init(text);
	ends = kernel_text_label(text);
	moves = loop_moves(text);
	chunks = loop_chunks(text, texts);
	after(text, texts, MOVE_AFTER_DATA, SEEN_DATA, SEMAPHORE_DATA);
	after(text, texts, MOVE_AFTER_CROSS, SEEN_CROSS, SEMAPHORE_CROSS);
	after(text, texts, MOVE_AFTER_FINAL, SEEN_FINAL, SEMAPHORE_FINAL);
	loop_unless(text, MOVE_SEND | MOVE_KEEP, ends);
	batches = loop_batches(text, texts);
	loop_word(text, DESCRIPTION, MOVE_FROM_AT);
	loop_word(text, FROM, MOVE_FROM);
	read_any(text, texts);
	loop_batches_end(text, batches);
	loop_past_chunk(text, ends);
	loop_chunks_end(text, texts, chunks);
	loop_moves_end(text, moves);
	collective_kernels_take_all(text, texts, HEAD_DATA, SEMAPHORE_DATA);
	collective_kernels_take_all(text, texts, HEAD_CROSS, SEMAPHORE_CROSS);
	collective_kernels_take_all(text, texts, HEAD_FINAL, SEMAPHORE_FINAL);
	kernel_text_finish(text);
}

/* ---- the sender ---- */

static void send_page(struct kernel_text *text, const struct collective_texts *texts)
{
	kernel_text_add(text, KERNEL_ADD, ROUTE + 1, LOCAL, 0, 0);
	kernel_text_add(text, KERNEL_FABRIC_WRITE, ROUTE, PLACE, 0, texts->page_bytes);
}

static void keep_page(struct kernel_text *text, const struct collective_texts *texts)
{
	kernel_text_add(text, KERNEL_WRITE, LOCAL, PLACE, 0, texts->page_bytes);
}

/* Appends code that sends a batch from `buffer`, writes it to the device's own output, or does
 * both, depending on the flags of the move. */
static void send_batch(
	struct kernel_text *text, const struct collective_texts *texts, uint8_t buffer)
{
	uint32_t kept = kernel_text_label(text), sent = kernel_text_label(text);

	kernel_text_add(text, KERNEL_AWAIT, buffer, 0, 0, texts->units);
	loop_unless(text, MOVE_SEND, sent);
	kernel_text_add(text, KERNEL_FRONT, LOCAL, buffer, 0, 0);
	loop_word(text, DESCRIPTION, MOVE_TO_AT);
	loop_word(text, FROM, MOVE_TO);
	each_page(text, texts, send_page);
	kernel_text_place(text, sent);
	loop_unless(text, MOVE_KEEP, kept);
	kernel_text_add(text, KERNEL_FRONT, LOCAL, buffer, 0, 0);
	kernel_text_set(text, DESCRIPTION, texts->output_at);
	loop_word(text, FROM, MOVE_KEPT);
	each_page(text, texts, keep_page);
	kernel_text_place(text, kept);
	kernel_text_add(text, KERNEL_WAIT_WRITES, 0, 0, 0, 0);
	kernel_text_add(text, KERNEL_POP, buffer, 0, 0, texts->units);
}

/* The same chunks are transferred by two cores of a device: one sends up, the other down. Appends
 * code that sets PLACE to the tile of one core of the pair to which the running core belongs: the
 * core that sends up if `up` is set, otherwise the core that sends down. Cores are numbered along
 * the rows of the grid; those that send down come first. */
static void place_of_core(struct kernel_text *text, const struct collective_texts *texts, bool up)
{
	kernel_text_add(text, KERNEL_ARGUMENT, COUNT, 0, 0, HEAD_FIRST);
	kernel_text_add(text, KERNEL_ADD, COUNT, COUNT, 0, up ? texts->lanes : 0);
	kernel_text_add(text, KERNEL_DIVIDE, LIMIT, COUNT, 0, texts->columns);
	kernel_text_add(text, KERNEL_REMAINDER, COUNT, COUNT, 0, texts->columns);
	kernel_text_add(text, KERNEL_WORKER, PLACE, COUNT, LIMIT, 0);
}

/* Appends code that signals to the neighbour that the chunk has arrived. */
static void say_sent(struct kernel_text *text, const struct collective_texts *texts)
{
	uint32_t near = kernel_text_label(text), out = kernel_text_label(text);

	loop_unless(text, MOVE_SEND, out);
	kernel_text_add(text, KERNEL_OWN_TILE, PLACE, 0, 0, 0);
	kernel_text_add(
		text, KERNEL_SEMAPHORE, PLACE + 2, 0, 0, texts->first_semaphore + SEMAPHORE_DATA);
	loop_unless(text, MOVE_SAY_CROSS, near);
	place_of_core(text, texts, true);
	kernel_text_add(
		text, KERNEL_SEMAPHORE, PLACE + 2, 0, 0, texts->first_semaphore + SEMAPHORE_CROSS);
	kernel_text_place(text, near);
	kernel_text_add(text, KERNEL_FABRIC_INCREMENT, ROUTE, PLACE, 0, 0);
	kernel_text_place(text, out);
}

/* Appends code that signals to the cores of both directions that the sum is complete. */
static void say_final(struct kernel_text *text, const struct collective_texts *texts)
{
	uint32_t out = kernel_text_label(text);

	loop_unless(text, MOVE_FINAL, out);
	for (int up = 0; up < 2; up++) {
		place_of_core(text, texts, up);
		kernel_text_add(text, KERNEL_SEMAPHORE, PLACE + 1, 0, 0,
			texts->first_semaphore + SEMAPHORE_FINAL);
		kernel_text_add(text, KERNEL_INCREMENT, 0, PLACE, 0, 1);
	}
	kernel_text_place(text, out);
}

/* Appends code that exchanges notifications with other devices. First, this core tells each device
 * that will send to it that this core is running. Then it waits for the same notification from each
 * device to which it will send. */
static void collective_kernels_greet(struct kernel_text *text, const struct collective_texts *texts)
{
	uint32_t again, out = kernel_text_label(text);

	kernel_text_add(text, KERNEL_OWN_TILE, PLACE, 0, 0, 0);
	kernel_text_add(
		text, KERNEL_SEMAPHORE, PLACE + 2, 0, 0, texts->first_semaphore + SEMAPHORE_READY);
	kernel_text_add(text, KERNEL_ARGUMENT, COUNT, 0, 0, HEAD_MOVES);
	kernel_text_add(text, KERNEL_MULTIPLY, COUNT, COUNT, 0, MOVE_WORDS);
	kernel_text_add(text, KERNEL_ADD, COUNT, COUNT, 0, HEAD_WORDS);
	kernel_text_add(text, KERNEL_ARGUMENT, LIMIT, 0, 0, HEAD_ROUTES);
	kernel_text_add(text, KERNEL_ADD, LIMIT, LIMIT, COUNT, 0);
	again = kernel_text_here(text);
	kernel_text_jump(text, KERNEL_JUMP_NOT_BELOW, COUNT, LIMIT, out);
	kernel_text_add(text, KERNEL_ARGUMENT, ROUTE, COUNT, 0, 0);
	kernel_text_add(text, KERNEL_FABRIC_INCREMENT, ROUTE, PLACE, 0, 0);
	kernel_text_add(text, KERNEL_ADD, COUNT, COUNT, 0, 1);
	kernel_text_jump(text, KERNEL_JUMP, 0, 0, again);
	kernel_text_place(text, out);
	collective_kernels_take_all(text, texts, HEAD_READY, SEMAPHORE_READY);
}

/* Appends code that sends a batch. Batches that are sums come from the kernels that add. */
static void send_any(struct kernel_text *text, const struct collective_texts *texts)
{
	uint32_t plain = kernel_text_label(text), out = kernel_text_label(text);

	if (texts->adds) {
		loop_unless(text, MOVE_ADD_NEAR | MOVE_ADD_CROSS, plain);
		send_batch(text, texts, BUFFER_SUM);
		kernel_text_jump(text, KERNEL_JUMP, 0, 0, out);
	}
	kernel_text_place(text, plain);
	send_batch(text, texts, BUFFER_PLAIN);
	kernel_text_place(text, out);
}

void collective_sender(struct kernel_text *text, const struct collective_texts *texts)
{
	struct loop moves, chunks, batches;
	uint32_t ends;

	kernel_text_init(text);
	ends = kernel_text_label(text);
	collective_kernels_greet(text, texts);
	moves = loop_moves(text);
	loop_word(text, ROUTE, MOVE_ROUTE);
	chunks = loop_chunks(text, texts);
	loop_unless(text, MOVE_SEND | MOVE_KEEP, ends);
	batches = loop_batches(text, texts);
	send_any(text, texts);
	loop_batches_end(text, batches);
	loop_past_chunk(text, ends);
	say_sent(text, texts);
	say_final(text, texts);
	loop_chunks_end(text, texts, chunks);
	loop_moves_end(text, moves);
	kernel_text_finish(text);
}

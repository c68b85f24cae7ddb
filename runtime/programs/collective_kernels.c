/* The kernels of collectives: the same text on every core, which is told its moves by arguments. A
 * batch of pages at a time goes from the reader to the sender through circular buffers. Knows no
 * device. */
#include "collective_private.h"

/* Registers of both. */
enum {
	MOVE = 1, /* argument where the move begins */
	MOVES,	  /* behind the last */
	FLAGS,
	PAGES,
	AT, /* page of the move */
	CHUNK_END,
	BATCH_END,
	BIT,
	PLACE, /* and one more, and a third */
	LOCAL = PLACE + 3,
	ROUTE, /* and the address in L1 behind it */
	FROM = ROUTE + 2,
	DESCRIPTION,
	PAGE,
	SEEN_DATA,
	SEEN_CROSS,
	SEEN_FINAL,
	COUNT,
	LIMIT,
	ALL
};

enum { OWN, ADDED, SUM }; /* circular buffers */

static void set_argument(struct kernel_text *text, uint8_t to, enum move_word word)
{
	kernel_text_add(text, KERNEL_ARGUMENT, to, MOVE, 0, word);
}

/* Goes to `label` unless the move has the flag. */
static void unless(struct kernel_text *text, enum move_flag flag, uint32_t label)
{
	kernel_text_add(text, KERNEL_AND, BIT, FLAGS, 0, flag);
	kernel_text_jump(text, KERNEL_JUMP_EQUAL, BIT, 0, label);
}

/* ---- loops ---- */

struct loop {
	uint32_t again, out;
};

static struct loop loop_moves(struct kernel_text *text)
{
	struct loop loop = {.out = kernel_text_label(text)};

	kernel_text_add(text, KERNEL_ARGUMENT, MOVES, 0, 0, HEAD_MOVES);
	kernel_text_add(text, KERNEL_MULTIPLY, MOVES, MOVES, 0, MOVE_WORDS);
	kernel_text_add(text, KERNEL_ADD, MOVES, MOVES, 0, HEAD_WORDS);
	kernel_text_set(text, MOVE, HEAD_WORDS);
	loop.again = kernel_text_here(text);
	kernel_text_jump(text, KERNEL_JUMP_NOT_BELOW, MOVE, MOVES, loop.out);
	set_argument(text, FLAGS, MOVE_FLAGS);
	set_argument(text, PAGES, MOVE_PAGES);
	return loop;
}

static void end_moves(struct kernel_text *text, struct loop loop)
{
	kernel_text_add(text, KERNEL_ADD, MOVE, MOVE, 0, MOVE_WORDS);
	kernel_text_jump(text, KERNEL_JUMP, 0, 0, loop.again);
	kernel_text_place(text, loop.out);
}

/* a = the smaller of a and b */
static void least(struct kernel_text *text, uint8_t a, uint8_t b)
{
	uint32_t label = kernel_text_label(text);

	kernel_text_jump(text, KERNEL_JUMP_BELOW, a, b, label);
	kernel_text_add(text, KERNEL_ADD, a, b, 0, 0);
	kernel_text_place(text, label);
}

/* The chunks of the core's link. */
static struct loop loop_chunks(struct kernel_text *text, const struct collective_texts *texts)
{
	struct loop loop = {.out = kernel_text_label(text)};

	kernel_text_add(text, KERNEL_ARGUMENT, AT, 0, 0, HEAD_LINK);
	kernel_text_add(text, KERNEL_MULTIPLY, AT, AT, 0, texts->chunk_pages);
	loop.again = kernel_text_here(text);
	kernel_text_jump(text, KERNEL_JUMP_NOT_BELOW, AT, PAGES, loop.out);
	kernel_text_add(text, KERNEL_ADD, CHUNK_END, AT, 0, texts->chunk_pages);
	least(text, CHUNK_END, PAGES);
	return loop;
}

static void end_chunks(
	struct kernel_text *text, const struct collective_texts *texts, struct loop loop)
{
	kernel_text_add(text, KERNEL_ADD, AT, AT, 0, (texts->links - 1) * texts->chunk_pages);
	kernel_text_jump(text, KERNEL_JUMP, 0, 0, loop.again);
	kernel_text_place(text, loop.out);
}

static struct loop loop_batches(struct kernel_text *text, const struct collective_texts *texts)
{
	struct loop loop = {.out = kernel_text_label(text)};

	loop.again = kernel_text_here(text);
	kernel_text_jump(text, KERNEL_JUMP_NOT_BELOW, AT, CHUNK_END, loop.out);
	kernel_text_add(text, KERNEL_ADD, BATCH_END, AT, 0, texts->batch_pages);
	least(text, BATCH_END, CHUNK_END);
	return loop;
}

static void end_batches(struct kernel_text *text, struct loop loop)
{
	kernel_text_add(text, KERNEL_ADD, AT, BATCH_END, 0, 0);
	kernel_text_jump(text, KERNEL_JUMP, 0, 0, loop.again);
	kernel_text_place(text, loop.out);
}

/* Page r = AT .. BATCH_END, `step` for each with its number in PAGE, counted from FROM. */
static void each_page(struct kernel_text *text, const struct collective_texts *texts,
	void (*step)(struct kernel_text *text, const struct collective_texts *texts))
{
	uint32_t again;

	kernel_text_add(text, KERNEL_ADD, PAGE, AT, FROM, 0);
	kernel_text_add(text, KERNEL_ADD, LIMIT, BATCH_END, FROM, 0);
	again = kernel_text_here(text);
	kernel_text_add(text, KERNEL_PAGE, PLACE, PAGE, DESCRIPTION, 0);
	step(text, texts);
	kernel_text_add(text, KERNEL_ADD, LOCAL, LOCAL, 0, texts->stride);
	kernel_text_add(text, KERNEL_ADD, PAGE, PAGE, 0, 1);
	kernel_text_jump(text, KERNEL_JUMP_BELOW, PAGE, LIMIT, again);
}

/* ---- semaphores ---- */

/* Waits for one more of a semaphore than it has seen. */
static void after(struct kernel_text *text, const struct collective_texts *texts,
	enum move_flag flag, uint8_t seen, uint32_t semaphore)
{
	uint32_t label = kernel_text_label(text);

	unless(text, flag, label);
	kernel_text_add(text, KERNEL_ADD, seen, seen, 0, 1);
	kernel_text_add(text, KERNEL_UNTIL_LEAST, seen, 0, 0, texts->first_semaphore + semaphore);
	kernel_text_place(text, label);
}

/* Waits for all of a semaphore that come, and takes them away. */
static void take_all(struct kernel_text *text, const struct collective_texts *texts,
	enum head_word head, uint32_t semaphore)
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
	kernel_text_add(text, KERNEL_RESERVE, buffer, 0, 0, 1);
	kernel_text_add(text, KERNEL_BACK, LOCAL, buffer, 0, 0);
	each_page(text, texts, read_page);
	kernel_text_add(text, KERNEL_WAIT_READS, 0, 0, 0, 0);
	kernel_text_add(text, KERNEL_PUSH, buffer, 0, 0, 1);
}

/* What is added to the batch, from the buffer of sums. */
static void read_added(struct kernel_text *text, const struct collective_texts *texts,
	enum move_flag flag, enum move_word word)
{
	uint32_t label = kernel_text_label(text);

	unless(text, flag, label);
	kernel_text_set(text, DESCRIPTION, texts->sums_at);
	set_argument(text, FROM, word);
	read_batch(text, texts, ADDED);
	kernel_text_place(text, label);
}

void collective_reader(struct kernel_text *text, const struct collective_texts *texts)
{
	struct loop moves, chunks, batches;

	kernel_text_init(text);
	moves = loop_moves(text);
	chunks = loop_chunks(text, texts);
	after(text, texts, MOVE_AFTER_DATA, SEEN_DATA, SEMAPHORE_DATA);
	after(text, texts, MOVE_AFTER_CROSS, SEEN_CROSS, SEMAPHORE_CROSS);
	after(text, texts, MOVE_AFTER_FINAL, SEEN_FINAL, SEMAPHORE_FINAL);
	batches = loop_batches(text, texts);
	set_argument(text, DESCRIPTION, MOVE_FROM_AT);
	set_argument(text, FROM, MOVE_FROM);
	read_batch(text, texts, OWN);
	if (texts->adds) {
		read_added(text, texts, MOVE_ADD_NEAR, MOVE_NEAR);
		read_added(text, texts, MOVE_ADD_CROSS, MOVE_CROSS);
	}
	end_batches(text, batches);
	end_chunks(text, texts, chunks);
	end_moves(text, moves);
	take_all(text, texts, HEAD_DATA, SEMAPHORE_DATA);
	take_all(text, texts, HEAD_CROSS, SEMAPHORE_CROSS);
	take_all(text, texts, HEAD_FINAL, SEMAPHORE_FINAL);
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

/* What a batch in this circular buffer is for. */
static void send_batch(
	struct kernel_text *text, const struct collective_texts *texts, uint8_t buffer)
{
	uint32_t kept = kernel_text_label(text), sent = kernel_text_label(text);

	kernel_text_add(text, KERNEL_AWAIT, buffer, 0, 0, 1);
	unless(text, MOVE_SEND, sent);
	kernel_text_add(text, KERNEL_FRONT, LOCAL, buffer, 0, 0);
	set_argument(text, DESCRIPTION, MOVE_TO_AT);
	set_argument(text, FROM, MOVE_TO);
	each_page(text, texts, send_page);
	kernel_text_place(text, sent);
	unless(text, MOVE_KEEP, kept);
	kernel_text_add(text, KERNEL_FRONT, LOCAL, buffer, 0, 0);
	kernel_text_set(text, DESCRIPTION, texts->output_at);
	set_argument(text, FROM, MOVE_KEPT);
	each_page(text, texts, keep_page);
	kernel_text_place(text, kept);
	kernel_text_add(text, KERNEL_WAIT_WRITES, 0, 0, 0, 0);
	kernel_text_add(text, KERNEL_POP, buffer, 0, 0, 1);
}

/* The core of the same link on the other side: they stand side by side in the first row, those that
 * send down first. */
static void place_of_core(struct kernel_text *text, const struct collective_texts *texts, bool up)
{
	kernel_text_add(text, KERNEL_ARGUMENT, COUNT, 0, 0, HEAD_LINK);
	kernel_text_add(text, KERNEL_ADD, COUNT, COUNT, 0, up ? texts->links : 0);
	kernel_text_add(text, KERNEL_WORKER, PLACE, COUNT, 0, 0);
}

/* The chunk is there, the neighbour hears. */
static void say_sent(struct kernel_text *text, const struct collective_texts *texts)
{
	uint32_t near = kernel_text_label(text), out = kernel_text_label(text);

	unless(text, MOVE_SEND, out);
	kernel_text_add(text, KERNEL_OWN_TILE, PLACE, 0, 0, 0);
	kernel_text_add(
		text, KERNEL_SEMAPHORE, PLACE + 2, 0, 0, texts->first_semaphore + SEMAPHORE_DATA);
	unless(text, MOVE_SAY_CROSS, near);
	place_of_core(text, texts, true);
	kernel_text_add(
		text, KERNEL_SEMAPHORE, PLACE + 2, 0, 0, texts->first_semaphore + SEMAPHORE_CROSS);
	kernel_text_place(text, near);
	kernel_text_add(text, KERNEL_FABRIC_INCREMENT, ROUTE, PLACE, 0, 0);
	kernel_text_place(text, out);
}

/* The sum is there, both cores hear. */
static void say_final(struct kernel_text *text, const struct collective_texts *texts)
{
	uint32_t out = kernel_text_label(text);

	unless(text, MOVE_FINAL, out);
	for (int up = 0; up < 2; up++) {
		place_of_core(text, texts, up);
		kernel_text_add(text, KERNEL_SEMAPHORE, PLACE + 1, 0, 0,
			texts->first_semaphore + SEMAPHORE_FINAL);
		kernel_text_add(text, KERNEL_INCREMENT, 0, PLACE, 0, 1);
	}
	kernel_text_place(text, out);
}

/* Says to all that send to it that it runs, and waits for those that it sends to. */
static void greet(struct kernel_text *text, const struct collective_texts *texts)
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
	take_all(text, texts, HEAD_READY, SEMAPHORE_READY);
}

/* A batch of what is added comes by way of the one that adds. */
static void send_any(struct kernel_text *text, const struct collective_texts *texts)
{
	uint32_t plain = kernel_text_label(text), out = kernel_text_label(text);

	if (!texts->adds) {
		kernel_text_place(text, plain);
		send_batch(text, texts, OWN);
		kernel_text_place(text, out);
		return;
	}
	kernel_text_add(text, KERNEL_AND, BIT, FLAGS, 0, MOVE_ADD_NEAR | MOVE_ADD_CROSS);
	kernel_text_jump(text, KERNEL_JUMP_EQUAL, BIT, 0, plain);
	send_batch(text, texts, SUM);
	kernel_text_jump(text, KERNEL_JUMP, 0, 0, out);
	kernel_text_place(text, plain);
	send_batch(text, texts, OWN);
	kernel_text_place(text, out);
}

void collective_sender(struct kernel_text *text, const struct collective_texts *texts)
{
	struct loop moves, chunks, batches;

	kernel_text_init(text);
	greet(text, texts);
	moves = loop_moves(text);
	set_argument(text, ROUTE, MOVE_ROUTE);
	chunks = loop_chunks(text, texts);
	batches = loop_batches(text, texts);
	send_any(text, texts);
	end_batches(text, batches);
	say_sent(text, texts);
	say_final(text, texts);
	end_chunks(text, texts, chunks);
	end_moves(text, moves);
	kernel_text_finish(text);
}

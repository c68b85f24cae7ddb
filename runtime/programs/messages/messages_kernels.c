/* The two kernels that execute a list of messages (collective_private.h). */
#include "programs/messages.h"
#include "collective_private.h"

/* Registers. */
enum {
	AT = 1, /* number of the argument where the entry begins */
	END,
	KIND,
	AMOUNT,
	SLOT,
	PAGE,
	BATCH_END,
	LOCAL,
	PLACE,		   /* takes three registers */
	ROUTE = PLACE + 3, /* followed by a register with the address in L1 */
	TO = ROUTE + 2,
	DESCRIPTION,
	OTHER,
	LIMIT
};

struct entries {
	uint32_t again, out;
};

/* Appends the start of a loop over the entries. The loop loads the words of an entry into the
 * registers KIND, AMOUNT and SLOT. */
static struct entries entries_begin(struct kernel_text *text)
{
	struct entries loop = {.out = kernel_text_label(text)};

	kernel_text_add(text, KERNEL_ARGUMENT, END, 0, 0, HEAD_END);
	kernel_text_set(text, AT, MESSAGES_HEAD_WORDS);
	loop.again = kernel_text_here(text);
	kernel_text_jump(text, KERNEL_JUMP_NOT_BELOW, AT, END, loop.out);
	kernel_text_add(text, KERNEL_ARGUMENT, KIND, AT, 0, ENTRY_KIND);
	kernel_text_add(text, KERNEL_ARGUMENT, AMOUNT, AT, 0, ENTRY_AMOUNT);
	kernel_text_add(text, KERNEL_ARGUMENT, SLOT, AT, 0, ENTRY_SLOT);
	return loop;
}

static void entries_end(struct kernel_text *text, struct entries loop)
{
	kernel_text_add(text, KERNEL_ADD, AT, AT, 0, ENTRY_WORDS);
	kernel_text_jump(text, KERNEL_JUMP, 0, 0, loop.again);
	kernel_text_place(text, loop.out);
}

/* Appends code that jumps to `label` if the entry is not of this kind. */
static void unless_kind(struct kernel_text *text, enum message_kind kind, uint32_t label)
{
	kernel_text_set(text, OTHER, kind);
	kernel_text_jump(text, KERNEL_JUMP_UNEQUAL, KIND, OTHER, label);
}

/* Appends the code of `step` once for each slot, because an instruction contains the number of its
 * semaphore. Only the code for the entry's slot is executed. */
static void of_slot(struct kernel_text *text, const struct messages_texts *texts,
	void (*step)(struct kernel_text *text, uint32_t semaphore))
{
	uint32_t out = kernel_text_label(text);

	for (uint32_t i = 0; i < MESSAGES_SLOTS_MAX; i++) {
		uint32_t next = kernel_text_label(text);

		kernel_text_set(text, OTHER, i);
		kernel_text_jump(text, KERNEL_JUMP_UNEQUAL, SLOT, OTHER, next);
		step(text, texts->first_semaphore + i);
		kernel_text_jump(text, KERNEL_JUMP, 0, 0, out);
		kernel_text_place(text, next);
	}
	kernel_text_place(text, out);
}

/* Appends the start of a loop over a message's pages in batches. A message without pages has one
 * empty batch, so that NCRISC and BRISC handle the same batches. */
static uint32_t batches_begin(struct kernel_text *text, const struct messages_texts *texts)
{
	uint32_t whole = kernel_text_label(text), again;

	kernel_text_set(text, PAGE, 0);
	again = kernel_text_here(text);
	kernel_text_add(text, KERNEL_ADD, BATCH_END, PAGE, 0, texts->batch_pages);
	kernel_text_jump(text, KERNEL_JUMP_BELOW, BATCH_END, AMOUNT, whole);
	kernel_text_add(text, KERNEL_ADD, BATCH_END, AMOUNT, 0, 0);
	kernel_text_place(text, whole);
	return again;
}

/* Appends a loop over the pages of the batch that executes the code of `step`. PLACE then contains
 * the place of page number PAGE + TO of the buffer. */
static void messages_each_page(struct kernel_text *text, const struct messages_texts *texts,
	void (*step)(struct kernel_text *text, const struct messages_texts *texts))
{
	uint32_t again, out = kernel_text_label(text);

	again = kernel_text_here(text);
	kernel_text_jump(text, KERNEL_JUMP_NOT_BELOW, PAGE, BATCH_END, out);
	kernel_text_add(text, KERNEL_ADD, OTHER, PAGE, TO, 0);
	kernel_text_add(text, KERNEL_PAGE, PLACE, OTHER, DESCRIPTION, 0);
	step(text, texts);
	kernel_text_add(text, KERNEL_ADD, LOCAL, LOCAL, 0, texts->stride);
	kernel_text_add(text, KERNEL_ADD, PAGE, PAGE, 0, 1);
	kernel_text_jump(text, KERNEL_JUMP, 0, 0, again);
	kernel_text_place(text, out);
}

/* ---- the reader ---- */

static void await_slot(struct kernel_text *text, uint32_t semaphore)
{
	kernel_text_add(text, KERNEL_UNTIL_LEAST, AMOUNT, 0, 0, semaphore);
}

static void messages_read_page(struct kernel_text *text, const struct messages_texts *texts)
{
	kernel_text_add(text, KERNEL_READ, LOCAL, PLACE, 0, texts->page_bytes);
}

static void read_message(struct kernel_text *text, const struct messages_texts *texts)
{
	uint32_t again;

	kernel_text_set(text, DESCRIPTION, texts->input_at);
	kernel_text_set(text, TO, 0);
	again = batches_begin(text, texts);
	kernel_text_add(text, KERNEL_RESERVE, 0, 0, 0, 1);
	kernel_text_add(text, KERNEL_BACK, LOCAL, 0, 0, 0);
	messages_each_page(text, texts, messages_read_page);
	kernel_text_add(text, KERNEL_WAIT_READS, 0, 0, 0, 0);
	kernel_text_add(text, KERNEL_PUSH, 0, 0, 0, 1);
	kernel_text_jump(text, KERNEL_JUMP_BELOW, PAGE, AMOUNT, again);
}

/* Appends code that waits until all messages of the launch have arrived. For each slot, it then
 * subtracts their number from the semaphore. */
static void messages_take_all(struct kernel_text *text, const struct messages_texts *texts)
{
	for (uint32_t i = 0; i < MESSAGES_SLOTS_MAX; i++) {
		uint32_t label = kernel_text_label(text), number = texts->first_semaphore + i;

		kernel_text_add(text, KERNEL_ARGUMENT, AMOUNT, 0, 0, HEAD_RECEIVED + i);
		kernel_text_jump(text, KERNEL_JUMP_EQUAL, AMOUNT, 0, label);
		kernel_text_add(text, KERNEL_UNTIL_LEAST, AMOUNT, 0, 0, number);
		kernel_text_add(text, KERNEL_OWN_TILE, PLACE, 0, 0, 0);
		kernel_text_add(text, KERNEL_SEMAPHORE, PLACE + 1, 0, 0, number);
		kernel_text_add(text, KERNEL_SUBTRACT, AMOUNT, 0, AMOUNT, 0);
		kernel_text_add(text, KERNEL_INCREMENT, AMOUNT, PLACE, 0, 0);
		kernel_text_place(text, label);
	}
}

void messages_reader(struct kernel_text *text, const struct messages_texts *texts)
{
	struct entries loop;
	uint32_t busy, receive, next;

	kernel_text_init(text);
	loop = entries_begin(text);
	busy = kernel_text_label(text);
	receive = kernel_text_label(text);
	next = kernel_text_label(text);
	unless_kind(text, MESSAGE_SEND, receive);
	read_message(text, texts);
	kernel_text_jump(text, KERNEL_JUMP, 0, 0, next);
	kernel_text_place(text, receive);
	unless_kind(text, MESSAGE_RECEIVE, busy);
	of_slot(text, texts, await_slot);
	kernel_text_jump(text, KERNEL_JUMP, 0, 0, next);
	kernel_text_place(text, busy);
	kernel_text_add(text, KERNEL_BUSY, 0, 0, AMOUNT, 0);
	kernel_text_place(text, next);
	entries_end(text, loop);
	messages_take_all(text, texts);
	kernel_text_finish(text);
}

/* ---- the sender ---- */

static void messages_send_page(struct kernel_text *text, const struct messages_texts *texts)
{
	kernel_text_add(text, KERNEL_ADD, ROUTE + 1, LOCAL, 0, 0);
	kernel_text_add(text, KERNEL_FABRIC_WRITE, ROUTE, PLACE, 0, texts->page_bytes);
}

static void say_slot(struct kernel_text *text, uint32_t semaphore)
{
	kernel_text_add(text, KERNEL_OWN_TILE, PLACE, 0, 0, 0);
	kernel_text_add(text, KERNEL_SEMAPHORE, PLACE + 2, 0, 0, semaphore);
	kernel_text_add(text, KERNEL_FABRIC_INCREMENT, ROUTE, PLACE, 0, 0);
}

void messages_sender(struct kernel_text *text, const struct messages_texts *texts)
{
	struct entries loop;
	uint32_t next, again;

	kernel_text_init(text);
	loop = entries_begin(text);
	next = kernel_text_label(text);
	unless_kind(text, MESSAGE_SEND, next);
	kernel_text_add(text, KERNEL_ARGUMENT, ROUTE, AT, 0, ENTRY_ROUTE);
	kernel_text_add(text, KERNEL_ARGUMENT, TO, AT, 0, ENTRY_TO);
	kernel_text_set(text, DESCRIPTION, texts->output_at);
	again = batches_begin(text, texts);
	kernel_text_add(text, KERNEL_AWAIT, 0, 0, 0, 1);
	kernel_text_add(text, KERNEL_FRONT, LOCAL, 0, 0, 0);
	messages_each_page(text, texts, messages_send_page);
	kernel_text_add(text, KERNEL_WAIT_WRITES, 0, 0, 0, 0);
	kernel_text_add(text, KERNEL_POP, 0, 0, 0, 1);
	kernel_text_jump(text, KERNEL_JUMP_BELOW, PAGE, AMOUNT, again);
	of_slot(text, texts, say_slot);
	kernel_text_place(text, next);
	entries_end(text, loop);
	kernel_text_finish(text);
}

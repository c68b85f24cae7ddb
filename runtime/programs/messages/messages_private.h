/* The arguments of a core that executes a list of messages, and its two kernels. Only for files of
 * this folder. */
#ifndef PROGRAMS_MESSAGES_PRIVATE_H
#define PROGRAMS_MESSAGES_PRIVATE_H

#include "command/kernel_text.h"
#include "programs/messages.h"

/* The words of an entry. Entries follow the head. */
enum entry_word {
	ENTRY_KIND,
	ENTRY_AMOUNT, /* pages of a send; cycles; how many messages of the sender a receive awaits
		       */
	ENTRY_SLOT,   /* of a send or receive, at the receiver */
	ENTRY_ROUTE,  /* of a send */
	ENTRY_TO,     /* first page at the receiver */
	ENTRY_WORDS
};

/* The head: where the entries end, then how many messages come from each sender. */
enum { HEAD_END, HEAD_RECEIVED, MESSAGES_HEAD_WORDS = HEAD_RECEIVED + MESSAGES_SLOTS_MAX };

struct messages_texts {
	uint32_t first_semaphore, page_bytes, stride, batch_pages;
	uint32_t input_at, output_at; /* common arguments that describe the buffers */
};

/* Build the text of the kernel on NCRISC, which goes through the list, and of that on BRISC, which
 * sends what the first one reads. */
void messages_reader(struct kernel_text *text, const struct messages_texts *texts);
void messages_sender(struct kernel_text *text, const struct messages_texts *texts);

/* Returns the entry at the other device that is the other end of this send or receive, or
 * UINT32_MAX if there is none. */
uint32_t messages_other_end(const struct messages_list *lists, uint32_t place, uint32_t entry);

#endif

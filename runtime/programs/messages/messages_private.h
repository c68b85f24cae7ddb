/* Declares the arguments and the two kernels of a core that executes a list of messages. Only for
 * files of this folder. */
#ifndef PROGRAMS_MESSAGES_PRIVATE_H
#define PROGRAMS_MESSAGES_PRIVATE_H

#include "command/kernel_text.h"
#include "programs/messages.h"

/* The words of an entry. Entries follow the head. */
enum entry_word {
	ENTRY_KIND,
	ENTRY_AMOUNT, /* send: pages; busy: cycles; receive: number of the sender's messages that
		       * must have arrived */
	ENTRY_SLOT,   /* send, receive: number of the slot at the receiver */
	ENTRY_ROUTE,  /* of a send */
	ENTRY_TO,     /* number of the first page in the receiver's output */
	ENTRY_WORDS
};

/* The head of the arguments: the number of the argument after the last entry, and then for each
 * slot the number of messages that arrive in the launch. */
enum { HEAD_END, HEAD_RECEIVED, MESSAGES_HEAD_WORDS = HEAD_RECEIVED + MESSAGES_SLOTS_MAX };

struct messages_texts {
	uint32_t first_semaphore, page_bytes, stride, batch_pages;
	uint32_t input_at, output_at; /* common arguments that describe the buffers */
};

/* messages_reader() builds the text of the kernel on NCRISC, which executes the list.
 * messages_sender() builds the text of the kernel on BRISC, which sends the pages that NCRISC
 * reads. */
void messages_reader(struct kernel_text *text, const struct messages_texts *texts);
void messages_sender(struct kernel_text *text, const struct messages_texts *texts);

/* Returns the number of the entry in the peer's list that receives this send, or sends the message
 * of this receive. Returns UINT32_MAX if there is none. */
uint32_t messages_other_end(const struct messages_list *lists, uint32_t place, uint32_t entry);

#endif

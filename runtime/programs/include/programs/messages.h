/* Programs that send messages between devices. Each device has a list of sends, receives and times
 * in which it is busy, and executes the list in order. With such lists, users and other programs
 * can write collectives of their own, for example a ring of sends.
 *
 * One core of each device takes part. NCRISC executes the list. For a send, NCRISC reads the pages;
 * BRISC sends them to the receiver's memory, and then increments a semaphore there. NCRISC
 * continues with the next entry as soon as it has read the pages, so BRISC may still be sending
 * while NCRISC waits for another device. For a receive, NCRISC waits for the semaphore.
 *
 * Launches do not set the semaphores (standing semaphores). Each message is received in the launch
 * in which it is sent, so a device need not know whether another device has already begun the
 * launch. A receiver has a slot for each of its senders: a semaphore and a place in memory. A fast
 * sender may already run the next step, so senders keep their slots from step to step (struct
 * messages_slots). */
#ifndef PROGRAMS_MESSAGES_H
#define PROGRAMS_MESSAGES_H

#include "programs/library.h"

enum { MESSAGES_SLOTS_MAX = 8 };

enum message_kind { MESSAGE_SEND, MESSAGE_RECEIVE, MESSAGE_BUSY };

/* An entry of a device's list. `peer` is a device's place on the line or ring. */
struct message {
	enum message_kind kind;
	uint32_t peer;	 /* the receiver or the sender */
	uint32_t tag;	 /* a receive takes the sender's first message with this tag that is not
			  * yet received */
	uint32_t pages;	 /* send: number of pages; 0: only the semaphore is incremented */
	uint32_t cycles; /* busy: number of cycles */
};

struct messages_list {
	const struct message *at;
	uint32_t count;
};

/* The slots that receivers have for their senders: a semaphore and a place in memory each. */
struct messages_slots {
	uint32_t semaphores; /* number of the first one; 0: not reserved yet */
	uint32_t device_count;
	uint8_t *of; /* [receiver * device_count + sender] number of the slot, from 1; 0: none */
};

struct messages_config {
	const uint32_t *devices;	   /* indices in the mesh, by place (collective_order()) */
	uint32_t device_count;		   /* at least 2 */
	uint32_t columns;		   /* of the mesh */
	bool ring;			   /* a link joins the last device to the first */
	const struct messages_list *lists; /* [place] */
	struct messages_slots *slots;
	/* Each send sends the first pages of `input`, which has messages_pages() pages. `output`
	 * has this number of pages for each slot. */
	struct library_buffer input, output;
};

/* Returns the number of pages of the longest message, at least 1. */
uint32_t messages_pages(const struct messages_list *lists, uint32_t device_count);

/* Checks that each receive has a send and each send a receive, and that no devices wait for each
 * other for ever. Returns OK. Otherwise returns INVALID with a reason in `why`, and sets *place and
 * *entry to the entry that is wrong. */
enum status messages_check(const struct messages_list *lists, uint32_t device_count,
	struct text *why, uint32_t *place, uint32_t *entry);

/* messages_slots_new() makes an empty table of slots. messages_slots_free() frees it; NULL is
 * allowed. */
struct messages_slots *messages_slots_new(uint32_t device_count);
void messages_slots_free(struct messages_slots *slots);

/* Gives each sender a slot at each of its receivers, unless it already has one. Returns the largest
 * number of slots that a receiver needs. Returns 0, with a reason in `why`, if a receiver would
 * need more than MESSAGES_SLOTS_MAX slots. */
uint32_t messages_slots_take(
	struct messages_slots *slots, const struct messages_list *lists, struct text *why);

/* Returns the number of a sender's slot at a receiver, counted from 0. The sender must have a slot
 * there. */
uint32_t messages_slot(const struct messages_slots *slots, uint32_t receiver, uint32_t sender);

/* Adds kernels, circular buffers, routes and arguments to the programs, of which there is one for
 * each place. The lists must have passed messages_check() and messages_slots_take(). Returns OK, or
 * an error with a reason in `why` (may be NULL). Returns INVALID if the buffers do not fit, and
 * NO_SPACE if the arguments of a core cannot hold its list. Also returns the errors of
 * program_add_kernel() and program_add_route(). */
enum status messages_build(
	struct program *const *programs, const struct messages_config *config, struct text *why);

#endif

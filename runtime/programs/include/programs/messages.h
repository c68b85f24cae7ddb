/* Messages between devices, as programs whose kernels execute instructions: each device has a list
 * of sends, receives and times in which it is busy, and executes it in order. Such lists are
 * collectives that a person or another program has written by hand, for example a ring of sends.
 *
 * One core of each device takes part. NCRISC goes through the list. For a send it reads pages;
 * BRISC sends them to the receiver's memory and then increments a semaphore there. A send is done
 * for the list when its pages are read, so messages go on while the list waits for another device.
 * For a receive NCRISC waits for the semaphore.
 *
 * The semaphores keep their value between launches ("standing"). All messages are received in the
 * launch that sends them, so a device need not know whether another one already runs the launch. A
 * receiver has a semaphore and a place in memory for each of its senders; struct messages_slots
 * keeps their numbers from step to step, since a fast sender may be a step ahead. */
#ifndef PROGRAMS_MESSAGES_H
#define PROGRAMS_MESSAGES_H

#include "programs/library.h"

enum { MESSAGES_SLOTS_MAX = 8 };

enum message_kind { MESSAGE_SEND, MESSAGE_RECEIVE, MESSAGE_BUSY };

/* An entry of a device's list. Devices are named by their place on the line or ring. */
struct message {
	enum message_kind kind;
	uint32_t peer;	 /* the receiver or the sender */
	uint32_t tag;	 /* a receive takes the first message of its sender with this tag */
	uint32_t pages;	 /* of a send; 0: a signal alone */
	uint32_t cycles; /* of MESSAGE_BUSY */
};

struct messages_list {
	const struct message *at;
	uint32_t count;
};

/* Which semaphore and place a receiver has for a sender. */
struct messages_slots {
	uint32_t semaphores; /* number of the first one; 0: not reserved yet */
	uint32_t device_count;
	uint8_t *of; /* [receiver * device_count + sender] number from 1; 0: none */
};

struct messages_config {
	const uint32_t *devices;	   /* indices in the mesh, by place (collective_order()) */
	uint32_t device_count;		   /* at least 2 */
	uint32_t columns;		   /* of the mesh */
	bool ring;			   /* a link joins the last device to the first */
	const struct messages_list *lists; /* [place] */
	struct messages_slots *slots;
	/* The data of all sends of a device begin at the first page of `input`, which has
	 * messages_pages() pages. `output` has as many for each slot. */
	struct library_buffer input, output;
};

/* Returns the number of pages of the longest message, at least 1. */
uint32_t messages_pages(const struct messages_list *lists, uint32_t device_count);

/* Checks the lists: each receive has its send, and each send its receive, and no list waits for a
 * message that comes only later. Returns OK. Otherwise returns INVALID with a reason in `why`, and
 * sets *place and *entry to the entry that is wrong. */
enum status messages_check(const struct messages_list *lists, uint32_t device_count,
	struct text *why, uint32_t *place, uint32_t *entry);

/* Makes slots for devices without messages yet, and frees them; NULL is allowed. */
struct messages_slots *messages_slots_new(uint32_t device_count);
void messages_slots_free(struct messages_slots *slots);

/* Gives each sender of each receiver a slot, if it has none. Returns the number of slots of the
 * receiver that has the most, at most MESSAGES_SLOTS_MAX; or 0, with a reason in `why`, if there
 * are too many senders. */
uint32_t messages_slots_take(
	struct messages_slots *slots, const struct messages_list *lists, struct text *why);

/* Returns the number of a sender's slot at a receiver, from 0. It must have one. */
uint32_t messages_slot(const struct messages_slots *slots, uint32_t receiver, uint32_t sender);

/* Adds kernels, circular buffers, routes and arguments to the programs, one for each place. Lists
 * must have passed messages_check(), and have slots. Returns OK, or an error with a reason in `why`
 * (may be NULL): INVALID if buffers do not fit; NO_SPACE if a list is longer than a core's
 * arguments can hold; and the errors of program_add_kernel() and program_add_route(). */
enum status messages_build(
	struct program *const *programs, const struct messages_config *config, struct text *why);

#endif

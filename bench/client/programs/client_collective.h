/* Declarations that the files of collective steps share: a collective with its programs and
 * buffers. */
#ifndef CLIENT_COLLECTIVE_H
#define CLIENT_COLLECTIVE_H

#include "client_private.h"
#include "programs/collective.h"
#include "programs/messages.h"

enum { BUFFERS = 3 };

struct client_collective {
	struct client_collective *next;
	const struct step *step;
	struct workload *workload;
	uint32_t program_count, cores, launches; /* `cores` is the number of cores on each device */
	struct program **programs;
	uint32_t *devices;     /* of each program: those of a group follow each other */
	uint32_t group_count;  /* each group has a collective of its own */
	uint32_t group_shared; /* number of the first semaphore, which the groups share */
	/* of the first group. For `op: messages`, only the member `pages` is set */
	struct collective_config config;
	uint32_t slots; /* only for `op: messages`: number of slots in the
			 * output */
	struct handle_buffer *buffers[BUFFERS];
};

/* Allocates `pages` pages on every device as buffer `index`. Returns the status of the device. */
enum status client_collective_buffer(struct client *client, struct client_collective *made,
	uint32_t index, uint64_t pages, struct library_buffer *buffer, struct text *why);

/* Returns the bytes of `pages` pages. */
uint64_t client_collective_bytes(const struct client_collective *made, uint64_t pages);

/* Makes the input of the device at `place`: small bf16 numbers. Their sums need rounding. The
 * numbers are the same in every call. */
void client_collective_values(const struct client *client, const struct client_collective *made,
	uint32_t place, uint8_t *values);

/* For collectives that are lists of messages. client_messages_build() builds the programs.
 * client_messages_verify() compares, for each pair of devices, the data that one has sent with the
 * data that the other has received. */
enum status client_messages_build(
	struct client *client, struct client_collective *made, struct text *why);
bool client_messages_verify(struct client *client, const struct client_collective *made);

#endif

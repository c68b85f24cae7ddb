/* A socket of a packetizer: the broadcasts of one command queue, from a source of commands to the
 * receivers of its grid. Private to the room. */
#ifndef FIRMWARE_BROADCAST_SOCKET_H
#define FIRMWARE_BROADCAST_SOCKET_H

#include "broadcast_private.h"
#include "firmware/prefetch/fetch.h"

struct socket {
	/* source of commands */
	bool fetches; /* from an issue queue; else from `input` */
	struct fetch fetch;
	struct link_receiver input;
	/* destination */
	struct broadcast_layout layout;
	struct packetizer_counters counters;
	uint16_t receiver_count, local_receiver, tree_count;
	struct broadcast_tree trees[PREFETCH_TREES_MAX];
	uint16_t *receivers[PREFETCH_TREES_MAX]; /* own copies */
	uint32_t packet_bytes;
	uint32_t *taken;      /* [receiver] units sent since the start */
	uint32_t position;    /* units of segments since the start */
	uint32_t checked;     /* receivers of the next packet known to have room */
	uint32_t checked_for; /* for a packet of this many bytes */
	bool ended;	      /* by TERMINATE */
	/* the current segment */
	bool active;
	bool header_left; /* its header was not sent yet */
	struct segment segment;
	uint32_t data_left;
	/* of the next commit */
	struct prefetch_command next;
	uint32_t packet; /* bytes of the packet, with the header */
	uint8_t along;	 /* its tree */
};

/* socket_fini() frees the allocations. */
void socket_init(struct socket *socket, const struct stage_base *base,
	const struct packetizer_socket *config, bool fetches);
void socket_fini(struct socket *socket);

/* NO_SPACE if the table is full. */
enum status socket_add_tree(
	struct socket *socket, const struct broadcast_tree *tree, uint16_t *number);

/* Sends the next packet, or begins the next segment: returns a cost and plans `plan`, which must
 * call socket_commit(); or returns STAGE_BLOCKED after filling *wait. */
int64_t socket_begin(struct socket *socket, struct stage_base *base, struct stage_wait *wait,
	void (*plan)(struct stage_base *base));
void socket_commit(struct socket *socket, struct stage_base *base);

#endif

/* The keys of `collective` steps. */
#ifndef BENCH_COLLECTIVE_KEYS_H
#define BENCH_COLLECTIVE_KEYS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "programs/reference/reference.h"

/* An entry of a device's list of messages (programs/messages.h). */
struct message_keys {
	uint32_t kind; /* enum message_kind */
	uint32_t peer, tag;
	uint64_t bytes, busy_ns;
	struct location where;
};

struct messages_keys {
	struct message_keys *at;
	uint32_t count;
};

/* The devices of one group, by their places on the line or ring of all devices. */
struct group_keys {
	uint32_t *places, count;
	struct location where;
};

struct step;

/* The value of `op` of collectives that are lists of messages. */
enum { STEP_MESSAGES = COLLECTIVE_OP_COUNT };

/* A collective of all devices of the mesh, or one of each group. It has buffers of its own. */
struct collective_step {
	uint32_t op, topology;	     /* enum collective_op, or STEP_MESSAGES; 0: line, 1: ring */
	struct messages_keys *ranks; /* [place]; only with STEP_MESSAGES */
	uint32_t rank_count;
	/* groups of equal size. Each group has a collective of its own; 0 groups: all devices
	 * together have one */
	struct group_keys *groups;
	uint32_t group_count;
	uint64_t size_bytes;
	uint32_t links, ways, page_bytes, chunk_pages, workers, root, queue;
	bool blocking;
	const char *identity;	  /* name of its programs; NULL: no other step runs them */
	const struct step *maker; /* the first step of this identity, which steps_find_identities()
				   * sets; NULL: this step makes the programs */
	bool shared;		  /* other steps run the programs of this step */
	struct location identity_where, op_where, topology_where, links_where, page_where,
		root_where, ranks_where, groups_where, ways_where;
};

#endif

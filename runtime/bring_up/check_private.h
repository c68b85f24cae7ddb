/* What the files of the check of tables share: the waits between channels, and messages. Only for
 * files of this folder. */
#ifndef BRING_UP_CHECK_PRIVATE_H
#define BRING_UP_CHECK_PRIVATE_H

#include "base/refuse.h"
#include "bring_up/control_plane.h"

/* A state is a hop out of a chip: first[device] + port * VCs + vc. */
struct check {
	const struct chip_tables *const *tables;
	uint32_t count;
	struct text *why;
	uint32_t *first;      /* [device], and one more: the number of states */
	uint32_t *device;     /* [state] the device that it leaves */
	uint64_t *first_wait; /* [state] its first entry in `waits` */
	bool *waits;	      /* [first_wait[in] + port * VCs + vc] a packet that came in state `in`
			       * waits for this hop of the chip at which it arrived */
};

/* control_waits.c. check_waits_begin() expects `tables`, `count` and `why`. Returns OK, or
 * NO_SPACE. */
enum status check_waits_begin(struct check *check);
void check_waits_end(struct check *check);

/* Records that packets that come in state `in` go on as `out` says. */
void check_waits_add(struct check *check, uint32_t in, struct hop out);

/* Returns OK if the waits form no circle. */
enum status check_waits_circles(const struct check *check);

/* control_check_trees.c: checks the trees, and adds their waits. */
enum status check_trees(struct check *check);

static inline uint32_t check_state(const struct check *check, uint32_t device, struct hop out)
{
	return check->first[device] + (uint32_t)out.port * check->tables[device]->vcs + out.vc;
}

static inline struct hop check_hop(const struct check *check, uint32_t state)
{
	uint32_t device = check->device[state], at = state - check->first[device];
	uint8_t vcs = check->tables[device]->vcs;

	return (struct hop){(uint8_t)(at / vcs), (uint8_t)(at % vcs)};
}

/* Returns the port over which a packet that leaves a chip comes to the next one, with its VC. */
static inline struct hop check_arrives(const struct chip_tables *from, struct hop out)
{
	return (struct hop){from->ports[out.port].peer_port, out.vc};
}

static inline bool check_exists(const struct chip_tables *at, struct hop out)
{
	return out.port < at->port_count && out.vc < at->vcs;
}

#endif

/* A firmware stage that executes a list of actions, for tests of the implementations of device.h.
 * For each action, the stage waits for the condition of the action, and then executes the action in
 * its commit(). */
#ifndef TEST_SCRIPT_H
#define TEST_SCRIPT_H

#include "world/device.h"

struct script;

struct action {
	/* What the stage waits for:
	 *   STAGE_WAIT_WORD     the stage's word at `address` has reached value + round
	 *   STAGE_WAIT_READS    `value` reads are done
	 *   STAGE_WAIT_WRITES   `value` writes are done
	 *   STAGE_WAIT_FABRIC   script->tree accepts a packet
	 *   STAGE_WAIT_TILE     (0) met(script) is true; if `met` is NULL, there is no condition
	 */
	enum stage_wait_on on;
	uint32_t address, value;
	bool (*met)(const struct script *script);
	uint32_t range, range_bytes; /* for STAGE_WAIT_TILE: the hints of struct stage_wait */
	bool no_writes;
	bool sends; /* sends a packet, so script->tree must also accept a packet */
	void (*run)(struct script *script); /* NULL: does nothing */
	uint32_t repeat;		    /* how often the action is repeated; 0: it runs once */
};

struct script {
	struct stage stage; /* must be the first member */
	const struct action *actions;
	uint32_t action_count;
	bool ends;    /* what the stage does after the last action. true: it ends; false: it
		       * idles */
	bool idle;    /* true: waits of the stage are idle, so they may never end */
	int64_t cost; /* number of cycles of every step */
	struct fabric_tree *tree;
	void *data; /* data of the test */
	uint32_t number;
	/* used only by the script: */
	uint32_t at, round; /* index of the current action, and how often it has run */
	uint64_t asked;	    /* number of calls of begin() */
	uint64_t asked_after_end;
};

/* Initializes `script` on a tile. `actions` must stay valid. After this call, the test may set the
 * members of struct script that come before the comment "used only by the script". */
void script_init(struct script *script, struct device *device, uint16_t tile,
	const struct action *actions, uint32_t action_count);

/* Attaches the stage. */
void script_start(struct script *script);

#define SCRIPT_INIT(script, device, tile, actions)                                                 \
	script_init(script, device, tile, actions, sizeof(actions) / sizeof((actions)[0]))

/* Returns a worker tile of the first chip of a cluster. */
uint16_t script_worker(struct cluster *cluster, uint32_t index);

/* Waits until nothing is in flight, at most a minute. */
void script_drain(struct cluster *cluster);

/* Returns the geometry of the first chip of the script's cluster. */
const struct chip_geometry *script_geometry(const struct script *script);

#endif

/* A firmware stage that plays a list of actions, for tests of the implementations of device.h. For
 * each action the stage waits for the action's condition, and then runs the action in a
 * commit(). */
#ifndef TEST_SCRIPT_H
#define TEST_SCRIPT_H

#include "world/device.h"

struct script;

struct action {
	/* The condition. STAGE_WAIT_WORD: the stage's word at `address` has reached value + round.
	 * STAGE_WAIT_READS, STAGE_WAIT_WRITES: that many reads or writes are done.
	 * STAGE_WAIT_FABRIC: script->tree accepts a packet. STAGE_WAIT_TILE (0): met(script) is
	 * true; if `met` is NULL, there is no condition. */
	enum stage_wait_on on;
	uint32_t address, value;
	bool (*met)(const struct script *script);
	uint32_t range, range_bytes; /* for STAGE_WAIT_TILE: the hints of struct stage_wait */
	bool no_writes;
	bool sends; /* sends one packet, so script->tree must also accept one */
	void (*run)(struct script *script); /* NULL: nothing */
	uint32_t repeat;		    /* number of times; 0: once */
};

struct script {
	struct stage stage; /* first */
	const struct action *actions;
	uint32_t action_count;
	bool ends;    /* STAGE_ENDED at the end of the list, else idle forever */
	bool idle;    /* its waits are idle: they may never end */
	int64_t cost; /* cycles of every step */
	struct fabric_tree *tree;
	void *data; /* for the test */
	uint32_t number;
	/* Used by the script: */
	uint32_t at, round; /* current action, and how often it has run */
	uint64_t asked;	    /* calls of begin() */
	uint64_t asked_after_end;
};

/* Initializes `script` on a tile. `actions` must stay valid. Afterwards the test may set the fields
 * of struct script before "Used by the script". */
void script_init(struct script *script, struct device *device, uint16_t tile,
	const struct action *actions, uint32_t action_count);

/* Attaches the stage. */
void script_start(struct script *script);

#define SCRIPT_INIT(script, device, tile, actions)                                                 \
	script_init(script, device, tile, actions, sizeof(actions) / sizeof((actions)[0]))

/* A worker tile of the first chip of a cluster. */
uint16_t script_worker(struct cluster *cluster, uint32_t index);

/* Waits, at most a minute, until nothing is in flight. */
void script_drain(struct cluster *cluster);

/* The geometry of the first chip of the script's cluster. */
const struct chip_geometry *script_geometry(const struct script *script);

#endif

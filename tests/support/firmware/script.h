/* A stage that plays a list of actions: small firmware for tests of device rows. Each action waits
 * as it says, then runs in a commit(). */
#ifndef TEST_SCRIPT_H
#define TEST_SCRIPT_H

#include "world/device.h"

struct script;

struct action {
	/* What must hold first. STAGE_WAIT_WORD: the own word at `address` has reached value +
	 * round. STAGE_WAIT_READS, STAGE_WAIT_WRITES: so many are done. STAGE_WAIT_FABRIC:
	 * script->tree accepts a packet. STAGE_WAIT_TILE (0): met(script), or nothing if NULL. */
	enum stage_wait_on on;
	uint32_t address, value;
	bool (*met)(const struct script *script);
	uint32_t range, range_bytes; /* for STAGE_WAIT_TILE: the hint of struct stage_wait */
	bool sends;		     /* one packet along script->tree: it must be accepted, too */
	void (*run)(struct script *script); /* NULL: nothing */
	uint32_t repeat;		    /* times; 0: once */
};

struct script {
	struct stage stage; /* first */
	const struct action *actions;
	uint32_t action_count;
	bool ends;    /* STAGE_ENDED at the end of the list; else idle for ever */
	bool idle;    /* its waits are idle: what it waits for may never come */
	int64_t cost; /* cycles of every step */
	struct fabric_tree *tree;
	void *data; /* of the test */
	uint32_t number;
	/* Kept by the script: */
	uint32_t at, round; /* action, and how often it has run */
	uint64_t asked;	    /* calls of begin() */
	uint64_t asked_after_end;
};

/* Sets up `script` on a tile; `actions` is borrowed. The other fields above the line are the
 * test's. */
void script_init(struct script *script, struct device *device, uint16_t tile,
	const struct action *actions, uint32_t action_count);

/* Attaches it. */
void script_start(struct script *script);

#define SCRIPT_INIT(script, device, tile, actions)                                                 \
	script_init(script, device, tile, actions, sizeof(actions) / sizeof((actions)[0]))

/* A tile for programs of the first chip of a cluster. */
uint16_t script_worker(struct cluster *cluster, uint32_t index);

/* Waits, a minute at most, until nothing is under way. */
void script_drain(struct cluster *cluster);

/* Of the first chip of its cluster. */
const struct chip_geometry *script_geometry(const struct script *script);

#endif

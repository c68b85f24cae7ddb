/* Looks at words of the host window that found nothing yet. Somebody who looks again and again,
 * and sleeps or does other things between, does not wait for the word: but what made the look that
 * finds it succeed is whoever wrote it since the one before, and not the sleeps. Knows the last
 * words that were looked at so, and no more. */
#ifndef CHIP_LOOK_H
#define CHIP_LOOK_H

#include <stdbool.h>
#include <stdint.h>

#include "cause/cause.h"

enum { SIM_LOOKS = 8 };

struct sim_look {
	bool used;
	uint32_t value; /* that it has to come to */
	uint64_t address;
	cause_id cause; /* of the write that brought it there, held; NONE: not yet */
};

/* All zeros: none. */
struct sim_looks {
	struct sim_look at[SIM_LOOKS];
	uint32_t count, turn;
};

void sim_looks_fini(struct sim_looks *looks);

/* A look found that the word has not come to `value`. */
void sim_looks_fail(struct sim_looks *looks, uint64_t address, uint32_t value);

/* The word at `address` has become `value`. */
void sim_looks_tell(struct sim_looks *looks, uint64_t address, uint32_t value);

/* A look found that it has: if the one before did not, what follows is because of the write. */
void sim_looks_find(struct sim_looks *looks, uint64_t address, uint32_t value);

#endif

/* Failed polls of words in the host window, for causes (cause/cause.h). A thread that polls a word,
 * and sleeps or does other work between polls, does not wait for it in the model. Yet the poll that
 * succeeds has the write since the poll before as its cause, not the sleeps. Remembers only the
 * last SIM_LOOKS words that were polled in vain. */
#ifndef CHIP_LOOK_H
#define CHIP_LOOK_H

#include <stdbool.h>
#include <stdint.h>

#include "cause/cause.h"

enum { SIM_LOOKS = 8 };

struct sim_look {
	bool used;
	uint32_t value; /* the value that the poll wants */
	uint64_t address;
	cause_id cause; /* of the write that brought it there, held; NONE: not written yet */
};

/* All zeros: none. */
struct sim_looks {
	struct sim_look at[SIM_LOOKS];
	uint32_t count, turn;
};

void sim_looks_fini(struct sim_looks *looks);

/* A poll found that the word has not reached `value`. */
void sim_looks_fail(struct sim_looks *looks, uint64_t address, uint32_t value);

/* The word at `address` has become `value`. */
void sim_looks_tell(struct sim_looks *looks, uint64_t address, uint32_t value);

/* A poll found that it has. If the poll before failed, the write becomes the cause of what follows.
 */
void sim_looks_find(struct sim_looks *looks, uint64_t address, uint32_t value);

#endif

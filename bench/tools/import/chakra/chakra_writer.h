/* The state in which a Chakra trace is written as a scenario, and what the files that write it
 * share. Only for files of this folder. */
#ifndef CHAKRA_WRITER_H
#define CHAKRA_WRITER_H

#include "chakra_plan.h"

/* Steps with the same text. They share a workload, which the first of them makes. */
struct made {
	uint64_t hash;
	uint32_t uses;
	bool written;
};

struct writer {
	const struct chakra_writing *writing;
	const struct chakra_trace *trace;
	struct text *out;
	struct made *made; /* `slots` of them */
	uint32_t slots, steps;
	bool counting;
	bool pending; /* something was enqueued since the last finish */
};

/* Returns the first node of a rank in a phase. */
const struct chakra_node *writer_node(
	const struct writer *writer, const struct chakra_phase *phase, uint32_t rank);

/* Returns how long node `k` of a rank in a phase computes. */
uint64_t writer_time_ns(
	const struct writer *writer, const struct chakra_phase *phase, uint32_t rank, uint32_t k);

/* Writes a step with the keys `keys` and `own`. If several steps have the same `keys`, they get an
 * identity, and only the first of them is written with `keys`. */
void writer_put_step(struct writer *writer, const char *kind, const char *name,
	const struct text *keys, const char *own);

/* ---- chakra_steps.c ---- */

/* Writes a phase of messages, or of collectives, as a step. */
void writer_put_messages(struct writer *writer, const struct chakra_phase *phase);
void writer_put_collective(struct writer *writer, const struct chakra_phase *phase);

#endif

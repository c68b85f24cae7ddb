/* Compares what a run leaves in both worlds, except times, polls and hand-overs between threads,
 * which depend on the machine. */
#ifndef BENCH_TOOLS_FUZZ_WORLDS_H
#define BENCH_TOOLS_FUZZ_WORLDS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* A part file that a run has left (results_write_part()), and the identity of that run. */
struct world_part {
	const char *path;
	uint64_t identity;
};

/* True if the run has verified equally many values and done the same work in both worlds. Otherwise
 * prints to `out` the first difference, or which part cannot be read. */
bool worlds_agree(const struct world_part *sim, const struct world_part *native, FILE *out);

#endif

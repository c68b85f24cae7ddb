/* What a run leaves in both worlds, held against each other. Refuses to compare times, and how
 * often somebody looked or was handed something, which depend on the machine. */
#ifndef BENCH_FUZZ_WORLDS_H
#define BENCH_FUZZ_WORLDS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* A file that a run has left (results_write_part()), and whose it is. */
struct world_part {
	const char *path;
	uint64_t identity;
};

/* Whether a run has read back as many equal values, and done the same work, in the parts that it
 * left in each world. Otherwise says on `out` what the first difference is, or which part cannot be
 * read. */
bool worlds_agree(const struct world_part *sim, const struct world_part *native, FILE *out);

#endif

/* What bench-hosts is asked, and the files that it makes of this machine. */
#ifndef BENCH_HOSTS_ARGUMENTS_H
#define BENCH_HOSTS_ARGUMENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/run/scratch.h"

struct bench_arguments {
	bool quick;
	const char *platform, *apart; /* NULL: this machine is measured */
	const char *const *transports;
	uint32_t transport_count; /* 0: all of this build */
};

/* The machine's file, and a scenario with it: `own` has each process on a core of its own. */
struct files {
	char platform[2][SCRATCH_PATH_BYTES + 16], scenario[2][SCRATCH_PATH_BYTES + 16];
};

/* Measures this machine where no file is given, and writes the scenarios. False: it has said why.
 */
bool files_prepare(
	const struct bench_arguments *arguments, struct scratch *scratch, struct files *files);

#endif

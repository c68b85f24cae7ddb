/* Arguments of bench-hosts, and the files that it writes about this machine. */
#ifndef BENCH_TOOLS_MEASURE_ARGUMENTS_H
#define BENCH_TOOLS_MEASURE_ARGUMENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/run/scratch.h"

struct bench_arguments {
	bool quick;
	const char *platform, *apart; /* platform files; NULL: measure this machine */
	const char *const *transports;
	uint32_t transport_count; /* 0: all in this build */
};

/* Platform files of the machine, and scenarios for them: [0] both processes on one core, [1] each
 * on its own core. */
struct files {
	char platform[2][SCRATCH_PATH_BYTES + 16], scenario[2][SCRATCH_PATH_BYTES + 16];
};

/* Measures this machine if no file is given, and writes the scenarios. False after a message. */
bool files_prepare(
	const struct bench_arguments *arguments, struct scratch *scratch, struct files *files);

#endif

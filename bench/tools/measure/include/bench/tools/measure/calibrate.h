/* `meshsim calibrate --host`: measures this machine, prints the figures, and writes a platform with
 * them. */
#ifndef BENCH_TOOLS_MEASURE_CALIBRATE_H
#define BENCH_TOOLS_MEASURE_CALIBRATE_H

#include "base/text.h"
#include "bench/tools/measure/measure.h"

struct calibrate_host {
	struct measure_options measure;
	const char *platform; /* the platform that the layer extends, with all constants: a name
				 or a file; NULL: n150, or galaxy-x2 with `into` */
	const char *output;   /* file for the layer; NULL: none */
	const char *into;     /* file in which to replace constants; NULL: none */
	bool json;
};

/* Sets the probes by name. False, with a reason, if one is unknown. */
bool calibrate_host_check(
	struct calibrate_host *calibrate, char **probes, uint32_t count, struct text *why);

/* Measures and writes. Returns an exit code (bench/run/runner.h). Files that cannot be written are
 * reported before anything is measured. */
int calibrate_host(const struct calibrate_host *calibrate);

#endif

/* `meshsim calibrate --host`: measures, prints, and writes a platform with what came out. */
#ifndef BENCH_MEASURE_CALIBRATE_H
#define BENCH_MEASURE_CALIBRATE_H

#include "base/text.h"
#include "bench/measure/measure.h"

struct calibrate_host {
	struct measure_options measure;
	const char *platform; /* that the layer extends, and that knows the constants: a name or a
				 file; NULL: n150, or galaxy-x2 with `into` */
	const char *output;   /* of the layer; NULL: none */
	const char *into;     /* a file whose constants get the values; NULL: none */
	bool json;
};

/* Takes the names of probes. False with what is wrong with them. */
bool calibrate_host_check(
	struct calibrate_host *calibrate, char **probes, uint32_t count, struct text *why);

/* Returns an exit code (bench/run/runner.h). What may not be written is refused before anything is
 * measured. */
int calibrate_host(const struct calibrate_host *calibrate);

#endif

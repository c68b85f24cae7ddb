/* Runs a scenario with other values of keys, for tests which check that keys have an effect. */
#ifndef TEST_KEY_RUN_H
#define TEST_KEY_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/schema.h"

struct key_end {
	int code;	/* exit code; 128: the process was killed */
	uint64_t print; /* hash of the result: runs and operations (run_print.h) */
	bool said;	/* true: standard error says that some key has no effect */
};

/* Runs the scenario `scenario` in the folder of shell.h. `sets` has changes "KEY=VALUE" of the
 * scenario, separated by ';'; NULL: no changes. */
struct key_end key_run(const char *scenario, const char *sets);

/* Writes to `value` the value number `index` of a list of values that are worth trying for the key,
 * and returns true. The value may be the default of the key. Returns false if the list is
 * shorter. */
bool key_other_value(const struct schema_field *field, uint32_t index, char *value, size_t size);

#endif

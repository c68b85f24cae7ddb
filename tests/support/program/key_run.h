/* Runs of a scenario with other keys, for tests that keys act. */
#ifndef TEST_KEY_RUN_H
#define TEST_KEY_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/schema.h"

struct key_end {
	int code;	/* exit code; 128: killed */
	uint64_t print; /* of the result: runs and operations (run_print.h) */
	bool said;	/* some key has no effect, says standard error */
};

/* Runs the text `scenario` with changes "KEY=VALUE" separated by ';' (NULL: none), in the folder of
 * shell.h. */
struct key_end key_run(const char *scenario, const char *sets);

/* Other values than that of a scenario that does not name the key; false behind the last. */
bool key_other_value(const struct schema_field *field, uint32_t index, char *value, size_t size);

#endif

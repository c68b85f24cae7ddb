/* Draws a random key of a scenario, and other values for this key. */
#ifndef TEST_DRAWN_KEY_H
#define TEST_DRAWN_KEY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/schema.h"
#include "base/stream.h"
#include "base/text.h"

enum { DRAWN_PATH_BYTES = 256, DRAWN_VALUE_BYTES = 64 };

struct drawn_key {
	char path[DRAWN_PATH_BYTES]; /* path of the key, as for --set */
	struct schema_field field;   /* a number, a switch or a choice */
	char own[DRAWN_VALUE_BYTES]; /* value in the scenario, or the default */
};

/* Draws a scenario for the seed, and appends it to `out`. It is a scenario of `meshsim fuzz`, or a
 * shipped scenario, reduced to one run and to fewer repetitions. */
void drawn_scenario(uint64_t seed, struct text *out);

/* Draws a key of the scenario: a key of the run, or of one of its steps. */
void drawn_key(struct stream *stream, const char *scenario, struct drawn_key *key);

/* Fills `values` with other values to try for the key, and returns the number of values. They are
 * in random order and include extreme values. The value that the key has now is not among them. */
enum { DRAWN_VALUES_MAX = 32 };
uint32_t drawn_values(struct stream *stream, const struct drawn_key *key,
	char values[DRAWN_VALUES_MAX][DRAWN_VALUE_BYTES]);

#endif

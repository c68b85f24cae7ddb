/* A key of a scenario drawn at random, with the values that are tried in place of its own. */
#ifndef TEST_DRAWN_KEY_H
#define TEST_DRAWN_KEY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/schema.h"
#include "base/stream.h"
#include "base/text.h"

enum { DRAWN_PATH_BYTES = 256, DRAWN_VALUE_BYTES = 64 };

struct drawn_key {
	char path[DRAWN_PATH_BYTES]; /* as --set takes it */
	struct schema_field field;   /* a number, a switch or a choice */
	char own[DRAWN_VALUE_BYTES]; /* what the scenario says, or the default */
};

/* Appends the scenario of a seed: one of `meshsim fuzz`, or a run of a shipped one with fewer
 * repetitions. */
void drawn_scenario(uint64_t seed, struct text *out);

/* A key of the scenario: of the run, or of a step of it. */
void drawn_key(struct stream *stream, const char *scenario, struct drawn_key *key);

/* The values to try, the extreme ones among them, in an order that the stream decides; never the
 * key's own. Returns their number. */
enum { DRAWN_VALUES_MAX = 32 };
uint32_t drawn_values(struct stream *stream, const struct drawn_key *key,
	char values[DRAWN_VALUES_MAX][DRAWN_VALUE_BYTES]);

#endif

/* See test_key.h. */
#include "test_key.h"

const uint8_t *test_key(void)
{
	static const uint8_t key[32] = "only the ends of tests hold this";

	return key;
}

/* The authentication key of test runs, the same in every process. */
#ifndef TEST_KEY_H
#define TEST_KEY_H

#include <stdint.h>

const uint8_t *test_key(void);

#endif

/* The output of a diag as a string, for tests of exact messages. */
#ifndef TEST_DIAG_TEXT_H
#define TEST_DIAG_TEXT_H

#include "base/diag.h"

/* Returns the output of diag_print(). The caller frees it. */
char *diag_text(const struct diag *diag);

/* Fails the cmocka test and prints both texts, unless `diag` prints exactly `expected`. */
void assert_diag_prints(const struct diag *diag, const char *expected);

#endif

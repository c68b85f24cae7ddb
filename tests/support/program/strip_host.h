/* Result files without /host, for comparing the rest byte for byte. */
#ifndef TEST_STRIP_HOST_H
#define TEST_STRIP_HOST_H

#include <stdbool.h>

/* Copies everything of `path` except /host into the new file `out`. Always copies in the same
 * order, so that equal contents give equal bytes. Returns false, with a line on standard error, if
 * something could not be copied. */
bool strip_host(const char *path, const char *out);

/* True if two files have the same bytes. Otherwise prints the difference to standard error. */
bool same_bytes(const char *a, const char *b);

#endif

/* Removes /host from result files, so that the rest can be compared byte by byte. */
#ifndef TEST_STRIP_HOST_H
#define TEST_STRIP_HOST_H

#include <stdbool.h>

/* Copies everything but /host from `path` into the new file `out`. Objects are copied in a fixed
 * order, so that files with equal contents become files with equal bytes. Returns false, with a
 * line on standard error, if an object could not be copied. */
bool strip_host(const char *path, const char *out);

/* Returns true if two files have the same bytes. Otherwise prints the difference on standard
 * error. */
bool same_bytes(const char *a, const char *b);

#endif

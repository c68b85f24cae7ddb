/* Result files without /host, to compare the rest byte for byte. */
#ifndef TEST_STRIP_HOST_H
#define TEST_STRIP_HOST_H

#include <stdbool.h>

/* Copies everything of `path` but /host into the new file `out`, in a fixed order, so that equal
 * contents give equal bytes. False, with a line on standard error, if something cannot be copied.
 */
bool strip_host(const char *path, const char *out);

/* True if two files hold the same bytes; says on standard error where they differ. */
bool same_bytes(const char *a, const char *b);

#endif

/* UTF-8, one code point at a time. Private to base. Refuses overlong forms and surrogates. */
#ifndef BASE_CORE_UTF8_H
#define BASE_CORE_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* Bytes of the code point at `bytes` (1 to 4, of at most `length`), which goes to `out`; 0 if the
 * bytes there are not UTF-8 or `length` is 0. */
unsigned utf8_decode(const char *bytes, size_t length, uint32_t *out);

#endif

/* Decodes UTF-8, one code point at a time. Overlong forms and surrogates are invalid. Private to
 * base. */
#ifndef BASE_CORE_UTF8_H
#define BASE_CORE_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* Decodes the code point at `bytes`, of which `length` bytes are readable, into *out. Returns the
 * size of the code point, 1 to 4 bytes. Returns 0 if the bytes are not UTF-8 or `length` is 0. */
unsigned utf8_decode(const char *bytes, size_t length, uint32_t *out);

#endif

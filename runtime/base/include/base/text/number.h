/* Numbers in texts of users: files, settings, options. One grammar for all of them, that of
 * YAML 1.2: 12, -3, 0x1f; 1.5, 1e3. No `nan`, no `inf`, no blanks, nothing behind the number; no
 * octal. */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* Whether a text is an integer; a number with a point or an exponent. */
bool number_is_integer(const char *text);
bool number_is_real(const char *text);

/* A whole number in decimal digits, or in hexadecimal ones behind 0x, of at most `most`. False,
 * and `out` as it was, if the text is none. */
bool number_read_whole(const char *text, uint64_t most, uint64_t *out);

/* A finite number, integer or not. False, and `out` as it was, if the text is none. */
bool number_read_real(const char *text, double *out);

/* The same of the first bytes of a text, up to the first of the bytes of `ends`: gives where that
 * stands, or the text's end; NULL if no number stands before it. */
const char *number_read_whole_until(
	const char *text, const char *ends, uint64_t most, uint64_t *out);
const char *number_read_real_until(const char *text, const char *ends, double *out);

#endif

/* Reads numbers in texts of users: files, settings, options. The syntax is that of YAML 1.2: 12,
 * -3, 0x1f; 1.5, 1e3. Octal numbers, `nan`, `inf`, blanks, and anything after the number are
 * errors. */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* number_is_integer() returns true if the text is an integer. number_is_real() returns true if it
 * is a number with a point or an exponent. */
bool number_is_integer(const char *text);
bool number_is_real(const char *text);

/* Reads a whole number from 0 to `most`, in decimal digits or, after 0x, in hexadecimal digits.
 * Sets *out and returns true. If the text does not have this form, returns false and leaves *out
 * unchanged. */
bool number_read_whole(const char *text, uint64_t most, uint64_t *out);

/* Reads a finite number, which may be an integer. Sets *out and returns true. If the text is not a
 * finite number, returns false and leaves *out unchanged. */
bool number_read_real(const char *text, double *out);

/* Like number_read_whole() and number_read_real(), but both read only the part of the text before
 * the first byte that is in `ends`. Both return the end of this part, or NULL if the part is not a
 * number. */
const char *number_read_whole_until(
	const char *text, const char *ends, uint64_t most, uint64_t *out);
const char *number_read_real_until(const char *text, const char *ends, double *out);

#endif

/* Reads numbers in texts (base/text.h). Integers that are too large are errors. */
#include "base/text.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_BYTES = 400 };

static size_t digits(const char *text)
{
	return strspn(text, "0123456789");
}

static bool is_hexadecimal(const char *text)
{
	return strncmp(text, "0x", 2) == 0 && text[2] &&
	       text[2 + strspn(text + 2, "0123456789abcdefABCDEF")] == '\0';
}

bool number_is_integer(const char *text)
{
	if (is_hexadecimal(text))
		return true;
	text += *text == '-' || *text == '+';
	return digits(text) > 0 && text[digits(text)] == '\0' && (text[0] != '0' || !text[1]);
}

bool number_is_real(const char *text)
{
	size_t before, after = 0;
	bool dot;

	text += *text == '-' || *text == '+';
	before = digits(text);
	text += before;
	dot = *text == '.';
	if (dot) {
		after = digits(++text);
		text += after;
	}
	if (before + after == 0 || (!dot && *text != 'e' && *text != 'E'))
		return false;
	if (*text == 'e' || *text == 'E') {
		text++;
		text += *text == '-' || *text == '+';
		if (digits(text) == 0)
			return false;
		text += digits(text);
	}
	return *text == '\0';
}

bool number_read_whole(const char *text, uint64_t most, uint64_t *out)
{
	unsigned long long value;

	if (*text == '-' || *text == '+' || !number_is_integer(text))
		return false;
	errno = 0;
	value = strtoull(text, NULL, is_hexadecimal(text) ? 16 : 10);
	if (errno || value > most)
		return false;
	*out = value;
	return true;
}

bool number_read_real(const char *text, double *out)
{
	double value;

	if (!number_is_integer(text) && !number_is_real(text))
		return false;
	value = strtod(text, NULL);
	if (!isfinite(value))
		return false;
	*out = value;
	return true;
}

/* Copies the text before the first byte that is in `ends` to `bytes`, and appends a NUL. Returns
 * the end of the copied part, or NULL if the part is too long for a number. */
static const char *number_cut(const char *text, const char *ends, char bytes[NUMBER_BYTES])
{
	size_t length = strcspn(text, ends);

	if (length >= NUMBER_BYTES)
		return NULL;
	memcpy(bytes, text, length);
	bytes[length] = '\0';
	return text + length;
}

const char *number_read_whole_until(
	const char *text, const char *ends, uint64_t most, uint64_t *out)
{
	char bytes[NUMBER_BYTES];
	const char *end = number_cut(text, ends, bytes);

	return end && number_read_whole(bytes, most, out) ? end : NULL;
}

const char *number_read_real_until(const char *text, const char *ends, double *out)
{
	char bytes[NUMBER_BYTES];
	const char *end = number_cut(text, ends, bytes);

	return end && number_read_real(bytes, out) ? end : NULL;
}

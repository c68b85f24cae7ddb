/* Splits lines of kernels in readable form into pieces, and reports errors about these pieces
 * (kernel_reading.h). */
#include "kernel_reading.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void kernel_reading_refuse(struct reading *reading, struct piece where, const char *format, ...)
{
	char message[256];
	va_list values;

	va_start(values, format);
	vsnprintf(message, sizeof message, format, values);
	va_end(values);
	reading->mistakes->tell(reading->mistakes->context, reading->line,
		(uint32_t)(where.at - reading->line_start) + 1, message);
	reading->good = false;
}

/* ---- pieces ---- */

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '-';
}

struct piece piece_trimmed(struct piece piece)
{
	while (piece.length > 0 && is_blank(*piece.at)) {
		piece.at++;
		piece.length--;
	}
	while (piece.length > 0 && is_blank(piece.at[piece.length - 1]))
		piece.length--;
	return piece;
}

struct piece piece_take_word(struct piece *piece)
{
	struct piece word = {piece->at, 0};

	while (word.length < piece->length && is_word(word.at[word.length]))
		word.length++;
	*piece =
		piece_trimmed((struct piece){piece->at + word.length, piece->length - word.length});
	return word;
}

struct piece piece_take_until(struct piece *piece, char c)
{
	const char *end = piece->length > 0 ? memchr(piece->at, c, piece->length) : NULL;
	struct piece first = *piece;

	if (!end) {
		*piece = (struct piece){piece->at + piece->length, 0};
		return piece_trimmed(first);
	}
	first.length = (size_t)(end - piece->at);
	*piece = (struct piece){end + 1, piece->length - first.length - 1};
	return piece_trimmed(first);
}

bool piece_is(struct piece piece, const char *word)
{
	return strlen(word) == piece.length && memcmp(piece.at, word, piece.length) == 0;
}

const char *piece_copy(struct piece piece, char out[WORD_BYTES])
{
	snprintf(out, WORD_BYTES, "%.*s", (int)(piece.length < 60 ? piece.length : 60), piece.at);
	return out;
}

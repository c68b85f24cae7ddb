/* Searches phrases in texts (decision.h). */
#include "decision.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { GAP_MAX = 60, PHRASE_BYTES = 512 };

static bool is_word(char character)
{
	return isalnum((unsigned char)character) != 0;
}

static bool is_gap(char character)
{
	return isspace((unsigned char)character) || character == '-' || character == '_';
}

/* Reads a whole number, whose digits may be in groups separated by commas. Returns the end of the
 * number, or NULL if there is no number. */
static const char *take_whole(const char *text, char *number)
{
	size_t length = 0;

	if (!isdigit((unsigned char)*text))
		return NULL;
	while (isdigit((unsigned char)*text) || (*text == ',' && isdigit((unsigned char)text[1]))) {
		if (*text != ',' && length + 1 < NUMBER_BYTES)
			number[length++] = *text;
		text++;
	}
	number[length] = '\0';
	return is_word(*text) || (*text == '.' && isdigit((unsigned char)text[1])) ? NULL : text;
}

/* Reads a number of bytes with its unit. Returns the end of the unit, or NULL. */
static const char *take_bytes(const char *text, char *number)
{
	static const struct {
		const char *unit;
		double bytes;
	} units[] = {{"bytes", 1}, {"byte", 1}, {"KiB", 1024}, {"MiB", 1 << 20}, {"GiB", 1 << 30},
		{"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"B", 1}};
	char *end;
	double value = isdigit((unsigned char)*text) ? strtod(text, &end) : -1;

	if (value < 0)
		return NULL;
	while (is_gap(*end))
		end++;
	for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
		size_t length = strlen(units[i].unit);

		if (strncasecmp(end, units[i].unit, length) != 0 || is_word(end[length]) ||
			end[length] == '/')
			continue;
		snprintf(number, NUMBER_BYTES, "%.0f", value * units[i].bytes);
		return end + length;
	}
	return NULL;
}

/* True if `text`, which begins at a word, begins with the phrase that ends at `end`. */
static bool phrase_match(const char *phrase, const char *end, const char *text, char *number)
{
	for (; phrase < end; phrase++) {
		if (*phrase == '%') {
			text = *++phrase == 'n' ? take_whole(text, number)
						: take_bytes(text, number);
			if (!text)
				return false;
		} else if (*phrase == '*') {
			int gap = 0;

			while (!phrase_match(phrase + 1, end, text + gap, number)) {
				if (gap == GAP_MAX || !text[gap] || text[gap] == ';')
					return false;
				gap++;
			}
			return true;
		} else if (*phrase == ' ') {
			if (!is_gap(*text))
				return false;
			while (is_gap(*text))
				text++;
		} else if (tolower((unsigned char)*phrase) != tolower((unsigned char)*text++)) {
			return false;
		}
	}
	return !is_word(text[-1]) || !is_word(*text);
}

static bool find_one(const char *phrase, const char *end, const char *text, char *number)
{
	for (const char *at = text; *at; at++) {
		if (at > text && is_word(*at) && is_word(at[-1]))
			continue;
		number[0] = '\0';
		if (phrase_match(phrase, end, at, number))
			return true;
	}
	number[0] = '\0';
	return false;
}

bool phrase_find(const char *phrase, const char *text, char number[NUMBER_BYTES])
{
	while (*phrase) {
		size_t length = strcspn(phrase, "|");

		if (length > 0 && find_one(phrase, phrase + length, text, number))
			return true;
		phrase += length + (phrase[length] == '|');
	}
	return false;
}

bool phrase_find_all(const char *groups, const char *text)
{
	char group[PHRASE_BYTES], number[NUMBER_BYTES];

	while (*groups) {
		size_t length = strcspn(groups, "&");

		snprintf(group, sizeof group, "%.*s", (int)length, groups);
		if (!phrase_find(group, text, number))
			return false;
		groups += length + (groups[length] == '&');
	}
	return true;
}

/* The scanner of the text form. It reads words, numbers and extents, and keeps track of the
 * position in the text. */
#include "layout/layout_text.h"
#include "layout_private.h"

#include <ctype.h>
#include <string.h>

#include "base/nearest.h"

enum { WORD_BYTES_MAX = 64 };

static uint32_t columns(const char *from, const char *to)
{
	uint32_t count = 1;

	for (; from < to; from++) /* count code points: skip UTF-8 continuation bytes */
		count += ((unsigned char)*from & 0xc0) != 0x80;
	return count;
}

/* Skips blanks, line ends and comments. */
static void skip(struct scan *scan)
{
	while (scan->at < scan->end) {
		if (*scan->at == '\n') {
			scan->line++;
			scan->from = scan->at + 1;
		} else if (*scan->at == '/' && scan->end - scan->at > 1 && scan->at[1] == '/') {
			while (scan->at < scan->end && *scan->at != '\n')
				scan->at++;
			continue;
		} else if (!isspace((unsigned char)*scan->at)) {
			return;
		}
		scan->at++;
	}
}

struct location scan_here(struct scan *scan)
{
	skip(scan);
	return location_at(scan->source, scan->line, columns(scan->from, scan->at));
}

bool scan_next_is(struct scan *scan, const char *word)
{
	size_t length = strlen(word);

	skip(scan);
	return (size_t)(scan->end - scan->at) >= length && memcmp(scan->at, word, length) == 0;
}

bool scan_accept(struct scan *scan, const char *word)
{
	if (!scan_next_is(scan, word))
		return false;
	scan->at += strlen(word);
	return true;
}

bool scan_expect(struct scan *scan, const char *word)
{
	if (scan_accept(scan, word))
		return true;
	diag_error(scan->diag, scan_here(scan), "expected '%s'", word);
	return false;
}

bool scan_next_is_digit(struct scan *scan)
{
	skip(scan);
	return scan->at < scan->end && isdigit((unsigned char)*scan->at);
}

/* Reads a decimal number of at most LAYOUT_ELEMENTS_MAX. */
bool scan_number(struct scan *scan, uint64_t *number)
{
	struct location where = scan_here(scan);

	*number = 0;
	if (!scan_next_is_digit(scan)) {
		diag_error(scan->diag, where, "expected a number");
		return false;
	}
	for (; scan->at < scan->end && isdigit((unsigned char)*scan->at); scan->at++) {
		*number = *number * 10 + (uint64_t)(*scan->at - '0');
		if (*number > LAYOUT_ELEMENTS_MAX) {
			diag_error(scan->diag, where, "number above %llu",
				(unsigned long long)LAYOUT_ELEMENTS_MAX);
			return false;
		}
	}
	return true;
}

static bool scan_read_word(struct scan *scan, char word[WORD_BYTES_MAX])
{
	struct location where = scan_here(scan);
	size_t length = 0;

	for (; scan->at < scan->end && (isalnum((unsigned char)*scan->at) || *scan->at == '_');
		scan->at++)
		if (length < WORD_BYTES_MAX - 1)
			word[length++] = *scan->at;
	word[length] = '\0';
	if (length == 0)
		diag_error(scan->diag, where, "expected a name");
	return length > 0;
}

static const char *name_of_element(uint32_t at)
{
	return element_name((enum element)at);
}

static const char *name_of_fill(uint32_t at)
{
	return fill_name((enum fill)at);
}

static const char *name_of_space(uint32_t at)
{
	return layout_space_name((enum layout_space)at);
}

struct names {
	const char *what;
	uint32_t count;
	const char *(*name)(uint32_t at);
};

static const struct names elements = {"element type", ELEMENT_COUNT, name_of_element},
			  fills = {"out-of-bounds value", FILL_COUNT, name_of_fill},
			  spaces = {"memory space", SPACE_COUNT, name_of_space};

/* If `word` is one of the names, sets *found to its index and returns true. Otherwise sets *found
 * to the number of names, writes "unknown WHAT 'WORD'" to `why`, and returns false. If a name is
 * similar, `why` also suggests it. */
static bool find_name(
	const char *word, const struct names *names, uint32_t *found, struct text *why)
{
	struct nearest nearest;

	nearest_start(&nearest, word);
	for (*found = 0; *found < names->count; ++*found) {
		if (strcmp(names->name(*found), word) == 0)
			return true;
		nearest_offer(&nearest, names->name(*found));
	}
	text_printf(why, "unknown %s '%s'", names->what, word);
	if (nearest.best)
		text_printf(why, ", did you mean '%s'?", nearest.best);
	return false;
}

bool layout_parse_element(const char *text, enum element *element, struct text *why)
{
	uint32_t found;
	bool good = find_name(text, &elements, &found, why);

	*element = (enum element)found;
	return good;
}

bool layout_parse_fill(const char *text, enum fill *fill, struct text *why)
{
	uint32_t found;
	bool good = find_name(text, &fills, &found, why);

	*fill = (enum fill)found;
	return good;
}

bool layout_parse_space(const char *text, enum layout_space *space, struct text *why)
{
	uint32_t found;
	bool good = find_name(text, &spaces, &found, why);

	*space = (enum layout_space)found;
	return good;
}

/* Reads the next word, which must be one of the names, and sets *found to its index. */
static bool scan_name(struct scan *scan, const struct names *names, uint32_t *found)
{
	struct location where = scan_here(scan);
	char word[WORD_BYTES_MAX];
	struct text why = {0};
	bool good;

	if (!scan_read_word(scan, word))
		return false;
	good = find_name(word, names, found, &why);
	if (!good)
		diag_error(scan->diag, where, "%s", text_string(&why));
	text_fini(&why);
	return good;
}

bool scan_element(struct scan *scan, enum element *element)
{
	uint32_t found = 0;
	bool good = scan_name(scan, &elements, &found);

	*element = (enum element)found;
	return good;
}

bool scan_fill(struct scan *scan, enum fill *fill)
{
	uint32_t found = 0;
	bool good = scan_name(scan, &fills, &found);

	*fill = (enum fill)found;
	return good;
}

bool scan_space(struct scan *scan, enum layout_space *space)
{
	uint32_t found = 0;
	bool good = scan_name(scan, &spaces, &found);

	*space = (enum layout_space)found;
	return good;
}

/* Reads extents: `2x3x64x` if an element type follows, otherwise `2x4`. */
bool scan_extents(struct scan *scan, bool type_follows, struct layout_shape *shape)
{
	struct location where = scan_here(scan);

	shape->rank = 0;
	do {
		if (type_follows && shape->rank && !scan_next_is_digit(scan))
			return true;
		if (shape->rank == LAYOUT_RANK_MAX) {
			diag_error(scan->diag, where, "more than %d dimensions", LAYOUT_RANK_MAX);
			return false;
		}
		if (!scan_number(scan, &shape->size[shape->rank++]))
			return false;
	} while (scan_accept(scan, "x"));
	if (type_follows)
		diag_error(scan->diag, scan_here(scan), "expected 'x' and an element type");
	return !type_follows;
}

/* A cursor in the text form of a layout. Every function that returns false has added an error at
 * its place. Refuses to go on after the first error: what follows would be guessed. */
#ifndef LAYOUT_SCAN_H
#define LAYOUT_SCAN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "layout/layout.h"

struct scan {
	const char *at, *end;
	const char *from; /* of the line */
	uint32_t line;
	const struct source *source;
	struct diag *diag;
};

/* The place of the next word; blanks and comments before it are behind the cursor then. */
struct location scan_here(struct scan *scan);

/* Whether the text goes on with `word`, with a digit. */
bool scan_next_is(struct scan *scan, const char *word);
bool scan_next_is_digit(struct scan *scan);

/* The same, and steps behind it; the second makes its absence an error. */
bool scan_accept(struct scan *scan, const char *word);
bool scan_expect(struct scan *scan, const char *word);

/* A decimal number of at most LAYOUT_ELEMENTS_MAX. */
bool scan_number(struct scan *scan, uint64_t *number);

/* Names of the tables in element.h and layout.h. */
bool scan_element(struct scan *scan, enum element *element);
bool scan_fill(struct scan *scan, enum fill *fill);
bool scan_space(struct scan *scan, enum layout_space *space);

/* `2x3x64x`, extents of a shape before an element type, or `2x4` if none follows. */
bool scan_extents(struct scan *scan, bool type_follows, struct layout_shape *shape);

#endif

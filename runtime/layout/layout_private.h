/* The steps of layout_init(), and the cursor of the parser. The parser calls the steps one by one,
 * so that it can report the place of a failure in the text. */
#ifndef LAYOUT_LAYOUT_PRIVATE_H
#define LAYOUT_LAYOUT_PRIVATE_H

#include <stdbool.h>
#include <stdint.h>

#include "layout/layout.h"
#include "base/diag.h"

/* Each step requires that the steps before it succeeded. */
enum status layout_check_tensor(const struct layout *layout, struct text *why);
enum status layout_check_map(struct layout *layout, struct text *why);
enum status layout_check_grid(struct layout *layout, struct text *why);
enum status layout_check_memref(struct layout *layout, struct text *why);
enum status layout_check_fill(const struct layout *layout, struct text *why);

/* A cursor in the text form of a layout. Functions that can fail report the error, with its place
 * in the text, and return false. Reading ends at the first error. */

struct scan {
	const char *at, *end;
	const char *from; /* start of the line */
	uint32_t line;
	const struct source *source;
	struct diag *diag;
};

/* The place of the next word; moves the cursor over blanks and comments before it. */
struct location scan_here(struct scan *scan);

/* True if the text continues with `word`, or with a digit. */
bool scan_next_is(struct scan *scan, const char *word);
bool scan_next_is_digit(struct scan *scan);

/* Return true and move behind `word` if the text continues with `word`. If it does not, they return
 * false, and scan_expect() also reports an error. */
bool scan_accept(struct scan *scan, const char *word);
bool scan_expect(struct scan *scan, const char *word);

/* A decimal number of at most LAYOUT_ELEMENTS_MAX. */
bool scan_number(struct scan *scan, uint64_t *number);

/* Read names of the tables in element.h and layout.h. */
bool scan_element(struct scan *scan, enum element *element);
bool scan_fill(struct scan *scan, enum fill *fill);
bool scan_space(struct scan *scan, enum layout_space *space);

/* Reads extents such as `2x3x64x` before an element type, or `2x4` if none follows. */
bool scan_extents(struct scan *scan, bool type_follows, struct layout_shape *shape);

#endif

/* The steps of layout_init(), and the cursor with which the parser reads. The parser calls the
 * steps one by one. So if a step fails, the parser can report the position in the text that this
 * step checked. */
#ifndef LAYOUT_LAYOUT_PRIVATE_H
#define LAYOUT_LAYOUT_PRIVATE_H

#include <stdbool.h>
#include <stdint.h>

#include "layout/layout.h"
#include "base/diag.h"

/* Each step requires that all earlier steps have succeeded. */
enum status layout_check_tensor(const struct layout *layout, struct text *why);
enum status layout_check_map(struct layout *layout, struct text *why);
enum status layout_check_grid(struct layout *layout, struct text *why);
enum status layout_check_memref(struct layout *layout, struct text *why);
enum status layout_check_fill(const struct layout *layout, struct text *why);

/* A cursor in the text form of a layout. If one of its functions fails, the function reports the
 * error with its position in the text, and returns false. Reading ends at the first error. */

struct scan {
	const char *at, *end;
	const char *from; /* start of the current line */
	uint32_t line;
	const struct source *source;
	struct diag *diag;
};

/* Moves the cursor over blanks and comments, and returns the position of the next word. */
struct location scan_here(struct scan *scan);

/* Return true if the text continues with `word`, or with a digit. Before that, move the cursor past
 * blanks and comments. */
bool scan_next_is(struct scan *scan, const char *word);
bool scan_next_is_digit(struct scan *scan);

/* If the text continues with `word`, both functions move the cursor past the word and return true.
 * Otherwise they return false, and scan_expect() also reports an error. */
bool scan_accept(struct scan *scan, const char *word);
bool scan_expect(struct scan *scan, const char *word);

/* Reads a decimal number of at most LAYOUT_ELEMENTS_MAX. */
bool scan_number(struct scan *scan, uint64_t *number);

/* Read a name that is in the tables of element.h or layout.h. */
bool scan_element(struct scan *scan, enum element *element);
bool scan_fill(struct scan *scan, enum fill *fill);
bool scan_space(struct scan *scan, enum layout_space *space);

/* Reads extents: `2x3x64x` if an element type follows, otherwise `2x4`. */
bool scan_extents(struct scan *scan, bool type_follows, struct layout_shape *shape);

#endif

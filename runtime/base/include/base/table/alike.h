/* Rows of a table that share a number: which of them is next. Knows not what the rows are. */
#ifndef BASE_TABLE_ALIKE_H
#define BASE_TABLE_ALIKE_H

#include <stdbool.h>
#include <stdint.h>

/* Numbers from here on are taken for damage: no row is like another one. */
enum { ALIKE_NUMBERS_MAX = 65536 };

/* Fills `next` with the first row behind each that has the same number; `count`: there is none. */
void alike_next(const uint32_t *numbers, uint32_t count, uint32_t *next);

/* The same, but among the rows that are marked; a row that is marked itself is its own. */
void alike_marked(const uint32_t *numbers, const bool *marked, uint32_t count, uint32_t *found);

#endif

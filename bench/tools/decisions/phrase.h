/* Phrases that are searched for in people's words. A phrase has alternatives, separated by '|'. It
 * matches whole words, in upper or lower case. A blank matches blanks, '-' and '_'. A '*' matches
 * any characters within a clause. "%n" matches a whole number, and "%b" a number of bytes with its
 * unit, such as "64 KiB". */
#ifndef BENCH_TOOLS_PHRASE_H
#define BENCH_TOOLS_PHRASE_H

#include <stdbool.h>

#include "decision.h"

/* Returns true if `text` contains `phrase`. `number` gets the number in the phrase, or an empty
 * string if the phrase has none. */
bool phrase_find(const char *phrase, const char *text, char number[NUMBER_BYTES]);

/* True if each group of "a|b&c|d" is in `text`. */
bool phrase_find_all(const char *groups, const char *text);

#endif

/* Phrases that are searched in the words of people. A phrase has alternatives, separated by '|'. It
 * is found as whole words, in upper or lower case. A blank stands for blanks, '-' and '_', '*' for
 * any characters within a clause. "%n" takes a whole number, and "%b" a number of bytes with its
 * unit, such as "64 KiB". */
#ifndef BENCH_TOOLS_PHRASE_H
#define BENCH_TOOLS_PHRASE_H

#include <stdbool.h>

#include "decision.h"

/* True if `phrase` is in `text`. The number in the phrase is written to `number`, or an empty
 * string if the phrase has none. */
bool phrase_find(const char *phrase, const char *text, char number[NUMBER_BYTES]);

/* True if each group of "a|b&c|d" is in `text`. */
bool phrase_find_all(const char *groups, const char *text);

#endif

/* Buffers as kernels that act know them: the words from which the instruction PAGE finds a page
 * (command/kernel_program.h). Refuses buffers on more tiles than arguments can name. */
#ifndef PROGRAMS_PAGES_H
#define PROGRAMS_PAGES_H

#include "programs/library.h"

enum { PAGES_WORDS_MAX = 256 };

/* Writes the description of `buffer`; returns its words. 0 if there is none: its shards lie on more
 * tiles than fit. */
uint32_t pages_describe(const struct library_buffer *buffer, uint32_t words[PAGES_WORDS_MAX]);

#endif

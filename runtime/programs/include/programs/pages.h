/* Buffers as executing kernels see them: the words from which the PAGE instruction locates a page
 * (command/kernel_program.h). Buffers on more tiles than fit in the arguments are not supported. */
#ifndef PROGRAMS_PAGES_H
#define PROGRAMS_PAGES_H

#include "programs/library.h"

enum { PAGES_WORDS_MAX = 256 };

/* Writes the description of `buffer` and returns the number of words, or 0 if its shards lie on
 * more tiles than fit. */
uint32_t pages_describe(const struct library_buffer *buffer, uint32_t words[PAGES_WORDS_MAX]);

#endif

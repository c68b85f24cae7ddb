/* A small part of a result file, and reading whatever is in its place. */
#ifndef TEST_TOY_PART_H
#define TEST_TOY_PART_H

#include <stdint.h>

/* Writes a part of the run of that identity. */
void toy_part_write(const char *path, uint64_t identity);

/* Reads all that merging reads of a part, whether it is one or not. */
void toy_part_read(const char *path, uint64_t identity);

#endif

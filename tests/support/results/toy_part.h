/* A small part of a result file, and reading whatever is in its place. */
#ifndef TEST_TOY_PART_H
#define TEST_TOY_PART_H

#include <stdbool.h>
#include <stdint.h>

/* Writes a part of the run of that identity. */
void toy_part_write(const char *path, uint64_t identity);

/* Reads all that merging reads of a part, whether it is one or not. True if it is one. */
bool toy_part_read(const char *path, uint64_t identity);

#endif

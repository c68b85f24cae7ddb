/* A small part of a result file, and a reader for anything in its place. */
#ifndef TEST_TOY_PART_H
#define TEST_TOY_PART_H

#include <stdbool.h>
#include <stdint.h>

/* Writes a part of the run with this identity. */
void toy_part_write(const char *path, uint64_t identity);

/* Reads everything that merging reads, from any file. True if it is a valid part. */
bool toy_part_read(const char *path, uint64_t identity);

#endif

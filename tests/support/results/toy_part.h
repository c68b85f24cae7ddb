/* Writes a small part of a result file, and reads any file like a part. */
#ifndef TEST_TOY_PART_H
#define TEST_TOY_PART_H

#include <stdbool.h>
#include <stdint.h>

/* Writes a part of the run with this identity. */
void toy_part_write(const char *path, uint64_t identity);

/* Reads everything that merging reads, from any file. Returns true if the file is a valid part. */
bool toy_part_read(const char *path, uint64_t identity);

#endif

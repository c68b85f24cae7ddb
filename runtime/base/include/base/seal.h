/* Seals: a record at the end of a file that says how many bytes stand before it, what they are (a
 * 64-bit checksum), and whose they are. Any damage to the file breaks the seal, or loses it. HDF5
 * does not look at bytes behind its own. Nobody is kept from sealing a forgery. */
#ifndef BASE_SEAL_H
#define BASE_SEAL_H

#include <stdint.h>

#include "base/status.h"

/* Seals the bytes of the file `path`, which is no symbolic link. IO with errno. */
enum status seal_append(const char *path, uint64_t identity);

/* Reads all of `path`. OK and *identity, if the bytes are those that were sealed; NOT_FOUND if
 * there is no seal; INVALID if it is broken; IO with errno if the file cannot be read. */
enum status seal_read(const char *path, uint64_t *identity);

/* The same of an open file, whose position is lost. */
enum status seal_read_file(int file, uint64_t *identity);

#endif

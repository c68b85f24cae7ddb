/* A seal is a record at the end of a file. It contains the number of bytes before the seal, a
 * 64-bit checksum of these bytes, and an identity that the writer of the file chose. If the file is
 * damaged, the seal no longer matches or is missing. Libraries that read HDF5 ignore a seal,
 * because it comes after the bytes of the HDF5 file. A seal does not protect against forgery. */
#ifndef BASE_SEAL_H
#define BASE_SEAL_H

#include <stdint.h>

#include "base/status.h"

/* Appends a seal to the file `path`, which must not be a symbolic link. Returns OK, or IO with
 * errno. */
enum status seal_append(const char *path, uint64_t identity);

/* Reads all of the file `path` and checks its seal. If the bytes match the seal, sets *identity and
 * returns OK. Returns NOT_FOUND if there is no seal, INVALID if the bytes do not match the seal,
 * and IO, with errno, if the file cannot be read. */
enum status seal_read(const char *path, uint64_t *identity);

/* Like seal_read(), for an open file. Changes the position of the file. */
enum status seal_read_file(int file, uint64_t *identity);

#endif

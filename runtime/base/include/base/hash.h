/* 64-bit content hashes: FNV-1a with a final mix. A hash is the same on every machine. These hashes
 * do not protect against deliberate collisions. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

#define HASH_EMPTY UINT64_C(0xcbf29ce484222325) /* the value with which hash_more() starts */

/* Continues `hash` with more bytes; hash_more(hash_more(h, a), b) equals the hash of a then b. */
uint64_t hash_more(uint64_t hash, const void *bytes, size_t length);

/* Spreads the bits of a finished hash, so that similar inputs get very different results. */
uint64_t hash_mix(uint64_t hash);

/* Returns the mixed hash of a block of bytes. */
uint64_t hash_bytes(const void *bytes, size_t length);

/* Returns the mixed hash of a string, without its NUL. */
uint64_t hash_string(const char *string);

/* A seal is a record at the end of a file. It contains the number of bytes before the seal, a
 * 64-bit checksum of these bytes, and an identity that the writer of the file chose. If the file is
 * damaged, the seal no longer matches or is missing. Libraries that read HDF5 ignore a seal,
 * because it comes after the bytes of the HDF5 file. A seal does not protect against forgery. */

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

/* 64-bit content hashes: FNV-1a with a final mix. A hash is the same on every machine. These hashes
 * do not protect against deliberate collisions. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define HASH_EMPTY UINT64_C(0xcbf29ce484222325) /* the value with which hash_more() starts */

/* Continues `hash` with more bytes; hash_more(hash_more(h, a), b) equals the hash of a then b. */
uint64_t hash_more(uint64_t hash, const void *bytes, size_t length);

/* Spreads the bits of a finished hash, so that similar inputs get very different results. */
uint64_t hash_mix(uint64_t hash);

/* Returns the mixed hash of a block of bytes. */
uint64_t hash_bytes(const void *bytes, size_t length);

/* Returns the mixed hash of a string, without its NUL. */
uint64_t hash_string(const char *string);

#endif

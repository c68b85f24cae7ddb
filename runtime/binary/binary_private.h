/* What the files of this room share (model_binary.h): the C++ file that knows FlatBuffers, which
 * includes this header as C, and the rest. */
#ifndef BINARY_PRIVATE_H
#define BINARY_PRIVATE_H

#include "binary/model_binary.h"

/* The head of a file, which every version has. */
struct binary_head {
	uint16_t major, minor;
	uint64_t checksum;
	size_t checksum_at; /* position of the checksum in the file */
};

/* Finds the head. Returns false if the file has none. */
bool binary_flat_head(const uint8_t *bytes, size_t count, struct binary_head *head);

/* Returns true if the file is a FlatBuffers buffer of binary.fbs, as the library's verifier says.
 */
bool binary_flat_verify(const uint8_t *bytes, size_t count);

/* Fills *binary from a verified file. Names are in the bytes, lists in `arena`. A missing string
 * becomes "", and an element type or number that does not exist becomes ELEMENT_COUNT or a number
 * above the bound, which model_binary_check() rejects. */
void binary_flat_unpack(const uint8_t *bytes, struct arena *arena, struct model_binary *binary);

/* Appends the file, with a checksum of 0. */
void binary_flat_pack(const struct model_binary *binary, struct text *out);

/* Returns the hash of all members of a system that describe devices. */
uint64_t binary_system_hash(const struct model_system *system);

#endif

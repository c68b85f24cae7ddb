/* Declarations shared by the files of this folder (model_binary.h). Only one file uses FlatBuffers,
 * the C++ file binary_flat.cc; it includes this header as C. */
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

/* Returns true if the library's verifier accepts the file as a buffer of the schema binary.fbs. */
bool binary_flat_verify(const uint8_t *bytes, size_t count);

/* Fills in *binary from a verified file. Names point into `bytes`; lists are in `arena`. A missing
 * string becomes "". An unknown element type becomes ELEMENT_COUNT, and other bad values become
 * numbers out of range, so model_binary_check() rejects them. */
void binary_flat_unpack(const uint8_t *bytes, struct arena *arena, struct model_binary *binary);

/* Appends the file, with a checksum of 0. */
void binary_flat_pack(const struct model_binary *binary, struct text *out);

/* Returns the hash of the members of a system that describe its devices. */
uint64_t binary_system_hash(const struct model_system *system);

#endif

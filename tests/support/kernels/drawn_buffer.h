/* Buffers of random layouts, of as many pages as a program of the library wants. */
#ifndef TEST_DRAWN_BUFFER_H
#define TEST_DRAWN_BUFFER_H

#include "base/stream.h"
#include "mesh/buffer.h"

/* On every device of the mesh, in DRAM or L1: interleaved, or in shards of a matrix of pages by
 * height, width or block, the last of which are seldom whole. To be freed with mesh_buffer_free();
 * a refusal ends the test process. */
struct mesh_buffer *drawn_buffer_new(
	struct mesh_device *mesh, struct stream *random, uint32_t pages, uint32_t page_bytes);

#endif

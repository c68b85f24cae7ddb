/* Buffers of random layouts, with as many pages as a library program needs. */
#ifndef TEST_DRAWN_BUFFER_H
#define TEST_DRAWN_BUFFER_H

#include "base/stream.h"
#include "mesh/buffer.h"

/* Makes a random buffer on every device of the mesh, in DRAM or L1. The buffer is interleaved, or
 * it is a matrix of pages that is divided into shards by height, by width or in blocks. The last
 * shards are usually not full. Free the buffer with mesh_buffer_free(). An error ends the test
 * process. */
struct mesh_buffer *drawn_buffer_new(
	struct mesh_device *mesh, struct stream *random, uint32_t pages, uint32_t page_bytes);

#endif

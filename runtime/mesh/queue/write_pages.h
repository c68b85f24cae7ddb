/* The commands that write one device's part of a buffer. */
#ifndef MESH_WRITE_PAGES_H
#define MESH_WRITE_PAGES_H

#include "command/stream.h"
#include "memory/placement.h"

/* Pages up to this size are handled whole: the commands in front of the data go behind one ROUTE
 * with them (submit.c). Parts of this size keep every alignment that pages have. */
enum { PAGE_WHOLE_MAX = PREFETCH_SEGMENT_MAX / 4096 * 4096 };

/* True if commands that write or read the pages name tiles: not those of interleaved pages, unless
 * they are too large to be handled whole. */
bool pages_name_tiles(const struct placement *placement);

/* What is written: pages on the host, one behind the other. */
struct page_source {
	const struct placement *placement;
	uint32_t address;    /* of the buffer on the device */
	const uint8_t *data; /* not looked at if `elided` or `pinned` */
	bool elided;	     /* stands for bytes that are not simulated */
	enum memory_kind from;
	uint64_t pinned; /* host address from which the device reads them itself; 0: the host copies
			  */
	uint32_t entry_bytes; /* of an issue queue: what a command with data is not to exceed */
};

/* Appends them. The pages have been copied when it returns, unless they are pinned. */
void write_pages(struct command_stream *stream, const struct page_source *source);

#endif

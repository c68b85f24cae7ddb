/* The commands that write one device's part of a buffer. */
#ifndef MESH_WRITE_PAGES_H
#define MESH_WRITE_PAGES_H

#include "command/stream.h"
#include "memory/placement.h"

/* The size of the largest page that one command writes: the data of such a page, with the commands
 * in front of them, fit behind one ROUTE (submit.c). Larger pages are written in parts of this
 * size. The size is a multiple of 4096, so the parts are aligned like whole pages. */
enum { PAGE_WHOLE_MAX = PREFETCH_SEGMENT_MAX / 4096 * 4096 };

/* Returns true if commands that write or read the pages contain tile numbers. For interleaved pages
 * this is true only if a page is too large for one command. */
bool pages_name_tiles(const struct placement *placement);

/* The pages to write. They are contiguous on the host. */
struct page_source {
	const struct placement *placement;
	uint32_t address;    /* of the buffer on the device */
	const uint8_t *data; /* ignored if `elided` or `pinned` */
	bool elided;	     /* the bytes are not simulated */
	enum memory_kind from;
	uint64_t pinned; /* host address from which the device itself reads the pages; 0: the host
			  * copies the pages */
	uint32_t entry_bytes; /* size limit of a command with its data in the issue queue */
};

/* Appends the commands that write the pages to `stream`. The data are copied before the call
 * returns, unless they are pinned. */
void write_pages(struct command_stream *stream, const struct page_source *source);

#endif

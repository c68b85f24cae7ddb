/* Prefetch commands (spec 3.8, spec flow 6.3), the contents of an issue queue. A command is a
 * header of 16 B, followed by its data, which are padded to 16 B:
 *
 *     byte        0     1      2-3         4-7          8-11                   12-15
 *     all         kind  flags
 *     RELAY_INLINE             0           length       operation              0
 *     RELAY_HOST               0           length       address, 64 bits
 *     RELAY_LINEAR             tile        address      length                 0
 *     RELAY_PAGED              start page  base         page | trim << 16      pages
 *     FILL_CACHE               start page  base         page | trim << 16      pages | offset << 16
 *     RELAY_CACHE              0           offset       length                 0
 *     STALL                    0           0            0                      0
 *     EXECUTE                  start page  base         page | trim << 16      pages
 *     EXECUTE_END              0           0            0                      0
 *     TRANSACTION_GRID         count       operation    0                      0
 *     NOTIFY_COUNTERPART       0           value        0                      0
 *     WAIT_COUNTERPART         0           value        0                      0
 *     ROUTE                    tree        length       operation              r0 c0 r1 c1
 *     TERMINATE                0           0            0                      0
 *
 * "length" is a number of bytes and a multiple of 16; page, trim and FILL_CACHE's offset are in
 * units of 16 B. Two commands have data: RELAY_INLINE (dispatch commands, "length" bytes) and
 * TRANSACTION_GRID (`count` transaction ids of one byte, padded). The `length` bytes after a ROUTE
 * are further prefetch commands, which the packetizer forwards without reading them.
 *
 * Decoding checks everything that does not depend on the machine: kind, flags, unused fields (must
 * be 0), bounds, alignment. The firmware checks the rest. */
#ifndef COMMAND_PREFETCH_H
#define COMMAND_PREFETCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "command/bytes.h"

enum prefetch_kind {
	PREFETCH_NONE,
#define X(name, what, fields) PREFETCH_##name,
#include "command/prefetch.def"
#undef X
	PREFETCH_KIND_COUNT
};

/* Flags. */
enum {
	PREFETCH_OPERATION_END = 1, /* RELAY_INLINE: the last command of its operation, for marks */
	PREFETCH_L1 = 2,	    /* RELAY_PAGED: over the workers' L1, not over DRAM banks */
	PREFETCH_TRACE = 4,	    /* ROUTE: its commands execute a trace, and nothing may follow
				     * while it runs */
};

enum {
	PREFETCH_PAGE_MAX = 0xffff * COMMAND_ALIGN,    /* largest page, bytes */
	PREFETCH_SEGMENT_MAX = 0xffff * COMMAND_ALIGN, /* most bytes after one ROUTE */
	PREFETCH_EXTENT_MAX = UINT8_MAX + 1, /* rows or columns of a broadcast grid: coordinates of
					      * ROUTE and of segments have 8 bits */
	PREFETCH_TREES_MAX = 32,	     /* most trees of a packetizer */
};

/* Pages that are interleaved over n banks. Page `start_page + i` lies in bank (start_page + i) % n,
 * at base + (start_page + i) / n * page_bytes. */
struct prefetch_pages {
	uint16_t start_page;
	uint32_t base;
	uint32_t page_bytes; /* multiple of 16, not 0 */
	uint32_t pages;	     /* FILL_CACHE: at most 65535; 0 without trim: reads nothing */
	uint32_t trim_bytes; /* cut from the end of the last page; multiple of 16 */
};

/* Rectangle of chips of a broadcast grid, inclusive, in the grid's coordinates. */
struct grid_rect {
	uint8_t row0, column0, row1, column1;
};

/* A decoded command. The kind selects the member of the union. */
struct prefetch_command {
	enum prefetch_kind kind;
	uint8_t flags;
	union {
		struct {
			uint32_t length, operation;
		} relay_inline;
		struct {
			uint64_t address;
			uint32_t length;
		} relay_host;
		struct {
			uint16_t tile;
			uint32_t address, length;
		} relay_linear;
		struct prefetch_pages relay_paged, execute;
		struct {
			struct prefetch_pages pages;
			uint32_t offset; /* in the kernel cache, bytes */
		} fill_cache;
		struct {
			uint32_t offset, length;
		} relay_cache;
		struct {
			uint16_t count;
			uint32_t operation;
		} transaction_grid;
		struct {
			uint32_t value;
		} counterpart; /* NOTIFY_, WAIT_COUNTERPART */
		struct {
			uint16_t tree;
			uint32_t length, operation;
			struct grid_rect rect;
		} route;
	};
};

/* Writes the header of `command` to `bytes`. A command that decoding would reject is a bug. */
void prefetch_encode(const struct prefetch_command *command, uint8_t bytes[COMMAND_BYTES]);

/* Reads a header. Returns OK, INVALID (kind, flags, unused fields, lengths that are not multiples
 * of 16) or OUT_OF_RANGE (bounds). After an error, *command is undefined. */
enum status prefetch_decode(const uint8_t bytes[COMMAND_BYTES], struct prefetch_command *command);

/* Returns the number of bytes of data that follow the header in the issue queue, with padding. For
 * a ROUTE this is 0, because the bytes after a ROUTE are commands. */
uint32_t prefetch_data_bytes(const struct prefetch_command *command);

/* Id of the command's operation; 0 if its kind has none. */
uint32_t prefetch_operation(const struct prefetch_command *command);

/* Offset of the operation's id in a header, 0 if the kind has none. */
uint32_t prefetch_operation_at(enum prefetch_kind kind);

/* Bytes of all pages of `pages`, without the trimmed bytes. */
uint64_t prefetch_pages_bytes(const struct prefetch_pages *pages);

/* Returns a name such as "RELAY_INLINE", or "?" for an unknown kind. */
const char *prefetch_kind_name(enum prefetch_kind kind);

/* ---- segments, which a packetizer sends to depacketizers ----
 *
 * A ROUTE becomes a segment. The segment is a header of 16 B, multicast to every chip of the grid,
 * then the `length` bytes of commands, multicast along the ROUTE's tree:
 *
 *     byte  0     1     2-3              4-7       8-11       12-15
 *           kind  tree  length in units  position  operation  row0 column0 row1 column1
 *
 * The highest bit of byte 1 is set for PREFETCH_TRACE.
 *
 * Positions count units of segments (headers and data) since the start, and wrap. All landing rings
 * of a grid advance with the positions, even the rings of chips that are not addressed and receive
 * only the header. A header is new if it has the expected position; otherwise it is a remainder of
 * older bytes in the ring. */
enum { SEGMENT_KIND = 0x53 };

struct segment {
	uint8_t tree;	 /* index of the tree for the data */
	bool trace;	 /* PREFETCH_TRACE */
	uint32_t length; /* bytes of data, multiple of 16, 16 to PREFETCH_SEGMENT_MAX */
	uint32_t position;
	uint32_t operation;
	struct grid_rect rect; /* addressed chips */
};

void segment_encode(const struct segment *segment, uint8_t bytes[COMMAND_BYTES]);

/* Returns OK, INVALID or OUT_OF_RANGE (no length, unknown tree, rectangle inside out). */
enum status segment_decode(const uint8_t bytes[COMMAND_BYTES], struct segment *segment);

#endif

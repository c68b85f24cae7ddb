/* Prefetch commands are the contents of an issue queue (spec 3.8; spec, flow 6.3). A command is a
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
	/* RELAY_INLINE: the last command of its operation; used for marks */
	PREFETCH_OPERATION_END = 1,
	/* RELAY_PAGED: the pages are in the workers' L1, not in DRAM banks */
	PREFETCH_L1 = 2,
	/* ROUTE: the commands to which this command belongs execute a trace; all commands after
	 * them must be held back until the trace has ended */
	PREFETCH_TRACE = 4,
};

enum {
	PREFETCH_PAGE_MAX = 0xffff * COMMAND_ALIGN, /* maximum bytes of a page */
	/* maximum number of bytes after one ROUTE */
	PREFETCH_SEGMENT_MAX = 0xffff * COMMAND_ALIGN,
	/* maximum number of rows or columns in a broadcast grid, because coordinates in ROUTE and
	 * in segments have 8 bits */
	PREFETCH_EXTENT_MAX = UINT8_MAX + 1,
	PREFETCH_TREES_MAX = 32, /* maximum number of trees of a packetizer */
};

/* Pages that are interleaved over n banks. Page number `start_page + i` lies in bank (start_page +
 * i) % n, at address base + (start_page + i) / n * page_bytes. */
struct prefetch_pages {
	uint16_t start_page;
	uint32_t base;
	uint32_t page_bytes; /* a multiple of 16, not 0 */
	uint32_t pages;	     /* FILL_CACHE: at most 65535; 0 (without trim): reads nothing */
	uint32_t trim_bytes; /* bytes cut from the end of the last page; a multiple of 16 */
};

/* A rectangle of chips in a broadcast grid, in the grid's coordinates. The corners belong to it. */
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
			uint32_t offset; /* offset in the kernel cache, in bytes */
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
		} counterpart; /* NOTIFY_COUNTERPART and WAIT_COUNTERPART */
		struct {
			uint16_t tree;
			uint32_t length, operation;
			struct grid_rect rect;
		} route;
	};
};

/* Writes the header of `command` to `bytes`. Decoding must accept the command. */
void prefetch_encode(const struct prefetch_command *command, uint8_t bytes[COMMAND_BYTES]);

/* Reads a header. Returns OK. Returns INVALID if the kind, flags or unused fields are wrong, or if
 * a length is not a multiple of 16. Returns OUT_OF_RANGE if a value is out of bounds. After an
 * error, *command is undefined. */
enum status prefetch_decode(const uint8_t bytes[COMMAND_BYTES], struct prefetch_command *command);

/* Returns the number of bytes of data that follow the header in the issue queue, with padding. For
 * a ROUTE this is 0, because the bytes after a ROUTE are commands. */
uint32_t prefetch_data_bytes(const struct prefetch_command *command);

/* Returns the id of the command's operation; 0 if its kind has no operation. */
uint32_t prefetch_operation(const struct prefetch_command *command);

/* Returns the offset of the operation's id in a header; 0 if the kind has no operation. */
uint32_t prefetch_operation_at(enum prefetch_kind kind);

/* Returns the bytes of all pages of `pages`, without the trimmed bytes. */
uint64_t prefetch_pages_bytes(const struct prefetch_pages *pages);

/* Returns the name of a kind, for example "RELAY_INLINE"; "?" for an unknown kind. */
const char *prefetch_kind_name(enum prefetch_kind kind);

/* ---- segments, which a packetizer sends to depacketizers ----
 *
 * A ROUTE becomes a segment. The segment consists of a header of 16 B and the `length` bytes of
 * commands. The header is multicast to every chip of the grid. The commands are multicast along the
 * ROUTE's tree. The header is:
 *
 *     byte  0     1     2-3              4-7       8-11       12-15
 *           kind  tree  length in units  position  operation  row0 column0 row1 column1
 *
 * The highest bit of byte 1 is set for PREFETCH_TRACE.
 *
 * Positions count units of segments (headers and data) since the start, and wrap around. The
 * positions are also the places in the landing rings of all chips of the grid; a chip that is not
 * addressed receives only the header. A header is new if it has the expected position; otherwise
 * the bytes in the ring are left over from an older segment. */
enum { SEGMENT_KIND = 0x53 };

struct segment {
	uint8_t tree;	 /* number of the tree for the data */
	bool trace;	 /* set for PREFETCH_TRACE */
	uint32_t length; /* bytes of data: a multiple of 16, from 16 to PREFETCH_SEGMENT_MAX */
	uint32_t position;
	uint32_t operation;
	struct grid_rect rect; /* the addressed chips */
};

void segment_encode(const struct segment *segment, uint8_t bytes[COMMAND_BYTES]);

/* Decodes the header of a segment. Returns OK or INVALID. Returns OUT_OF_RANGE if the length is 0,
 * the tree is unknown, or the rectangle's last corner is before its first. */
enum status segment_decode(const uint8_t bytes[COMMAND_BYTES], struct segment *segment);

#endif

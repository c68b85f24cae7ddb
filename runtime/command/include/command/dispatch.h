/* Dispatch commands, which a dispatcher executes (spec, flow 6.4; spec 3.8.4, 3.8.5, 3.8.7). A
 * command is a header of 16 B (WRITE_HOST and NOTIFY_HOST: 32 B), followed by its data, which are
 * padded to 16 B:
 *
 *     byte             0     1      2      3     4-7        8-11        12-15           16-31
 *     all              kind  flags
 *     WRITE_LINEAR                  tile         address    length      offset index
 *     WRITE_PAGED                   start page   base       page bytes  pages
 *     WRITE_PACKED                  count        address    stride      offset index
 *     WRITE_MULTICAST               offset parts address    length      c0 r0 c1 r1
 *     WRITE_WORD                    tile         address    value       0
 *     WRITE_HOST                    0            tag        operation   length          address, 0
 *     SET_OFFSETS                   0            offset 1   offset 2    offset 3
 *     SET_RUN                       group  0     run        0           0
 *     GO                            group  slot  0          operation   c0 r0 c1 r1, or tile
 *     WAIT                          group  0     address    value       operation
 *     NOTIFY_HOST                   0            event      operation   0               address, 0
 *     TRANSACTION                   id     0     operation  0           0
 *     TERMINATE                     0            0          0           0
 *     TRACE_BEGIN                   0            first      event       0
 *     TRACE_END                     group  0     0          operation   0
 *
 * Data: WRITE_LINEAR, WRITE_MULTICAST and WRITE_HOST have `length` bytes. WRITE_PAGED has pages x
 * page bytes. WRITE_PACKED has a list of `count` tiles, 16 bits each, which is padded to 16 B.
 * After the list, it has count x stride bytes.
 *
 * Offsets: a write with offset index i > 0 goes to address + offset i. SET_OFFSETS sets the three
 * offsets: the addresses of the configuration, the binaries and the launch slot. To relocate a
 * cached stream, the host only patches the stream's single SET_OFFSETS.
 *
 * GO does not delay the commands after it. The workers of a GO start when the workers of the
 * previous run are done. During this time, the dispatcher prepares up to LAUNCHES_AHEAD later runs.
 *
 * Groups: a group is a set of workers that are started together (a sub-device). Each group has a
 * run number, a done word at the dispatcher, and a running total of the workers that have been
 * started. GO increments the run number and adds the workers of its rectangle to the total, so
 * streams and traces need no absolute numbers. All launches of a group go through one dispatcher at
 * a time; SET_RUN lets another dispatcher take over.
 *
 * Traces: between TRACE_BEGIN and TRACE_END, operation i > 0 of a command stands for operation
 * `first` + i - 1, or for no operation if `first` is 0. So each replay of a trace marks its own
 * operations. Recorded events (DISPATCH_EVENT) count from `event` on, so each replay records its
 * own events. A trace contains no transaction numbers.
 *
 * The last command of every operation has DISPATCH_LAST, regardless of the ordering. DISPATCH_LAST
 * ends the transaction. The dispatcher switches to its other input only at the end of a
 * transaction. */
#ifndef COMMAND_DISPATCH_H
#define COMMAND_DISPATCH_H

#include <stdint.h>

#include "base/status.h"
#include "command/bytes.h"
#include "command/prefetch.h"
#include "world/device.h"

enum dispatch_kind {
	DISPATCH_NONE,
#define X(name, what, fields) DISPATCH_##name,
#include "command/dispatch.def"
#undef X
	DISPATCH_KIND_COUNT
};

/* Flags. */
enum {
	DISPATCH_LAST = 1, /* any command: it ends the transaction */

	DISPATCH_L1 = 2,  /* WRITE_PAGED: the pages are in the workers' L1, not in DRAM banks */
	DISPATCH_ADD = 2, /* WRITE_WORD: increments the word instead of setting it */

	DISPATCH_EVENT = 8, /* WRITE_WORD, NOTIFY_HOST: the command is part of a trace, and the
			     * trace's `event` is added to the value or event id */

	/* WRITE_HOST: the data go to `address` of the host window; the completion queue gets a
	 * record without data */
	DISPATCH_DIRECT = 2,
	DISPATCH_TABLE = 2, /* NOTIFY_HOST: writes the event to a word of the host window; `address`
			     * is relative to the dispatcher's slot in the table of events (spec
			     * 3.8.7.1). Without this flag, the event is a record in the completion
			     * queue */
	/* NOTIFY_HOST: an aggregator notifies the host; `address` contains the devices and the
	 * queue that record the event (command/completion.h) */
	DISPATCH_GATHER = 4,

	DISPATCH_IDLE = 2,     /* GO: no launch message was sent, and the workers only acknowledge
				* the go */
	DISPATCH_SAME_RUN = 4, /* GO: the rectangle is a further rectangle of the last run */
	DISPATCH_TILE = 8,     /* GO: the target is one tile, which multicasts do not reach */

	/* WAIT: waits until those workers of `group` that were started are done. Without
	 * DISPATCH_WORD, the last `value` runs (at most DISPATCH_BEHIND_MAX) need not be done */
	DISPATCH_WORKERS = 2,
	/* WAIT: waits until (int32_t)(own word at `address` - value) >= 0 */
	DISPATCH_WORD = 4,
	/* WAIT: waits until the dispatcher's own writes are acknowledged */
	DISPATCH_BARRIER = 8,
	/* WAIT: after waiting, zeroes the done word and the total of `group` */
	DISPATCH_CLEAR = 16,
	DISPATCH_RELEASE = 32, /* WAIT: after waiting, releases the prefetcher from a STALL */
	DISPATCH_DATA = 64,    /* WAIT: data of the same operation follow */
};

enum {
	/* maximum number of last runs for which a WAIT need not wait */
	DISPATCH_BEHIND_MAX = 7,
	DISPATCH_GROUPS = 16,	       /* number of groups of workers per dispatcher */
	DISPATCH_OFFSETS = 4,	       /* number of offset indices; offset 0 is always 0 */
	DISPATCH_PACKED_MAX = 256,     /* maximum number of targets of one WRITE_PACKED */
	DISPATCH_LENGTH_MAX = 1 << 30, /* maximum number of data bytes of one command */
	DISPATCH_HEADER_MAX = 2 * COMMAND_BYTES,
};

/* A decoded command. The kind selects the member of the union. */
struct dispatch_command {
	enum dispatch_kind kind;
	uint8_t flags;
	union {
		struct {
			uint16_t tile;
			uint32_t address, length, offset;
		} write_linear;
		struct {
			uint16_t start_page;
			uint32_t base, page_bytes, pages; /* page_bytes: a multiple of 16 */
		} write_paged;
		struct {
			uint16_t count;
			uint32_t address, stride, offset; /* stride: a multiple of 16 */
		} write_packed;
		struct {
			struct worker_rect rect;
			uint32_t address, length, offset;
			uint8_t parts; /* number of binaries in the data, each written by itself */
		} write_multicast;
		struct {
			uint16_t tile;
			uint32_t address, value;
		} write_word;
		struct {
			uint32_t tag, operation, length;
			uint64_t address; /* used only with DISPATCH_DIRECT */
		} write_host;
		struct {
			uint32_t offset[3]; /* the offsets with the indices 1 to 3 */
		} set_offsets;
		struct {
			uint8_t group;
			uint32_t run;
		} set_run;
		struct {
			/* number of the group, and of the slot in the launch ring */
			uint8_t group, slot;
			struct worker_rect rect;
			uint16_t tile; /* used with DISPATCH_TILE, in place of the rectangle */
			uint32_t operation;
		} go;
		struct {
			uint8_t group;
			uint32_t address, value, operation;
		} wait;
		struct {
			uint32_t event, operation;
			uint64_t address; /* used only with DISPATCH_TABLE and DISPATCH_GATHER */
		} notify_host;
		struct {
			uint8_t id;
			uint32_t operation;
		} transaction;
		struct {
			uint32_t first, event;
		} trace_begin;
		struct {
			uint8_t group;
			uint32_t operation;
		} trace_end;
	};
};

/* Returns the bytes of the header of a kind: 16 or 32. */
uint32_t dispatch_header_bytes(enum dispatch_kind kind);

/* Writes the header of `command` to `bytes`, and returns the header's length. dispatch_decode()
 * must accept this header. */
uint32_t dispatch_encode(
	const struct dispatch_command *command, uint8_t bytes[DISPATCH_HEADER_MAX]);

/* Returns the kind of a command, whose first 16 bytes are `bytes`; NONE if the kind is unknown. The
 * length of the header depends on the kind. */
enum dispatch_kind dispatch_peek(const uint8_t bytes[COMMAND_BYTES]);

/* Reads a header of `length` bytes. Returns OK. Returns NO_SPACE if a header of this kind has more
 * bytes. Returns INVALID if the kind, flags, unused fields or alignment are wrong. Returns
 * OUT_OF_RANGE if a value is out of bounds. After an error, *command is undefined. */
enum status dispatch_decode(
	const uint8_t *bytes, uint32_t length, struct dispatch_command *command);

/* Returns the number of bytes of data that follow the header, with padding. The list of targets of
 * a WRITE_PACKED is part of its data. */
uint32_t dispatch_data_bytes(const struct dispatch_command *command);

/* Returns the offset of the operation's id in a header; 0 if the kind has no operation. */
uint32_t dispatch_operation_at(enum dispatch_kind kind);

/* Returns the number of workers in a rectangle. */
uint32_t worker_rect_count(struct worker_rect rect);

/* Returns the name of a kind, for example "WRITE_LINEAR"; "?" for an unknown kind. */
const char *dispatch_kind_name(enum dispatch_kind kind);

/* Checks that a dispatch command is well formed. Returns the same status as dispatch_decode(): OK,
 * INVALID or OUT_OF_RANGE. */
enum status dispatch_check(const struct dispatch_command *command);

/* Coordinates in commands (spec 2.3, 3.10.3). Virtual coordinates are the numbers of tiles, and the
 * columns and rows of workers. They are equal on chips with different harvested rows, because each
 * NIU translates them to positions on the NoC of its chip. Physical coordinates are these
 * positions: y * noc_columns + x for a tile. A physical rectangle extends from the position of its
 * first worker to the position of its last worker. So chips with different harvested rows need
 * different commands. The functions below translate the tiles and rectangles in commands. They
 * return NOT_FOUND if there is no tile at a position. */

/* Returns the place of a tile. */
uint16_t tile_to_physical(const struct chip_geometry *geometry, uint16_t tile);

/* Sets *tile to the tile at a place. Returns OK, or NOT_FOUND if the place has no tile. */
enum status tile_to_virtual(const struct chip_geometry *geometry, uint16_t place, uint16_t *tile);

/* Replaces the virtual coordinates in a command by physical coordinates. Does not change the list
 * of targets of a WRITE_PACKED; the caller must translate this list. */
void dispatch_to_physical(const struct chip_geometry *geometry, struct dispatch_command *command);
void prefetch_to_physical(const struct chip_geometry *geometry, struct prefetch_command *command);

/* Replaces the physical coordinates in a command by virtual coordinates. Returns OK or NOT_FOUND.
 * After NOT_FOUND, *command is undefined. */
enum status dispatch_to_virtual(
	const struct chip_geometry *geometry, struct dispatch_command *command);
enum status prefetch_to_virtual(
	const struct chip_geometry *geometry, struct prefetch_command *command);

#endif

/* The pump: a prefetcher's reads into its own L1, through two halves of a buffer: one is filled
 * while the other is used. A half is complete when no read of the stage is outstanding, since reads
 * of different banks complete in any order; so while a half waits for that, nobody in the stage
 * posts reads. Private to the room. */
#ifndef FIRMWARE_PREFETCH_PUMP_PRIVATE_H
#define FIRMWARE_PREFETCH_PUMP_PRIVATE_H

#include "command/prefetch.h"
#include "firmware/core/stage.h"

/* Where the next read comes from. Pages are pieces of `page_bytes`; a linear range is one page. */
struct pump_source {
	bool host;	    /* over PCIe, from host_address */
	struct banks banks; /* else; linear: one bank */
	uint16_t tile;	    /* linear: the bank */
	uint64_t host_address;
	uint32_t base, page_bytes;
	uint64_t page;	    /* next one */
	uint32_t in_page;   /* bytes of it already read */
	uint64_t left;	    /* bytes to read, of all pages */
	uint32_t read_most; /* largest single read */
};

enum half_state { HALF_EMPTY, HALF_FILLING, HALF_CLOSING, HALF_READY };

struct pump_half {
	enum half_state state;
	uint32_t filled, used; /* bytes */
};

struct pump {
	uint32_t address, half_bytes;
	struct pump_source source;
	struct pump_half half[2];
	uint8_t filling, using; /* index of half */
	bool used;		/* bytes have been used since the start */
};

/* Begins reading `bytes` in all into a buffer of two halves at `address`. The caller has set
 * pump->source, but `left`. */
void pump_start(struct pump *pump, uint32_t address, uint32_t half_bytes, uint64_t bytes);

/* Sources. The caller has checked that they lie in memory. */
struct pump_source pump_pages(const struct unit *unit, const struct prefetch_pages *pages, bool l1);
struct pump_source pump_linear(
	const struct unit *unit, uint16_t tile, uint32_t address, uint32_t length);
struct pump_source pump_host(const struct unit *unit, uint64_t address, uint32_t length);

/* To be called by begin() first: `quiet` is true if no read of the stage is outstanding. */
void pump_settle(struct pump *pump, bool quiet);

/* True while a full half waits for its reads: no reads may be posted. */
bool pump_closing(const struct pump *pump);

/* True if the next read is the first into a half whose bytes have been used. */
bool pump_refills(const struct pump *pump);

/* Number of reads in the next batch; 0 if there is no room or nothing left. */
uint32_t pump_batch(const struct pump *pump, const struct firmware_limits *limits);

/* Posts that batch. In commit. */
void pump_fill(struct pump *pump, struct stage *stage, const struct firmware_limits *limits);

/* True if no byte of the half that can be used has been. */
bool pump_turned(const struct pump *pump);

/* Bytes that can be used, in one piece, and their address. */
uint32_t pump_ready(const struct pump *pump);
uint32_t pump_address(const struct pump *pump);

/* Gives `length` used bytes back. */
void pump_use(struct pump *pump, uint32_t length);

/* Bytes that are still to be used, read or not. */
uint64_t pump_rest(const struct pump *pump);

#endif

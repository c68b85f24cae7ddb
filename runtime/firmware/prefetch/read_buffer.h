/* A double buffer in a prefetcher's L1: one half is filled by reads while the other is used. Reads
 * of different banks complete in any order, so a half is complete when no read of the stage is
 * outstanding; while a half waits for that, the stage posts no reads. Private to the room. */
#ifndef FIRMWARE_PREFETCH_READ_BUFFER_H
#define FIRMWARE_PREFETCH_READ_BUFFER_H

#include "command/prefetch.h"
#include "firmware/core/stage.h"

/* The source of the next read. Pages are pieces of `page_bytes`; a linear range is one page. */
struct read_source {
	bool l1;	    /* banks are L1 of workers */
	bool host;	    /* over PCIe, from host_address */
	struct banks banks; /* else; linear: one bank */
	uint16_t tile;	    /* linear: the bank */
	uint64_t host_address;
	uint32_t base, page_bytes;
	uint64_t page;	    /* next one */
	uint32_t in_page;   /* bytes of it already read */
	uint64_t left;	    /* bytes to read, in all pages */
	uint32_t read_most; /* largest single read */
};

enum half_state { HALF_EMPTY, HALF_FILLING, HALF_CLOSING, HALF_READY };

struct read_half {
	enum half_state state;
	uint32_t filled, used; /* bytes */
};

struct read_buffer {
	uint32_t address, half_bytes;
	struct read_source source;
	struct read_half half[2];
	uint8_t filling, using; /* index of half */
	bool used;		/* bytes have been used since the start */
};

/* Begins reading `bytes` in total into a buffer of two halves at `address`. The caller has set
 * buffer->source, except `left`. */
void read_buffer_start(
	struct read_buffer *buffer, uint32_t address, uint32_t half_bytes, uint64_t bytes);

/* Sources. The caller has checked that they lie in memory. */
struct read_source read_source_pages(
	const struct stage_base *base, const struct prefetch_pages *pages, bool l1);
struct read_source read_source_linear(
	const struct stage_base *base, uint16_t tile, uint32_t address, uint32_t length);
struct read_source read_source_host(
	const struct stage_base *base, uint64_t address, uint32_t length);

/* Must be the first call of begin(): `quiet` is true if no read of the stage is outstanding. */
void read_buffer_settle(struct read_buffer *buffer, bool quiet);

/* True while a full half waits for its reads: no reads may be posted. */
bool read_buffer_closing(const struct read_buffer *buffer);

/* True if the next read is the first into a half whose bytes have been used. */
bool read_buffer_refills(const struct read_buffer *buffer);

/* Number of reads in the next batch; 0 if there is no room or nothing left. */
uint32_t read_buffer_batch(const struct read_buffer *buffer, const struct firmware_limits *limits);

/* Posts that batch. In commit. */
void read_buffer_fill(
	struct read_buffer *buffer, struct stage *stage, const struct firmware_limits *limits);

/* True if no byte of the readable half has been used. */
bool read_buffer_turned(const struct read_buffer *buffer);

/* Contiguous bytes that can be used, and their address. */
uint32_t read_buffer_ready(const struct read_buffer *buffer);
uint32_t read_buffer_address(const struct read_buffer *buffer);

/* Releases `length` used bytes. */
void read_buffer_use(struct read_buffer *buffer, uint32_t length);

/* Bytes not used yet, read or not. */
uint64_t read_buffer_rest(const struct read_buffer *buffer);

#endif

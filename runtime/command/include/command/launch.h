/* Launch data in a worker's L1 (spec 3.8.5; spec, flow 7): go word, launch message, program
 * configuration, result. There are two rings. The launch ring is at a fixed address and has a few
 * slots; each slot is for one launch message. In the config ring, the host allocates space for
 * configurations and binaries. Binaries have their own base address, so binaries that are still in
 * the ring need not be sent again.
 *
 * Launch message, 64 B:
 *     0-3    magic                       4-7    program
 *     8-11   operation                   12     processors: bit i set if processor i has a kernel
 *     13     circular buffers            14     semaphores
 *     15     pages between two kernels of a pipeline: 1, or 2 for any larger number, because more
 *            pages do not change the time; 0: the number in the firmware's limits
 *     16-19  config base                 20-23  kernel base
 *     24-43  offset of kernel 0..4 from the kernel base, 0 if none
 *     44-45  common args, offset         46-47  their length
 *     48-49  unique args, offset         50-51  their length
 *     52-53  circular buffers, offset    54-55  semaphores, offset
 *     56-61  run: 1 plus the cycles of each filler kernel in this launch; 0: the cycles are in
 *            the kernels' headers
 *     62-63  spread: each core ends up to cycles * spread / 65536 cycles earlier; the number
 *            differs from core to core
 * Bases are addresses in L1. Offsets of 16 bits count units of 16 B from the config base; lengths
 * are in bytes. A configuration has these parts, in this order, each padded to 16 B: common
 * arguments, circular buffers (16 B each), semaphores (16 B each, value first), unique arguments.
 * So one multicast can write all parts except the last.
 *
 * Go word: bits 31-16 run number, 15 idle (acknowledge only), 14-12 launch slot, 11-8 group, 7-0
 * tile of the dispatcher whose done word of that group is incremented. Run numbers increase and
 * wrap. So go word a is newer than go word b if the signed difference a - b is positive. */
#ifndef COMMAND_LAUNCH_H
#define COMMAND_LAUNCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "command/bytes.h"

enum processor {
	PROCESSOR_BRISC,  /* data movement; writer of a pipeline */
	PROCESSOR_NCRISC, /* data movement; reader of a pipeline */
	PROCESSOR_TRISC0, /* unpack */
	PROCESSOR_TRISC1, /* math */
	PROCESSOR_TRISC2, /* pack */
	PROCESSOR_COUNT
};

enum {
	LAUNCH_BYTES = 64,
	/* number of slots in the launch ring; the go word has 3 bits for a slot */
	LAUNCH_SLOTS = 8,
	LAUNCHES_AHEAD = LAUNCH_SLOTS - 2, /* number of launches that a dispatcher prepares while
					    * one launch runs. It is two less than the number of
					    * slots: one slot is for the launch that runs, and one
					    * stays free for the next launch */
	LAUNCH_RESULT_BYTES = 16,
	LAUNCH_MAGIC = 0x484e434c, /* the characters "LCNH" */
	CIRCULAR_BUFFER_BYTES = 16,
	CIRCULAR_BUFFERS_MAX = 32, /* maximum number for one worker */
	PIPELINE_PAGES_MAX = 2,
	SEMAPHORE_BYTES = 16,
	SEMAPHORES_MAX = 16,
	/* maximum number for one worker; numbered after the semaphores of a launch */
	STANDING_SEMAPHORES_MAX = 48,
	GO_RUN_SHIFT = 16,
	GO_IDLE_SHIFT = 15,
	GO_TILES_MAX = 256, /* dispatchers are only on tiles with a number below this one */
};

struct go {
	uint16_t run;
	bool idle;
	uint8_t slot, group, tile;
};

uint32_t go_encode(struct go go);
struct go go_decode(uint32_t word);

/* go_run() returns the run number in a go word, and go_is_idle() its idle bit. */
static inline uint16_t go_run(uint32_t word)
{
	return (uint16_t)(word >> GO_RUN_SHIFT);
}

static inline bool go_is_idle(uint32_t word)
{
	return word >> GO_IDLE_SHIFT & 1;
}

/* Returns the lowest go word of the run after `run`. A worker that has seen run `run` waits until
 * its go word reaches this value. */
static inline uint32_t go_after(uint16_t run)
{
	return (uint32_t)(uint16_t)(run + 1) << GO_RUN_SHIFT;
}

struct launch_message {
	uint32_t program, operation;
	uint8_t processors;
	uint8_t circular_buffers, semaphores;
	uint8_t pipeline_pages; /* at most PIPELINE_PAGES_MAX */
	uint32_t config_base, kernel_base;
	uint32_t kernel_offset[PROCESSOR_COUNT]; /* bytes from the kernel base, multiples of 16 */
	uint32_t common_offset, common_bytes;	 /* offsets are in bytes from the config base */
	uint32_t unique_offset, unique_bytes;	 /* offsets are in bytes from the config base */
	uint32_t circular_buffer_offset, semaphore_offset; /* in bytes from the config base */
	uint64_t run;					   /* at most LAUNCH_RUN_MAX */
	uint16_t spread;
};

/* Offsets of the words of a launch message that are patched in a cached stream. */
enum { LAUNCH_CONFIG_BASE = 16, LAUNCH_KERNEL_BASE = 20, LAUNCH_OPERATION = 8, LAUNCH_RUN = 56 };

#define LAUNCH_RUN_MAX ((UINT64_C(1) << 48) - 1)

/* Returns the last eight bytes of a launch message as a number. */
static inline uint64_t launch_run(uint64_t run, uint16_t spread)
{
	return run | (uint64_t)spread << 48;
}

/* Sizes of a configuration. */
struct launch_sizes {
	uint32_t common_bytes, unique_bytes; /* over all processors, at most 65520 each */
	uint8_t circular_buffers, semaphores;
};

/* Fills in the offsets, lengths and counts of `message` from the sizes. Returns the size of the
 * whole configuration in bytes. The first message->unique_offset bytes of a configuration are the
 * same for all workers. */
uint32_t launch_lay_out(const struct launch_sizes *sizes, struct launch_message *message);

/* Writes a message. Decoding must accept the message. */
void launch_encode(const struct launch_message *message, uint8_t bytes[LAUNCH_BYTES]);

/* Reads a message. Returns OK. Returns INVALID if the magic, unused fields or alignment are wrong,
 * and OUT_OF_RANGE if counts or processors are out of bounds. */
enum status launch_decode(const uint8_t bytes[LAUNCH_BYTES], struct launch_message *message);

/* One circular buffer of a configuration. Bytes 0-3 contain its address, 4-7 its size in bytes,
 * 8-11 its number of pages, and 12-15 the size of a page in bytes. */
struct circular_buffer {
	uint32_t address, pages, page_bytes;
};

void circular_buffer_encode(
	const struct circular_buffer *buffer, uint8_t bytes[CIRCULAR_BUFFER_BYTES]);

/* The result that a worker stores after each run. Each member has 32 bits. `sum` is the sum of the
 * checksums of all launches: it shows whether any launch ran with wrong arguments, in whatever
 * order they ran. */
struct launch_result {
	uint32_t launches; /* number of launches so far */
	uint32_t checksum; /* checksum of this launch's arguments */
	uint32_t program;
	uint32_t sum; /* sum of the checksums of all launches so far, modulo 2^32 */
};

void launch_result_encode(const struct launch_result *result, uint8_t bytes[LAUNCH_RESULT_BYTES]);
void launch_result_decode(const uint8_t bytes[LAUNCH_RESULT_BYTES], struct launch_result *result);

/* Returns the checksum of the unique arguments, as they are in L1, followed by the common
 * arguments. The checksum depends on every bit and on its position. Arguments that are not
 * simulated (elided) are left out. */
uint32_t launch_checksum(
	const void *unique, uint32_t unique_bytes, const void *common, uint32_t common_bytes);

/* The two steps of the checksum: args_hash() computes the hash of a block of arguments, and
 * args_combine() combines the hashes of the unique and the common arguments. */
uint32_t args_hash(const void *bytes, uint32_t length);
uint32_t args_combine(uint32_t unique_hash, uint32_t common_hash);

#endif

/* Kernels that act: the instructions of a kernel whose header says KERNEL_PROGRAM (spec flow 7).
 * Encodes, decodes, checks and prints them; executes none.
 *
 * How a text gets to a core. It is built (command/kernel_text.h), checked by the host when the
 * kernel is added to a program, and stands in the image of a launch where filler stands in other
 * kernels: sent as all binaries are. Workers take it from the bytes in their own L1, and check them
 * again.
 *
 * Who runs it. Each RISC-V processor of a worker that has a program is a stage of its own
 * (firmware/worker/worker.h). The worker's stage reads the launch, sets up circular buffers, and
 * starts the processors by a word of its L1 each, as BRISC does; they count themselves done in
 * another, and then the launch is over. A kernel of filler in such a launch is a wait for its
 * cycles.
 *
 * What it sees. 32 registers of 32 bits, register 0 always 0, all 0 at the start. Arguments by
 * number. Its L1 by words. Places as pairs of registers: a tile, an address there; tiles have
 * virtual numbers, as in commands. Circular buffers and semaphores by number. All processors of a
 * core share its L1, circular buffers and semaphores.
 *
 * How it waits. Semaphores and the counts of circular buffers are words of L1 (world/device.h), so
 * a wait costs nothing while it lasts, and one that nobody ends is a stall with a name. Reads and
 * writes are posted; at most so many are under way (limits.def), and barriers wait for them.
 *
 * What it computes on tiles, and on which processors: command/kernel_tile.h.
 *
 * What it costs. Cycles by class of instruction (costs.def, classes below); time on NoC and at
 * DRAM is the device's, and contends with all else there.
 *
 * How it fails. An address outside of what kernels reach, an instruction that is none, an index too
 * large, a budget used up: the processor stops with a fault that names core, processor and
 * instruction, and its core is never done. It does no harm to others, nor to the process.
 *
 * Instruction, 8 B:  0 opcode   1 a   2 b   3 c   4-7 immediate.   What it does not use is 0.
 *
 * A page's place (PAGE) comes of common arguments: 0 kind (below), 1 address, 2 bytes of a page,
 * 3 pages. Interleaved: page p is in bank p % banks, at address + p / banks * bytes; banks are
 * those of DRAM, or the workers in row-major order. Sharded: 4 pages in a row of their matrix, 5
 * rows and 6 pages in a row of a shard, 7 tiles, then the tiles: shards count along rows, shard s
 * is on tile s % tiles, behind s / tiles others, and in it rows of as many pages follow each other.
 */
#ifndef COMMAND_KERNEL_PROGRAM_H
#define COMMAND_KERNEL_PROGRAM_H

#include <stdint.h>

#include "base/status.h"
#include "base/text.h"

enum kernel_opcode {
	KERNEL_NOTHING, /* zeros are no instruction */
#define X(name, word, a, b, c, immediate, class, what) KERNEL_##name,
#include "command/instructions.def"
#undef X
	KERNEL_OPCODES
};

/* What instructions cost as. */
enum kernel_class {
	KERNEL_CLASS_END,
	KERNEL_CLASS_COMPUTE,
	KERNEL_CLASS_LOAD,
	KERNEL_CLASS_STORE,
	KERNEL_CLASS_PAGE,
	KERNEL_CLASS_NOC_READ,
	KERNEL_CLASS_NOC_WRITE,
	KERNEL_CLASS_MULTICAST,
	KERNEL_CLASS_NOC_WORD,
	KERNEL_CLASS_BUFFER,
	KERNEL_CLASS_WAIT,
	KERNEL_CLASS_BUSY,
	KERNEL_CLASS_FABRIC,
	KERNEL_CLASS_TILE,
	KERNEL_CLASS_PRINT
};

enum {
	KERNEL_INSTRUCTION_BYTES = 8,
	KERNEL_REGISTERS = 32,
};

/* Kinds of buffers that PAGE knows, and words of their description. */
enum kernel_pages {
	KERNEL_PAGES_DRAM,    /* interleaved over DRAM banks */
	KERNEL_PAGES_L1,      /* interleaved over the workers */
	KERNEL_PAGES_SHARDED, /* in shards of a matrix, dealt to tiles that are named */
	KERNEL_PAGES_KINDS
};

enum {
	KERNEL_PAGES_WORDS = 4,		/* of an interleaved buffer */
	KERNEL_PAGES_SHARDED_WORDS = 8, /* and one for each tile */
};

struct kernel_instruction {
	enum kernel_opcode opcode;
	uint8_t a, b, c;
	uint32_t immediate;
};

/* "add" and the like; NULL if there is no such instruction. */
const char *kernel_opcode_word(uint32_t opcode);

/* One sentence about it; NULL if there is no such instruction. */
const char *kernel_opcode_what(uint32_t opcode);

/* Of an instruction that there is. */
enum kernel_class kernel_opcode_class(enum kernel_opcode opcode);

/* An instruction that decode would refuse is a bug. */
void kernel_instruction_encode(
	const struct kernel_instruction *instruction, uint8_t bytes[KERNEL_INSTRUCTION_BYTES]);

/* OK, INVALID (no instruction, or something set that it does not use) or OUT_OF_RANGE (a register,
 * circular buffer or semaphore that no core has). */
enum status kernel_instruction_decode(
	const uint8_t bytes[KERNEL_INSTRUCTION_BYTES], struct kernel_instruction *instruction);

/* Checks a whole text of `length` bytes: OK, or what its first bad instruction is refused for: the
 * statuses of decoding, INVALID also if the length is not of whole units of 16 B or 0, and
 * OUT_OF_RANGE for a jump out of the text, or running out at its end. Then `why` (may be NULL)
 * names the instruction. */
enum status kernel_program_check(const uint8_t *text, uint32_t length, struct text *why);

/* Appends the instruction as people read it: "add r1, r2, r3 + 16". */
void kernel_instruction_print(const struct kernel_instruction *instruction, struct text *out);

/* Appends a text of `length` bytes, a numbered line for each instruction, also for bad ones. */
void kernel_program_print(const uint8_t *text, uint32_t length, struct text *out);

#endif

/* The instructions of kernels. The instructions of a kernel are called its text (spec, flow 7).
 * Only kernels whose header has KERNEL_PROGRAM execute instructions; the text of other kernels is
 * filler. The functions of this header encode, decode, check and print instructions;
 * runtime/firmware/worker executes them.
 *
 * Distribution. The host builds a text (command/kernel_text.h), and checks the text when the kernel
 * is added to a program. In the image of a launch, the text takes the place of filler; it is sent
 * like all binaries. Workers read the text from their own L1, and check it again.
 *
 * Execution. Each RISC-V processor of a worker that has a program is a separate stage
 * (firmware/worker/worker.h). The worker's stage reads the launch, sets up circular buffers, and
 * starts each processor by a word in L1, as BRISC does on hardware. Each processor increments
 * another word when it is done; the launch ends when all processors are done. If a kernel of such a
 * launch is filler, its processor only waits for the kernel's cycles.
 *
 * State. A kernel has 32 registers of 32 bits. All are 0 at the start; register 0 is always 0. The
 * kernel refers to arguments, circular buffers and semaphores by number, and also uses words of its
 * L1. A place is a pair of registers: a tile, and an address on this tile. Tiles have virtual
 * numbers, as in commands. All processors of a core share its L1, circular buffers and semaphores.
 *
 * Waiting. Semaphores and the counts of circular buffers are words of L1 (world/device.h). A
 * processor that waits for such a word is blocked, and does not poll: only the instruction itself
 * costs cycles (kernel_wait, kernel_buffer), not the time until the word changes. A stall report
 * can name a wait that never ends. Reads and writes are posted. limits.def bounds the number of
 * pending reads and writes, and barriers wait until all of them are complete.
 *
 * Tiles. command/kernel_tile.h describes computing on tiles, and the processors that do it.
 *
 * Cost. An instruction costs cycles by its class (costs.def, classes below). The device adds the
 * time on NoC and at DRAM, where kernels contend with all other traffic.
 *
 * Failure. The processor stops with a fault in four cases. The kernel uses an address that it may
 * not access, an invalid instruction, or an index that is too large; or it exhausts its budget of
 * instructions. The fault names core, processor and instruction. The core never completes its
 * launch; other cores and the process are not affected.
 *
 * Instruction, 8 B: 0 opcode 1 a 2 b 3 c 4-7 immediate. Unused fields are 0.
 *
 * PAGE computes the place of a page from common arguments: 0 kind (below), 1 address, 2 bytes of a
 * page, 3 number of pages. In an interleaved buffer, page p is in bank p % banks, at address + p /
 * banks * bytes. The banks are those of DRAM, or the workers in row-major order. A sharded buffer
 * has more arguments: 4 pages in a row of its matrix, 5 rows of a shard, 6 pages in a row of a
 * shard, 7 number of tiles, then the tiles. Shards are numbered along rows. Shard s is on tile
 * number s % tiles, after s / tiles other shards, and contains its rows one after the other. */
#ifndef COMMAND_KERNEL_PROGRAM_H
#define COMMAND_KERNEL_PROGRAM_H

#include <stdint.h>

#include "base/status.h"
#include "base/text.h"

enum kernel_opcode {
	KERNEL_NOTHING, /* a zero byte is not an instruction */
#define X(name, word, a, b, c, immediate, class, what) KERNEL_##name,
#include "command/instructions.def"
#undef X
	KERNEL_OPCODES
};

/* Classes of instructions. Each class has a price. */
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

/* Kinds of buffers for PAGE, and numbers of words in their descriptions. */
enum kernel_pages {
	KERNEL_PAGES_DRAM,    /* interleaved over DRAM banks */
	KERNEL_PAGES_L1,      /* interleaved over the workers */
	KERNEL_PAGES_SHARDED, /* in shards of a matrix, which are distributed to listed tiles */
	KERNEL_PAGES_KINDS
};

enum {
	KERNEL_PAGES_WORDS = 4, /* number of words for an interleaved buffer */
	/* number of words for a sharded buffer, plus one for each tile */
	KERNEL_PAGES_SHARDED_WORDS = 8,
};

struct kernel_instruction {
	enum kernel_opcode opcode;
	uint8_t a, b, c;
	uint32_t immediate;
};

/* Returns the word for an instruction, for example "add"; NULL if no instruction has this
 * number. */
const char *kernel_opcode_word(uint32_t opcode);

/* Returns one sentence about the instruction; NULL if the instruction does not exist. */
const char *kernel_opcode_what(uint32_t opcode);

/* Returns the class of a valid opcode. */
enum kernel_class kernel_opcode_class(enum kernel_opcode opcode);

/* Writes an instruction. Decoding must accept the instruction. */
void kernel_instruction_encode(
	const struct kernel_instruction *instruction, uint8_t bytes[KERNEL_INSTRUCTION_BYTES]);

/* Reads an instruction. Returns OK. Returns INVALID if the bytes are not an instruction, or if an
 * unused field is set. Returns OUT_OF_RANGE if a register, circular buffer or semaphore is out of
 * bounds. */
enum status kernel_instruction_decode(
	const uint8_t bytes[KERNEL_INSTRUCTION_BYTES], struct kernel_instruction *instruction);

/* Checks a whole text of `length` bytes. Returns OK, or the status of its first invalid
 * instruction. Also returns INVALID if the length is 0 or not a multiple of 16, and OUT_OF_RANGE if
 * a jump leaves the text or if execution could run past its end. After an error, `why` (may be
 * NULL) names the instruction. */
enum status kernel_program_check(const uint8_t *text, uint32_t length, struct text *why);

/* Appends the instruction in readable form, for example "add r1, r2, r3 + 16". */
void kernel_instruction_print(const struct kernel_instruction *instruction, struct text *out);

/* Appends the text of `length` bytes to `out` in readable form. Each instruction gets a numbered
 * line, even if it is invalid. */
void kernel_program_print(const uint8_t *text, uint32_t length, struct text *out);

#endif

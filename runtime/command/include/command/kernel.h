/* Kernel binaries (spec, flow 7). A kernel consists of a header of 32 B, which describes a run of
 * the kernel, and of a text. The text is a program (command/kernel_program.h), or filler in place
 * of instructions.
 *
 *     0-3    magic          4   processor     5   flags    6-7  steps
 *     8-15   cycles         16-19  text offset from this header    20-23  text bytes
 *     24-25  first argument    26-27  first common argument    28-31  0
 *
 * A program has 1 step, 0 cycles and a text. Its arguments begin at number `first argument` of the
 * launch's arguments, because the arguments of the processors before it come first. Fillers have 0
 * in both argument fields.
 *
 * If a kernel has one step, it runs for `cycles`, independently of other kernels. If it has more
 * steps, the kernels of the worker form a pipeline over circular buffers: NCRISC reads, the TRISCs
 * unpack, compute and pack, and BRISC writes. Each kernel handles `steps` pages and takes `cycles`
 * for each page. All kernels of one launch have the same number of steps.
 *
 * An image contains the kernels of one launch: first all headers, which a worker can then read
 * together, and after them all texts. */
#ifndef COMMAND_KERNEL_H
#define COMMAND_KERNEL_H

#include <stdint.h>

#include "base/status.h"
#include "command/bytes.h"
#include "command/launch.h"

enum {
	KERNEL_HEADER_BYTES = 32,
	KERNEL_MAGIC = 0x4c4e524b, /* the characters "KRNL" */
	KERNEL_TEXT_MAX = 1 << 20, /* maximum bytes of a text */
	/* flag: before the kernel runs, its text is copied to instruction memory. Hardware does
	 * this for kernels of NCRISC */
	KERNEL_COPIED = 1,
	KERNEL_PROGRAM = 2, /* flag: the text is a program */
};

struct kernel {
	enum processor processor;
	uint8_t flags;
	uint16_t steps;	 /* number of steps, at least 1 */
	uint64_t cycles; /* cycles of the run, or of each step if there are several steps; below
			  * 2^48 */
	/* offset and size of the text in bytes; multiples of 16 */
	uint32_t text_offset, text_bytes;
	uint16_t first_argument, first_common; /* used only if the text is a program */
	const uint8_t *text; /* for kernel_image_write(): the text of a program, otherwise NULL */
};

/* Writes a header. Decoding must accept the kernel. */
void kernel_encode(const struct kernel *kernel, uint8_t bytes[KERNEL_HEADER_BYTES]);

/* Reads a header. Returns OK. Returns INVALID if the magic, flags, unused fields or alignment are
 * wrong, or if a program has cycles or no text. Returns OUT_OF_RANGE if the processor, the steps or
 * a size are out of bounds. */
enum status kernel_decode(const uint8_t bytes[KERNEL_HEADER_BYTES], struct kernel *kernel);

/* Returns the size of an image of `kernels`, in bytes. There is at most one kernel per processor.
 * The values of text_bytes need not be aligned; in the image, each text is padded to 16 bytes. */
uint32_t kernel_image_bytes(const struct kernel *kernels, uint32_t count);

/* Writes an image, which has kernel_image_bytes() bytes, to `out`. Copies the texts of programs,
 * and fills all other texts with bytes that depend on `seed`. Also sets the member text_offset of
 * each kernel, and rounds its text_bytes up to a multiple of 16. If `message` is not NULL, sets its
 * members `processors` and `kernel_offset`. */
void kernel_image_write(struct kernel *kernels, uint32_t count, uint64_t seed, uint8_t *out,
	struct launch_message *message);

#endif

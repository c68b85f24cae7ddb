/* The processors of a worker that execute kernels (command/kernel_program.h). Each processor is a
 * stage, which is created when a program first needs it. The worker's stage assigns a kernel to the
 * processor and increments the start word of the processor. The processor runs the kernel and then
 * increments the done word. Only for files of this folder. */
#ifndef FIRMWARE_WORKER_RUNNER_H
#define FIRMWARE_WORKER_RUNNER_H

#include "tile_unit.h"
#include "worker_private.h"

/* Offsets of a worker's words from worker_words.processors. */
enum {
	/* start words, one for each processor */
	WORDS_START = 0,
	/* the done word, which all processors share */
	WORDS_DONE = WORDS_START + 4 * PROCESSOR_COUNT,
	/* numbers of pushed pages, one word for each circular buffer */
	WORDS_PUSHED = WORDS_DONE + 4,
	/* numbers of popped pages, one word for each circular buffer */
	WORDS_POPPED = WORDS_PUSHED + 4 * CIRCULAR_BUFFERS_MAX,
	/* numbers of tiles put into the source registers: left, right */
	WORDS_FILLED = WORDS_POPPED + 4 * CIRCULAR_BUFFERS_MAX,
	/* numbers of tiles taken out of the source registers: left, right */
	WORDS_TAKEN = WORDS_FILLED + 8,
	/* number of halves of the destination registers that were committed */
	WORDS_COMMITTED = WORDS_TAKEN + 8,
	/* number of halves of the destination registers that were released */
	WORDS_RELEASED = WORDS_COMMITTED + 4,
	WORDS_END = WORDS_RELEASED + 4
};

_Static_assert((int)WORDS_END == (int)WORKER_PROCESSOR_BYTES, "words that are not reserved");

/* State that the processors of one worker share. */
struct runner_set {
	struct runner *runner[PROCESSOR_COUNT]; /* NULL if the processor was not made */
	uint8_t present;     /* bit i: the stage of processor i has begun and accepts kernels */
	uint32_t done;	     /* value of the done word when this launch is complete */
	uint32_t semaphores; /* address of the semaphores of this launch */
	/* circular buffers of this launch */
	struct circular_buffer buffers[CIRCULAR_BUFFERS_MAX];
	struct tile_unit *tiles; /* made when an instruction first needs it */
	bool tiles_cleared;	 /* true: the words for tiles were set to 0, because an earlier mesh
				  * device may have left values in them */
};

struct runner {
	struct stage_base base;
	struct worker *worker;
	bool asked; /* begin() of this stage was called at least once */
	bool running;
	uint32_t started;	  /* last seen value of the start word */
	struct kernel_code *code; /* code of the running kernel, with a reference; NULL: the kernel
				   * is filler, which only takes time */
	struct kernel kernel;
	uint32_t number; /* number of the next instruction */
	uint32_t waypoint;
	uint64_t executed; /* number of instructions executed in this launch */
	uint64_t busy;	   /* remaining cycles of filler */
	const char *wrong; /* reason why the next instruction cannot be executed */
	uint32_t registers[KERNEL_REGISTERS];
};

/* ---- runner.c ---- */

/* Creates the stage of a processor. The stage is named after the processor, for example "brisc". */
struct runner *runner_new(struct worker *worker, enum processor number);

/* Returns true if the stage is a processor that executes kernels. */
bool runner_is(const struct stage *stage);

/* Assigns the kernels of the launch to processors, and increments the start words of these
 * processors. Returns false if one of the processors was not started, or if the circular buffers
 * cannot be read. Call this in the worker's commit() (world/stage.h). */
bool runners_start(struct worker *worker);

/* ---- runner_compute.c ---- */

/* Executes the next instruction, which must be of class COMPUTE or LOAD, and advances to the
 * following instruction. Returns false, with runner->wrong set, if the instruction cannot be
 * executed. */
bool runner_compute(struct runner *runner);

/* Sets *value to common argument `index` of the kernel. Returns false if the kernel has no such
 * argument. */
bool runner_common(const struct runner *runner, uint32_t index, uint32_t *value);

/* ---- runner_effect.c ---- */

/* Executes the next instruction, of any class other than COMPUTE and LOAD. Returns NULL. If the
 * instruction cannot be executed, has no effect and returns the reason. Call this in the
 * processor's commit(). */
const char *runner_execute(struct runner *runner);

/* Returns the circular buffer that the instruction names. Returns NULL if the launch has no buffer
 * of this number, or if the buffer has fewer pages than the instruction needs. */
const struct circular_buffer *runner_buffer(
	const struct runner *runner, const struct kernel_instruction *instruction);

/* Checks a write of `length` bytes from L1 to address `to`, and sets *span to the source, with a
 * reference for the caller. Returns NULL if the write is allowed. Otherwise returns the reason: the
 * kernel may not read the source, or the target is a semaphore and the source's bytes are not
 * simulated. */
const char *runner_source(const struct runner *runner, uint32_t from, uint32_t to, uint32_t length,
	struct span *span);

/* ---- runner_print.c ---- */

/* Executes a print instruction. Returns NULL, or the reason why it cannot be executed. Call this in
 * the processor's commit(). */
const char *runner_print(struct runner *runner, const struct kernel_instruction *next);

/* ---- runner_fabric.c ---- */

/* Returns the tree for the packet of the next instruction, which is of class FABRIC. Returns NULL
 * if the chip does not have the route that the instruction names. */
struct fabric_tree *runner_tree(const struct runner *runner);

/* Sends the packet of the next instruction. Returns NULL, or the reason why the packet must not be
 * sent. Call this in the processor's commit(). */
const char *runner_send(struct runner *runner);

/* Posts the read of the next instruction, which is FABRIC_READ. Returns NULL, or the reason why the
 * kernel must not read these bytes. Call this in the processor's commit(). */
const char *runner_fetch(struct runner *runner);

/* ---- runner_tile.c: instructions of class TILE ---- */

/* Clears the state of the previous launch. Call this in the worker's commit(). */
void runner_tiles_start(struct worker *worker);

/* runner_tile_wait() returns STAGE_BLOCKED if the instruction must wait, otherwise 0.
 * runner_tile_price() charges the price of the instruction and returns it. Call both in begin() of
 * the stage. */
int64_t runner_tile_wait(const struct runner *runner, const struct kernel_instruction *next,
	struct stage_wait *wait);
uint64_t runner_tile_price(const struct runner *runner, const struct kernel_instruction *next);

/* Executes `next`, like runner_execute(). */
const char *runner_tile_execute(struct runner *runner, const struct kernel_instruction *next);

/* ---- runner_reach.c ---- */

/* runner_reads() and runner_writes() return NULL if a kernel may read or write `length` bytes at
 * `address` of `tile`; otherwise the reason why not. */
const char *runner_reads(
	const struct runner *runner, uint32_t tile, uint32_t address, uint32_t length);
const char *runner_writes(
	const struct runner *runner, uint32_t tile, uint32_t address, uint32_t length);

/* Returns NULL if a kernel may increment the word of `tile` at `address`; otherwise the reason why
 * not. */
const char *runner_counts(const struct runner *runner, uint32_t tile, uint32_t address);

/* Returns NULL if a kernel may write to all workers of a rectangle; otherwise the reason why
 * not. */
const char *runner_multicasts(
	const struct runner *runner, struct worker_rect rect, uint32_t address, uint32_t length);

/* Returns true if [address, address + length) lies inside the semaphores of this launch, or inside
 * the worker's standing semaphores (mesh/program.h). */
bool runner_is_semaphore(const struct runner *runner, uint32_t address, uint32_t length);

/* Sets place[0] to the tile and place[1] to the address of page `page` of a buffer. The kernel's
 * common arguments from argument `description` on describe the buffer. Returns NULL, or the reason
 * why the buffer has no page `page`. */
const char *runner_page(
	const struct runner *runner, uint32_t page, uint32_t description, uint32_t place[2]);

static inline const struct kernel_instruction *runner_next(const struct runner *runner)
{
	return &runner->code->instruction[runner->number];
}

/* Returns the address of one of the worker's semaphores, either of this launch or standing. */
static inline uint32_t runner_semaphore(const struct runner *runner, uint32_t number)
{
	const struct worker *worker = runner->worker;

	return number < SEMAPHORES_MAX
		       ? worker->processors->semaphores + 4 * number
		       : worker->group->config.words.semaphores +
				 4 * (LAUNCH_SLOTS * SEMAPHORES_MAX + number - SEMAPHORES_MAX);
}

/* Returns the address of a word of the worker's processors. */
static inline uint32_t runner_word(const struct runner *runner, uint32_t word)
{
	return runner->worker->group->config.words.processors + word;
}

/* Returns the address of the word that counts the pages pushed into (WORDS_PUSHED) or popped from
 * (WORDS_POPPED) circular buffer `index`. `words` is one of these two constants. */
static inline uint32_t runner_count_word(
	const struct runner *runner, uint32_t words, uint32_t index)
{
	return runner_word(runner, words + 4 * index);
}

/* value_of() returns the value of register `number`. sum_of() returns the sum of the instruction's
 * register c and its immediate. */
static inline uint32_t value_of(const struct runner *runner, uint8_t number)
{
	return runner->registers[number];
}

static inline uint32_t sum_of(
	const struct runner *runner, const struct kernel_instruction *instruction)
{
	return runner->registers[instruction->c] + instruction->immediate;
}

/* Functions that runner_tile.c and runner_tile_pages.c share. Only for files of this folder. */

/* ---- runner_tile_pages.c ---- */

/* Checks the circular buffer and the pages that the instruction accesses. Returns NULL if access is
 * allowed. Otherwise returns the reason, for example that the pages to read were not pushed, that
 * the pages to write are not free, or that the pages are too small. */
const char *runner_tile_check_pages(
	const struct runner *runner, const struct kernel_instruction *next);

/* Sets *span to the tile that TILE_UNPACK or TILE_UNPACK_ROWS reads, with a reference for the
 * caller. Returns NULL, or the reason why the tile cannot be read. */
const char *runner_tile_read(
	const struct runner *runner, const struct kernel_instruction *next, struct span *span);

/* Writes `packed` to the pages of TILE_PACK or TILE_PACK_ROWS. Returns NULL, or the reason why the
 * write is not allowed. */
const char *runner_tile_write(
	struct runner *runner, const struct kernel_instruction *next, struct span packed);

/* ---- */

static inline bool tile_packs(const struct kernel_instruction *next)
{
	return next->opcode == KERNEL_TILE_PACK || next->opcode == KERNEL_TILE_PACK_ROWS;
}

static inline bool tile_of_rows(const struct kernel_instruction *next)
{
	return next->opcode == KERNEL_TILE_UNPACK_ROWS || next->opcode == KERNEL_TILE_PACK_ROWS;
}

/* Returns the element type of an instruction that accesses pages. */
static inline enum element tile_element_of(const struct kernel_instruction *next)
{
	uint32_t element =
		tile_packs(next) ? kernel_tile_element(next->immediate) : next->immediate;

	return tile_element((enum kernel_element)element);
}

static inline uint32_t tile_bytes_of(const struct kernel_instruction *next)
{
	return element_tile_bytes(tile_element_of(next), COMPUTE_SIDE, COMPUTE_SIDE);
}

static inline uint32_t runner_count_at(const struct runner *runner, uint32_t word)
{
	return device_row->word(&runner->base.stage, word);
}

#endif

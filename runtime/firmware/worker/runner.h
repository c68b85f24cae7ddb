/* Processors of a worker that run kernels which act (command/kernel_program.h): a stage for each,
 * made when a program first needs it. The worker's stage hands it a kernel and raises its start
 * word; it runs the kernel and counts itself done. Private to the room. */
#ifndef FIRMWARE_WORKER_RUNNER_H
#define FIRMWARE_WORKER_RUNNER_H

#include "kernel_code.h"
#include "worker_private.h"

/* Words of a worker behind worker_words.processors. */
enum {
	WORDS_START = 0,					/* one for each processor */
	WORDS_DONE = WORDS_START + 4 * PROCESSOR_COUNT,		/* one for all */
	WORDS_PUSHED = WORDS_DONE + 4,				/* one for each circular buffer */
	WORDS_POPPED = WORDS_PUSHED + 4 * CIRCULAR_BUFFERS_MAX, /* likewise */
	WORDS_FILLED = WORDS_POPPED + 4 * CIRCULAR_BUFFERS_MAX, /* of sources: left, right */
	WORDS_TAKEN = WORDS_FILLED + 8,				/* likewise */
	WORDS_COMMITTED = WORDS_TAKEN + 8,			/* halves of destinations */
	WORDS_RELEASED = WORDS_COMMITTED + 4,			/* likewise */
	WORDS_END = WORDS_RELEASED + 4
};

_Static_assert((int)WORDS_END == (int)WORKER_PROCESSOR_BYTES, "words that nobody has reserved");

/* What the processors of one worker share. */
struct runner_set {
	struct runner *runner[PROCESSOR_COUNT]; /* those that were made */
	uint8_t present;     /* bit i: that one has been asked, and takes kernels */
	uint32_t done;	     /* value of the done word when all of this launch are done */
	uint32_t semaphores; /* address of those of this launch */
	struct circular_buffer buffers[CIRCULAR_BUFFERS_MAX]; /* of this launch */
	struct tile_unit *tiles; /* made when an instruction first needs it */
	bool tiles_cleared; /* words of tiles, of an earlier life of the mesh */
};

struct runner {
	struct stage_base base;
	struct worker *worker;
	bool asked; /* its stage has been asked once */
	bool running;
	uint32_t started;	  /* value of the start word that it has seen */
	struct kernel_code *code; /* of the kernel that runs, a use of it; NULL: filler */
	struct kernel kernel;
	uint32_t number; /* of the instruction that comes next */
	uint32_t waypoint;
	uint64_t executed; /* instructions of this launch */
	uint64_t busy;	   /* cycles that filler has still to run */
	const char *wrong; /* with the next instruction: why it cannot be executed */
	uint32_t registers[KERNEL_REGISTERS];
};

/* ---- runner.c ---- */

/* Their stages' operations are told apart by what they are called: "brisc" and the like. */
struct runner *runner_new(struct worker *worker, enum processor number);

/* True if the stage is one of them. */
bool runner_is(const struct stage *stage);

/* Hands the launch's kernels to the processors, which begin now. False if one of them was never
 * made. In commit of the worker. */
bool runners_start(struct worker *worker);

/* ---- runner_compute.c ---- */

/* Executes the next instruction, of class COMPUTE or LOAD, and goes on to the one behind it. False,
 * and runner->wrong, if it cannot be executed. */
bool runner_compute(struct runner *runner);

/* Argument `index` of the kernel. False if there is none. */
bool runner_common(const struct runner *runner, uint32_t index, uint32_t *value);

/* ---- runner_effect.c ---- */

/* Executes the next instruction, of any other class. NULL, or why it cannot be: nothing has
 * happened then. In commit. */
const char *runner_execute(struct runner *runner);

/* The buffer that the instruction names, or NULL if the launch has none such or it has less pages
 * than the instruction wants. */
const struct circular_buffer *runner_buffer(
	const struct runner *runner, const struct kernel_instruction *instruction);

/* What stands at the beginning of a write of `length` bytes from L1 to address `to`, with a use for
 * the caller. NULL, or why it must not: words cannot hold bytes that are not simulated. */
const char *runner_source(const struct runner *runner, uint32_t from, uint32_t to, uint32_t length,
	struct span *span);

/* ---- runner_print.c ---- */

/* Prints what the instruction says. NULL, or why it cannot. In commit. */
const char *runner_print(struct runner *runner, const struct kernel_instruction *next);

/* ---- runner_fabric.c ---- */

/* The tree that a packet of the next instruction, of class FABRIC, takes; NULL: there is none. */
struct fabric_tree *runner_tree(const struct runner *runner);

/* Sends it. NULL, or why it must not be sent. In commit. */
const char *runner_send(struct runner *runner);

/* ---- runner_tile.c: instructions of class TILE ---- */

/* Nothing is left of the launch before. In commit of the worker. */
void runner_tiles_start(struct worker *worker);

/* STAGE_BLOCKED if the instruction has to wait, else 0; what it costs (it is charged). In begin. */
int64_t runner_tile_wait(const struct runner *runner, const struct kernel_instruction *next,
	struct stage_wait *wait);
uint64_t runner_tile_price(const struct runner *runner, const struct kernel_instruction *next);

/* As runner_execute(). */
const char *runner_tile_execute(struct runner *runner, const struct kernel_instruction *next);

/* ---- runner_reach.c ---- */

/* Why a kernel may not read, or write, `length` bytes there; NULL if it may. */
const char *runner_reads(
	const struct runner *runner, uint32_t tile, uint32_t address, uint32_t length);
const char *runner_writes(
	const struct runner *runner, uint32_t tile, uint32_t address, uint32_t length);

/* The same of a word that is a semaphore. */
const char *runner_counts(const struct runner *runner, uint32_t tile, uint32_t address);

/* The same of a write to all workers of a rectangle. */
const char *runner_multicasts(
	const struct runner *runner, struct worker_rect rect, uint32_t address, uint32_t length);

/* True if [address, address + length) are semaphores of this launch, or such that stand. */
bool runner_is_semaphore(const struct runner *runner, uint32_t address, uint32_t length);

/* Place of a page of the buffer that common arguments from `description` on describe. NULL, or why
 * there is none. */
const char *runner_page(
	const struct runner *runner, uint32_t page, uint32_t description, uint32_t place[2]);

static inline const struct kernel_instruction *runner_next(const struct runner *runner)
{
	return &runner->code->instruction[runner->number];
}

/* Address of a semaphore of the worker: of this launch, or one that stands. */
static inline uint32_t runner_semaphore(const struct runner *runner, uint32_t number)
{
	const struct worker *worker = runner->worker;

	return number < SEMAPHORES_MAX
		       ? worker->processors->semaphores + 4 * number
		       : worker->group->config.words.semaphores +
				 4 * (LAUNCH_SLOTS * SEMAPHORES_MAX + number - SEMAPHORES_MAX);
}

/* Address of a word of the worker that processors have. */
static inline uint32_t runner_word(const struct runner *runner, uint32_t word)
{
	return runner->worker->group->config.words.processors + word;
}

/* Counts of circular buffer `index`, at WORDS_PUSHED or WORDS_POPPED. */
static inline uint32_t runner_count_word(
	const struct runner *runner, uint32_t words, uint32_t index)
{
	return runner_word(runner, words + 4 * index);
}

/* Values of the operands: register, and the sum of c and the immediate. */
static inline uint32_t value_of(const struct runner *runner, uint8_t number)
{
	return runner->registers[number];
}

static inline uint32_t sum_of(
	const struct runner *runner, const struct kernel_instruction *instruction)
{
	return runner->registers[instruction->c] + instruction->immediate;
}

#endif

/* What the files of collectives share: the moves of a core, and how they lie in its arguments.
 * Private to the room. */
#ifndef PROGRAMS_COLLECTIVE_PRIVATE_H
#define PROGRAMS_COLLECTIVE_PRIVATE_H

#include "command/kernel_text.h"
#include "command/kernel_tile.h"
#include "programs/collective.h"
#include "world/bounds.h"

/* A move: pages, chunk by chunk those of the core's link, from a buffer of the device to one of
 * another device, or of its own. */
enum move_flag {
	MOVE_AFTER_DATA = 1 << 0,  /* each chunk once the neighbour has sent it */
	MOVE_AFTER_CROSS = 1 << 1, /* and once the one on the other side has */
	MOVE_AFTER_FINAL = 1 << 2, /* once the sum of this device is there */
	MOVE_SEND = 1 << 3,	   /* along the route, then says so: an increment of DATA there */
	MOVE_SAY_CROSS = 1 << 4,   /* of CROSS at the core that sends up, in place of that */
	MOVE_KEEP = 1 << 5,	   /* to the device's own output */
	MOVE_FINAL = 1 << 6,	   /* says that the sum is there */
	MOVE_ADD_NEAR = 1 << 7,	   /* what has come from the neighbour is added */
	MOVE_ADD_CROSS = 1 << 8,   /* then what has come from the other side */
};

/* Words of a move in a core's arguments, behind the head. */
enum move_word {
	MOVE_FLAGS,
	MOVE_PAGES,
	MOVE_FROM_AT, /* where common arguments describe the buffer */
	MOVE_FROM,    /* its first page */
	MOVE_TO_AT,   /* likewise, of the buffer that it is sent to */
	MOVE_TO,
	MOVE_KEPT, /* first page of the output */
	MOVE_ROUTE,
	MOVE_NEAR,  /* first page of what is added, of the buffer of sums */
	MOVE_CROSS, /* likewise */
	MOVE_WORDS
};

enum head_word {
	HEAD_MOVES,
	HEAD_FIRST,  /* chunk, of all links */
	HEAD_DATA,   /* increments of DATA that come to the core, all in all */
	HEAD_CROSS,  /* of CROSS */
	HEAD_FINAL,  /* of FINAL */
	HEAD_READY,  /* of READY: devices that it sends to */
	HEAD_ROUTES, /* routes to those that send to it; they stand behind the moves */
	HEAD_WORDS
};

/* Standing semaphores of every core, from the first on. */
enum { SEMAPHORE_READY, SEMAPHORE_DATA, SEMAPHORE_CROSS, SEMAPHORE_FINAL, SEMAPHORES };

enum { COLLECTIVE_BATCHES = 3 };

/* What a core is told: a table, with what all cores are told. */
struct core_words {
	uint32_t count, most;
	uint32_t words[BOUND_TABLE_WORDS];
};

/* Where the buffers are described. */
struct collective_places {
	uint32_t input_at, output_at, sums_at;
};

/* What one device's core of a link and a direction does. */
struct core_job {
	const struct collective_config *config;
	const struct collective_places *places;
	struct program *program;
	uint32_t place; /* of the device on the line */
	enum collective_direction direction;
	uint32_t link, worker; /* of those that share it */
	struct text *why;
	enum status status;
	struct core_words *words;
};

/* ---- collective_moves.c ---- */

/* Writes the arguments of the core. OK, or the errors of collective_build(). */
enum status collective_moves(struct core_job *job);

/* ---- collective_loops.c: what all kernels of a core do in step ---- */

/* Registers. */
enum {
	LOOP_MOVE = 1, /* argument where the move begins */
	LOOP_MOVES,    /* behind the last */
	LOOP_FLAGS,
	LOOP_PAGES,
	LOOP_AT, /* page of the move */
	LOOP_CHUNK_END,
	LOOP_BATCH_END,
	LOOP_BIT,
	LOOP_REGISTERS /* the first that is free */
};

struct loop {
	uint32_t again, out;
};

struct collective_texts;

/* The moves of the core; of each, the chunks of its link; of each, batches of pages from AT to
 * BATCH_END. */
struct loop loop_moves(struct kernel_text *text);
void loop_moves_end(struct kernel_text *text, struct loop loop);
struct loop loop_chunks(struct kernel_text *text, const struct collective_texts *texts);
void loop_chunks_end(
	struct kernel_text *text, const struct collective_texts *texts, struct loop loop);
struct loop loop_batches(struct kernel_text *text, const struct collective_texts *texts);
void loop_batches_end(struct kernel_text *text, struct loop loop);

/* `label` is here, behind all batches of a chunk: who comes from elsewhere has skipped them. */
void loop_past_chunk(struct kernel_text *text, uint32_t label);

/* Register = a word of the move. Goes to `label` unless the move has one of these flags. */
void loop_word(struct kernel_text *text, uint8_t to, enum move_word word);
void loop_unless(struct kernel_text *text, uint32_t flags, uint32_t label);

/* Circular buffers; each has one that pushes and one that pops, so that all stay in step. */
enum {
	BUFFER_PLAIN, /* reader to sender: of moves that add nothing */
	BUFFER_OWN,   /* reader to unpacker */
	BUFFER_ADDED, /* likewise */
	BUFFER_HALF,  /* packer to unpacker: own and near, of moves that add more */
	BUFFER_SUM,   /* packer to sender */
	BUFFERS
};

/* ---- collective_add.c ---- */

/* Adds what is in the buffers OWN and ADDED into SUM; of a move that adds what comes from both
 * sides, into HALF, and then HALF and ADDED into SUM. */
void collective_unpacker(struct kernel_text *text, const struct collective_texts *texts);
void collective_adder(struct kernel_text *text, const struct collective_texts *texts);
void collective_packer(struct kernel_text *text, const struct collective_texts *texts);

/* ---- collective_kernels.c ---- */

/* What the texts are made for. */
struct collective_texts {
	uint32_t lanes, columns; /* cores of a way; workers in a row of the grid */
	uint32_t chunk_pages, batch_pages, page_bytes, stride, first_semaphore;
	uint32_t output_at, sums_at;
	bool adds;
	enum kernel_element element; /* of sums */
	uint32_t page_tiles;	     /* likewise */
	uint32_t units;		     /* pages of a circular buffer that a batch takes */
};

/* Reads into circular buffer PLAIN, or OWN and what is added into ADDED, a batch at a time. */
void collective_reader(struct kernel_text *text, const struct collective_texts *texts);

/* Sends and keeps what is in PLAIN, or SUM. */
void collective_sender(struct kernel_text *text, const struct collective_texts *texts);

/* True if it adds values of devices. */
bool collective_adds(const struct collective_config *config);

#endif

/* Internal structures of collectives: the moves of a core, their layout in the core's arguments,
 * and the parts of its kernels. Only for files of this folder. */
#ifndef PROGRAMS_COLLECTIVE_PRIVATE_H
#define PROGRAMS_COLLECTIVE_PRIVATE_H

#include "command/kernel_text.h"
#include "command/kernel_tile.h"
#include "programs/collective.h"
#include "world/bounds.h"

/* A move transfers pages from a buffer of the device to a buffer of another device, or of the same
 * device. The core transfers its own chunks of these pages, one by one. */
enum move_flag {
	MOVE_AFTER_DATA = 1 << 0,  /* wait for each chunk until the neighbour has sent it */
	MOVE_AFTER_CROSS = 1 << 1, /* and until the core on the other side has sent it */
	MOVE_AFTER_FINAL = 1 << 2, /* wait until the sum of this device is complete */
	MOVE_SEND = 1 << 3,	   /* send along the route, then increment DATA there */
	MOVE_SAY_CROSS = 1 << 4,   /* increment CROSS at the core that sends up instead */
	MOVE_KEEP = 1 << 5,	   /* write to the device's own output */
	MOVE_FINAL = 1 << 6,	   /* signal that the sum is complete */
	MOVE_ADD_NEAR = 1 << 7,	   /* add what arrived from the neighbour */
	MOVE_ADD_CROSS = 1 << 8,   /* then add what arrived from the other side */
};

/* The words of a move in a core's arguments, after the head. */
enum move_word {
	MOVE_FLAGS,
	MOVE_PAGES,
	MOVE_FROM_AT, /* common argument that describes the buffer */
	MOVE_FROM,    /* its first page */
	MOVE_TO_AT,   /* same, for the destination buffer */
	MOVE_TO,
	MOVE_KEPT, /* first page in the output */
	MOVE_ROUTE,
	MOVE_NEAR,  /* first page to add, in the buffer of sums */
	MOVE_CROSS, /* same */
	MOVE_WORDS
};

enum head_word {
	HEAD_MOVES,
	HEAD_FIRST,  /* first chunk, counted over all links */
	HEAD_DATA,   /* total increments of DATA that the core receives */
	HEAD_CROSS,  /* of CROSS */
	HEAD_FINAL,  /* of FINAL */
	HEAD_READY,  /* of READY: the number of devices it sends to */
	HEAD_ROUTES, /* routes to the devices that send to it; they follow the moves */
	HEAD_WORDS
};

/* Standing semaphores of every core, numbered from the first. */
enum { SEMAPHORE_READY, SEMAPHORE_DATA, SEMAPHORE_CROSS, SEMAPHORE_FINAL, SEMAPHORES };

enum { COLLECTIVE_BATCHES = 3 };

/* The unique arguments of a core: a table of at most `most` words. Unique and common arguments
 * together have at most BOUND_TABLE_WORDS words. */
struct core_words {
	uint32_t count, most;
	uint32_t words[BOUND_TABLE_WORDS];
};

/* Numbers of the common arguments at which the descriptions of the buffers begin. */
struct collective_places {
	uint32_t input_at, output_at, sums_at;
};

/* The work of one device's core for a link and a direction. */
struct core_job {
	const struct collective_config *config;
	const struct collective_places *places;
	struct program *program;
	uint32_t place; /* of the device on the line */
	enum collective_direction direction;
	uint32_t link, worker; /* among the cores that share the link */
	struct text *why;
	enum status status;
	struct core_words *words;
};

/* ---- collective_moves.c ---- */

/* Writes the arguments of the core. Returns OK, or an error of collective_build(). */
enum status collective_moves(struct core_job *job);

/* ---- collective_loops.c: loops that all kernels of a core run in step ---- */

/* Registers. */
enum {
	LOOP_MOVE = 1, /* argument where the move begins */
	LOOP_MOVES,    /* end of the moves */
	LOOP_FLAGS,
	LOOP_PAGES,
	LOOP_AT, /* current page of the move */
	LOOP_CHUNK_END,
	LOOP_BATCH_END,
	LOOP_BIT,
	LOOP_REGISTERS /* the first free register */
};

struct loop {
	uint32_t again, out;
};

struct collective_texts;

/* Each pair appends the start and the end of a loop to a text. loop_moves() loops over the moves of
 * the core, loop_chunks() over the core's chunks within a move, and loop_batches() over batches of
 * pages within a chunk. A batch has the pages from LOOP_AT to LOOP_BATCH_END. */
struct loop loop_moves(struct kernel_text *text);
void loop_moves_end(struct kernel_text *text, struct loop loop);
struct loop loop_chunks(struct kernel_text *text, const struct collective_texts *texts);
void loop_chunks_end(
	struct kernel_text *text, const struct collective_texts *texts, struct loop loop);
struct loop loop_batches(struct kernel_text *text, const struct collective_texts *texts);
void loop_batches_end(struct kernel_text *text, struct loop loop);

/* Places `label` after all batches of a chunk. A jump to `label` skips the batches. */
void loop_past_chunk(struct kernel_text *text, uint32_t label);

/* loop_word() appends a load of a word of the move into register `to`. loop_unless() appends a jump
 * to `label`, taken if the move has none of `flags`. */
void loop_word(struct kernel_text *text, uint8_t to, enum move_word word);
void loop_unless(struct kernel_text *text, uint32_t flags, uint32_t label);

/* Circular buffers. Each has one kernel that pushes and one that pops, so all stay in step. */
enum {
	BUFFER_PLAIN, /* reader to sender, for moves that add nothing */
	BUFFER_OWN,   /* reader to unpacker */
	BUFFER_ADDED, /* same */
	BUFFER_HALF,  /* packer to unpacker: own plus near, for moves that add more */
	BUFFER_SUM,   /* packer to sender */
	BUFFERS
};

/* ---- collective_add.c ---- */

/* Build the texts of the kernels that add the buffers OWN and ADDED into SUM. If a move adds from
 * both sides, these kernels first add OWN and ADDED into HALF, and then HALF and the next batch of
 * ADDED into SUM. */
void collective_unpacker(struct kernel_text *text, const struct collective_texts *texts);
void collective_adder(struct kernel_text *text, const struct collective_texts *texts);
void collective_packer(struct kernel_text *text, const struct collective_texts *texts);

/* ---- collective_kernels.c ---- */

/* The parameters of the texts. */
struct collective_texts {
	uint32_t lanes, columns; /* cores of a direction; workers in a row of the grid */
	uint32_t chunk_pages, batch_pages, page_bytes, stride, first_semaphore;
	uint32_t output_at, sums_at;
	bool adds;
	enum kernel_element element; /* of sums */
	uint32_t page_tiles;	     /* same */
	uint32_t units;		     /* pages of a circular buffer per batch */
};

/* Builds the text of the reader, which reads one batch at a time. If the move adds nothing, the
 * batch goes to circular buffer PLAIN. Otherwise the device's own values go to OWN, and the values
 * to add to ADDED. */
void collective_reader(struct kernel_text *text, const struct collective_texts *texts);

/* Builds the text of the sender, which sends and keeps the contents of PLAIN or SUM. */
void collective_sender(struct kernel_text *text, const struct collective_texts *texts);

/* True if the collective adds values of devices. */
bool collective_adds(const struct collective_config *config);

#endif

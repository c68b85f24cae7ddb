/* Internal structures of collectives: the moves of a core, their layout in the core's arguments,
 * and the parts of its kernels. Only for files of this folder. */
#ifndef PROGRAMS_COLLECTIVE_PRIVATE_H
#define PROGRAMS_COLLECTIVE_PRIVATE_H

#include "command/kernel_text.h"
#include "command/kernel_tile.h"
#include "programs/collective.h"
#include "world/bounds.h"
#include "programs/messages.h"

/* A move transfers pages from a buffer of the device to a buffer of another device, or of the same
 * device. The pages of a move are divided into chunks, which are divided among several cores. Each
 * core transfers its own chunks, one by one. */
enum move_flag {
	MOVE_AFTER_DATA = 1 << 0, /* before each chunk, wait until the neighbour has sent it */
	/* before each chunk, also wait until the core on the other side has sent it */
	MOVE_AFTER_CROSS = 1 << 1,
	MOVE_AFTER_FINAL = 1 << 2, /* wait until the sum of this device is complete */
	/* send along the route, then increment DATA at the destination */
	MOVE_SEND = 1 << 3,
	MOVE_SAY_CROSS = 1 << 4, /* do not send; increment CROSS at the core that sends up */
	MOVE_KEEP = 1 << 5,	 /* write to the device's own output */
	MOVE_FINAL = 1 << 6,	 /* signal that the sum is complete */
	MOVE_ADD_NEAR = 1 << 7,	 /* add the values that have arrived from the neighbour */
	MOVE_ADD_CROSS = 1 << 8, /* then add the values that have arrived from the other side */
};

/* The words of a move in a core's arguments. The moves follow the head. */
enum move_word {
	MOVE_FLAGS,
	MOVE_PAGES,
	MOVE_FROM_AT, /* number of the common argument that describes the source buffer */
	MOVE_FROM,    /* number of the first page in the source buffer */
	MOVE_TO_AT,   /* number of the common argument that describes the destination buffer */
	MOVE_TO,
	MOVE_KEPT, /* number of the first page in the device's own output */
	MOVE_ROUTE,
	MOVE_NEAR,  /* first page in the buffer of sums, for values from the neighbour */
	MOVE_CROSS, /* first page in the buffer of sums, for values from the other side */
	MOVE_WORDS
};

enum head_word {
	HEAD_MOVES,
	HEAD_FIRST, /* number of the first chunk, counted over all links */
	HEAD_DATA,  /* number of increments of DATA that the core receives in total */
	HEAD_CROSS, /* number of increments of CROSS that the core receives in total */
	HEAD_FINAL, /* number of increments of FINAL that the core receives in total */
	HEAD_READY, /* number of increments of READY that the core receives in total; each device
		     * to which the core sends makes one */
	/* number of routes to devices that send to this core; the routes follow the moves */
	HEAD_ROUTES,
	HEAD_WORDS
};

/* Standing semaphores of every core. They are numbered from the collective's first semaphore. */
enum { SEMAPHORE_READY, SEMAPHORE_DATA, SEMAPHORE_CROSS, SEMAPHORE_FINAL, SEMAPHORES };

enum { COLLECTIVE_BATCHES = 3 };

/* The unique arguments of a core: `count` words, which may become at most `most`. Unique and
 * common arguments together have at most BOUND_TABLE_WORDS words. */
struct core_words {
	uint32_t count, most;
	uint32_t words[BOUND_TABLE_WORDS];
};

/* Numbers of the common arguments with which the descriptions of the buffers begin. */
struct collective_places {
	uint32_t input_at, output_at, sums_at;
};

/* The work of one core of a device, for one link and one direction. */
struct core_job {
	const struct collective_config *config;
	const struct collective_places *places;
	struct program *program;
	uint32_t place; /* place of the device on the line */
	enum collective_direction direction;
	/* number of the link, and of the core among the cores that share the link */
	uint32_t link, worker;
	struct text *why;
	enum status status;
	struct core_words *words;
};

/* ---- collective_moves.c ---- */

/* Writes the arguments of the core. Returns OK, or an error of collective_build(). */
enum status collective_moves(struct core_job *job);

/* ---- collective_order.c ---- */

/* Writes the devices on the way from one device of the mesh to another to `devices`, without the
 * first: along the row, and then along the column. Returns their number. `devices` may be NULL. */
uint32_t route_across(uint32_t columns, uint32_t from, uint32_t to, uint32_t *devices);

/* ---- collective_loops.c: loops that all kernels of a core run in step ---- */

/* Registers. */
enum {
	LOOP_MOVE = 1, /* number of the argument where the move begins */
	LOOP_MOVES,    /* number of the argument after the last move */
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

/* Append the start and the end of a loop to a text. loop_moves() loops over the moves of the core,
 * loop_chunks() over the core's chunks within a move, and loop_batches() over batches of pages
 * within a chunk. A batch contains the pages from LOOP_AT to LOOP_BATCH_END - 1. */
struct loop loop_moves(struct kernel_text *text);
void loop_moves_end(struct kernel_text *text, struct loop loop);
struct loop loop_chunks(struct kernel_text *text, const struct collective_texts *texts);
void loop_chunks_end(
	struct kernel_text *text, const struct collective_texts *texts, struct loop loop);
struct loop loop_batches(struct kernel_text *text, const struct collective_texts *texts);
void loop_batches_end(struct kernel_text *text, struct loop loop);

/* Places `label` after the last batch of a chunk. A jump to `label` skips the remaining batches. */
void loop_past_chunk(struct kernel_text *text, uint32_t label);

/* loop_word() appends code that loads a word of the move into register `to`. loop_unless() appends
 * a jump to `label`, which is taken if the move has none of the flags `flags`. */
void loop_word(struct kernel_text *text, uint8_t to, enum move_word word);
void loop_unless(struct kernel_text *text, uint32_t flags, uint32_t label);

/* Circular buffers. Only one kernel pushes into each buffer, and only one kernel pops from it. So
 * all kernels of a core must process the same batches of pages. */
enum {
	BUFFER_PLAIN, /* from reader to sender, for moves that add nothing */
	BUFFER_OWN,   /* from reader to unpacker: the device's own values */
	BUFFER_ADDED, /* from reader to unpacker: the values to add */
	/* from packer to unpacker, for moves that add from both sides: OWN plus the first batch of
	 * ADDED */
	BUFFER_HALF,
	BUFFER_SUM, /* from packer to sender: the sums */
	BUFFERS
};

/* ---- collective_add.c ---- */

/* Build the texts of the three kernels that compute sums: SUM = OWN + ADDED. If a move adds data
 * from both sides, they first compute HALF = OWN + ADDED, and then SUM = HALF + the next batch of
 * ADDED. */
void collective_unpacker(struct kernel_text *text, const struct collective_texts *texts);
void collective_adder(struct kernel_text *text, const struct collective_texts *texts);
void collective_packer(struct kernel_text *text, const struct collective_texts *texts);

/* ---- collective_kernels.c ---- */

/* The parameters of the kernels' texts. */
struct collective_texts {
	/* number of cores of a direction, and number of workers in a row of the grid */
	uint32_t lanes, columns;
	uint32_t chunk_pages, batch_pages, page_bytes, stride, first_semaphore;
	uint32_t output_at, sums_at;
	bool adds;
	enum kernel_element element; /* element type of sums */
	uint32_t page_tiles;	     /* number of tiles in a page of sums */
	uint32_t units;		     /* number of pages of the circular buffer that a batch
				      * occupies */
};

/* Builds the text of the reader, which reads one batch at a time. If the move adds nothing, the
 * batch goes to circular buffer PLAIN. Otherwise the device's own values go to OWN, and the values
 * to add go to ADDED. */
void collective_reader(struct kernel_text *text, const struct collective_texts *texts);

/* Builds the text of the sender. For each move, the sender takes pages from BUFFER_PLAIN or
 * BUFFER_SUM. Depending on the flags of the move, it sends them, writes them to the device's own
 * output, or does both. */
void collective_sender(struct kernel_text *text, const struct collective_texts *texts);

/* Returns true if the collective adds values of several devices. */
bool collective_adds(const struct collective_config *config);

/* ---- lists of messages: the arguments and the two kernels of a core (messages/) ---- */

/* The words of an entry. Entries follow the head. */
enum entry_word {
	ENTRY_KIND,
	ENTRY_AMOUNT, /* send: pages; busy: cycles; receive: number of the sender's messages that
		       * must have arrived */
	ENTRY_SLOT,   /* send, receive: number of the slot at the receiver */
	ENTRY_ROUTE,  /* of a send */
	ENTRY_TO,     /* number of the first page in the receiver's output */
	ENTRY_WORDS
};

/* The first arguments of a core. HEAD_END: number of the argument after the last entry of the list.
 * From HEAD_RECEIVED on: for each slot, the number of messages that arrive during the launch. */
enum { HEAD_END, HEAD_RECEIVED, MESSAGES_HEAD_WORDS = HEAD_RECEIVED + MESSAGES_SLOTS_MAX };

struct messages_texts {
	uint32_t first_semaphore, page_bytes, stride, batch_pages;
	uint32_t input_at, output_at; /* common arguments that describe the buffers */
};

/* messages_reader() builds the text of the kernel on NCRISC, which executes the list.
 * messages_sender() builds the text of the kernel on BRISC, which sends the pages that NCRISC
 * reads. */
void messages_reader(struct kernel_text *text, const struct messages_texts *texts);
void messages_sender(struct kernel_text *text, const struct messages_texts *texts);

/* Returns the number of the entry in the peer's list that receives this send, or sends the message
 * of this receive. Returns UINT32_MAX if there is none. */
uint32_t messages_other_end(const struct messages_list *lists, uint32_t place, uint32_t entry);

#endif

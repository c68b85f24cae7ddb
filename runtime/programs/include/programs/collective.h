/* Collectives over a line or a ring of devices, as programs of kernels that act: all-gather,
 * reduce-scatter, all-reduce, all-to-all and broadcast. What they give, and the bytes over each
 * link, is what programs/reference/collective.h says, of pages in place of elements.
 *
 * How. On every device one or more cores for each way and parallel link: NCRISC reads pages, BRISC
 * sends them to the neighbour's memory (all-to-all: to the end of the way), chunk by chunk, each
 * followed by an increment of a standing semaphore, for which the core that goes on with it waits.
 * Nobody sends before the receiver has said that it runs the same launch, so that a collective may
 * be run again, or another one on the same buffers, with nothing between.
 *
 * Every device has a program of its own, with its own arguments: the caller makes them, empty, and
 * adds them to a workload. Refuses devices of several hosts, which have no routes. */
#ifndef PROGRAMS_COLLECTIVE_H
#define PROGRAMS_COLLECTIVE_H

#include "programs/library.h"
#include "programs/reference/collective.h"

enum { COLLECTIVE_WORKERS_MAX = 8 };

struct collective_config {
	enum collective_op op;
	enum element element;	 /* of sums: f32 or bf16 */
	const uint32_t *devices; /* of the mesh, in the order of the line; neighbours are joined */
	uint32_t device_count;	 /* 2 or more; of a ring 3 or more */
	bool ring;		 /* the last is joined to the first */
	uint32_t links;		 /* parallel links of a hop that are used, 1 to 4 */
	uint32_t root;		 /* of a broadcast: place on the line */
	uint32_t workers;	 /* cores for each way and link; 0: four if they add, else one */
	uint32_t chunk_pages;	 /* pages that are sent in one piece; 0: see below */

	/* So many lines side by side that do the same with the same programs (0: this one), each
	 * device of one so many devices of the mesh behind that of the one before. */
	uint32_t lines, line_step;

	/* Standing semaphores that it shares with collectives of other devices alone, one of which
	 * owns them: their number, 0 before the first is built. NULL: they are its own. */
	uint32_t *semaphores;

	/* Buffers with pages alike. Each device's input has `pages` pages; all outputs are as large
	 * as the largest; those that add need room for sums on their way, too. */
	uint32_t pages;
	struct library_buffer input, output, sums;
};

/* The devices of a mesh in the order of a line, or of a ring: along its one row or column; of more,
 * rows to and fro, and of a ring back along the first column. UNSUPPORTED (no such ring), with a
 * sentence in `why` (may be NULL): whether the fabric has the links, collective_build() sees.
 * `devices` has room for all. */
enum status collective_order(
	struct mesh_shape shape, bool ring, uint32_t *devices, struct text *why);

/* Pages of each device's input when `bytes` are gathered, scattered, exchanged or sent to all, in
 * pages of so many bytes. */
uint32_t collective_input_pages(
	enum collective_op op, uint32_t devices, uint64_t bytes, uint32_t page_bytes);

/* Pages that each device's output has to have, the most of them; and the buffer of sums, 0: none.
 */
uint64_t collective_output_pages(const struct collective_config *config);
uint64_t collective_sums_pages(const struct collective_config *config);

/* Pages of a chunk where the configuration does not say: half of what a device has for another, so
 * that the next hop begins early; at most 20. */
uint32_t collective_chunk_pages(const struct collective_config *config);

/* Cores of each way: those of all links. */
uint32_t collective_lanes(const struct collective_config *config);

/* The same as an operation on pages: each stands for an element, for the closed forms. */
struct collective collective_of_pages(const struct collective_config *config);

/* Adds kernels, circular buffers, routes and arguments to the programs, one for each device, in the
 * order of the line. Errors, with a sentence in `why` (may be NULL): INVALID (numbers out of their
 * limits, buffers that do not fit), UNSUPPORTED (layouts that kernels do not know; devices that are
 * no neighbours, or of several lines, that know their routes by other numbers), OUT_OF_RANGE (fewer
 * links, or no such device), NO_SPACE (more than the arguments of a core hold), and those of
 * program_add_kernel(). */
enum status collective_build(
	struct program *const *programs, const struct collective_config *config, struct text *why);

#endif

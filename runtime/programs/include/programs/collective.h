/* Collectives over a line or a ring of devices, as programs of executing kernels: all-gather,
 * reduce-scatter, all-reduce, all-to-all and broadcast. programs/reference/collective.h defines
 * their results and the bytes over each link. Where that header says "elements", read "pages".
 *
 * Each device uses one or more cores for each direction and parallel link. NCRISC reads pages.
 * BRISC sends them chunk by chunk to the neighbour's memory (for all-to-all, to the destination at
 * the end of the route). After each chunk it increments a semaphore, for which the core that
 * forwards or uses the chunk waits. These semaphores keep their value between launches
 * ("standing"). A device sends only after the receiver has signalled that it is running the same
 * launch. So a collective can run again, or another can use the same buffers, without any
 * synchronisation in between.
 *
 * Every device has its own program with its own arguments. The caller creates empty programs and
 * adds them to a workload. All devices must belong to one host: programs of a device over several
 * hosts cannot have routes (program_add_route()). */
#ifndef PROGRAMS_COLLECTIVE_H
#define PROGRAMS_COLLECTIVE_H

#include "programs/library.h"
#include "programs/reference/collective.h"

enum { COLLECTIVE_WORKERS_MAX = 8 };

struct collective_config {
	enum collective_op op;
	enum element element;	 /* of sums: f32 or bf16 */
	const uint32_t *devices; /* of the mesh, in line order; neighbours must be linked */
	uint32_t device_count;	 /* at least 2, or 3 for a ring */
	bool ring;		 /* the last device is linked to the first */
	uint32_t links;		 /* parallel links used per hop, 1 to 4 */
	uint32_t root;		 /* of a broadcast: its place on the line */
	uint32_t workers;	 /* number of cores for each direction and link. If 0: one core; for
				  * collectives that add, one core for each chunk of the largest
				  * size, but at most four */
	uint32_t chunk_pages;	 /* pages sent in one piece; 0: the default */

	/* The number of parallel lines that run the same programs (0: only this line). A device of
	 * a line has an index that is `line_step` above the index of the corresponding device of
	 * the previous line. */
	uint32_t lines, line_step;

	/* Points to the number of the first standing semaphore, which several collectives may
	 * share. Collectives may share semaphores only if they run on different devices. The first
	 * of them that is built owns the semaphores; set the number to 0 before. NULL: the
	 * semaphores are not shared. */
	uint32_t *semaphores;

	/* Buffers with equal pages. Each device's input has `pages` pages, and all outputs are as
	 * large as the largest. Collectives that add also need a buffer for intermediate sums. */
	uint32_t pages;
	struct library_buffer input, output, sums;
};

/* Orders the devices of a mesh as a line or a ring, and writes them to `devices`, which has room
 * for all. A single row or column is followed along its length. Several rows are followed back and
 * forth, and a ring returns along the first column. Returns OK, or UNSUPPORTED, with a reason in
 * `why` (may be NULL), if the mesh has no ring in this order. collective_build() checks whether the
 * fabric has the links. */
enum status collective_order(
	struct mesh_shape shape, bool ring, uint32_t *devices, struct text *why);

/* Returns the number of pages of each device's input when `bytes` are gathered, scattered,
 * exchanged or broadcast in pages of `page_bytes`. */
uint32_t collective_input_pages(
	enum collective_op op, uint32_t devices, uint64_t bytes, uint32_t page_bytes);

/* collective_output_pages() returns the number of pages of the largest output of a device; all
 * outputs are this large. collective_sums_pages() returns the number of pages of the buffer of
 * sums, or 0 if there is no such buffer. */
uint64_t collective_output_pages(const struct collective_config *config);
uint64_t collective_sums_pages(const struct collective_config *config);

/* Returns the number of pages in a chunk. The default is half of the pages that one device sends to
 * another, but at most 20, so that the next hop can start early. */
uint32_t collective_chunk_pages(const struct collective_config *config);

/* Cores of each direction, over all links. */
uint32_t collective_lanes(const struct collective_config *config);

/* Describes the collective with pages in place of elements, for programs/reference/collective.h. */
struct collective collective_of_pages(const struct collective_config *config);

/* Adds kernels, circular buffers, routes and arguments to the programs. There is one program for
 * each device, in line order. Returns OK, or an error with a reason in `why` (may be NULL): INVALID
 * (numbers out of range, buffers that do not fit), UNSUPPORTED (layouts that kernels cannot
 * address, devices that are not neighbours, or numbers of routes that differ between lines),
 * OUT_OF_RANGE (too few links, or no such device), NO_SPACE (more arguments than a core can hold).
 * Also returns the errors of program_add_kernel(). */
enum status collective_build(
	struct program *const *programs, const struct collective_config *config, struct text *why);

#endif

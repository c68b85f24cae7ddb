/* Collectives over a line or a ring of devices, as programs whose kernels execute instructions:
 * all-gather, reduce-scatter, all-reduce, all-to-all and broadcast. programs/reference/reference.h
 * defines their results and the bytes over each link. That header divides the data into elements;
 * these programs divide them into pages.
 *
 * Each device uses one or more cores for each direction and parallel link. NCRISC reads pages.
 * BRISC sends them chunk by chunk to the neighbour's memory; for all-to-all, to the memory of the
 * destination at the end of the route. After each chunk, BRISC increments a semaphore. The core
 * that forwards or uses the chunk waits for this semaphore. The semaphores keep their value between
 * launches ("standing"). A device sends only after the receiver has signalled that it is running
 * the same launch. So a collective can run again, or another collective can use the same buffers,
 * without synchronisation between the launches.
 *
 * Every device has a separate program with separate arguments. The caller creates empty programs
 * and adds them to a workload. The devices may belong to several hosts if links join the hosts
 * (mesh/assembled.h). */
#ifndef PROGRAMS_COLLECTIVE_H
#define PROGRAMS_COLLECTIVE_H

#include "programs/library.h"
#include "programs/reference/reference.h"

enum { COLLECTIVE_WORKERS_MAX = 8 };

struct collective_config {
	enum collective_op op;
	enum element element;	 /* element type of sums: f32 or bf16 */
	const uint32_t *devices; /* indices of the devices in the mesh, in line order; links
				  * must join neighbours, unless `columns` is set */
	uint32_t device_count;	 /* at least 2; for a ring, at least 3 */
	/* number of columns of the mesh. Only for lines: from one device to another, packets go
	 * along a row and then along a column, so neighbours on the line may be anywhere in the
	 * mesh. 0: they go from neighbour to neighbour along the line */
	uint32_t columns;
	bool ring;		 /* a link joins the last device to the first */
	bool one_way;		 /* only for rings. true: all data go in one direction, up to the
				  * next device */
	uint32_t links;		 /* number of parallel links used for each hop, 1 to 4 */
	uint32_t root;		 /* broadcast: place of the root on the line */
	/* number of cores for each direction and link; 0: the default. For collectives that add no
	 * data, the default is 1. For collectives that add data, the default is the number of
	 * chunks of maximum size that a link carries, but at most 4. */
	uint32_t workers;
	uint32_t chunk_pages; /* number of pages sent in one piece; 0: the default */

	/* Number of parallel lines that run the same programs; 0: only the line `devices`. From one
	 * line to the next, the indices of the devices increase by `line_step`. */
	uint32_t lines, line_step;

	/* Several collectives that run on different devices can share their standing semaphores.
	 * Then all have a pointer to the same number. Set this number to 0 before the first of
	 * these collectives is built. The first one adds the semaphores, and stores the number of
	 * its first semaphore. NULL: the semaphores are not shared. */
	uint32_t *semaphores;
	/* a number that differs if other devices, which share the semaphores through `semaphores`,
	 * differ. Collectives without such devices have 0 */
	uint64_t others;

	/* Buffers with pages of equal size. The input of each device has `pages` pages. All output
	 * buffers have the same size, which is that of the largest output. Collectives that add
	 * also need `sums`, for intermediate sums. */
	uint32_t pages;
	struct library_buffer input, output, sums;
};

/* Orders the devices of a mesh as a line or a ring, and writes them to `devices`, which must have
 * room for all devices. A mesh with one row or column is followed along its length. A mesh with
 * several rows is followed row by row, back and forth; a ring returns along the first column.
 * Returns OK. Returns UNSUPPORTED, with a reason in `why` (may be NULL), if the mesh has fewer than
 * 2 devices (ring: 3), or if a ring is not possible because the number of rows is odd. Does not
 * check the links of the fabric; collective_build() does. */
enum status collective_order(
	struct mesh_shape shape, bool ring, uint32_t *devices, struct text *why);

/* Returns the number of pages of each device's input. `bytes` is the number of bytes that are
 * gathered, scattered, exchanged or broadcast; a page has `page_bytes` bytes. */
uint32_t collective_input_pages(
	enum collective_op op, uint32_t devices, uint64_t bytes, uint32_t page_bytes);

/* collective_output_pages() returns the number of pages of the largest output of a device; all
 * output buffers have this size. collective_sums_pages() returns the number of pages of the buffer
 * of sums, or 0 if the collective needs no buffer of sums. */
uint64_t collective_output_pages(const struct collective_config *config);
uint64_t collective_sums_pages(const struct collective_config *config);

/* Returns the number of pages in a chunk: the configured number, or a default. If the collective
 * adds along a line, the default is half of the pages that one device sends to another over one
 * link; otherwise it is a quarter of them. The default is at most 20, so that the next hop can
 * start early. */
uint32_t collective_chunk_pages(const struct collective_config *config);

/* Returns the number of cores of each direction, over all links. */
uint32_t collective_lanes(const struct collective_config *config);

/* Describes the collective with pages in place of elements, for programs/reference/reference.h. */
struct collective collective_of_pages(const struct collective_config *config);

/* Adds kernels, circular buffers, routes and arguments to the programs. There is one program for
 * each device, in line order. Returns OK, or an error with a reason in `why` (may be NULL). Returns
 * INVALID if numbers are out of range, if buffers do not fit, or if a page is larger than a packet
 * of the fabric. Returns UNSUPPORTED if kernels cannot address a layout, if devices are not
 * neighbours, or if lines have different numbers of routes. Returns OUT_OF_RANGE if there are too
 * few links, or if a device does not exist. Returns NO_SPACE if a core would need more arguments
 * than it can have. Also returns the errors of program_add_kernel(). */
enum status collective_build(
	struct program *const *programs, const struct collective_config *config, struct text *why);

#endif

/* Descriptions of programs and workloads: everything that was added to them. A host that cannot run
 * a program sends its description to other hosts, which rebuild and run the program (spec 4.4,
 * 4.7). A program that is rebuilt in the following order has the same bytes in its launches, if the
 * devices have the same limits:
 *
 *     program_new_at(site, program_name(from), program_id(from));
 *     its kernels, circular buffers and semaphores, each kind in the order of its numbers;
 *     program_set_arguments(program, words of program_arguments(from));
 *     workload_new_at(site); workload_add() of each program, in order;
 *     workload_set_arguments() of each of its ranges, in order.
 *
 * Only the two functions that set arguments charge host time. Returned pointers belong to the
 * program or workload, and are valid until that program or workload is changed. */
#ifndef MESH_DESCRIPTION_H
#define MESH_DESCRIPTION_H

#include "mesh/config.h"
#include "mesh/program.h"
#include "mesh/sub_device.h"

/* ---- programs ---- */

struct circular_buffer_config {
	struct cores cores;
	uint32_t pages, page_bytes;
};

struct semaphore_config {
	struct cores cores;
	uint32_t initial;
};

const char *program_name(const struct program *program);

/* Ids count from 1. Each program of a site has a different id, unless a caller has chosen an id. */
uint32_t program_id(const struct program *program);

/* The functions below return the kernels, circular buffers and semaphores of a program, in the
 * order in which they were added. `index` must be below the number of parts of this kind. */
uint32_t program_kernel_count(const struct program *program);
const struct kernel_config *program_kernel(const struct program *program, uint32_t index);
uint32_t program_circular_buffer_count(const struct program *program);
struct circular_buffer_config program_circular_buffer(
	const struct program *program, uint32_t index);
uint32_t program_semaphore_count(const struct program *program);
struct semaphore_config program_semaphore(const struct program *program, uint32_t index);

/* Returns the lowest address in worker L1 that is above the circular buffers of every core of the
 * program. Buffers in L1 must not lie below this address. workload_check() checks this, and so do
 * callers that allocate L1 themselves. */
uint32_t program_buffers_end(const struct program *program);

/* Values of all runtime arguments, in the order of program_refresh_args(). */
struct arguments {
	const uint32_t *words;
	uint32_t count;
	uint32_t generation; /* increases with every change */
};

struct arguments program_arguments(const struct program *program);

/* Sets all arguments. Returns OK, or INVALID if the program does not have `count` arguments. */
enum status program_set_arguments(struct program *program, const uint32_t *words, uint32_t count);

/* Returns the position, in the words of program_arguments(), of a kernel's unique arguments for
 * core `core`. If `core` is ARGUMENTS_COMMON, returns the position of the kernel's common
 * arguments. If the kernel does not run on `core`, the result has the count 0. */
#define ARGUMENTS_COMMON UINT32_MAX
struct argument_span {
	uint32_t first, count; /* position and number of the words */
};
struct argument_span program_argument_span(
	const struct program *program, uint32_t kernel, uint32_t core);

/* ---- workloads ---- */

/* Ids count from 1. Each workload of a site has a different id. */
uint32_t workload_id(const struct workload *workload);

/* A program of a workload, and the devices that run it. */
struct workload_program {
	struct program *program;
	struct device_range range;
	uint32_t range_count; /* number of ranges of devices that have separate arguments */
};

uint32_t workload_program_count(const struct workload *workload);
struct workload_program workload_program(const struct workload *workload, uint32_t index);

/* A range of devices, and the arguments that replace the program's arguments on these devices.
 * workload_arguments() returns range number `range` of program `index`. A program's ranges are
 * numbered from 0 in the order in which they were first set. */
struct workload_arguments {
	struct device_range range;
	struct arguments arguments;
};
struct workload_arguments workload_arguments(
	const struct workload *workload, uint32_t index, uint32_t range);

/* Sets all arguments of a range to `words`. Returns INVALID if `count` is not the program's number
 * of arguments. Also returns the errors of workload_set_args(). */
enum status workload_set_arguments(struct workload *workload, struct device_range range,
	const uint32_t *words, uint32_t count, struct text *why);

/* Returns a number that increases when the workload, one of its programs, or their arguments
 * change. A serialized workload (spec 4.4) is out of date if the number is higher than it was at
 * serialization. */
uint64_t workload_generation(const struct workload *workload);

/* ---- binaries ---- */

/* Returns the number of DRAM pages (of sizes_binary_page() bytes) that the binaries of the
 * workload's largest program occupy on each device. The pages are interleaved over the device's
 * banks. */
uint32_t workload_binary_pages(const struct workload *workload);

/* Returns the number of bytes that `pages` pages of binaries occupy in each DRAM bank of a device,
 * if the mesh has this configuration. */
uint64_t binary_slot_bytes(
	const struct mesh_config *config, const struct chip_geometry *geometry, uint32_t pages);

/* program_binary_bytes() returns the size of a program's binaries. program_binaries() copies the
 * binaries into `out`, which must have room for them. It also seals the program: nothing but
 * arguments can then be changed. Neither function charges host time. */
uint64_t program_binary_bytes(const struct program *program);
void program_binaries(struct program *program, uint8_t *out);

/* Sets the address, in every DRAM bank, to which the first enqueue writes the workload's binaries.
 * Must be called before the first enqueue. The first enqueue fails if other data use this
 * memory. */
void workload_place_binaries(struct workload *workload, uint32_t address);

/* Makes the program use the binaries in `bytes`, which has program_binary_bytes() bytes and is
 * copied. Must be called before the first enqueue. Otherwise the first enqueue generates the
 * binaries. */
void program_give_binaries(struct program *program, const uint8_t *bytes);

/* Marks a workload that is only a description as enqueued, as if a mesh device had run it. After
 * the call, nothing can be added to the workload or to its programs, but arguments may still
 * change. */
void workload_seal(struct workload *workload);

#endif

/* Programs and workloads as descriptions: all that was added to them, so that who cannot run them
 * sends them to those who can, and these make them again (spec 4.4, 4.7). What is made again in
 * this order, for devices of the same limits, launches the same bytes:
 *
 *     program_new_at(site, program_name(from), program_id(from));
 *     its kernels, circular buffers and semaphores, each kind in the order of its numbers;
 *     program_set_arguments(program, words of program_arguments(from));
 *     workload_new_at(site); workload_add() of each program, in order;
 *     workload_set_arguments() of each of its ranges, in order.
 *
 * Nothing here charges time, but for the two that set arguments. What is returned belongs to the
 * program or workload and is valid until that is changed. */
#ifndef MESH_DESCRIPTION_H
#define MESH_DESCRIPTION_H

#include "mesh/config.h"
#include "mesh/program.h"

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

/* From 1; no other program of its site has it, unless it was given. */
uint32_t program_id(const struct program *program);

/* What was added, in the order in which it was; indices below the counts. */
uint32_t program_kernel_count(const struct program *program);
const struct kernel_config *program_kernel(const struct program *program, uint32_t index);
uint32_t program_circular_buffer_count(const struct program *program);
struct circular_buffer_config program_circular_buffer(
	const struct program *program, uint32_t index);
uint32_t program_semaphore_count(const struct program *program);
struct semaphore_config program_semaphore(const struct program *program, uint32_t index);

/* Behind the last circular buffer of any core: an address in worker L1 that no buffer in L1 may lie
 * below. What workload_check() looks at, for those who keep account of L1 elsewhere. */
uint32_t program_buffers_end(const struct program *program);

/* The sub-device of its cores (mesh/sub_device.h): 0 if its site is not divided, SUB_DEVICE_NONE if
 * it has no cores yet. */
uint32_t program_of_sub_device(const struct program *program);

/* Values of all runtime arguments, in the order of program_refresh_args(). */
struct arguments {
	const uint32_t *words;
	uint32_t count;
	uint32_t generation; /* grows with every change */
};

struct arguments program_arguments(const struct program *program);

/* Sets them all. INVALID unless there are as many. */
enum status program_set_arguments(struct program *program, const uint32_t *words, uint32_t count);

/* Where in them the arguments of a kernel are that core `core` alone has, or the common ones. None,
 * `count` 0, if the kernel has no such core. */
#define ARGUMENTS_COMMON UINT32_MAX
struct argument_span {
	uint32_t first, count; /* words */
};
struct argument_span program_argument_span(
	const struct program *program, uint32_t kernel, uint32_t core);

/* ---- workloads ---- */

/* From 1; no other workload of its site ever has it. */
uint32_t workload_id(const struct workload *workload);

/* A program of a workload, and its devices. */
struct workload_program {
	struct program *program;
	struct device_range range;
	uint32_t range_count; /* ranges of devices with arguments of their own */
};

uint32_t workload_program_count(const struct workload *workload);
struct workload_program workload_program(const struct workload *workload, uint32_t index);

/* Arguments that the devices of a range have in place of the program's: the range_count ones of
 * program `index`, in the order in which they were first set. */
struct workload_arguments {
	struct device_range range;
	struct arguments arguments;
};
struct workload_arguments workload_arguments(
	const struct workload *workload, uint32_t index, uint32_t range);

/* Sets all arguments of a range, as workload_set_args(); INVALID unless there are as many. */
enum status workload_set_arguments(struct workload *workload, struct device_range range,
	const uint32_t *words, uint32_t count, struct text *why);

/* Grows with every change of the workload, of its programs, or of arguments of either: what was
 * made of it at another generation (a serialized state, spec 4.4) is out of date. */
uint64_t workload_generation(const struct workload *workload);

/* ---- binaries ---- */

/* Pages of DRAM (sizes_binary_page()) that the binaries of the workload's largest program take: all
 * that it needs of each device, interleaved over its banks. */
uint32_t workload_binary_pages(const struct workload *workload);

/* Bytes that so many of them take of every DRAM bank of a device of such a mesh. */
uint64_t binary_slot_bytes(
	const struct mesh_config *config, const struct chip_geometry *geometry, uint32_t pages);

/* Bytes of a program's binaries; and what they are, into `out` of as many. Seals the program.
 * Charges nothing. */
uint64_t program_binary_bytes(const struct program *program);
void program_binaries(struct program *program, uint8_t *out);

/* Before the first enqueue: binaries are to lie at this address of every DRAM bank, among the
 * buffers. The first enqueue fails if something else does. */
void workload_place_binaries(struct workload *workload, uint32_t address);

/* Before the first enqueue: these are the binaries, program_binary_bytes() of them, which are
 * copied; else they are made then. */
void program_give_binaries(struct program *program, const uint8_t *bytes);

/* It has been enqueued, as a description: from now on nothing is added to it or to its programs,
 * as if a mesh device had run it; arguments still change. */
void workload_seal(struct workload *workload);

#endif

/* Programs (spec 3.4): the kernels of one device with their arguments, circular buffers and
 * semaphores. Workloads: programs on ranges of devices (spec 3.4.2). A kernel either executes its
 * text (command/kernel_program.h), or it is filler: bytes that are generated from the program's
 * name and run for a given time. A program must fit into a worker's config ring and L1. */
#ifndef MESH_PROGRAM_H
#define MESH_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "base/text.h"
#include "command/launch.h"
#include "mesh/mesh.h"
#include "world/device.h"

/* A set of cores of a device, for a kernel, a circular buffer, a semaphore or a sub-device
 * (mesh/sub_device.h). Each function that receives a set checks that the device has the cores of
 * the set. */

/* Which workers belong to the set. */
enum cores_kind {
	CORES_ALL,	 /* the whole worker grid */
	CORES_RECTANGLE, /* the rectangle `rect` */
	CORES_COUNT	 /* the first `count` in row-major order */
};

/* If `parts` is above 1, the columns of the set are divided into `parts` bands of equal or nearly
 * equal width. The set then has only the cores of band `part`, counted from 0. */
struct cores {
	enum cores_kind kind;
	struct worker_rect rect;
	uint32_t count;
	bool ethernet; /* the set has Ethernet cores instead of workers; a rectangle is then not
			* allowed */
	uint16_t part, parts;
};

struct program;	     /* opaque */
struct workload;     /* opaque */
struct program_site; /* opaque: limits and shape of the devices that programs are made for */

/* The limits of a device. A program is checked against these limits and laid out for them. The
 * limits are plain data and are the same for all devices of a mesh, and for all hosts of a
 * distributed device. */
struct program_limits {
	uint16_t worker_columns, worker_rows; /* cores are numbered in row-major order */
	uint16_t ethernet_cores;	      /* numbered after the workers */
	/* size of the part of a core's L1 that holds the configuration and the binaries of
	 * launches */
	uint32_t config_ring_bytes;
	/* a worker's circular buffers lie between these two addresses */
	uint32_t buffers_base, l1_bytes;
	uint32_t binary_page_bytes; /* page size of binaries in DRAM */
	uint32_t packed_bytes; /* maximum bytes of the unique arguments of one core; a dispatcher
				* must hold all of them in its ring */
};

/* Computes the limits of the mesh device that mesh_open() would open. Needs only the description of
 * the machine. Returns OK or the errors of mesh_plan(). */
enum status program_limits_plan(const struct cluster_info *info, const struct mesh_config *config,
	struct program_limits *limits, struct text *why);

/* Makes a site: the shape and the limits of the devices for which programs and workloads are made.
 * This site is for callers without a mesh device, so its programs cannot be enqueued here. The
 * caller sends descriptions of them (mesh/description.h) to hosts that have devices of this shape
 * with these limits. Never returns NULL. */
struct program_site *program_site_new(const struct program_limits *limits, struct mesh_shape shape);

/* Frees a site that program_site_new() made. All programs and workloads of the site must have been
 * freed before. NULL is allowed. */
void program_site_free(struct program_site *site);

/* Returns the site of a mesh device, which belongs to the mesh device. */
struct program_site *mesh_program_site(struct mesh_device *mesh);

const struct program_limits *program_site_limits(const struct program_site *site);

/* A kernel is a binary of `bytes` bytes for one processor of some cores. Once started, the kernel
 * runs for `cycles`. On an Ethernet core, PROCESSOR_BRISC stands for the only processor. If `steps`
 * is above 1, the kernel is part of a pipeline over circular buffers (command/kernel.h), and
 * `cycles` is the time of one step. */
struct kernel_config {
	enum processor processor;
	struct cores cores;
	uint32_t bytes;
	uint64_t cycles;
	uint16_t steps; /* 0 means 1; equal for all kernels of a core */
	bool copied;	/* the text is copied to instruction memory before it runs (only NCRISC) */
	uint32_t unique_args; /* number of 32-bit runtime arguments of each core */
	uint32_t common_args; /* number of arguments that all cores of the kernel share; together
			       * with unique_args, at most BOUND_ARGUMENTS */
	bool table; /* the arguments are a table in L1 with at most BOUND_TABLE_WORDS words */

	/* NULL: the kernel is filler. Otherwise the instructions that the kernel executes: `bytes`
	 * bytes, which are copied. `cycles` must then be 0, and `steps` at most 1. The instructions
	 * name arguments, circular buffers and semaphores by their numbers, which count from 0.
	 * Arguments are numbered in the order of the words that are set. Circular buffers are
	 * numbered in the order in which they were added to the core. Semaphores are numbered in
	 * the order in which they were added to the program, over all cores. */
	const uint8_t *text;
};

/* maximum number of circular buffers of a program, over all cores */
enum { PROGRAM_BUFFERS_MAX = 512 };

/* Both functions create a program for the devices of `mesh` or `site`, and charge
 * WORK_CREATE_OPERATION. Neither returns NULL. The bytes of filler kernels are generated from
 * `name`. Launch messages carry `id`. If `id` is 0, the program gets the next number of the site,
 * as in program_new(). */
struct program *program_new(struct mesh_device *mesh, const char *name);
struct program *program_new_at(struct program_site *site, const char *name, uint32_t id);

/* Frees the program and its own workload. No operation that uses the program may be in progress,
 * and no other workload may contain the program. NULL is allowed. */
void program_free(struct program *program);

/* Adds a kernel, and sets *kernel to the kernel's number. Returns OK. After any other status, `why`
 * (may be NULL) has a sentence. Returns INVALID if the kernel has no cores, if it has no bytes or
 * too many bytes or cycles, or if it has a text and also cycles or steps. Also returns INVALID if a
 * kernel for Ethernet cores has another processor than PROCESSOR_BRISC or is part of a pipeline.
 * Returns OUT_OF_RANGE if cores are outside the worker grid, or if there are too many arguments.
 * Returns EXISTS if a core already has a kernel for this processor. Returns NO_SPACE if the kernel
 * does not fit into the config ring, or if the unique arguments of a core exceed
 * program_limits.packed_bytes. Also returns the errors of kernel_program_check() for a text. If the
 * mesh is divided into sub-devices, the cores must also belong to one sub-device.
 *
 * After the first enqueue, program_add_kernel(), program_add_circular_buffer() and
 * program_add_semaphore() return INVALID. A core has at most CIRCULAR_BUFFERS_MAX circular buffers.
 * A program has at most PROGRAM_BUFFERS_MAX circular buffers and SEMAPHORES_MAX semaphores. Adding
 * more returns NO_SPACE. */
enum status program_add_kernel(struct program *program, const struct kernel_config *config,
	struct text *why, uint32_t *kernel);

/* cores_check() checks that devices with these limits have all cores of the set.
 * program_check_cores() also checks that the cores belong to the program's sub-device. Both
 * functions charge no host time, and return the errors that program_add_kernel() returns for
 * cores. */
enum status cores_check(const struct program_limits *limits, struct cores cores, struct text *why);
enum status program_check_cores(
	const struct program *program, struct cores cores, struct text *why);

/* Adds a circular buffer of `pages` x `page_bytes` bytes on `cores`. The buffer lies above the
 * config ring, after all circular buffers of any of these cores. Every enqueue checks that the
 * circular buffer does not overlap buffers in L1. The circular buffers of a core are numbered from
 * 0 in the order in which they were added. If several cores have the same circular buffers, one
 * multicast writes the configurations of these buffers to all these cores.
 *
 * In a pipeline (`steps` above 1), a kernel can be ahead of the next kernel by at most as many
 * steps as the core's smallest circular buffer has pages; 1 page means single buffering. If the
 * core has no circular buffers, the firmware's limit applies.
 *
 * Returns OK if the buffer was added. Returns INVALID if the buffer has no bytes, or if `cores` are
 * Ethernet cores. Returns NO_SPACE if there are too many circular buffers, or if L1 or the config
 * ring is too small. Also returns the errors that program_add_kernel() returns for cores. */
enum status program_add_circular_buffer(struct program *program, struct cores cores, uint32_t pages,
	uint32_t page_bytes, struct text *why);

/* Adds a semaphore with an initial value on `cores`. Sets *index to the semaphore's number, counted
 * from 0. Returns OK. Returns NO_SPACE if there are too many semaphores, or if the config ring is
 * too small. Also returns the errors that program_add_kernel() returns for cores. */
enum status program_add_semaphore(struct program *program, struct cores cores, uint32_t initial,
	struct text *why, uint32_t *index);

/* Set the unique arguments of one core, or the common arguments. `core` is an index in row-major
 * order of the grid. Both functions may be called between enqueues. Return OK if the arguments were
 * set. Return NOT_FOUND if there is no such kernel, or if the kernel does not run on this core.
 * Return INVALID if `count` is not the number of arguments that the kernel declared. */
enum status program_set_args(struct program *program, uint32_t kernel, uint32_t core,
	const uint32_t *args, uint32_t count);
enum status program_set_common_args(
	struct program *program, uint32_t kernel, const uint32_t *args, uint32_t count);

/* Sets every argument of every kernel, as a benchmark does before each enqueue. Word i becomes the
 * lower 32 bits of hash_mix(generation << 32 | i). Words are numbered from 0, through all kernels
 * in the order in which they were added. The words of a kernel are first its common arguments, then
 * the unique arguments of each of its cores in row-major order. */
void program_refresh_args(struct program *program, uint32_t generation);

/* Makes the filler kernels of all later launches run for `cycles`, instead of the cycles in their
 * configuration. In a pipeline, `cycles` is the time of one step. `cycles` must be below 2^48 - 1.
 *
 * If `spread` is above 0, the workers end at different times. `cycles` is then the time from the
 * first start of a worker to the end of the worker that ends last. Every other worker ends earlier,
 * by at most cycles * spread / 65536. Pipelines and kernels that execute instructions ignore
 * `spread`.
 *
 * The call costs no host time, because the launch message has a field for the time. May be called
 * between enqueues. A trace keeps the time of each captured launch. Launches through a distributed
 * device ignore the time. */
void program_set_run(struct program *program, uint64_t cycles, uint16_t spread);

/* Returns the number of workers that run a kernel of the program. */
uint32_t program_worker_count(const struct program *program);

/* Returns true if the program has a kernel on this worker. `worker` is an index in row-major order
 * of the grid. */
bool program_uses_worker(const struct program *program, uint32_t worker);

/* Make an empty workload, for `mesh` or for a site. Never NULL. */
struct workload *workload_new(struct mesh_device *mesh);
struct workload *workload_new_at(struct program_site *site);

/* Frees the workload and its binaries on the devices, but not its programs. NULL is allowed. */
void workload_free(struct workload *workload);

/* Returns the sub-devices of the workload's programs, one bit each (mesh/sub_device.h). A blocking
 * launch waits for these sub-devices. */
uint32_t workload_sub_devices(const struct workload *workload);

/* Adds `program` to the workload, which will run the program on the devices of `range`. Returns OK.
 * After any other status, `why` (may be NULL) has a sentence. Returns EXISTS if the range overlaps
 * another range of this workload, and OUT_OF_RANGE if the range exceeds the mesh. Returns INVALID
 * if the program has no kernels, or if the workload was enqueued already. */
enum status workload_add(struct workload *workload, struct program *program,
	struct device_range range, struct text *why);

/* Returns the program's own workload, which runs the program on all devices. The first call makes
 * the workload, which belongs to the program. While the program has no kernels, the workload is
 * empty. Never returns NULL. */
struct workload *program_workload(struct program *program);

/* The range of all devices, for workload_add(). This range fits a mesh of any size (an unbound
 * workload, spec 3.4.2). */
#define DEVICES_UNBOUND ((struct device_range){0, 0, UINT16_MAX, UINT16_MAX})

/* Sets the unique arguments of one core like program_set_args(), but only on the devices of
 * `range`. All these devices must run the same program of the workload. The first call for a range
 * copies the program's current arguments. After that, the range has arguments of its own, and the
 * program_...() functions no longer change them. May be called between enqueues. At a launch, each
 * range receives its arguments in a separate transaction; the remaining commands go to all devices
 * in another transaction.
 *
 * Returns OK. Returns NOT_FOUND if no program runs on all devices of the range, and EXISTS if the
 * range overlaps another range that was set before; `why` (may be NULL) then has a sentence.
 * Returns OUT_OF_RANGE if the range is empty. Also returns the errors of program_set_args(). */
enum status workload_set_args(struct workload *workload, struct device_range range, uint32_t kernel,
	uint32_t core, const uint32_t *args, uint32_t count, struct text *why);

/* Sets all arguments of a range to the values that program_refresh_args() would set. Works like
 * workload_set_args() otherwise. */
enum status workload_refresh_args(struct workload *workload, struct device_range range,
	uint32_t generation, struct text *why);

/* Returns OK if the workload could be enqueued now. After any other status, `why` has a sentence.
 * Returns INVALID if the workload has no programs, or if a program belongs to a division that is
 * not loaded (mesh/sub_device.h). Returns NO_SPACE if circular buffers overlap buffers in L1, or if
 * the binaries do not fit into DRAM. If the workload's site has no mesh, the function only checks
 * that the workload has programs. */
enum status workload_check(const struct workload *workload, struct text *why);

/* Kernels that execute instructions (command/kernel_program.h) use the fabric with two resources:
 * routes from a device to other devices of the mesh, and semaphores that keep their value from
 * launch to launch. The host only sets up these resources; the kernels send the data.
 *
 * Routes. A route is a line of neighbouring devices; the first device sends. Kernels refer to a
 * route by its number, which is valid only on the sending device; pass the number to them as an
 * argument. Packets along one route arrive in the order in which they were sent. An increment
 * arrives after everything that was sent before the increment.
 *
 * Standing semaphores. An ordinary semaphore gets its initial value when the launch is sent, so a
 * device that runs ahead could raise the semaphore too early. Standing semaphores are 0 when the
 * mesh is opened, and no launch sets them. A kernel that has waited for a value of a standing
 * semaphore subtracts that value afterwards, with a negative increment. Standing semaphores are
 * numbered after the ordinary semaphores, and have the same numbers at every worker. */
struct route_config {
	const uint32_t *devices; /* indices of the devices in the mesh, row-major */
	uint32_t count;		 /* number of devices, at least 2 */
	bool each; /* every device of the route receives the packets, not only the last one */
	/* the route follows a ring; a packet enters the ring only if another slot of the ring stays
	 * free, so that packets on the ring can move on */
	bool round;
	uint8_t link; /* number of the parallel link to use, from 0 */
};

/* Adds a route for a program on the first device of the route, and sets *number to the route's
 * number. If an equal route exists already, *number becomes the number of that route. A route
 * exists until the mesh is closed. Returns OK, or an error with a sentence in `why` (may be NULL).
 * Returns OUT_OF_RANGE if there is no such device or no such parallel link. Returns UNSUPPORTED in
 * four cases: devices are not neighbours; links are outside the fabric's topology; the site has no
 * mesh and is not joined (mesh/assembled.h); a route that delivers to each device has more than
 * BOUND_MEMBERS receivers (world/bounds.h). Returns NO_SPACE if there are too many routes.
 * Only the thread that enqueues may call this function. */
enum status program_add_route(struct program *program, const struct route_config *config,
	struct text *why, uint32_t *number);

/* Returns the size of the machine's largest packet in bytes. Returns 0 if the program's site has no
 * mesh and program_site_join() was not called for it (mesh/assembled.h). */
uint32_t program_packet_bytes(const struct program *program);

/* Returns the smallest number of parallel links between any two neighbours of the machine. Returns
 * 0 if the machine has no links, or if the program's site has no mesh and is not joined
 * (mesh/assembled.h). */
uint32_t program_links(const struct program *program);

/* Returns the number of workers in a row of a device's grid. */
uint32_t program_worker_columns(const struct program *program);

/* Reserves `count` consecutive standing semaphores until the program is freed, and sets *first to
 * the number of the first one. No other call reserves these semaphores during this time, but
 * kernels of other programs may use them. When the program is freed, the semaphores must be 0
 * again. So when a kernel has waited for a value, some kernel must have subtracted this value.
 * Returns OK. Returns NO_SPACE if no `count` consecutive semaphores are free, and UNSUPPORTED if
 * the site has no mesh and is not joined (mesh/assembled.h). */
enum status program_add_standing_semaphores(
	struct program *program, uint32_t count, struct text *why, uint32_t *first);

/* Like program_add_standing_semaphores(), but programs with the same `key` get the same semaphores,
 * which are reserved until the last of these programs is freed. All of them must ask for the same
 * `count`. Such programs must follow each other on each device, in the same order on all devices;
 * and no device may raise a semaphore for a later program while another device still waits for it
 * in an earlier one. */
enum status program_share_standing_semaphores(struct program *program, uint32_t count, uint64_t key,
	struct text *why, uint32_t *first);

#endif

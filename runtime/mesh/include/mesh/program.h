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
 * (mesh/sub_device.h). Each function that receives a set checks that its cores exist. */

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
	uint32_t config_ring_bytes; /* size of the part of a core's L1 for the configuration and
				     * binaries of launches */
	/* a worker's circular buffers lie between these two addresses */
	uint32_t buffers_base, l1_bytes;
	uint32_t binary_page_bytes; /* page size of binaries in DRAM */
	uint32_t packed_bytes; /* maximum bytes of the unique arguments of one core; a dispatcher
				* must hold all of them in its ring */
};

/* Computes, from the description of the machine alone, the limits of the mesh device that
 * mesh_open() would open. Returns OK or the errors of mesh_plan(). */
enum status program_limits_plan(const struct cluster_info *info, const struct mesh_config *config,
	struct program_limits *limits, struct text *why);

/* Makes a site for callers without a mesh device. Programs of this site cannot be enqueued here.
 * The caller sends descriptions of them (mesh/description.h) to hosts that have devices of this
 * shape with these limits. Never NULL. */
struct program_site *program_site_new(const struct program_limits *limits, struct mesh_shape shape);

/* Frees a site of program_site_new(), after all of its programs and workloads are freed. NULL is
 * allowed. */
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
	uint32_t common_args; /* number of arguments that all cores of the kernel share; with
			       * unique_args, at most BOUND_ARGUMENTS */
	bool table; /* the arguments are a table in L1 with at most BOUND_TABLE_WORDS words */

	/* NULL: the kernel is filler. Otherwise the kernel executes this text of `bytes` bytes,
	 * which is copied. `cycles` must then be 0, and `steps` at most 1. The text refers to
	 * arguments, circular buffers and semaphores by their numbers, which count from 0.
	 * Arguments are numbered in the order of the words that are set. Circular buffers are
	 * numbered in the order in which they were added to the core. Semaphores are numbered in
	 * the order in which they were added to the program, over all cores. */
	const uint8_t *text;
};

/* maximum number of circular buffers of a program, over all cores */
enum { PROGRAM_BUFFERS_MAX = 512 };

/* Both functions create a program for the devices of `mesh` or `site`, and charge
 * WORK_CREATE_OPERATION. The result is never NULL. The name determines the generated contents.
 * Launch messages carry `id`; 0 takes the next number of the site, as program_new() does. */
struct program *program_new(struct mesh_device *mesh, const char *name);
struct program *program_new_at(struct program_site *site, const char *name, uint32_t id);

/* Frees the program and its own workload. No operation that uses the program may be under way, and
 * no other workload may contain it. NULL is allowed. */
void program_free(struct program *program);

/* Adds a kernel, and sets *kernel to its handle. Returns OK, or an error with a sentence in `why`
 * (may be NULL). Returns INVALID if the kernel has no bytes or no cores, or is a text with cycles
 * or steps; OUT_OF_RANGE if cores are outside the worker grid, or there are too many arguments;
 * EXISTS if a core already has a kernel for this processor; NO_SPACE if the kernel does not fit
 * into the config ring. Also returns the errors of kernel_program_check() for a text. In a divided
 * mesh, the cores must also belong to one sub-device.
 *
 * After the first enqueue, program_add_kernel(), program_add_circular_buffer() and
 * program_add_semaphore() return INVALID. A core has at most CIRCULAR_BUFFERS_MAX circular buffers.
 * A program has at most PROGRAM_BUFFERS_MAX circular buffers and SEMAPHORES_MAX semaphores. Adding
 * more returns NO_SPACE. */
enum status program_add_kernel(struct program *program, const struct kernel_config *config,
	struct text *why, uint32_t *kernel);

/* cores_check() checks that devices with these limits have the cores. program_check_cores() also
 * checks that the program's sub-device has the cores. Both functions charge nothing, and return the
 * errors that program_add_kernel() returns for cores. */
enum status cores_check(const struct program_limits *limits, struct cores cores, struct text *why);
enum status program_check_cores(
	const struct program *program, struct cores cores, struct text *why);

/* Adds a circular buffer of `pages` x `page_bytes` bytes on `cores`. The buffer lies above the
 * config ring, after all circular buffers of any of these cores. Every enqueue checks that the
 * buffer does not overlap buffers in L1. The circular buffers of a core are numbered from 0 in the
 * order in which they were added. If several cores have the same circular buffers, one multicast
 * writes the configurations of these buffers to all these cores.
 *
 * The kernels of a pipeline (`steps` above 1) run ahead of each other by at most the pages of the
 * core's smallest circular buffer; 1 page means single buffering. If the core has no circular
 * buffers, the firmware's limit applies.
 *
 * Returns OK; INVALID if the buffer has no bytes, or if `cores` are Ethernet cores; NO_SPACE if
 * there are too many circular buffers, or if L1 is too small; or the errors that
 * program_add_kernel() returns for cores. */
enum status program_add_circular_buffer(struct program *program, struct cores cores, uint32_t pages,
	uint32_t page_bytes, struct text *why);

/* Adds a semaphore with an initial value on `cores`. Sets *index to the semaphore's number, counted
 * from 0. Returns OK; NO_SPACE if there are too many semaphores; or the errors that
 * program_add_kernel() returns for cores. */
enum status program_add_semaphore(struct program *program, struct cores cores, uint32_t initial,
	struct text *why, uint32_t *index);

/* Set the unique arguments of one core, or the common arguments. `core` is an index in row-major
 * order of the grid. May be called between enqueues. Return OK; NOT_FOUND if there is no such
 * kernel, or if it does not run on this core; INVALID if `count` is not the number of arguments
 * that the kernel declared. */
enum status program_set_args(struct program *program, uint32_t kernel, uint32_t core,
	const uint32_t *args, uint32_t count);
enum status program_set_common_args(
	struct program *program, uint32_t kernel, const uint32_t *args, uint32_t count);

/* Sets every argument of every kernel, as a benchmark does before each enqueue. Word i becomes the
 * lower 32 bits of hash_mix(generation << 32 | i). Words are numbered kernel by kernel, in the
 * order of adding. Each kernel has first its common arguments, then the arguments of each of its
 * cores in row-major order. */
void program_refresh_args(struct program *program, uint32_t generation);

/* Sets how long the filler of all later launches runs: for `cycles`, in place of its kernels' own
 * time (in a pipeline, for each page). `cycles` is below 2^48 - 1. If `spread` is above 0, the
 * cores do not end together: the time is that from the first core's start to the end of the first
 * worker, and each other one ends some part of it earlier, at most `spread` of 65536 of it.
 * Pipelines and kernels that execute a text have no spread. The time is in the launch message, so
 * setting it costs nothing. May be called between enqueues; a trace keeps the time of each captured
 * launch. Launches through a distributed device ignore it. */
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

/* Adds `program` to the workload, which will run it on the devices of `range`. Returns OK, or an
 * error with a sentence in `why` (may be NULL): EXISTS if the range overlaps another range of this
 * workload; OUT_OF_RANGE if the range exceeds the mesh; INVALID if the program has no kernels, or
 * if the workload was enqueued already. */
enum status workload_add(struct workload *workload, struct program *program,
	struct device_range range, struct text *why);

/* Returns the program's own workload, which runs the program on all devices. The first call makes
 * the workload, and it belongs to the program. The workload is empty as long as the program has no
 * kernels. Never NULL. */
struct workload *program_workload(struct program *program);

/* The range of all devices, for workload_add(). This range fits a mesh of any size (an unbound
 * workload, spec 3.4.2). */
#define DEVICES_UNBOUND ((struct device_range){0, 0, UINT16_MAX, UINT16_MAX})

/* Sets the unique arguments of one core like program_set_args(), but only on the devices of
 * `range`. All these devices must run the same program of the workload. The first call for a range
 * copies the program's current arguments. After that, the range has separate arguments. This
 * function changes them; the program's functions do not. May be called between enqueues. At a
 * launch, each range receives its arguments in a separate transaction; the remaining commands go to
 * all devices in another transaction.
 *
 * Returns OK, or an error with a sentence in `why` (may be NULL): NOT_FOUND (no program runs on all
 * devices of the range), EXISTS (the range overlaps another range that was set before),
 * OUT_OF_RANGE (the range is empty). Also returns the errors of program_set_args(). */
enum status workload_set_args(struct workload *workload, struct device_range range, uint32_t kernel,
	uint32_t core, const uint32_t *args, uint32_t count, struct text *why);

/* Sets every argument of a range to the values that program_refresh_args() would set. Otherwise it
 * acts like workload_set_args(). */
enum status workload_refresh_args(struct workload *workload, struct device_range range,
	uint32_t generation, struct text *why);

/* Returns OK if the workload could be enqueued now. Otherwise returns an error with a sentence in
 * `why`: INVALID if the workload has no programs; NO_SPACE if circular buffers overlap buffers in
 * L1, or if the binaries do not fit into DRAM. If the site has no mesh, the two checks for NO_SPACE
 * are skipped. */
enum status workload_check(const struct workload *workload, struct text *why);

/* Kernels that execute a text (command/kernel_program.h) use the fabric with two resources: routes
 * from a device to other devices of the mesh, and semaphores that keep their value from launch to
 * launch. The host only sets up these resources; the kernels send the data.
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
	bool each;    /* every device of the route receives the packets, not only the last one */
	bool round;   /* the route follows a ring; a packet enters the ring only if it leaves a slot
		       * free, so that packets on the ring can move on */
	uint8_t link; /* number of the parallel link to use, from 0 */
};

/* Adds a route for a program on the first device, and sets *number to its number. If an equal route
 * exists already, *number becomes the number of that route. A route exists as long as the mesh is
 * open. Returns OK, or an error with a sentence in `why` (may be NULL). Returns OUT_OF_RANGE if
 * there is no such device or no such parallel link. Returns UNSUPPORTED in four cases: devices are
 * not neighbours; links are outside the fabric's topology; the site has no mesh and is not joined
 * (mesh/joined.h); a route that delivers to each device has more than BOUND_MEMBERS receivers
 * (world/machine_bounds.h). Returns NO_SPACE if there are too many routes. Only the thread that
 * enqueues may call this function. */
enum status program_add_route(struct program *program, const struct route_config *config,
	struct text *why, uint32_t *number);

/* Returns the size of the machine's largest packet in bytes; 0 if the site has no mesh and is not
 * joined. */
uint32_t program_packet_bytes(const struct program *program);

/* Returns the smallest number of parallel links between two neighbours of the machine; 0 if it has
 * no links, or if the site has no mesh and is not joined. */
uint32_t program_links(const struct program *program);

/* Returns the number of workers in a row of a device's grid. */
uint32_t program_worker_columns(const struct program *program);

/* Reserves `count` consecutive standing semaphores until the program is freed, and sets *first to
 * the number of the first one. No other call reserves these semaphores during this time. Kernels of
 * other programs may use them. When the program is freed, all of them must be 0 again, so its
 * kernels must have subtracted everything that they waited for. Returns OK; NO_SPACE if no `count`
 * consecutive semaphores are free; UNSUPPORTED if the site has no mesh and is not joined.
 */
enum status program_add_standing_semaphores(
	struct program *program, uint32_t count, struct text *why, uint32_t *first);

#endif

/* The mesh device: one virtual device made of a rectangle of chips (spec 3.1). Opening a mesh
 * device starts the dispatch firmware. The mesh device then provides command queues and memory
 * until it is closed. If a configuration does not fit on the platform, opening returns an error
 * with a sentence.
 *
 *     struct mesh_system *system = mesh_system_new(cluster);
 *     mesh_open(system, &config, &why, &mesh);
 *     ... mesh/buffer.h, mesh/program.h, mesh/queue.h, mesh/event.h ...
 *     mesh_close(mesh);
 *     (free the cluster)
 *     mesh_system_free(system);
 *
 * Unless stated otherwise, only the host thread that opened a mesh device may call the functions of
 * these headers for it. Every call of the API charges WORK_API_CALL. */
#ifndef MESH_MESH_H
#define MESH_MESH_H

#include "base/status.h"
#include "base/text.h"
#include "memory/allocator.h"
#include "memory/placement.h"
#include "mesh/config.h"

struct mesh_system;   /* opaque: the parts of one cluster that its mesh devices use */
struct mesh_device;   /* opaque */
struct command_queue; /* opaque: virtual command queue (spec 3.2) */

/* Makes the system in which mesh devices of `cluster` are opened. The system holds the memory of
 * firmware stages and fabric trees, so it must be freed after the cluster. */
struct mesh_system *mesh_system_new(struct cluster *cluster);

/* Makes a system for a machine that exists only as a description. Its mesh devices have no chips.
 * mesh_open() makes only the parts that need no chip (allocators, sub-devices, programs and
 * workloads), and returns the same errors as for a real machine. There are no command queues, so
 * nothing can be sent. Used for checks before a run. `info` must outlive the system. */
struct mesh_system *mesh_system_plan(const struct cluster_info *info);

/* Frees the system, after its mesh devices are closed and the cluster is freed. NULL is allowed. */
void mesh_system_free(struct mesh_system *system);

/* Resources of a mesh device. A number per chip is the maximum over all chips of the same kind. */
struct mesh_resources {
	uint32_t host_threads;	  /* of the runtime, without the caller's */
	uint32_t initiators;	  /* broadcast grids; 0 without broadcast */
	uint32_t mesh_processors; /* RISC-V processors of dispatch firmware, busiest mesh chip */
	uint32_t mesh_tiles;	  /* tiles of dispatch firmware, same chip: Tensix or Ethernet */
	uint64_t mesh_l1_bytes;	  /* L1 of these tiles, same chip */
	uint64_t mesh_dram_bytes; /* DRAM for spill buffers, same chip */
	uint32_t gateway_processors, gateway_tiles; /* the same on the busiest gateway-only chip */
	uint64_t gateway_l1_bytes;
	uint64_t total_processors, total_tiles; /* over all chips */
	uint64_t host_window_bytes;		/* pinned host memory */
	uint32_t worker_config_ring_bytes;	/* of every worker's L1 */
	uint32_t workers;			/* of every device, for programs */
	uint32_t ethernet_cores;		/* likewise */
	uint32_t issue_queues, completion_queues;
};

/* Plans a mesh device without starting anything, and fills in *resources (may be NULL). Returns OK
 * or the errors of mesh_open(). Used to validate scenarios and to print tables. */
enum status mesh_plan(const struct cluster_info *info, const struct mesh_config *config,
	struct mesh_resources *resources, struct text *why);

/* Returns true if mesh_plan() accepts both configurations and has the same initiators of broadcasts
 * for the same parts of the mesh. */
bool mesh_same_initiators(const struct cluster_info *info, const struct mesh_config *config,
	const struct mesh_config *other);

/* Returns the devices of the largest broadcast grid of a configuration; 0 if it has no broadcasts,
 * or if mesh_plan() rejects it. */
uint32_t mesh_largest_grid(const struct cluster_info *info, const struct mesh_config *config);

/* Opens a mesh device: claims its chips, places and starts the firmware, reserves host memory,
 * starts host threads. Returns OK, and the caller owns *mesh; or an error with a sentence appended
 * to `why` (may be NULL): OUT_OF_RANGE (shape or offset), EXISTS (a chip belongs to another mesh
 * device of this system), NO_SPACE (tiles, processors, L1 or DRAM do not suffice, or no PCIe for an
 * initiator), NO_MEMORY (host window), NOT_FOUND (not reachable), INVALID, UNSUPPORTED. */
enum status mesh_open(struct mesh_system *system, const struct mesh_config *config,
	struct text *why, struct mesh_device **mesh);

/* Finishes all queues, ends firmware and threads, and releases chips, host memory and the memory of
 * all buffers. The chips may then be opened again, in any mesh device. All mesh devices share the
 * fabric, so the call waits until the whole cluster is at rest; other mesh devices should have
 * nothing under way. Buffers, programs, workloads, events and traces of the mesh device must not be
 * used after the call. NULL is allowed. */
void mesh_close(struct mesh_device *mesh);

/* Returns virtual command queue `index` (< command_queues), which belongs to the mesh device. */
struct command_queue *mesh_queue(struct mesh_device *mesh, uint32_t index);

/* Queries (spec 3.1.3). */
uint32_t mesh_device_number(const struct mesh_device *mesh); /* number in its system */
struct mesh_shape mesh_device_shape(const struct mesh_device *mesh);
uint32_t mesh_device_count(const struct mesh_device *mesh);
uint32_t mesh_queue_count(const struct mesh_device *mesh);
uint16_t mesh_device_chip(const struct mesh_device *mesh, uint16_t row, uint16_t column);
struct cluster *mesh_device_cluster(const struct mesh_device *mesh);
const struct chip_geometry *mesh_device_geometry(
	const struct mesh_device *mesh); /* of every device */
uint32_t mesh_worker_columns(const struct mesh_device *mesh);
uint32_t mesh_worker_rows(const struct mesh_device *mesh);
uint32_t mesh_ethernet_cores(const struct mesh_device *mesh); /* that programs may use */
uint16_t mesh_ethernet_tile(const struct mesh_device *mesh, uint32_t core);
uint32_t mesh_dram_banks(const struct mesh_device *mesh);
uint64_t mesh_dram_bank_bytes(const struct mesh_device *mesh);
uint32_t mesh_worker_l1_bytes(const struct mesh_device *mesh);
uint64_t mesh_free_bytes(const struct mesh_device *mesh, bool l1); /* per bank or worker */

/* Columns and rows of a device's tiles. mesh_tile_grid() counts all tiles on the NoC.
 * mesh_worker_grid() counts the workers, which compute and have storage. mesh_dram_grid() counts
 * the DRAM banks as one row. */
struct tile_grid {
	uint16_t columns, rows;
};
struct tile_grid mesh_tile_grid(const struct mesh_device *mesh);
struct tile_grid mesh_worker_grid(const struct mesh_device *mesh);
struct tile_grid mesh_dram_grid(const struct mesh_device *mesh);

/* Returns the usage of the allocator for memory of this type. The allocator works in lock-step, so
 * the usage is the same in every bank or worker. If the mesh reserves no memory of this type (small
 * buffers, traces or system memory), all fields are 0. */
struct allocator_usage mesh_memory_usage(const struct mesh_device *mesh, enum buffer_type type);

/* Returns the processor for an additional host thread that will call the mesh. The configured
 * `host.pin` assigns the next processor, as for the runtime's own threads. */
struct affinity mesh_caller_place(struct mesh_device *mesh);

/* Returns the address in the L1 of every worker tile at which the last launch has left its result
 * (LAUNCH_RESULT_BYTES of command/launch.h). Used to read results back and check them. */
uint32_t mesh_worker_result(const struct mesh_device *mesh);

const struct mesh_resources *mesh_device_resources(const struct mesh_device *mesh);
const struct mesh_config *mesh_device_config(const struct mesh_device *mesh);

/* Amounts of data and commands that were put into one or more issue queues. The members `order_...`
 * count only commands whose purpose is order: they keep broadcasts and unicasts in the order in
 * which these were enqueued (spec 3.8.4). */
struct issued {
	uint64_t transactions;
	uint64_t bytes;
	uint64_t commands;     /* prefetch and dispatch commands, including the commands in
				* `header_bytes` */
	uint64_t header_bytes; /* bytes in front of an operation's own commands: routes, transaction
				* numbers, preambles */
	uint64_t order_transactions, order_commands, order_bytes; /* only for order */
};

/* Counters for reports; they never decrease. */
struct mesh_counters {
	uint64_t streams_built;	 /* command streams encoded */
	uint64_t streams_reused; /* taken from the command cache and patched */
	uint64_t bytes_issued;	 /* copied into issue queues, all queues together */
	uint64_t doorbells;
	struct issued broadcasts; /* counted once for each issue queue */
	struct issued unicasts;	  /* once for each device */
	uint64_t turns;		  /* number of times that the feed of a queue switched between
				   * broadcasts and unicasts */
	uint64_t bring_up_bytes;  /* written over PCIe at opening; 0 unless bring-up is timed */
	uint64_t issue_waits;	  /* times that an issue or fetch queue was full */
	uint64_t ring_waits; /* number of launches that had to wait until an older launch no longer
			      * used a place in a config ring */
	/* over the fabric */
	uint64_t packets, packet_bytes; /* packets, and their bytes, that packetizers have sent; a
					 * multicast counts once; bytes include segment headers */
	uint64_t credit_returns;	/* messages of depacketizers */
	uint64_t credits_taken, credits_due; /* credits that packetizers took, and credits that
					      * receivers have returned or will return */
	uint64_t spilled_bytes;		     /* through spill buffers, of all chips */
	uint64_t spill_peak_bytes;	     /* the highest level of any of them */
};

/* Copies the counters. While the queues are finished, the counters are exact, except that the
 * credits returned last may be missing. */
void mesh_device_counters(const struct mesh_device *mesh, struct mesh_counters *counters);

#endif

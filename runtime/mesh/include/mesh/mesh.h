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

/* Makes the system in which mesh devices of `cluster` are opened. The system owns the memory of
 * firmware stages and fabric trees, which the cluster uses. So the cluster must be freed before the
 * system. */
struct mesh_system *mesh_system_new(struct cluster *cluster);

/* Makes a system for a machine that exists only as a description; its mesh devices have no chips.
 * mesh_open() returns the same errors as for a real machine. But of a mesh device, there are only
 * the parts that need no chip: allocators, sub-devices, programs and workloads. There are no
 * command queues, so nothing can be sent. Used for checks before a run. `info` must outlive the
 * system. */
struct mesh_system *mesh_system_plan(const struct cluster_info *info);

/* Frees the system, after its mesh devices are closed and the cluster is freed. NULL is allowed. */
void mesh_system_free(struct mesh_system *system);

/* Resources of a mesh device. A number per chip is the maximum over all chips of the same kind. */
struct mesh_resources {
	uint32_t host_threads; /* threads of the runtime, without the caller */
	uint32_t initiators;   /* number of broadcast grids; 0 without broadcasts */
	/* what dispatch firmware uses on a chip of the mesh, at most: RISC-V processors, tiles
	 * (Tensix or Ethernet), and bytes of L1 */
	uint32_t mesh_processors;
	uint32_t mesh_tiles;
	uint64_t mesh_l1_bytes;
	uint64_t mesh_dram_bytes; /* most DRAM for spill buffers on a chip of the mesh */
	/* the same for a chip that is only a gateway, and has no place in the machine's mesh */
	uint32_t gateway_processors, gateway_tiles;
	uint64_t gateway_l1_bytes;
	/* processors and tiles of dispatch firmware, over all chips */
	uint64_t total_processors, total_tiles;
	uint64_t host_window_bytes;	   /* bytes of pinned host memory */
	uint32_t worker_config_ring_bytes; /* size of the config ring in every worker's L1 */
	uint32_t workers;	 /* number of workers that programs can use, on every device */
	uint32_t ethernet_cores; /* number of Ethernet cores that programs can use, on every
				  * device */
	uint32_t issue_queues, completion_queues;
};

/* Plans a mesh device without starting anything, and fills in *resources (may be NULL). Returns OK
 * or the errors of mesh_open(). Used to validate scenarios and to print tables. */
enum status mesh_plan(const struct cluster_info *info, const struct mesh_config *config,
	struct mesh_resources *resources, struct text *why);

/* Returns true if mesh_plan() accepts both configurations, and if both divide the mesh into the
 * same broadcast grids with the same initiators. */
bool mesh_same_initiators(const struct cluster_info *info, const struct mesh_config *config,
	const struct mesh_config *other);

/* Returns the hosts (chip_info.host, one bit each) that have a chip which initiates broadcasts of
 * this configuration. Returns 0 if the configuration has no broadcasts, or if mesh_plan() rejects
 * it. */
uint32_t mesh_initiator_hosts(const struct cluster_info *info, const struct mesh_config *config);

/* Returns the number of devices in the largest broadcast grid of a configuration. Returns 0 if the
 * configuration has no broadcasts, or if mesh_plan() rejects it. */
uint32_t mesh_largest_grid(const struct cluster_info *info, const struct mesh_config *config);

/* Opens a mesh device: claims its chips, places and starts the firmware, reserves host memory, and
 * starts host threads. Returns OK, and the caller owns *mesh. After any other status, a sentence is
 * appended to `why` (may be NULL). Returns OUT_OF_RANGE if the shape or the offset is not possible,
 * EXISTS if a chip belongs to another mesh device of this system, and NOT_FOUND if a chip is not
 * reachable. Returns NO_SPACE if there are not enough tiles, processors, L1 or DRAM, or if no chip
 * with PCIe is left for an initiator. Returns NO_MEMORY if the host window does not have enough
 * room. Returns INVALID or UNSUPPORTED if the configuration is wrong or not supported. */
enum status mesh_open(struct mesh_system *system, const struct mesh_config *config,
	struct text *why, struct mesh_device **mesh);

/* Finishes all queues, ends firmware and threads, and releases the chips, the host memory and the
 * memory of all buffers. The chips may then be opened again, in any mesh device. All mesh devices
 * share the fabric, so the call waits until the whole cluster is at rest. Other mesh devices should
 * have no operations in progress. Buffers, programs, workloads, events and traces of the mesh
 * device must not be used after the call. NULL is allowed. */
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
/* the tiles of a device; equal for all devices */
const struct chip_geometry *mesh_device_geometry(const struct mesh_device *mesh);
uint32_t mesh_worker_columns(const struct mesh_device *mesh);
uint32_t mesh_worker_rows(const struct mesh_device *mesh);
/* number of cores that programs may use */
uint32_t mesh_ethernet_cores(const struct mesh_device *mesh);
uint16_t mesh_ethernet_tile(const struct mesh_device *mesh, uint32_t core);
uint32_t mesh_dram_banks(const struct mesh_device *mesh);
uint64_t mesh_dram_bank_bytes(const struct mesh_device *mesh);
uint32_t mesh_worker_l1_bytes(const struct mesh_device *mesh);
/* free bytes in each DRAM bank, or in each worker's L1 if `l1` is set */
uint64_t mesh_free_bytes(const struct mesh_device *mesh, bool l1);

/* Columns and rows of a device's tiles. mesh_tile_grid() counts all tiles on the NoC.
 * mesh_worker_grid() counts the workers, which compute and have storage. mesh_dram_grid() counts
 * the DRAM banks as one row. */
struct tile_grid {
	uint16_t columns, rows;
};
struct tile_grid mesh_tile_grid(const struct mesh_device *mesh);
struct tile_grid mesh_worker_grid(const struct mesh_device *mesh);
struct tile_grid mesh_dram_grid(const struct mesh_device *mesh);

/* Returns the usage of the allocator for memory of this type. The usage is the same in every bank
 * or worker, because the allocator works in lock-step. If the mesh reserves no memory of this type
 * (small buffers, traces or system memory), all fields are 0. */
struct allocator_usage mesh_memory_usage(const struct mesh_device *mesh, enum buffer_type type);

/* Returns the processor to which a further host thread should be bound that calls the mesh. It is
 * the next processor that the variant in the configuration's `host.pin` assigns. This variant also
 * assigns the processors of the runtime's own threads. */
struct affinity mesh_caller_place(struct mesh_device *mesh);

/* Returns the address, in the L1 of every worker tile, at which a launch leaves its result
 * (LAUNCH_RESULT_BYTES of command/launch.h). Used to read back and check results. */
uint32_t mesh_worker_result(const struct mesh_device *mesh);

const struct mesh_resources *mesh_device_resources(const struct mesh_device *mesh);
const struct mesh_config *mesh_device_config(const struct mesh_device *mesh);

/* Amounts of data and commands that were put into one or more issue queues. The members `order_...`
 * count only commands that keep broadcasts and unicasts in the order in which they were enqueued
 * (spec 3.8.4). */
struct issued {
	uint64_t transactions;
	uint64_t bytes;
	/* prefetch and dispatch commands, including the commands in `header_bytes` */
	uint64_t commands;
	uint64_t header_bytes; /* bytes that are sent before the commands of operations: routes,
				* transaction numbers, preambles */
	/* the transactions, commands and bytes among these that only keep the order */
	uint64_t order_transactions, order_commands, order_bytes;
};

/* Counters for reports; they never decrease. */
struct mesh_counters {
	uint64_t streams_built;	 /* number of command streams that were encoded */
	uint64_t streams_reused; /* number of command streams that were taken from the command cache
				  * and patched */
	uint64_t bytes_issued;	 /* bytes copied into issue queues, over all queues */
	uint64_t doorbells;
	struct issued broadcasts; /* amounts of broadcasts, counted once for each issue queue */
	struct issued unicasts;	  /* amounts of unicasts, counted once for each device */
	/* number of times that the host changed from broadcasts to unicasts, or back, in a queue */
	uint64_t turns;
	/* bytes written over PCIe at opening; 0 unless bring-up is timed */
	uint64_t bring_up_bytes;
	uint64_t issue_waits; /* number of times that an issue or fetch queue was full */
	/* number of launches that are written only when an older launch is done, because that
	 * launch may still use the same place in a config ring */
	uint64_t ring_waits;
	/* traffic over the fabric */
	/* packets that packetizers have sent, and the bytes of these packets including segment
	 * headers; a multicast counts once */
	uint64_t packets, packet_bytes;
	uint64_t credit_returns; /* messages with which depacketizers returned credits */
	uint64_t credits_taken, credits_due; /* `credits_taken`: credits that packetizers took;
					      * `credits_due`: credits that receivers have
					      * returned or must still return */
	uint64_t spilled_bytes;	   /* bytes that went through spill buffers, over all chips */
	uint64_t spill_peak_bytes; /* highest level that any spill buffer has reached */
};

/* Copies the counters. While the queues are finished, the counters are exact, except that the
 * counters of credits may not include the last returned credits. */
void mesh_device_counters(const struct mesh_device *mesh, struct mesh_counters *counters);

#endif

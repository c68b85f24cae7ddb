/* Sub-devices: disjoint sets of the cores of every device of a mesh, which run programs
 * independently of each other (spec 3.1.2, 3.3.4, 3.4.5). A mesh device has one manager, so all its
 * devices are divided alike.
 *
 *     sub_devices_load(mesh, &config, &why);
 *     ... programs whose cores are of one sub-device, buffers in the L1 of one ...
 *     sub_devices_clear(mesh, &why);
 *
 * Launches of one sub-device are in order. Launches of different sub-devices are not ordered with
 * each other and run at the same time, from one queue or from several (spec 3.4.6). All sub-devices
 * share the dispatchers, which execute commands in order: a command that waits for one sub-device
 * also holds up later commands for the others. A dispatcher prepares LAUNCHES_AHEAD launches
 * (command/launch.h), over all sub-devices together.
 *
 * Dividing a mesh takes no time, like opening it. Every wait has a scope: it waits only for the
 * workers of the sub-devices that the operation needs, however long other sub-devices run. The
 * scope is
 *
 * - for a workload, the sub-devices of its programs;
 * - for the write of a workload's binaries, the workload's sub-device if it has only one, otherwise
 *   all sub-devices;
 * - for a write or a read, the sub-device whose L1 holds the buffer, since programs of other
 *   sub-devices may not use the buffer; for other buffers, all sub-devices;
 * - for a trace, the sub-devices of everything that it captured (trace_sub_devices()); while it is
 *   uploaded, the sub-device of its workloads;
 * - for events and finishes, all sub-devices, except with enqueue_record_event_of() and
 *   queue_finish_of().
 *
 * Memory: n + 1 allocators (spec 3.3.4). Each sub-device has the lowest `local_l1_bytes` of the L1
 * that its workers have for buffers. The global allocator has DRAM and the L1 above that. */
#ifndef MESH_SUB_DEVICE_H
#define MESH_SUB_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "base/text.h"
#include "memory/allocator.h"
#include "mesh/program.h"

struct buffer_config;
struct mesh_config;
struct mesh_device;
struct program_site;

enum { SUB_DEVICES_MAX = 8, SUB_DEVICE_NONE = 255 };

/* Masks have one bit per sub-device. Bits of sub-devices that the mesh does not have are
 * ignored. */
enum { SUB_DEVICES_ALL = (1 << SUB_DEVICES_MAX) - 1 };

/* A flag beside the bits of the sub-devices on which a queue has launched. It is set when anything
 * is sent to the queue. A finish of any sub-devices clears it, because every finish waits for
 * everything in the queue except programs of other sub-devices. */
enum { QUEUE_SENT = 1 << SUB_DEVICES_MAX };

/* Returns the bit of a sub-device. SUB_DEVICE_NONE stands for memory that belongs to no single
 * sub-device, so it has all bits. */
static inline uint32_t sub_device_bits(uint8_t sub_device)
{
	return sub_device == SUB_DEVICE_NONE ? SUB_DEVICES_ALL : 1u << sub_device;
}

/* The configuration of one sub-device. Cores outside every sub-device run nothing. */
struct sub_device_config {
	struct cores cores; /* workers */
	bool ethernet;	    /* and all Ethernet cores that programs may use */
};

struct sub_devices_config {
	const struct sub_device_config *sub_devices; /* numbered from 0; borrowed for the call */
	uint32_t count;				     /* 1..SUB_DEVICES_MAX */
	uint32_t local_l1_bytes; /* of each worker's L1, only for its sub-device; 0: none */
};

/* Checks sub-devices for devices with a grid of `columns` x `rows` workers, without loading
 * anything. On error, *failed is the index of the sub-device in error. Errors, with a sentence in
 * `why` (may be NULL): those of a kernel's cores (mesh/program.h), INVALID (no sub-devices, or too
 * many), EXISTS (two of them share a core). */
enum status sub_devices_check(const struct sub_devices_config *config, uint32_t columns,
	uint32_t rows, uint32_t *failed, struct text *why);

/* Divides the devices of the mesh. Errors, with a sentence in `why` (may be NULL): those of
 * sub_devices_check(), EXISTS (the mesh is divided already), NO_SPACE (not enough L1 for the local
 * parts), INVALID (a queue is not finished, or programs or buffers in L1 exist). */
enum status sub_devices_load(
	struct mesh_device *mesh, const struct sub_devices_config *config, struct text *why);

/* Removes the division. NOT_FOUND (the mesh is not divided); INVALID as in sub_devices_load(). */
enum status sub_devices_clear(struct mesh_device *mesh, struct text *why);

/* Sub-devices of the mesh; 0 if it is not divided. */
uint32_t sub_devices_count(const struct mesh_device *mesh);

/* Returns the number of Tensix and Ethernet cores of a sub-device. */
uint32_t sub_device_workers(const struct mesh_device *mesh, uint32_t sub_device);

/* Returns the usage of a sub-device's local allocator, which is the same on each of its workers.
 * All fields are 0 if the sub-device has no L1 of its own. */
struct allocator_usage sub_device_usage(const struct mesh_device *mesh, uint32_t sub_device);

/* ---- for callers that divide the devices of other hosts (mesh/program.h: program_site_new()) ----
 */

/* Checks that the sub-devices' local L1 fits into `l1_bytes`, the part of a worker's L1 that
 * buffers of such a mesh may use. Returns OK, INVALID (not whole pages) or NO_SPACE. */
enum status sub_devices_check_local(const struct sub_devices_config *config,
	const struct mesh_config *mesh, uint64_t l1_bytes, struct text *why);

/* Divides the site, or removes the division, as sub_devices_load() and sub_devices_clear() do with
 * a mesh. The caller checks that queues are finished and that no buffers are in the way. Errors:
 * those of sub_devices_check(), EXISTS, NOT_FOUND, INVALID (programs exist). */
enum status program_site_divide(
	struct program_site *site, const struct sub_devices_config *config, struct text *why);
enum status program_site_make_whole(struct program_site *site, struct text *why);
bool program_site_is_divided(const struct program_site *site);

/* Places a buffer of `device_bytes` per device on the workers of the sub-device that its config
 * names: interleaved pages become shards. Returns the errors of mesh_buffer_new() for such a
 * buffer: NOT_FOUND, OUT_OF_RANGE (a shard on a core outside the sub-device), UNSUPPORTED (not in
 * L1, not a rectangle). */
enum status sub_device_deal(const struct program_site *site, uint64_t device_bytes,
	struct buffer_config *config, struct text *why);

#endif

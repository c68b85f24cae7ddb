/* Sub-devices: the cores of every device of a mesh in parts that run programs apart from each other
 * (spec 3.1.2, 3.3.4, 3.4.5). A mesh device has one manager, so all its devices are divided alike.
 *
 *     sub_devices_load(mesh, &config, &why);
 *     ... programs whose cores are of one sub-device, buffers in the L1 of one ...
 *     sub_devices_clear(mesh, &why);
 *
 * Launches of one sub-device are in order; those of different ones are not ordered with each other
 * and run at once, from one queue or from several (spec 3.4.6). They share the dispatchers, which
 * take commands in order: a command that waits for one sub-device holds up what is behind it, for
 * another one, too. A dispatcher prepares LAUNCHES_AHEAD launches (command/launch.h) of all of them
 * together.
 *
 * A mesh is divided in no time, as it is opened in none. Binaries of a program wait for its own
 * sub-device. A wait has a scope: the workers of the sub-devices that the operation needs, and no
 * others, however long these run. That is
 *
 * - of a workload those that its programs are of;
 * - of a write or a read the one whose L1 the buffer lies in, since no program of another may use
 *   it, else all;
 * - of a trace those of all that it captured (trace_sub_devices()), while it is uploaded the one of
 *   its workloads;
 * - of events and finishes all, but for enqueue_record_event_of() and queue_finish_of().
 *
 * Memory: n + 1 allocators (spec 3.3.4). Each sub-device has the lowest `local_l1_bytes` of what
 * buffers may take of its workers' L1; the global one DRAM and the L1 above that. */
#ifndef MESH_SUB_DEVICE_H
#define MESH_SUB_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "base/text.h"
#include "memory/allocator.h"
#include "mesh/cores.h"

struct buffer_config;
struct mesh_config;
struct mesh_device;
struct program_site;

enum { SUB_DEVICES_MAX = 8, SUB_DEVICE_NONE = 255 };

/* Several sub-devices are a bit each; bits of sub-devices that the mesh does not have mean nothing.
 */
enum { SUB_DEVICES_ALL = (1 << SUB_DEVICES_MAX) - 1 };

/* Beside the sub-devices that a queue has launched on: that it was sent anything. A finish of one
 * sub-device settles it, since all but programs is in order. */
enum { QUEUE_SENT = 1 << SUB_DEVICES_MAX };

/* One of them as bits; SUB_DEVICE_NONE, of memory that is of no single one: all. */
static inline uint32_t sub_device_bits(uint8_t sub_device)
{
	return sub_device == SUB_DEVICE_NONE ? SUB_DEVICES_ALL : 1u << sub_device;
}

/* One sub-device. Cores that no sub-device has run nothing. */
struct sub_device_config {
	struct cores cores; /* workers */
	bool ethernet;	    /* and all Ethernet cores that programs may use */
};

struct sub_devices_config {
	const struct sub_device_config *sub_devices; /* they count from 0; borrowed for the call */
	uint32_t count;				     /* 1..SUB_DEVICES_MAX */
	uint32_t local_l1_bytes; /* of each worker's L1, for its sub-device alone; 0: none */
};

/* Checks sub-devices for devices with a grid of `columns` x `rows` workers, without loading
 * anything. *failed is the one with the error. Errors, with a sentence in `why` (may be NULL): as
 * cores of a kernel (mesh/program.h), INVALID (no sub-devices, or too many), EXISTS (two of them
 * share a core). */
enum status sub_devices_check(const struct sub_devices_config *config, uint32_t columns,
	uint32_t rows, uint32_t *failed, struct text *why);

/* Divides the devices of the mesh. Errors, with a sentence in `why` (may be NULL): those of
 * sub_devices_check(), EXISTS (the mesh is divided already), NO_SPACE (that much local L1),
 * INVALID (a queue has not been finished since it was sent something, or programs or buffers in L1
 * are there). */
enum status sub_devices_load(
	struct mesh_device *mesh, const struct sub_devices_config *config, struct text *why);

/* Makes the devices whole again. NOT_FOUND (they are whole); INVALID as of sub_devices_load(). */
enum status sub_devices_clear(struct mesh_device *mesh, struct text *why);

/* Sub-devices of the mesh; 0 if it is not divided. */
uint32_t sub_devices_count(const struct mesh_device *mesh);

/* Tensix and Ethernet cores of a sub-device. */
uint32_t sub_device_workers(const struct mesh_device *mesh, uint32_t sub_device);

/* What the local allocator of a sub-device has given out, of each of its workers alike; all 0 if it
 * has no L1 of its own. */
struct allocator_usage sub_device_usage(const struct mesh_device *mesh, uint32_t sub_device);

/* ---- for who divides devices of others (mesh/program.h: program_site_new()) ---- */

/* Whether the L1 that sub-devices are to have of their own is a part of `l1_bytes`, which buffers
 * of such a mesh may take of a worker's: INVALID (no whole pages), NO_SPACE. */
enum status sub_devices_check_local(const struct sub_devices_config *config,
	const struct mesh_config *mesh, uint64_t l1_bytes, struct text *why);

/* Divides the site, or makes it whole again, as sub_devices_load() and sub_devices_clear() do with
 * a mesh; who calls knows of queues and buffers. The same errors: those of sub_devices_check(),
 * EXISTS, NOT_FOUND, INVALID (programs are there). */
enum status program_site_divide(
	struct program_site *site, const struct sub_devices_config *config, struct text *why);
enum status program_site_make_whole(struct program_site *site, struct text *why);
bool program_site_is_divided(const struct program_site *site);

/* Has a buffer of `device_bytes` on each device, whose config names a sub-device, lie on the
 * workers of that: interleaved pages become shards. Errors of mesh_buffer_new() of such a buffer:
 * NOT_FOUND, INVALID (not in L1), OUT_OF_RANGE (a shard on a core of another), UNSUPPORTED (no
 * rectangle). */
enum status sub_device_deal(const struct program_site *site, uint64_t device_bytes,
	struct buffer_config *config, struct text *why);

#endif

/* Sub-devices: disjoint sets of the cores of every device of a mesh, which run programs
 * independently of each other (spec 3.1.2, 3.3.4, 3.4.5). A mesh device has one division at a time,
 * which applies to all its devices.
 *
 *     sub_devices_load(mesh, &config, &why);
 *     ... add programs whose cores belong to one sub-device; allocate buffers in its L1 ...
 *     sub_devices_clear(mesh, &why);
 *
 * Launches of one sub-device run in order. Launches of different sub-devices have no order and may
 * run at the same time, whether they come from one queue or from several (spec 3.4.6). All
 * sub-devices share the dispatchers, which execute commands in order. So a command that waits for
 * one sub-device also delays later commands for other sub-devices. A dispatcher prepares at most
 * LAUNCHES_AHEAD launches (command/launch.h), counted over all sub-devices.
 *
 * Dividing a mesh takes no simulated time. Every wait has a scope: it waits only for the workers of
 * the sub-devices that the operation needs. Other sub-devices may run for any time. The scope is
 *
 * - for a workload, the sub-devices of its programs;
 * - for the write of a workload's binaries, the workload's sub-device if it has only one, otherwise
 *   all sub-devices;
 * - for a write or a read, the sub-device whose L1 holds the buffer, since programs of other
 *   sub-devices may not use the buffer; for other buffers, all sub-devices;
 * - for a replay of a trace, the sub-devices of everything that the trace captured
 *   (trace_sub_devices()); for the upload of a trace, the sub-device of its workloads;
 * - for events and finishes, all sub-devices, except in enqueue_record_event_of() and
 *   queue_finish_of().
 *
 * Memory: a mesh with n sub-devices has n + 1 allocators (spec 3.3.4). In each worker's L1 for
 * buffers, the lowest `local_l1_bytes` belong to the worker's sub-device, and a local allocator of
 * this sub-device manages them. The global allocator manages DRAM and the rest of the L1. */
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

/* Divisions of a mesh have numbers from 1. DIVISION_WHOLE stands for devices that are not divided.
 */
enum { DIVISIONS_MAX = 8, DIVISION_WHOLE = 0 };

/* Masks have one bit for each sub-device. Bits of sub-devices that the mesh does not have are
 * ignored. */
enum { SUB_DEVICES_ALL = (1 << SUB_DEVICES_MAX) - 1 };

/* A flag in `busy`, the mask of a queue. The other bits of the mask are the sub-devices on which
 * the queue has launched. The flag is set when anything is sent to the queue. It is cleared when
 * the host has waited for all devices, in a finish or a blocking call. If the host has waited for
 * the programs of only some sub-devices, the flag is also cleared, and the bits of the other
 * sub-devices stay set. */
enum { QUEUE_SENT = 1 << SUB_DEVICES_MAX };

/* Returns the bit of a sub-device. SUB_DEVICE_NONE stands for memory that belongs to no single
 * sub-device; the function then returns all bits. */
static inline uint32_t sub_device_bits(uint8_t sub_device)
{
	return sub_device == SUB_DEVICE_NONE ? SUB_DEVICES_ALL : 1u << sub_device;
}

/* The configuration of one sub-device. Cores outside every sub-device run nothing. */
struct sub_device_config {
	struct cores cores; /* the workers of the sub-device */
	bool ethernet; /* true: the sub-device also has all Ethernet cores that programs may use */
};

struct sub_devices_config {
	const struct sub_device_config *sub_devices; /* numbered from 0; borrowed for the call */
	uint32_t count;				     /* number of sub-devices, 1 to
						      * SUB_DEVICES_MAX */
	uint32_t local_l1_bytes; /* part of each worker's L1 for its sub-device alone; 0: none */
};

/* Checks that devices with a grid of `columns` x `rows` workers can have these sub-devices; loads
 * nothing. Returns OK, or an error with a sentence in `why` (may be NULL), and sets *failed to the
 * index of the bad sub-device (0 if there are none or too many). Returns INVALID if there are no
 * sub-devices or too many, or if `cores` contains Ethernet cores. Returns EXISTS if two sub-devices
 * share a core or both have the Ethernet cores. If `cores` is not a valid set, returns the error
 * that program_add_kernel() returns for this set. */
enum status sub_devices_check(const struct sub_devices_config *config, uint32_t columns,
	uint32_t rows, uint32_t *failed, struct text *why);

/* Divides the devices of the mesh. Returns OK, or an error with a sentence in `why` (may be NULL).
 * Returns EXISTS if the mesh is already divided. Returns NO_SPACE if L1 is too small for the local
 * parts, or if there are already DIVISIONS_MAX divisions. Returns INVALID if a queue is not
 * finished, if programs or buffers in L1 exist, or if local_l1_bytes is not aligned. Also returns
 * the errors of sub_devices_check(). */
enum status sub_devices_load(
	struct mesh_device *mesh, const struct sub_devices_config *config, struct text *why);

/* Removes the division. Returns OK. Returns NOT_FOUND if the mesh is not divided. Returns INVALID
 * if a queue is not finished, or if programs or buffers in L1 still exist. */
enum status sub_devices_clear(struct mesh_device *mesh, struct text *why);

/* ---- several divisions that take turns ----
 *
 *     sub_devices_create(mesh, &config, &division, &why);
 *     program_for_division(program, division, &why);
 *     sub_devices_switch(mesh, division, queue, &why);
 *
 * Every program belongs to a division and can be enqueued only while this division is loaded. A
 * trace belongs to the division that was loaded when the trace was captured, and can be replayed
 * only while this division is loaded. Programs and traces of all divisions can exist at the same
 * time. */

/* Creates a division of the devices into sub-devices, but does not load it. Sets *division to the
 * number of the division. The division exists until the mesh is closed. Returns OK, or NO_SPACE if
 * there are already DIVISIONS_MAX divisions. Also returns the errors of sub_devices_load() for the
 * configuration. */
enum status sub_devices_create(struct mesh_device *mesh, const struct sub_devices_config *config,
	uint32_t *division, struct text *why);

/* Loads another division. With DIVISION_WHOLE, all cores of each device form one set again. Does
 * nothing if the division is loaded already. Otherwise queue `queue` sends every dispatcher the run
 * numbers of each new sub-device, and starts all workers of the sub-device once without a launch.
 * So all workers continue with the same run number. The call does not wait for these commands.
 * Buffers in DRAM, and buffers in the part of L1 that belongs to no sub-device, keep their
 * contents. Returns OK, or NOT_FOUND if there is no such division. Returns INVALID if a queue is
 * not finished or captures a trace, if buffers exist in the L1 of a sub-device, or if some cores
 * took no part in the last 16,384 launches. Returns NO_SPACE if other buffers in L1 occupy memory
 * that the division needs for its sub-devices. */
enum status sub_devices_switch(
	struct mesh_device *mesh, uint32_t division, uint32_t queue, struct text *why);

/* Assigns a program to a division, which need not be loaded. Returns OK. Returns NOT_FOUND if there
 * is no such division, and INVALID if the program has kernels already. */
enum status program_for_division(struct program *program, uint32_t division, struct text *why);

/* Returns the number of sub-devices of the mesh; 0 if the mesh is not divided. */
uint32_t sub_devices_count(const struct mesh_device *mesh);

/* Returns the sub-device to which the program's cores belong. Returns 0 if the program's site
 * (program_site_new()) is not divided into sub-devices. Returns SUB_DEVICE_NONE if the site is
 * divided and the program has no cores yet. */
uint32_t program_of_sub_device(const struct program *program);

/* Returns the number of Tensix and Ethernet cores of a sub-device. */
uint32_t sub_device_workers(const struct mesh_device *mesh, uint32_t sub_device);

/* Returns the usage of a sub-device's local allocator, which is the same on each of its workers. If
 * the sub-device has no L1 of its own, all fields are 0. */
struct allocator_usage sub_device_usage(const struct mesh_device *mesh, uint32_t sub_device);

/* ---- functions for sites without a mesh device (program_site_new() of mesh/program.h), whose
 * callers divide the devices of other hosts ---- */

/* Checks that the local L1 of the sub-devices fits into `l1_bytes`, the part of a worker's L1 that
 * buffers may use. Returns OK. Returns INVALID if local_l1_bytes is not a multiple of the page
 * alignment, and NO_SPACE if it exceeds `l1_bytes`. */
enum status sub_devices_check_local(const struct sub_devices_config *config,
	const struct mesh_config *mesh, uint64_t l1_bytes, struct text *why);

/* program_site_divide() divides a site as sub_devices_load() divides a mesh.
 * program_site_make_whole() removes the division. The caller checks that queues are finished and
 * that no buffers exist in L1. Both return OK, or INVALID if programs exist. program_site_divide()
 * also returns EXISTS if the site is divided already, NO_SPACE if there are already DIVISIONS_MAX
 * divisions, and the errors of sub_devices_check(). program_site_make_whole() also returns
 * NOT_FOUND if the site is not divided. */
enum status program_site_divide(
	struct program_site *site, const struct sub_devices_config *config, struct text *why);
enum status program_site_make_whole(struct program_site *site, struct text *why);
bool program_site_is_divided(const struct program_site *site);

/* Divisions of a site that take turns. program_site_add_division() adds one as sub_devices_create()
 * does, and returns the same errors, except those of L1. program_site_check_division() returns
 * NOT_FOUND if there is no such division. program_site_load_division() loads an existing one.
 * program_site_division() returns the number of the loaded one. program_site_local_bytes() returns
 * how much L1 each sub-device of a division owns, and program_site_sub_devices() how many there
 * are; both return 0 for DIVISION_WHOLE. */
enum status program_site_add_division(struct program_site *site,
	const struct sub_devices_config *config, uint32_t *division, struct text *why);
enum status program_site_check_division(
	const struct program_site *site, uint32_t division, struct text *why);
void program_site_load_division(struct program_site *site, uint32_t division);
uint32_t program_site_division(const struct program_site *site);
uint32_t program_site_local_bytes(const struct program_site *site, uint32_t division);
uint32_t program_site_sub_devices(const struct program_site *site, uint32_t division);

/* Returns OK if the program was made for the division of its site that is loaded, else INVALID with
 * a sentence in `why` (may be NULL). */
enum status program_check_division(const struct program *program, struct text *why);

/* Limits a buffer of `device_bytes` per device to the workers of the sub-device that the buffer's
 * config names. If the pages are interleaved, *config is changed to shards on these workers.
 * Returns OK. Returns NOT_FOUND if there is no such sub-device, and OUT_OF_RANGE if a shard lies on
 * a core outside the sub-device. Returns UNSUPPORTED if the buffer is not in L1, or if its pages
 * are interleaved over cores that do not form a rectangle. */
enum status sub_device_deal(const struct program_site *site, uint64_t device_bytes,
	struct buffer_config *config, struct text *why);

#endif

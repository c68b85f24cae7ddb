/* The native implementations of world.h and device.h: pthreads, and an emulator of chips in memory.
 * Only main and the tests include this header. */
#ifndef WORLD_NATIVE_NATIVE_H
#define WORLD_NATIVE_NATIVE_H

#include "world/device.h"
#include "world/links.h"
#include "world/world.h"

extern const struct world_ops native_world;
extern const struct device_ops native_device;

/* Connections between native clusters of several processes. */
extern const struct links_ops native_links;

/* Prepares the native world for this process: starts the clock, and copies *recorder (`recorder`
 * may be NULL). Chips may call the recorder until the process ends, even after the caller of
 * native_world_start() has returned. */
void native_world_start(const struct recorder *recorder);

/* Sets the host number in log lines of this process; the default is 0. */
void native_world_host(uint16_t host);

/* Sets the time in ns for which threads with SPIN_THEN_PARK spin before they park; 0 means the
 * default. Must be called before any thread is started. */
void native_world_spin(int64_t spin_ns);

/* Copies the counts of work since native_world_start(). They contain the work of the calling thread
 * and of all threads that have ended. */
void native_world_counts(struct work_counts *counts);

/* Returns a new emulated cluster, or NULL if there is not enough memory. The thread of a chip
 * starts with the first message to the chip. `info` must outlive the cluster. The window of host
 * memory is as large as the address space allows, at most 64 GiB. */
struct cluster *native_cluster_new(const struct cluster_info *info);

/* Joins the clusters of one machine (cluster_info.machine), so that packets can go from one cluster
 * to another. There is one cluster for each host, and all of them must be in this process;
 * native_links joins clusters of several processes. Call this before any stage is started. Free all
 * clusters together: when one is freed, no other cluster may send any more. */
void native_cluster_join(struct cluster *const *clusters, uint32_t count);

/* Calls see() for every stage that was started and has not ended, one chip after another. see()
 * runs on the chip's thread, between two steps. Its argument `blocked` is true if the stage waits
 * for a condition. Any thread may call this function; it blocks until all chips have answered. */
void native_cluster_stages(struct cluster *cluster,
	void (*see)(void *context, uint32_t chip, const struct stage *stage, bool blocked),
	void *context);

/* Stops the chips' threads and frees everything. NULL is allowed. */
void native_cluster_free(struct cluster *cluster);

#endif

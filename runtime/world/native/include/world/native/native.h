/* Makes the native rows: pthreads and the in-memory chip emulator. Only main, and the tests,
 * include this; code above the seams does not know that it exists. */
#ifndef WORLD_NATIVE_NATIVE_H
#define WORLD_NATIVE_NATIVE_H

#include "world/device.h"
#include "world/recorder.h"

extern const struct world_ops native_world;
extern const struct device_ops native_device;

/* Prepares the native world for this process: start of the clock, recorder (may be NULL), which is
 * copied: chips may mark until the process ends, whoever started them has gone or not. */
void native_world_start(const struct recorder *recorder);

/* Work counted since native_world_start, over all threads that have ended and the caller's. */
void native_world_counts(struct work_counts *counts);

/* An emulated cluster; a chip gets its thread when something is first sent there. `info` is
 * borrowed. The window of host memory is as large as the address space gives, 64 GiB at most. NULL
 * if memory does not suffice. */
struct cluster *native_cluster_new(const struct cluster_info *info);

/* Shows every stage that was started and has not ended, chip by chip, on the thread of its chip
 * between two steps. `blocked`: it waits for something. From any thread; blocks until all chips
 * have answered. */
void native_cluster_stages(struct cluster *cluster,
	void (*see)(void *context, uint32_t chip, const struct stage *stage, bool blocked),
	void *context);

/* Stops the chips' threads and frees everything. NULL is allowed. */
void native_cluster_free(struct cluster *cluster);

#endif

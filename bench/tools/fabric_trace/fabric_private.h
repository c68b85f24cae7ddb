/* Functions that prepare a recorded operation for its replay. They find its packets, find its
 * waits, and choose routes (fabric_trace.h). Only for files of this folder. */
#ifndef FABRIC_PRIVATE_H
#define FABRIC_PRIVATE_H

#include "bench/tools/fabric_trace/fabric_trace.h"
#include "world/device.h"

struct preparing {
	struct fabric_trace *trace;
	const struct platform *platform;
	struct arena *arena;
	struct diag *diag;
};

/* Returns the device at place `place` of the line or ring. Returns NULL if this device has no trace
 * of the operation. */
struct fabric_device *fabric_device_at(const struct fabric_trace *trace, uint32_t place);

/* Finds the packets of a device. Returns false with errors in `diag`. */
bool fabric_packets(const struct preparing *preparing, struct fabric_device *device);

/* Finds the waits of all devices, and the time at which each device was launched. */
void fabric_waits(struct fabric_trace *trace, struct arena *arena);

/* Returns the wait of a kernel, or NULL. */
struct noc_trace_event *fabric_wait_of(const struct noc_trace_kernel *kernel);

/* Returns the kernel of a device that waits for an increment: the kernel on the core that the
 * increment addresses, if it waits, or else the first waiting kernel of the device. Returns NULL if
 * no kernel of the device waits. */
struct noc_trace_kernel *fabric_waiter_of(
	const struct fabric_device *device, const struct noc_trace_event *increment);

/* Adds the route of each packet to the arguments of the kernel that sends the packet. Assigns a
 * semaphore to each increment. Returns false with errors in `diag`. */
bool fabric_routes(const struct preparing *preparing, struct fabric_device *device);

#endif

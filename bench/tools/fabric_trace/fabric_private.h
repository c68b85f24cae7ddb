/* What the files of this room share (see fabric_trace.h). */
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

/* The device at a place of the line or ring; NULL: the operation has no trace of it. */
struct fabric_device *fabric_device_at(const struct fabric_trace *trace, uint32_t place);

/* Finds the packets of a device. Returns false with errors in `diag`. */
bool fabric_packets(const struct preparing *preparing, struct fabric_device *device);

/* Finds the waits of all devices, and when each was launched. */
void fabric_waits(struct fabric_trace *trace, struct arena *arena);

/* The wait of a kernel, or NULL. */
struct noc_trace_event *fabric_wait_of(const struct noc_trace_kernel *kernel);

/* Returns the kernel of a device that waits for an increment: the one on the core that the
 * increment names, or, if that core has none, the first waiting kernel. Returns NULL if no kernel
 * of the device waits. */
struct noc_trace_kernel *fabric_waiter_of(
	const struct fabric_device *device, const struct noc_trace_event *increment);

/* Gives each packet a route, as an argument of its kernel, and each increment its semaphore. */
bool fabric_routes(const struct preparing *preparing, struct fabric_device *device);

#endif

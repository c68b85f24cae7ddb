/* Work for the devices of a range by the host threads that the configuration chooses. */
#ifndef MESH_QUEUE_HOST_THREADS_H
#define MESH_QUEUE_HOST_THREADS_H

#include "mesh/device/device.h"

/* Runs run(arg, device) for every device of the range, and done(arg) once behind the last: before
 * it returns, or, with asynchronous threads, later and in order per device. */
void host_threads_post(struct mesh_device *mesh, struct device_range range,
	void (*run)(void *arg, uint32_t device), void (*done)(void *arg), void *arg);

/* Blocks until everything posted has run. */
void host_threads_wait(struct mesh_device *mesh);

#endif

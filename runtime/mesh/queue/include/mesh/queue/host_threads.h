/* Runs work for the devices of a range on the host threads that the configuration chooses. */
#ifndef MESH_QUEUE_HOST_THREADS_H
#define MESH_QUEUE_HOST_THREADS_H

#include "mesh/device/device.h"

/* The place of the next host thread of the mesh device. */
struct affinity host_threads_place(struct mesh_device *mesh);

/* Binds the caller if the configuration says so, and unbinds it. UNSUPPORTED if the world cannot
 * bind threads. */
enum status host_threads_bind_caller(const struct mesh_config *config);
void host_threads_release_caller(const struct mesh_config *config);

/* Runs run(arg, device) for every device of the range, and done(arg) once after the last: before it
 * returns, or, with asynchronous threads, later and in order per device. */
void host_threads_post(struct mesh_device *mesh, struct device_range range,
	void (*run)(void *arg, uint32_t device), void (*done)(void *arg), void *arg);

/* Blocks until everything posted has run. */
void host_threads_wait(struct mesh_device *mesh);

#endif

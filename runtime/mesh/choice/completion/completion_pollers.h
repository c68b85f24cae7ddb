/* Several host threads that poll the words or queues of one event (spec 3.8.8.2): the caller and
 * runtime.host.pollers - 1 others, each polling its share. */
#ifndef MESH_CHOICE_COMPLETION_POLLERS_H
#define MESH_CHOICE_COMPLETION_POLLERS_H

#include "mesh/device/device.h"

/* The thread_count, start and stop operations of an event path that polls. */
uint32_t pollers_thread_count(const struct mesh_config *config, uint32_t devices);
void pollers_start(struct mesh_device *mesh);
void pollers_stop(struct mesh_device *mesh);

/* Runs poll(arg, share, shares) for every share of `things` in parallel, and returns the first
 * status that is not OK. The caller runs share 0; there are no more shares than things. */
enum status pollers_run(struct mesh_device *mesh, uint32_t things,
	enum status (*poll)(void *arg, uint32_t share, uint32_t shares), void *arg);

#endif

/* The part of the random program (hosts_same.h) that writes and reads tensors. */
#ifndef TEST_HOSTS_TENSORS_H
#define TEST_HOSTS_TENSORS_H

#include <stdint.h>

#include "base/stream.h"
#include "mesh/handle.h"

/* Writes each kind of tensor twice to the devices of the handle (at least 4 x 4 devices), reads it
 * back, and checks which calls are rejected. Returns a hash of the data that were read. */
uint64_t hosts_tensors_run(struct device_handle *device, struct stream *stream);

#endif

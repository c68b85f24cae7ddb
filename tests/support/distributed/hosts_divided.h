/* The part of the random program (hosts_same.h) that divides devices into sub-devices. */
#ifndef TEST_HOSTS_DIVIDED_H
#define TEST_HOSTS_DIVIDED_H

#include <stdint.h>

#include "base/stream.h"
#include "mesh/handle.h"

/* Divides each device of the handle into two halves. Runs programs on each half, with buffers in
 * the L1 of each half, and checks that some operations are rejected while the devices are divided.
 * Then removes the division. Returns a hash of all data that were read. */
uint64_t hosts_divided_run(struct device_handle *device, struct stream *stream);

#endif

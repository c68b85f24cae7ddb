/* The unicast path as a tool for the others: what cannot be broadcast goes this way. */
#ifndef MESH_FORWARD_UNICAST_H
#define MESH_FORWARD_UNICAST_H

#include "fabric/shape.h"

struct job;

/* Sends the job's commands to each device of `range` by the host threads. */
void forward_to_range(struct job *job, struct device_range range);

#endif

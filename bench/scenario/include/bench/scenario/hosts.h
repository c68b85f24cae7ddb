/* Machines of several hosts (platform_hosts()): the mesh of all of them, and the part that one has
 * of a mesh device (distributed/common/part.h). On a machine of one host all of it is host 0's. */
#ifndef BENCH_SCENARIO_HOSTS_H
#define BENCH_SCENARIO_HOSTS_H

#include "bench/scenario/scenario.h"
#include "distributed/controller.h"
#include "distributed/executor.h"
#include "mesh/config.h"
#include "platform/platform.h"

/* Hosts with chips. */
uint16_t machine_hosts(const struct platform *platform);

/* Whether they and the controller are processes of one machine. */
bool machine_shares(const struct platform *platform);

/* True if all threads of server i are bound to core i, modulo how many there are. */
bool machine_binds(const struct platform *platform);

/* Devices of all hosts together, and along which axis hosts follow each other. */
struct mesh_shape machine_shape(const struct platform *platform);
enum host_axis machine_axis(const struct platform *platform);

/* What a host has of a mesh: *own is the mesh of its part alone, counted on its own chips, with all
 * else as in `config`. False: none of its devices. */
bool machine_part(const struct platform *platform, const struct mesh_config *config, uint16_t host,
	struct mesh_config *own);

/* The chip of its host that the device at a row and column of the machine is. */
uint32_t machine_chip(const struct platform *platform, uint32_t row, uint32_t column);

/* The chips of a mesh on the machine. */
struct device_range machine_range(const struct mesh_config *config);

/* The stages that have threads, of the controller and of executors. */
struct pipeline_ops machine_pipeline(const struct distributed_keys *keys);
struct executor_stages machine_executor_stages(const struct distributed_keys *keys);

#endif

/* Machines of several hosts (platform_hosts()): the mesh of all of them, and each host's part of a
 * mesh device (distributed/common/part.h). On a machine of one host everything belongs to host 0.
 */
#ifndef BENCH_SCENARIO_HOSTS_H
#define BENCH_SCENARIO_HOSTS_H

#include "bench/scenario/scenario.h"
#include "distributed/controller.h"
#include "distributed/executor.h"
#include "mesh/config.h"
#include "platform/platform.h"

/* Number of hosts with chips. */
uint16_t machine_hosts(const struct platform *platform);

/* True if the hosts and the controller are processes of one machine. */
bool machine_shares(const struct platform *platform);

/* True if all threads of server i are bound to core i, modulo the number of cores. */
bool machine_binds(const struct platform *platform);

/* Mesh of the devices of all hosts, and the axis along which hosts follow each other. */
struct mesh_shape machine_shape(const struct platform *platform);
enum host_axis machine_axis(const struct platform *platform);

/* A host's part of a mesh: *own is the mesh of that part alone, in coordinates of the host's chips,
 * and otherwise equal to `config`. False if the host has none of its devices. */
bool machine_part(const struct platform *platform, const struct mesh_config *config, uint16_t host,
	struct mesh_config *own);

/* Number, on its host, of the chip at a row and column of the machine. */
uint32_t machine_chip(const struct platform *platform, uint32_t row, uint32_t column);

/* The chips of a mesh on the machine. */
struct device_range machine_range(const struct mesh_config *config);

/* The stages of the controller and of executors that have threads. */
struct pipeline_ops machine_pipeline(const struct distributed_keys *keys);
struct executor_stages machine_executor_stages(const struct distributed_keys *keys);

#endif

/* Functions for machines of several hosts (platform_hosts()). They find the mesh of the whole
 * machine, and the part of a mesh that each host has (distributed/common/part.h). On a machine of
 * one host, host 0 has the whole mesh. */
#ifndef BENCH_SCENARIO_HOSTS_H
#define BENCH_SCENARIO_HOSTS_H

#include "bench/scenario/scenario.h"
#include "distributed/controller.h"
#include "distributed/executor.h"
#include "hostnet/hostnet.h"
#include "mesh/config.h"
#include "platform/platform.h"

/* A fault of a host, as an entry of the registry. `meshsim list` prints the entry. */
struct fault_ops {
	struct registry_entry entry;
	const char *verb, *rest; /* words of the sentence "host-1 VERB 5 us REST"; if `lasts` is
				  * false, the sentence has no time */
	bool of_host;		 /* the fault happens to one host; false: to the controller */
	bool lasts;		 /* the fault lasts for model.fault.for_us */
	bool of_network;	 /* the fault happens in the network between machines */
	bool answers;		 /* all hosts still answer, so no host waits for ever */
	bool scheduled;		 /* true: the network simulates the fault, as `network`; false: the
				  * client simulates it */
	enum hostnet_fault_kind network;
};
REGISTRY_DECLARE(fault)

/* Number of hosts with chips. */
uint16_t machine_hosts(const struct platform *platform);

/* True if the hosts and the controller are processes of one machine. */
bool machine_shares(const struct platform *platform);

/* True if all threads of server i are bound to core i, modulo the number of cores. */
bool machine_binds(const struct platform *platform);

/* The shape of the mesh of all hosts' devices, and the axis along which hosts follow each other. */
struct mesh_shape machine_shape(const struct platform *platform);
enum host_axis machine_axis(const struct platform *platform);

/* Number of fabric links that join two neighbours on two hosts; 0: none join the hosts. */
uint16_t machine_links(const struct platform *platform);

/* True if links join the last host to the first, too. */
bool machine_wraps(const struct platform *platform);

/* Finds the part of the mesh `config` that is on host `host`, and writes the configuration of this
 * part to *own. *own differs from `config` only in shape and offset. The offset is relative to the
 * first chip of the host. Returns false if the host has no device of the mesh. */
bool machine_part(const struct platform *platform, const struct mesh_config *config, uint16_t host,
	struct mesh_config *own);

/* Returns the number of a chip among the chips of its host. `row` and `column` are the place of the
 * chip in the whole machine. */
uint32_t machine_chip(const struct platform *platform, uint32_t row, uint32_t column);

/* Returns the rows and columns of the machine that the mesh covers. */
struct device_range machine_range(const struct mesh_config *config);

/* Returns the chips that fabric steps number: those of all hosts, if links join the hosts. */
const struct cluster_info *machine_info(const struct platform *platform);

/* Returns true if one host broadcasts to the devices of all hosts, over the links that join them
 * (runtime.distributed.broadcast: machine). */
bool machine_spans(const struct platform *platform, const struct scenario *scenario);

struct run_plan;
struct system_hosts;

/* Reads the descriptions of the hosts' machines that a run gives to its executors
 * (runtime.distributed.descriptor). Sets *hosts, in `arena`, to these descriptions. They come from
 * the file `descriptor_file`, or from the platform if this key is missing. *hosts is empty if the
 * chosen descriptor uses no descriptions. Returns OK, or an error with a sentence in `why` if the
 * file cannot be read, is not valid (wire/system_file.h), or describes another number of hosts. */
enum status machine_descriptors(const struct run_plan *plan, struct arena *arena,
	struct system_hosts *hosts, struct text *why);

/* Return which stages have their own threads, for the controller and for executors. */
struct pipeline_ops machine_pipeline(const struct distributed_keys *keys);
struct executor_stages machine_executor_stages(const struct distributed_keys *keys);

#endif

/* Computes rooflines of operations (model.h). A bound is a quotient or a product, and never a
 * sum of products. So the result is the same if a compiler fuses multiplications with additions. */
#include "bench/tools/models/model.h"

#include <math.h>

#include "chip/sim_device.h"

void roofline_machine_init(struct roofline_machine *machine, const struct platform *platform)
{
	const struct cluster_info *cluster = platform_cluster(platform);
	const struct chip_geometry *geometry = cluster->chips[0].geometry;
	const struct platform_hosts *hosts = platform_hosts(platform);
	struct machine_constants constants;

	machine_constants_bind(platform, (struct host_model){0}, &constants);
	*machine = (struct roofline_machine){
		.clock_hz = constants.chip.aiclk_hz,
		.dram_bytes_per_s =
			constants.chip.dram_read_bytes_per_s * geometry->dram_bank_count,
		.link_bytes_per_s = constants.chip.ethernet_bytes_per_s,
		.hop_s = constants.chip.ethernet_latency_ns / 1e9,
		.dram_bytes = geometry->dram_bank_bytes * geometry->dram_bank_count,
		.cores = (uint32_t)geometry->worker_columns * geometry->worker_rows,
		.worker_columns = geometry->worker_columns,
		.links = cluster->connection_count ? cluster->connections[0].links : 1,
		.rows = hosts ? hosts->mesh_rows : cluster->mesh_rows,
		.columns = hosts ? hosts->mesh_columns : cluster->mesh_columns,
		.costs = constants.firmware_costs,
		.share = constants.roofline,
	};
	machine->noc_bytes_per_s = constants.chip.noc_ejection_bytes_per_cycle * machine->clock_hz;
}

uint64_t roofline_time_ns(const struct roofline_machine *machine, const struct roofline_work *work,
	double ns[ROOFLINE_BOUNDS], enum roofline_bound *longest)
{
	const struct roofline_constants *share = &machine->share;
	double dram_share = work->dram_sharded ? share->dram_sharded : share->dram_interleaved;
	double links_bytes_per_s = machine->link_bytes_per_s * (work->links ? work->links : 1);
	double stream_s = work->link_bytes / (links_bytes_per_s * share->fabric);
	double hops_s = machine->hop_s * work->hops;

	ns[ROOFLINE_MATRIX] = work->matrix_cycles / (machine->clock_hz * share->matrix) * 1e9;
	ns[ROOFLINE_VECTOR] = work->vector_cycles / (machine->clock_hz * share->vector) * 1e9;
	ns[ROOFLINE_DRAM] = work->dram_bytes / (machine->dram_bytes_per_s * dram_share) * 1e9;
	ns[ROOFLINE_NOC] = work->noc_bytes / (machine->noc_bytes_per_s * share->noc) * 1e9;
	ns[ROOFLINE_FABRIC] = (stream_s > hops_s ? stream_s : hops_s) * 1e9;
	*longest = ROOFLINE_MATRIX;
	for (int i = 0; i < ROOFLINE_BOUNDS; i++)
		if (ns[i] > ns[*longest])
			*longest = (enum roofline_bound)i;
	if (!(ns[*longest] < 1e18))
		return UINT64_MAX;
	return (uint64_t)ceil(ns[*longest]);
}

const char *roofline_bound_name(enum roofline_bound bound)
{
	static const char *const names[] = {"matrix unit", "vector unit", "DRAM", "NoC", "fabric"};

	return names[bound];
}

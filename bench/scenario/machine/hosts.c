/* Machines of several hosts (hosts.h); hosts_check.c has the checks. */
#include "bench/scenario/hosts.h"

#include <inttypes.h>

#include "bench/scenario/key_structs.h"
#include "distributed/common/part.h"

uint16_t machine_hosts(const struct platform *platform)
{
	const struct platform_hosts *hosts = platform_hosts(platform);

	return hosts ? hosts->count : 1;
}

bool machine_shares(const struct platform *platform)
{
	const struct platform_hosts *hosts = platform_hosts(platform);

	return hosts && hosts->machines == PLATFORM_MACHINE_ONE;
}

bool machine_binds(const struct platform *platform)
{
	const struct platform_hosts *hosts = platform_hosts(platform);

	return hosts && hosts->cores == PLATFORM_CORES_OWN;
}

struct mesh_shape machine_shape(const struct platform *platform)
{
	const struct platform_hosts *hosts = platform_hosts(platform);
	const struct cluster_info *info = platform_cluster(platform);

	return hosts ? (struct mesh_shape){hosts->mesh_rows, hosts->mesh_columns}
		     : (struct mesh_shape){info->mesh_rows, info->mesh_columns};
}

enum host_axis machine_axis(const struct platform *platform)
{
	const struct platform_hosts *hosts = platform_hosts(platform);

	return hosts && hosts->along == PLATFORM_ALONG_COLUMNS ? HOSTS_IN_COLUMNS : HOSTS_IN_ROWS;
}

uint16_t machine_links(const struct platform *platform)
{
	const struct platform_hosts *hosts = platform_hosts(platform);

	return hosts ? hosts->links : 0;
}

const struct cluster_info *machine_info(const struct platform *platform)
{
	return machine_links(platform) > 0 ? platform_host_cluster(platform, 0)->machine
					   : platform_cluster(platform);
}

bool machine_wraps(const struct platform *platform)
{
	const struct platform_hosts *hosts = platform_hosts(platform);

	return hosts && hosts->wraps;
}

struct device_range machine_range(const struct mesh_config *config)
{
	return (struct device_range){config->offset.row, config->offset.column,
		(uint16_t)(config->offset.row + config->shape.rows - 1),
		(uint16_t)(config->offset.column + config->shape.columns - 1)};
}

bool machine_part(const struct platform *platform, const struct mesh_config *config, uint16_t host,
	struct mesh_config *own)
{
	const struct cluster_info *info = platform_cluster(platform);
	bool in_rows = machine_axis(platform) == HOSTS_IN_ROWS;
	uint16_t row = in_rows ? (uint16_t)(host * info->mesh_rows) : 0;
	uint16_t column = in_rows ? 0 : (uint16_t)(host * info->mesh_columns);
	const struct part part = {
		machine_shape(platform), {row, column, (uint16_t)(row + info->mesh_rows - 1),
						 (uint16_t)(column + info->mesh_columns - 1)}};
	struct device_range cut;

	if (!part_cut(&part, machine_range(config), &cut))
		return false;
	*own = *config;
	own->offset = (struct mesh_offset){cut.row0, cut.column0};
	own->shape = (struct mesh_shape){
		(uint16_t)(cut.row1 - cut.row0 + 1), (uint16_t)(cut.column1 - cut.column0 + 1)};
	return true;
}

uint32_t machine_chip(const struct platform *platform, uint32_t row, uint32_t column)
{
	const struct cluster_info *info = platform_cluster(platform);

	return row % info->mesh_rows * info->mesh_columns + column % info->mesh_columns;
}

/* ---- faults ---- */

static const struct fault_ops faults[] = {
#define FAULT(row, name_, what, ...)                                                               \
	[HOST_FAULT_##row] = {.entry = {.name = name_, .description = what}, __VA_ARGS__},
#include "bench/scenario/faults.def"
};

REGISTRY_OF_ARRAY(fault, fault_ops, "model.fault.kind", "fault of a host", faults)

void fault_describe(const struct fault_keys *fault, struct text *text)
{
	const struct fault_ops *row = fault_row(fault->kind);

	if (!row->verb)
		return;
	text_append(text, "model.fault: ");
	if (row->of_host)
		text_printf(text, "host-%u ", fault->host);
	else
		text_append(text, "the controller ");
	text_append(text, row->verb);
	if (row->lasts)
		text_printf(text, " %" PRIu64 " us", fault->for_us);
	text_printf(text, "%s at %" PRIu64 " us", row->rest ? row->rest : "", fault->at_us);
}

/* ---- threads ---- */

static void choose(uint32_t key, bool *own)
{
	if (key != STAGE_DEFAULT)
		*own = key == STAGE_OWN;
}

struct pipeline_ops machine_pipeline(const struct distributed_keys *keys)
{
	struct pipeline_ops made = *pipeline_row(keys->pipeline);

	choose(keys->stages.resolution, &made.resolve);
	choose(keys->stages.serialization, &made.serialize);
	choose(keys->stages.send, &made.send);
	choose(keys->stages.receive, &made.receive);
	choose(keys->stages.deserialization, &made.deserialize);
	choose(keys->stages.read, &made.read);
	return made;
}

struct executor_stages machine_executor_stages(const struct distributed_keys *keys)
{
	bool threads = keys->executor_threads;
	struct executor_stages made = {.receive = threads, .send = threads};

	choose(keys->stages.executor_receive, &made.receive);
	choose(keys->stages.executor_deserialization, &made.deserialize);
	choose(keys->stages.executor_send, &made.send);
	return made;
}

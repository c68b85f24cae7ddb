/* See bench/scenario/hosts.h. Knows where hosts stand; refuses nothing: hosts_check.c does. */
#include "bench/scenario/hosts.h"

#include "distributed/common/part.h"

uint16_t machine_hosts(const struct platform *platform)
{
	const struct platform_hosts *hosts = platform_hosts(platform);

	return hosts ? hosts->count : 1;
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

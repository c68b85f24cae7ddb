/* The native rows as a fixture. */
#include "row.h"

#include "check.h"
#include "world/native/native.h"

static void native_run(const struct cluster_info *info, void (*body)(struct cluster *cluster))
{
	struct cluster *cluster = NULL;

	world = &native_world;
	device_row = &native_device;
	native_world_start(&row_recorder);
	if (info != NULL) {
		cluster = native_cluster_new(info);
		check(cluster != NULL, "no memory for a cluster of %u chips", info->chip_count);
	}
	body(cluster);
	native_cluster_free(cluster);
}

const struct row row_native = {
	.name = "native",
	.timed = false,
	.run = native_run,
	.counts = native_world_counts,
};

/* The internal structure of program sites: limits, the division into sub-devices, and counts of
 * programs and workloads. A site belongs to a mesh device, or to none: then nothing can be launched
 * from it. */
#ifndef MESH_DEVICE_SITE_H
#define MESH_DEVICE_SITE_H

#include "mesh/plan/plan.h"
#include "mesh/program.h"
#include "mesh/sub_device.h"

struct program_site {
	struct mesh_device *mesh; /* NULL: none */
	struct mesh_shape shape;
	struct program_limits limits;
	const uint16_t *ethernet_tiles;	      /* of the mesh's Ethernet cores */
	const struct chip_geometry *geometry; /* of its devices; NULL: programs cannot be assembled
					       */
	bool divided;			      /* by sub_devices_load() */
	uint32_t sub_devices;		      /* number of sub-devices */
	uint8_t sub_device_of[CORES_MAX];     /* SUB_DEVICE_NONE: in no sub-device */
	uint32_t programs, workloads;	      /* not yet freed */
	uint32_t next_program, next_workload;
};

static inline uint32_t site_workers(const struct program_site *site)
{
	return (uint32_t)site->limits.worker_columns * site->limits.worker_rows;
}

/* Workers and Ethernet cores. */
static inline uint32_t site_cores(const struct program_site *site)
{
	return site_workers(site) + site->limits.ethernet_cores;
}

#endif

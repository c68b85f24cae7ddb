/* What programs are made for, inside this hall: limits, the division into sub-devices, and what
 * was made so far. Of a mesh device, or of nobody's: then nothing is launched from it. */
#ifndef MESH_DEVICE_SITE_H
#define MESH_DEVICE_SITE_H

#include "mesh/plan/plan.h"
#include "mesh/program.h"
#include "mesh/sub_device.h"

struct program_site {
	struct mesh_device *mesh; /* NULL: there is none */
	struct mesh_shape shape;
	struct program_limits limits;
	const uint16_t *ethernet_tiles;	  /* of the mesh's Ethernet cores */
	const struct chip_geometry *geometry; /* of its devices; NULL: nothing is assembled */
	bool divided;			  /* by sub_devices_load() */
	uint32_t sub_devices;		  /* that it is divided into */
	uint8_t sub_device_of[CORES_MAX]; /* SUB_DEVICE_NONE: of none */
	uint32_t programs, workloads;	  /* that have not been freed */
	uint32_t next_program, next_workload;
};

static inline uint32_t site_workers(const struct program_site *site)
{
	return (uint32_t)site->limits.worker_columns * site->limits.worker_rows;
}

/* With the Ethernet cores. */
static inline uint32_t site_cores(const struct program_site *site)
{
	return site_workers(site) + site->limits.ethernet_cores;
}

#endif

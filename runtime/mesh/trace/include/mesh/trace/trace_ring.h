/* The config ring in the workers' L1 during a trace. Every launch writes a new configuration.
 * Binaries stay in the ring until other data need their room. The binaries whose next use is
 * farthest away are replaced first: all launches are known when the trace is built. Programs that
 * are larger than the ring were rejected when they were made. */
#ifndef MESH_TRACE_RING_H
#define MESH_TRACE_RING_H

#include <stdbool.h>
#include <stdint.h>

enum { TRACE_RING_NEVER = UINT32_MAX };

/* A part of the ring that is in use. */
struct trace_region {
	/* first address of the region, and the address after its last byte */
	uint32_t begin, end;
	/* identifies the workload whose binaries are in the region; NULL: the region holds a
	 * configuration */
	const void *owner;
	uint32_t run;  /* last launch that uses the region */
	uint32_t next; /* next launch that will use the region, or TRACE_RING_NEVER */
};

struct trace_ring {
	uint32_t base, bytes;
	uint32_t count, capacity;
	struct trace_region *regions; /* sorted by address */
};

/* The resources that one launch needs from the ring. */
struct trace_wish {
	const void *owner;
	uint32_t config_bytes, image_bytes;
	uint32_t run, next;
	bool everywhere; /* the launch runs on every device */
	/* all launches before launch `oldest` are done on the devices of this launch */
	uint32_t oldest;
	/* all launches before launch `over` are done on every device of the mesh */
	uint32_t over;
};

struct trace_grant {
	uint32_t config_base, kernel_base;
	bool kept;  /* the binaries are already in the ring */
	bool stall; /* launch `after` must be done before the ring is written */
	uint32_t after;
};

void trace_ring_init(struct trace_ring *ring, uint32_t base, uint32_t bytes);
void trace_ring_fini(struct trace_ring *ring);

/* Chooses the places of one launch's configuration and binaries in the ring, marks both places as
 * used, and returns them. Run numbers must increase from call to call. */
struct trace_grant trace_ring_take(struct trace_ring *ring, const struct trace_wish *wish);

#endif

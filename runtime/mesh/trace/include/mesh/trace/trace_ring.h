/* The config ring of the workers' L1 as a trace uses it: configurations come and go, binaries stay
 * until their room is needed. All of it is known when the trace is captured, so the binary to go is
 * the one whose next use is the farthest. What never fits was refused when its program was
 * made. */
#ifndef MESH_TRACE_RING_H
#define MESH_TRACE_RING_H

#include <stdbool.h>
#include <stdint.h>

enum { TRACE_RING_NEVER = UINT32_MAX };

/* In use by somebody. */
struct trace_region {
	uint32_t begin, end; /* addresses */
	const void *owner;   /* whose binaries; NULL: a configuration */
	uint32_t run;	     /* last launch that uses it */
	uint32_t next;	     /* the next one, or TRACE_RING_NEVER */
};

struct trace_ring {
	uint32_t base, bytes;
	uint32_t count, capacity;
	struct trace_region *regions; /* by address */
};

/* What one launch wants. */
struct trace_wish {
	const void *owner;
	uint32_t config_bytes, image_bytes;
	uint32_t run, next;
	bool everywhere; /* on every device */
	uint32_t oldest; /* launches before this one are over wherever it runs */
	uint32_t over;	 /* and before this one on every device, for later launches, too */
};

struct trace_grant {
	uint32_t config_base, kernel_base;
	bool kept;  /* the binaries are there already */
	bool stall; /* launch `after` has to be over before anything is written */
	uint32_t after;
};

void trace_ring_init(struct trace_ring *ring, uint32_t base, uint32_t bytes);
void trace_ring_fini(struct trace_ring *ring);

/* Places for one launch; runs grow from call to call. */
struct trace_grant trace_ring_take(struct trace_ring *ring, const struct trace_wish *wish);

#endif

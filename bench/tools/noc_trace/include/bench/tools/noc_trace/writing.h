/* Writes the kernels of replays into scenarios, for replays of one chip and of several chips. */
#ifndef BENCH_TOOLS_WRITING_H
#define BENCH_TOOLS_WRITING_H

#include "bench/tools/noc_trace/noc_trace.h"
#include "world/device.h"

struct writing {
	const struct chip_geometry *geometry;
	struct diag *diag;
	struct text *yaml;
	uint64_t compute, load, post, send, print; /* cycles of an instruction of each class */
	uint64_t at;	 /* time in the trace at which the next instruction begins */
	uint64_t delay;	 /* cycles before each kernel begins */
	uint32_t number; /* number of the next print */
	bool dram;	 /* r5 holds an address in DRAM */
	bool second_noc; /* the current kernel uses NoC 1 */

	/* If `fabric` is set, a tile that programs cannot reach is replaced by the nearest worker,
	 * and the coordinates of a DRAM tile may be those of NoC 1. */
	bool fabric;
	bool (*is_core)(void *context, uint16_t x, uint16_t y); /* kernels of the trace run there */
	void *context;
};

struct writing writing_of(const struct platform *platform, struct diag *diag, struct text *yaml);

/* Appends a kernel to the list `kernels` of a program. Returns false with errors in `diag`. */
bool writing_kernel(struct writing *writing, const struct noc_trace_kernel *kernel);

/* Returns the tile that an event names, or TILE_AT_NONE if the machine has no tile there. */
uint16_t writing_tile(const struct writing *writing, const struct noc_trace_event *event);

/* Finds the place in the worker grid of the core at (x, y). Returns false if there is none. */
bool writing_worker(
	const struct writing *writing, uint16_t x, uint16_t y, uint32_t *column, uint32_t *row);

/* Returns the number of bytes of the largest transfer or packet, rounded up to 16. */
uint32_t noc_trace_most_bytes(const struct noc_trace *trace);

#endif

/* Keys of the steps that write and read buffers. */
#ifndef BENCH_KEY_STRUCTS_H
#define BENCH_KEY_STRUCTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/text.h"
#include "base/tree.h"
#include "memory/placement.h"

/* Distribution of a buffer over the devices of a mesh. */
enum step_spread {
	STEP_REPLICATED,
	STEP_PARTS,	   /* each device has its own part */
	STEP_ROW_PARTS,	   /* a part for each row of devices, replicated within the row */
	STEP_COLUMN_PARTS, /* a part for each column of devices, replicated within the column */
	STEP_MATRIX,	   /* shards of a matrix of elements (ShardedBufferConfig, spec 3.3.3) */
	STEP_MAPPED	   /* parts of a tensor, distributed by a mesh mapper */
};

enum step_layout {
	STEP_INTERLEAVED,
	STEP_SHARDED, /* shards consist of consecutive pages */
	STEP_HEIGHT_SHARDED,
	STEP_WIDTH_SHARDED,
	STEP_BLOCK_SHARDED
};

enum { PAGE_BYTES_MAX = 1 << 20 }; /* of buffers */

/* The content of a buffer: any bits, or numbers of an element type. */
enum step_values { STEP_BITS, STEP_F32, STEP_BF16, STEP_BFP8, STEP_BFP4 };
struct step;

struct write_step {
	const char *buffer;
	uint64_t bytes; /* size of the whole buffer; 0: as in the step that made the buffer */
	uint32_t page_bytes;
	/* of a tensor: its dimensions, outermost first; a rank of 0: no tensor */
	const uint64_t *shape;
	uint32_t shape_rank;
	uint32_t element;      /* enum element */
	bool tiled;	       /* pages are tiles of 32x32; otherwise rows */
	uint32_t memory;       /* enum buffer_type */
	uint32_t spread;       /* enum step_spread */
	uint32_t spread_order; /* enum orientation */
	/* only for STEP_MATRIX: [height, width] in elements; 0 in shard_shape: the whole extent */
	uint64_t global_shape[2], shard_shape[2];
	uint32_t global_shape_count, shard_shape_count;
	/* Only for STEP_MAPPED. `tensor_shape` has the size of the tensor in each dimension, the
	 * outermost first. `mapper` names one or two dimensions of the tensor. A single one is
	 * split over all devices. Of two, the first is split over the rows of devices, and the
	 * second over the columns. */
	const uint64_t *tensor_shape;
	const int32_t *mapper;
	uint32_t tensor_rank, mapper_count;
	uint32_t layout;	   /* enum step_layout */
	uint32_t contiguous_pages; /* pages per shard; 0: each bank or core gets one shard */
	/* only for layouts with a matrix of pages; if a count is 0, the key was not given */
	uint32_t page_matrix[2], shard_pages[2]; /* both [height, width] in pages */
	uint32_t page_matrix_count, shard_pages_count;
	uint8_t shard_cores[2]; /* [columns, rows] of cores, counted from the first worker */
	uint32_t shard_cores_count;
	uint32_t orientation; /* enum orientation */
	bool bottom_up;
	const char *sub_device;	    /* the sub-device whose L1 has the buffer; NULL: all workers */
	uint32_t sub_device_number; /* its number, from 1, over all divisions; 0: all workers */
	uint32_t sub_device_index;  /* its number, from 1, in its division; 0: all workers */
	struct worker_rect sub_device_cores;
	uint32_t values;	      /* enum step_values */
	bool pinned;		      /* the data are in pinned memory */
	bool stored;		      /* the data are in storage and must be read first */
	const char *from, *from_mesh; /* name of the buffer whose last read provides the data, and
				       * that buffer's mesh; or NULL */
	const struct step *source;    /* the last read of `from` before this step; or NULL */
	struct location from_where, from_mesh_where;
	uint16_t shard[2];    /* [row, column] of the only device that is written */
	uint32_t shard_count; /* 0: all parts are written */
	uint32_t pages[2];    /* [first, count] of the pages of each part that are written */
	uint32_t pages_count; /* 0: all pages */
	uint32_t queue;
	bool blocking;
	struct location buffer_where, bytes_where, sub_device_where, shape_where;
};

struct free_step {
	const char *buffer;
	struct location buffer_where;
};

struct read_step {
	const char *buffer;
	const char *save;  /* name of the data in the result file; NULL: they are not saved */
	bool is_source;	   /* a later step writes the data that this step reads */
	bool pinned;	   /* the read stores the data in pinned memory */
	uint16_t shard[2]; /* `shard` and `pages` are as in struct write_step */
	uint32_t shard_count;
	uint32_t pages[2], pages_count;
	uint32_t queue;
	bool blocking;
	struct location buffer_where;
};

/* Sub-devices of a scenario, and its divisions. A division is a set of sub-devices that a step
 * loads together; it replaces the division that was loaded before (spec 3.1.2, 3.3.4). */

struct runtime_keys;

/* Cores of every device that run programs independently of the other cores. */
struct sub_device_keys {
	const char *name;
	uint8_t cores[2], offset[2]; /* size [columns, rows]; first core [column, row] */
	uint32_t cores_count, offset_count;
	bool ethernet; /* the sub-device also has all Ethernet cores */
	struct location where, cores_where;
};

struct division_keys {
	const char *name;
	struct sub_device_keys *sub_devices;
	uint32_t sub_device_count;
	uint32_t l1_bytes; /* bytes of each worker's L1 that belong to its sub-device only */
	struct location where;
};

/* A step that loads a division, or makes devices whole again. */
struct load_step {
	const char *name;  /* NULL: whole devices */
	uint32_t division; /* set by the check */
};

/* Divisions have numbers from 1: first runtime.sub_devices if it is given, then the divisions in
 * runtime.divisions. The runtime gives them the same numbers. DIVISION_WHOLE stands for devices
 * that are not divided. */

/* Returns the number of divisions. */
uint32_t divisions_count(const struct runtime_keys *keys);

/* Returns a division. The name of runtime.sub_devices is "initial". */
struct division_keys division_at(const struct runtime_keys *keys, uint32_t division);

/* Returns the division that is loaded when a mesh opens. */
uint32_t division_initial(const struct runtime_keys *keys);

/* Returns the number of a division, or DIVISION_WHOLE if the name is unknown. */
uint32_t division_number(const struct runtime_keys *keys, const char *name);

/* Sub-devices have numbers from 1, which continue from one division to the next. sub_devices_all()
 * returns the number of sub-devices of all divisions together. The other functions find a
 * sub-device by its number: sub_device_at() returns its keys, sub_device_division() its division,
 * and sub_device_index() its index in this division, from 1. The index for number 0 is 0. */
uint32_t sub_devices_all(const struct runtime_keys *keys);
const struct sub_device_keys *sub_device_at(const struct runtime_keys *keys, uint32_t number);
uint32_t sub_device_division(const struct runtime_keys *keys, uint32_t number);
uint32_t sub_device_index(const struct runtime_keys *keys, uint32_t number);

/* Returns the number of sub-devices of all divisions before a division. */
uint32_t sub_devices_before(const struct runtime_keys *keys, uint32_t division);

/* Keys for machines of several hosts (keys.def lists them). `runtime.distributed`
 * (distributed/controller.h) selects, for example, which stages have their own threads.
 * `model.fault` describes a fault of a host during a run. */

/* Keys of the stages between hosts that can have threads: runtime.distributed.stages. */

/* Whether a stage between hosts has its own thread. */
enum stage_thread { STAGE_DEFAULT, STAGE_OWN, STAGE_MERGED };

#define KEY(owner, kind, type, member, ...) type member;

struct stage_keys {
#define KEYS_STAGES
#include "bench/scenario/keys.def"
};

#undef KEY

enum fault_kind_key {
#define FAULT(row, ...) HOST_FAULT_##row,
#include "bench/scenario/faults.def"
};

#define KEY(owner, kind, type, member, ...) type member;

struct distributed_keys {
#define KEYS_DISTRIBUTED
#include "bench/scenario/keys.def"
};

struct fault_keys {
#define KEYS_FAULT
#include "bench/scenario/keys.def"
};

#undef KEY

/* Appends, for example, "model.fault: host-1 dies at 300 us"; nothing without a fault. */
void fault_describe(const struct fault_keys *fault, struct text *text);

/* Keys of kernels whose instructions are in the scenario file. */

/* A route over the fabric along which a kernel sends (struct route_config of mesh/program.h). */
struct route_keys {
	uint32_t *devices; /* numbers in the mesh, row by row; the first device runs the program */
	uint32_t count, link;
	bool each, ring;
};

/* An argument of each core of a kernel. */
struct argument_keys {
	bool core; /* the argument is the number of the core among the cores of the program */
	uint32_t value;
	struct route_keys route; /* with a count above 0, the argument is the route's number */
	struct location where;
};

/* A kernel whose instructions are in the scenario file (command/kernel_text.h). */
struct kernel_keys {
	uint32_t processor; /* enum processor */
	const char *text;
	struct argument_keys *arguments;
	uint8_t core[2]; /* column and row in the worker grid, if only one core runs the kernel */
	uint32_t argument_count, core_count; /* core_count 0: all cores run the kernel */
	struct location where, text_where, core_where;
};

/* The host does nothing for some time, or until a time. */
struct think_step {
	uint64_t for_ns, until_ns; /* 0: not given */
};

/* Brings meshes on the platform's hosts up by a flow. */
struct bring_up_step {
	uint32_t flow, meshes; /* enum flow_kind; 0: one mesh, 1: one for each host */
	uint32_t fault;	       /* enum bring_up_fault */
	bool warm;
};

struct model_binary;

/* Runs a program of a model binary. */
struct model_step {
	const char *binary, *program; /* file; NULL: the first program that is not constant */
	uint32_t times, window, queues, programs;
	bool trace, blocking;
	struct location binary_where, program_where;
	/* set by steps_load_models() */
	const struct model_binary *loaded; /* NULL: it cannot be read, an error */
	uint32_t number;		   /* number of the program */
	const struct step *maker;	   /* the first step of the mesh with this binary */
};

#endif

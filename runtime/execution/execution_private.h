/* Declarations shared by the files of this folder. plan.c places tensors, kept.c keeps programs,
 * submit.c enqueues runs, and execution.c has the other functions of execution/execution.h. */
#ifndef EXECUTION_PRIVATE_H
#define EXECUTION_PRIVATE_H

#include "execution/execution.h"
#include "execution/tensors.h"

enum { EXECUTION_SLOTS_MAX = 2, NO_PROGRAM = UINT32_MAX };

/* A tensor on the devices. With two queues, inputs and outputs have another buffer in slot 1; all
 * other tensors have the same place in both slots. */
struct placed {
	struct tensor_view view;
	struct tile_shape_of shape;
	struct placement placement;			    /* on every device */
	struct handle_buffer *buffers[EXECUTION_SLOTS_MAX]; /* NULL: in the pool */
	uint32_t addresses[EXECUTION_SLOTS_MAX];
	uint64_t pool_address; /* address in the pool, which begins at 0 */
	bool lasting;	       /* a constant, an input or an output */
	uint8_t *bytes;	       /* bytes of all parts, if the host writes the tensor; otherwise
				* NULL */
};

/* What an operation needs besides its tensors. */
struct planned {
	struct execution_kind kind;
	struct operation_shapes shapes;
	struct placement sums; /* placement of a collective's buffer of sums; page_count 0: it
				* has none */
	uint64_t sums_address; /* in the pool */
};

/* One of the two memories of the pool. */
struct pool {
	bool l1;
	uint64_t high;		      /* size of the pool in each bank or worker, in bytes */
	uint64_t peak, sum;	      /* the most bytes that tensors have at the same time; bytes
				       * of all tensors */
	uint32_t slots;		      /* banks or workers */
	struct handle_buffer *buffer; /* NULL: nothing is in it */
	uint32_t address;
};

/* Operations with equal keys share a program. Keys are compared as bytes. */
struct kept_key {
	char kind[32];
	uint32_t tiles[3], slice[4], cores, element, count;
	uint32_t ring, links;
	/* with a cost: its kernels, and a hash of the operation's name, because operations with
	 * other names have other kernels */
	uint64_t cycles, name;
	uint32_t kernel_bytes, slots, slot_rows, slot_columns;
	struct kept_port {
		uint32_t address, page_bytes, pages, type, arrangement, shard_high, shard_wide;
	} ports[MODEL_BINARY_PORTS_MAX + 1];
};

/* A program that is kept. */
struct kept {
	struct kept *next;
	struct kept_key key;
	struct workload *workload;
	struct program **programs;   /* one program for all devices; for a collective, one for each
				      * device */
	uint32_t *devices;	     /* for a collective: [program] its device; otherwise NULL */
	struct device_range *ranges; /* for a cost with slots: [program]; otherwise NULL */
	uint32_t program_count;
	uint64_t used;	   /* number of the last launch */
	uint64_t launches; /* for execution_launches() */
	uint32_t traced;   /* number of traces that use it */
};

/* A captured program in a slot. */
struct captured {
	struct handle_trace *trace;
	struct kept **kept; /* [operation] */
};

/* A run that is submitted and not complete. */
struct submitted {
	uint32_t program, slot;
	struct handle_event event;
	uint8_t **data; /* [output] the data that are read */
};

/* Used with two queues. The events of the last run in a slot: `computed` for the end of its
 * operations, `read` for the end of its reads. */
struct slot {
	bool used;
	struct handle_event computed, read;
};

struct execution {
	struct device_handle *handle;
	const struct handle_ops *ops;
	const struct model_binary *binary;
	struct execution_config config;
	uint32_t devices, slots;
	struct placed *placed;	  /* [tensor] */
	struct planned **planned; /* [program][operation] */
	struct pool pools[2];	  /* DRAM, L1 */
	struct kept *kept;
	uint32_t kept_count;
	uint64_t launch;				  /* number of launches so far */
	uint32_t (*runs)[EXECUTION_SLOTS_MAX];		  /* [program][slot] */
	struct captured (*captured)[EXECUTION_SLOTS_MAX]; /* [program][slot] */
	struct slot slot[EXECUTION_SLOTS_MAX];
	uint32_t next_slot;
	struct submitted submitted[EXECUTION_WINDOW_MAX];
	uint32_t first, count; /* the runs in `submitted`, which is a ring */
	struct execution_figures figures;
	uint64_t *gone; /* [device * cores + core] launches of programs that were evicted */
	uint32_t cores;
};

/* plan.c: plan_tensors() makes the buffers of tensors, and plans and makes the pool. Returns OK, or
 * an error with a sentence in `why`. */
enum status plan_tensors(struct execution *execution, struct text *why);
void plan_free(struct execution *execution);

/* kept.c: kept_find() sets *kept to the program of an operation. If no such program is kept, makes
 * a new one. It returns INVALID instead if `capturing` is set, and NO_SPACE if too many programs
 * are kept and all of them belong to traces. kept_free_all() frees all programs. */
enum status kept_find(struct execution *execution, uint32_t program, uint32_t operation,
	uint32_t slot, bool capturing, struct text *why, struct kept **kept);
void kept_free_all(struct execution *execution);

/* build.c: makes the programs of an operation, which are empty so far, and its workload. */
enum status build_operation(const struct execution *execution,
	const struct model_operation *operation, const struct planned *planned, uint32_t slot,
	struct text *why, const struct kept *kept);

/* Returns the address of a collective's buffer of sums. */
static inline uint32_t kept_sums_address(
	const struct execution *execution, const struct planned *planned)
{
	return execution->pools[0].address + (uint32_t)planned->sums_address;
}

void kept_count_launches(
	const struct execution *execution, const struct kept *kept, uint64_t *launches);

/* Returns the address of a tensor in a slot. */
uint32_t placed_address(const struct execution *execution, uint32_t tensor, uint32_t slot);

/* submit.c: submit_call() returns the queue and the number of a new operation. submit_write()
 * writes a tensor whose member `bytes` is set. submit_operations() runs the operations of a
 * program. submit_retire() waits for the oldest run, and compares its outputs. */
struct handle_call submit_call(
	struct execution *execution, enum execution_call call, uint32_t queue, uint64_t bytes);
enum status submit_write(
	struct execution *execution, uint32_t tensor, uint32_t slot, uint32_t queue);
enum status submit_operations(struct execution *execution, uint32_t program, uint32_t slot,
	struct captured *captured, struct text *why);
enum status submit_retire(struct execution *execution, struct text *why);

#endif

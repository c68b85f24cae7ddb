/* Internal structures of workers: one small struct per worker, the state that all workers of a chip
 * share, and the pipeline of a launch with several steps. Only for files of this folder. */
#ifndef FIRMWARE_WORKER_WORKER_PRIVATE_H
#define FIRMWARE_WORKER_WORKER_PRIVATE_H

#include <stdbool.h>

#include "firmware/core/stage.h"
#include "firmware/worker/worker.h"
#include "tile_unit.h"
#include "command/kernel_program.h"

/* The decoded text of a kernel. All workers of a chip that run the same text share one decoded
 * text, which they find by the bytes of the text. */
struct kernel_code {
	uint32_t users; /* number of processors that run the text */
	bool kept;	/* true: the code is in the table, where it stays without users; false:
			 * its last user frees it */
	uint64_t hash;
	uint32_t bytes;
	uint8_t *text;
	struct kernel_instruction instruction[];
};

enum { KERNEL_CODES = 32 };

/* The table of a chip's codes. A table with all bytes 0 is empty. */
struct kernel_codes {
	struct kernel_code *code[KERNEL_CODES];
};

/* Returns the code of a text, with a reference for the caller. Returns NULL if
 * kernel_program_check() rejects the text. */
struct kernel_code *kernel_code_find(
	struct kernel_codes *codes, const uint8_t *text, uint32_t bytes);

/* Releases a reference to the code. */
void kernel_code_release(struct kernel_code *code);

/* Frees all codes without users. */
void kernel_codes_fini(struct kernel_codes *codes);

/* A pipeline of kernels over circular buffers. Each step ends when a kernel finishes a page. */
struct worker_pipeline {
	uint32_t count, steps, depth;
	uint64_t step;			     /* cycles of the step that is claimed */
	uint64_t cycles[PROCESSOR_COUNT];    /* cycles of each kernel per page, in the order of
					      * data flow */
	uint64_t remaining[PROCESSOR_COUNT]; /* cycles that each kernel still needs for its
					      * current page */
	/* number of pages that each kernel has started and finished */
	uint32_t started[PROCESSOR_COUNT], finished[PROCESSOR_COUNT];
};

/* Initializes a pipeline of `count` kernels, which may be in any order in `kernels`. `depth` is the
 * number of pages in each circular buffer. */
void pipeline_start(struct worker_pipeline *pipeline, const struct kernel *kernels, uint32_t count,
	uint32_t depth);

/* Starts kernels that can start, and returns the cycles until the next page is finished. */
uint64_t pipeline_next(struct worker_pipeline *pipeline);

/* Advances by `cycles`. Returns true when the last page has left the pipeline. */
bool pipeline_advance(struct worker_pipeline *pipeline, uint64_t cycles);

enum worker_phase {
	WORKER_READY,	 /* the worker waits for a go */
	WORKER_ACK,	 /* a go without a launch is claimed */
	WORKER_RUN,	 /* a whole launch is claimed */
	WORKER_LAUNCH,	 /* the set-up of a pipeline is claimed */
	WORKER_PIPELINE, /* between two steps of a pipeline */
	WORKER_STEP,	 /* a step of a pipeline is claimed */
	WORKER_ACTING,	 /* its processors run kernels that execute instructions */
	WORKER_FAULT,	 /* the report of a fault is claimed */
	WORKER_HALTED
};

/* The part of a set-up that was done before the go. */
struct setup_early {
	uint32_t cycles;
	bool from_end; /* it began when the worker's last launch ended, and not when the launch
			* message arrived */
};

struct worker {
	struct stage stage;
	struct worker_group *group;
	struct worker_pipeline *pipeline; /* made at the first launch with steps */
	struct runner_set *processors;	  /* made when a program first needs a processor */
	struct launch_plan *plan;	  /* plan of the claimed launch, with a reference */
	struct firmware_fault *fault;	  /* the fault that the stage reports in its next commit,
					   * allocated when the fault happens; otherwise NULL */
	uint32_t launches, sum;		  /* values of struct launch_result */
	int64_t ended_ps;		  /* end of its last launch */
	int64_t began_ps; /* time of the launch's go; with a pipeline, time at which the kernels
			   * start */
	struct setup_early early;
	uint32_t go;   /* the claimed or last go word */
	uint8_t phase; /* a value of enum worker_phase */
};

/* The contents of a launch message and of the kernel headers that the message names. Workers that
 * have the same message and headers use the same plan. The plan does not change while a worker uses
 * it. */
struct launch_plan {
	uint32_t users; /* number of workers that have claimed the plan */
	bool kept;	/* true: the plan is in the group's table; false: the plan is freed when its
			 * last user releases it */
	bool valid;
	uint8_t count;	/* number of kernels */
	bool together;	/* the headers of the kernels are contiguous, beginning at `headers_at` */
	bool pipelined; /* true: the launch is first set up and then runs step by step, because it
			 * has several steps or kernels that execute instructions */
	bool acts;	/* some kernel executes instructions */
	bool timed;	/* `total` was computed */
	uint8_t bills;	/* number of times that `bill` was made */
	uint8_t launch[LAUNCH_BYTES];
	uint8_t headers[PROCESSOR_COUNT * KERNEL_HEADER_BYTES];
	uint32_t headers_at;
	struct launch_message message;
	struct kernel kernels[PROCESSOR_COUNT];
	int64_t start;	  /* cycles that follow the go and the set-up */
	int64_t setup;	  /* cycles of the set-up of all kernels */
	int64_t base;	  /* the part of `setup` without the copying of texts */
	int64_t pipeline; /* cycles of the pipeline */
	int64_t total;	  /* cycles of a launch of which `timed_early` cycles of the set-up were
			   * done before the go */
	uint32_t timed_early;
	/* number of the bill (device.h) with the charges of a launch whose worker did
	 * `billed_early` of the set-up before the go; 0: there is no bill */
	uint32_t bill;
	struct setup_early billed_early;
	struct span common; /* the common arguments, with a reference; `common_hash` is their
			     * hash */
	uint32_t common_hash;
};

enum { LAUNCH_PLANS = 32 };

struct worker_group {
	const struct firmware *firmware;
	struct worker_group_config config;
	uint16_t chip;
	uint32_t l1_bytes, slowdown; /* L1 size and slowdown of the workers' tiles */
	uint8_t processors;	     /* bit i: the tiles have processor i */
	bool preloads;		     /* set by firmware_set_preload() */
	struct launch_lead lead;
	uint32_t none_hash; /* hash of an empty list of arguments */
	uint32_t count;
	struct launch_plan *plans[LAUNCH_PLANS];
	struct launch_plan *last_plan; /* the plan that was found last; it is also in `plans` */
	uint32_t last_launch;	       /* address of the launch message that led to last_plan */
	uint64_t last_shared; /* number that device_row->shared() gives the multicast that wrote the
			       * last launch message and its headers; 0 if no single multicast wrote
			       * both */
	struct kernel_codes codes;
	struct tile_pool tiles; /* memory of destination registers */
	uint32_t tile_count;
	bool *is_worker; /* [tile] kernels may access the tile; made with the first processor */
	struct fabric_tree **routes; /* WORKER_ROUTES_MAX entries; made with the first route */
	uint32_t route_count;
	struct worker workers[];
};

/* ---- worker.c ---- */

extern const struct stage_ops *const worker_stage_ops;

/* Returns the hash of a span's bytes. Elided bytes do not count. */
uint32_t worker_span_hash(struct span span);

/* Returns the hash of the common arguments in the worker's L1. */
uint32_t worker_common_hash(const struct worker *worker, struct launch_plan *plan);

/* Stores a result in the worker's L1. */
void worker_store_result(struct worker *worker, uint32_t checksum, uint32_t program);

/* Fills in the wait for the next go. */
int64_t worker_block(const struct worker *worker, struct stage_wait *wait);

/* ---- launch_plan.c ---- */

/* Returns the maximum number of pages by which a kernel of a pipeline can be ahead of the next
 * kernel. The launch message contains this number; if it contains 0, the firmware's limit applies.
 */
uint32_t launch_pages(const struct firmware *firmware, const struct launch_message *message);

/* Returns the plan of the launch in `slot` of this worker's L1, with a reference for the caller. If
 * the launch is malformed, fills in *fault and returns NULL. Call this in begin(). */
struct launch_plan *launch_plan_find(
	const struct worker *worker, uint8_t slot, struct firmware_fault *fault);

/* Like launch_plan_find(), but does not read L1: returns the plan that launch_plan_find() has
 * found for the worker `other`. The launches in the L1 of both workers must be equal, that is,
 * device_row->shared() must return the same numbers for both workers. Returns NULL if the bytes of
 * the plan do not all come from one multicast, or if another plan was looked up after the plan of
 * `other`. */
struct launch_plan *launch_plan_like(
	const struct worker *worker, uint8_t slot, const struct worker *other);

/* launch_plan_setup() returns the cycles from the go to the start of a pipeline.
 * launch_plan_total() returns the cycles from the go to the end of the launch. `early` is the
 * number of cycles of set-up that were done before the go, at most plan->setup. */
int64_t launch_plan_setup(const struct launch_plan *plan, uint32_t early);
int64_t launch_plan_total(
	const struct worker_group *group, struct launch_plan *plan, uint32_t early);

/* Charges for the set-up of the worker's launch, as far as the kernels wait for it. If the launch
 * has one step, also charges for the time of the kernels minus `shorter` cycles. Call this in
 * begin(). */
void launch_plan_charge(const struct worker *worker, uint64_t shorter);

/* Releases a reference to the plan. */
void launch_plan_release(struct launch_plan *plan);

void launch_plan_free(struct launch_plan *plan);

#endif

/* The context that all firmware stages share: costs, limits, and the sink of faults. The code of
 * stages contains no numbers of a particular machine; costs and limits come from a platform
 * file. */
#ifndef FIRMWARE_CORE_FIRMWARE_H
#define FIRMWARE_CORE_FIRMWARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "base/text.h"
#include "command/dispatch.h"
#include "world/device.h"

/* Cycles, not necessarily whole. */
struct firmware_costs {
#define X(name, base, what) double name;
#include "firmware/core/costs.def"
#undef X
};

struct firmware_limits {
#define X(name, base, what) uint32_t name;
#include "firmware/core/limits.def"
#undef X
};

/* Fills in default sizes that fit each other: rings of 64 KiB, pages of 4 KiB. Tests use these
 * sizes. The native world uses them if it has no platform file. */
void firmware_limits_plain(struct firmware_limits *limits);

/* Checks that the limits fit each other: sizes are multiples of 16, batches are smaller than rings,
 * and entries fit into rings. Returns OK, or OUT_OF_RANGE if a limit does not fit. With
 * OUT_OF_RANGE, sets *which to the name of the first such limit, and writes its allowed values to
 * `why` (may be NULL). */
enum status firmware_limits_check(
	const struct firmware_limits *limits, const char **which, struct text *why);

/* Faults that firmware detects in the data that it reads and in the actions of kernels. A stage
 * that reports a fault is blocked from then on; a stall report shows the reason. */
enum fault_kind {
	FAULT_COMMAND, /* malformed or impossible prefetch or dispatch command */
	FAULT_ORDER,   /* a transaction without its header */
	FAULT_ROUTE,   /* unknown tree */
	FAULT_OVERRUN, /* a ring was overrun: flow control is off or broken */
	FAULT_RECORD,  /* malformed completion record */
	FAULT_LAUNCH,  /* malformed launch message */
	FAULT_KERNEL,  /* malformed kernel header */
	FAULT_ELIDED,  /* commands that are not simulated */
	FAULT_FETCH,   /* malformed fetch-queue entry */
	FAULT_PROGRAM, /* an illegal action of a kernel at `instruction` */
	FAULT_KIND_COUNT
};

/* This value of `tile` means that a host thread found the fault. */
#define FAULT_ON_HOST UINT16_MAX

struct firmware_fault {
	enum fault_kind kind;
	uint16_t chip, tile;  /* `chip` is the number of the chip in the cluster; firmware_report()
			       * adds the number set by firmware_number_from(). `tile` may be
			       * FAULT_ON_HOST */
	const char *stage;    /* role: "dispatcher" */
	uint32_t address;     /* of the malformed data, in the tile's L1 */
	uint32_t instruction; /* FAULT_PROGRAM: number of the instruction in the kernel;
			       * `stage` is then the processor */
	const char *detail;   /* static text */
};

/* Output of a kernel (PRINT and PRINT_TILE of command/instructions.def). */
struct firmware_print {
	int64_t at_ps; /* the time, if a print is passed on later; 0: now */
	uint32_t chip; /* number in marks */
	uint16_t tile;
	const char *processor; /* "brisc" */
	uint32_t operation;    /* of the launch */
	uint32_t instruction;  /* number of the instruction in the kernel */
	uint32_t number;       /* number of the print; PRINT_TILE: of the element */
	uint8_t from;	       /* the register, or the circular buffer */
	bool element;	       /* PRINT_TILE: `real` is the element's value, NAN if not simulated */
	uint32_t value;	       /* register value */
	float real;
};

/* Sink of faults and of kernels' output, provided by the harness. In the native world, threads of
 * several chips call it at once, so it must be thread-safe. */
struct firmware_faults {
	void *context;
	void (*report)(void *context, const struct firmware_fault *fault);
	/* NULL: output is dropped */
	void (*print)(void *context, const struct firmware_print *print);
};

/* Returns the name of a kind, such as "COMMAND". */
const char *fault_kind_name(enum fault_kind kind);

/* The context that stages are created with: one per mesh device. */
struct firmware; /* opaque */

/* Creates a context. Copies costs, limits and the contents of `faults`. If `faults` is NULL, a
 * fault ends the process, as a bug does. FAULT_PROGRAM, a fault of a kernel, is an exception:
 * without `faults`, it appears only in stall reports. The limits must pass firmware_limits_check().
 * Never returns NULL. */
struct firmware *firmware_new(const struct firmware_costs *costs,
	const struct firmware_limits *limits, const struct firmware_faults *faults);

/* Says whether all stages use physical coordinates in commands (command/coordinates.h). Call it
 * before any stage is created. */
void firmware_set_physical(struct firmware *firmware, bool physical);

/* Gives dispatchers 1 or 2 command buffers of the NoC for their writes; 2 if it is not called. Call
 * it before any stage is created. */
void firmware_set_command_buffers(struct firmware *firmware, uint32_t count);

/* With `preload`, a worker sets up a launch as soon as its message has arrived and its last launch
 * is over, and then waits for the go. Without it, a worker sets up a launch after its go. Call it
 * before any stage is created. */
void firmware_set_preload(struct firmware *firmware, bool preload);

/* The lead of a group's last run: how long before the go the dispatcher has sent the launch
 * messages of that run. Go and messages take the same time to a worker, so the worker receives them
 * with the same lead. All workers and dispatchers of a chip share one struct. */
struct launch_lead {
	int64_t ps[DISPATCH_GROUPS]; /* by group */
};

/* Sets the number that marks, reported faults and prints use for the cluster's chip 0; the
 * cluster's other chips have the following numbers. Needed if there are several clusters (spec
 * 4.2). Call it before any stage is created. */
void firmware_number_from(struct firmware *firmware, uint32_t first_chip);

/* Frees the context. All stages that were created with it must have been freed before. NULL is
 * allowed. */
void firmware_free(struct firmware *firmware);

const struct firmware_limits *firmware_limits(const struct firmware *firmware);

/* The place of a stage. */
struct stage_place {
	struct device *device;
	uint16_t tile;
	uint8_t processor; /* on that tile, for reports */
};

/* Frees a stage of any kind. The cluster must have been freed before, because its devices refer to
 * the stage. NULL is allowed. */
void firmware_stage_free(struct stage *stage);

#endif

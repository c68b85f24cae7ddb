/* The context that all firmware stages share: costs, limits, and the receiver of faults. Costs and
 * limits come from a platform file, so the code of stages contains no numbers of a particular
 * machine. */
#ifndef FIRMWARE_CORE_FIRMWARE_H
#define FIRMWARE_CORE_FIRMWARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "base/text.h"
#include "command/dispatch.h"
#include "world/device.h"

/* Costs in cycles. A cost may be a fraction of a cycle. */
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

/* Fills in default sizes that are consistent with each other, for example rings of 64 KiB and pages
 * of 4 KiB. Tests use these sizes. The native world uses them if it has no platform file. */
void firmware_limits_plain(struct firmware_limits *limits);

/* Checks that the limits fit together: sizes are multiples of 16, batches are smaller than rings,
 * and entries fit into rings. Returns OK. Returns OUT_OF_RANGE if a limit does not fit. In this
 * case, sets *which to the name of the first limit that does not fit, and writes the allowed values
 * of this limit to `why` (may be NULL). */
enum status firmware_limits_check(
	const struct firmware_limits *limits, const char **which, struct text *why);

/* Faults that firmware detects in the data that it reads and in the actions of kernels. A stage
 * that reports a fault is blocked from then on; a stall report shows the reason. */
enum fault_kind {
	/* a prefetch or dispatch command is malformed or cannot be executed */
	FAULT_COMMAND,
	FAULT_ORDER,   /* a transaction does not begin with its number */
	FAULT_ROUTE,   /* a command names a tree that does not exist */
	FAULT_OVERRUN, /* a ring was overrun, because flow control is off or broken */
	FAULT_RECORD,  /* malformed completion record */
	FAULT_LAUNCH,  /* malformed launch message */
	FAULT_KERNEL,  /* malformed kernel header */
	FAULT_ELIDED,  /* commands whose bytes are not simulated */
	FAULT_FETCH,   /* malformed fetch-queue entry */
	/* a kernel's instruction number `instruction` did something that is not allowed */
	FAULT_PROGRAM,
	FAULT_KIND_COUNT
};

/* This value of `tile` means that a host thread found the fault. */
#define FAULT_ON_HOST UINT16_MAX

struct firmware_fault {
	enum fault_kind kind;
	/* `chip` is the number of the chip in the cluster; firmware_report() adds the number that
	 * was passed to firmware_number_from(). `tile` may be FAULT_ON_HOST */
	uint16_t chip, tile;
	const char *stage;    /* role of the stage, for example "dispatcher" */
	uint32_t address;     /* address of the malformed data in the tile's L1 */
	uint32_t instruction; /* FAULT_PROGRAM: number of the instruction in the kernel; `stage` is
			       * then the name of the processor */
	const char *detail;   /* explanation in static text */
};

enum { PRINT_OF_PROFILE = 0xffff };

/* Output of a kernel (PRINT and PRINT_TILE of command/instructions.def), or a time of a launch
 * (firmware_set_profile()). `instruction` is PRINT_OF_PROFILE for a time. */
struct firmware_print {
	int64_t at_ps; /* time in ps at which the output was made; 0: it was made now */
	uint32_t chip; /* number of the chip in marks */
	uint16_t tile;
	const char *processor; /* processor, for example "brisc"; "worker" for a time */
	uint32_t operation;    /* operation number of the launch */
	uint32_t instruction;  /* number of the instruction in the kernel */
	uint32_t number; /* number of the print or the time; PRINT_TILE: number of the element */
	uint8_t from;	 /* number of the register, or of the circular buffer */
	bool element;	 /* PRINT_TILE: true; `real` is then the value of an element of a
			  * tile, or NAN if the value is not simulated */
	uint32_t value;	 /* value of the register */
	float real;
};

/* Functions that receive faults and the output of kernels. The caller of firmware_new() provides
 * them. In the native world, threads of several chips call them at the same time, so they must be
 * thread-safe. */
struct firmware_faults {
	void *context;
	void (*report)(void *context, const struct firmware_fault *fault);
	/* if NULL, output is dropped */
	void (*print)(void *context, const struct firmware_print *print);
};

/* Returns the name of a kind of fault, for example "COMMAND". */
const char *fault_kind_name(enum fault_kind kind);

/* The context with which stages are created. There is one per mesh device. */
struct firmware; /* opaque */

/* Creates a context. Copies costs, limits and the contents of `faults`. If `faults` is NULL, a
 * fault counts as a bug and ends the process. The exception is a fault of a kernel (FAULT_PROGRAM):
 * it only appears in stall reports. The limits must pass firmware_limits_check(). Never returns
 * NULL. */
struct firmware *firmware_new(const struct firmware_costs *costs,
	const struct firmware_limits *limits, const struct firmware_faults *faults);

/* Sets whether commands contain physical coordinates of tiles (command/dispatch.h). Must be
 * called before any stage is created. */
void firmware_set_physical(struct firmware *firmware, bool physical);

/* Sets the number of command buffers of the NoC that a dispatcher uses for its writes: 1 or 2. The
 * default is 2. Must be called before any stage is created. */
void firmware_set_command_buffers(struct firmware *firmware, uint32_t count);

/* With `preload`, a worker sets up a launch as soon as the launch message has arrived and the
 * worker's previous launch is done; then it waits for the go. Without `preload`, a worker sets up a
 * launch after its go. Must be called before any stage is created. */
void firmware_set_preload(struct firmware *firmware, bool preload);

/* With `profile`, every worker prints three times of each launch, like the device profiler of
 * hardware: when the kernels start on the launch's first processor, when they start on its last
 * processor, and when they end. These are the prints 0 to 2 of instruction PRINT_OF_PROFILE.
 * Printing takes no simulated time. Workers that print are simulated one by one, like workers whose
 * kernels execute instructions. Must be called before any stage is created. */
void firmware_set_profile(struct firmware *firmware, bool profile);

/* The lead of the last run of each group of workers. The lead is the time from sending the launch
 * messages to sending the go. A launch message and a go take the same time to reach a worker. So
 * the worker gets the launch message earlier than the go, by the lead. All workers and dispatchers
 * of a chip share one struct. */
struct launch_lead {
	int64_t ps[DISPATCH_GROUPS]; /* [group] lead in ps */
};

/* Sets the number that marks, reported faults and prints use for the cluster's chip 0; the other
 * chips of the cluster have the following numbers. With several clusters, call this for each
 * cluster, so that all chips have different numbers (spec 4.2). Applies to the stages that are
 * created after the call. */
void firmware_number_from(struct firmware *firmware, uint32_t first_chip);

/* Frees the context. All stages that were created with it must have been freed. NULL is allowed. */
void firmware_free(struct firmware *firmware);

const struct firmware_limits *firmware_limits(const struct firmware *firmware);

/* The place of a stage. */
struct stage_place {
	struct device *device;
	uint16_t tile;
	uint8_t processor; /* number of the processor on the tile, for reports */
};

/* Frees a stage of any kind. The cluster must have been freed before, because its devices refer to
 * the stage. NULL is allowed. */
void firmware_stage_free(struct stage *stage);

#endif

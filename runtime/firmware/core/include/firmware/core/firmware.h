/* What all firmware stages share: costs, limits, and where faults are reported. Stages hold no
 * figure of a machine: costs and limits come from a platform file. */
#ifndef FIRMWARE_CORE_FIRMWARE_H
#define FIRMWARE_CORE_FIRMWARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "base/text.h"
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

/* Fills all limits with sizes that fit each other, for tests and natively, where no platform file
 * says: rings of 64 KiB, pages of 4 KiB. */
void firmware_limits_plain(struct firmware_limits *limits);

/* OK if the limits fit each other (multiples of 16, batches smaller than rings, entries within
 * rings), else OUT_OF_RANGE, *which names the first that does not, and `why` (may be NULL) says
 * what it has to be. */
enum status firmware_limits_check(
	const struct firmware_limits *limits, const char **which, struct text *why);

/* What firmware refuses to trust. The stage that reports one halts: it stays blocked, and a stall
 * report shows it. */
enum fault_kind {
	FAULT_COMMAND, /* malformed or impossible prefetch or dispatch command */
	FAULT_ORDER,   /* no transaction header where one has to be */
	FAULT_ROUTE,   /* unknown tree */
	FAULT_OVERRUN, /* a ring was overrun: flow control is off or broken */
	FAULT_RECORD,  /* malformed completion record */
	FAULT_LAUNCH,  /* malformed launch message */
	FAULT_KERNEL,  /* malformed kernel header */
	FAULT_ELIDED,  /* commands that are not simulated */
	FAULT_FETCH,   /* malformed fetch-queue entry */
	FAULT_PROGRAM, /* a kernel that does what it must not: `instruction` says where */
	FAULT_KIND_COUNT
};

/* Instead of a tile: a host thread found the fault. */
#define FAULT_ON_HOST UINT16_MAX

struct firmware_fault {
	enum fault_kind kind;
	uint16_t chip, tile; /* chip: of its cluster, and as marks call it where it is reported;
				tile: or FAULT_ON_HOST */
	const char *stage;   /* role: "dispatcher" */
	uint32_t address;   /* in the tile's L1, of what was malformed */
	uint32_t
		instruction; /* of FAULT_PROGRAM: number in the kernel, and `stage` the processor */
	const char *detail; /* static text */
};

/* What a kernel prints (PRINT and PRINT_TILE of command/instructions.def). */
struct firmware_print {
	uint32_t chip; /* as marks call it */
	uint16_t tile;
	const char *processor; /* "brisc" */
	uint32_t operation;    /* of the launch */
	uint32_t instruction;  /* its number in the kernel */
	uint32_t number;       /* of the print; of PRINT_TILE which element */
	uint8_t from;	       /* the register, or the circular buffer */
	bool element;	       /* of a tile: `real` is its value, NAN if it is not simulated */
	uint32_t value;	       /* of a register */
	float real;
};

/* Sink of faults, and of what kernels print, provided by the harness. Natively it is called from
 * the threads of several chips at once and has to be safe. */
struct firmware_faults {
	void *context;
	void (*report)(void *context, const struct firmware_fault *fault);
	void (*print)(void *context, const struct firmware_print *print); /* NULL: nobody hears */
};

/* "COMMAND" and the like. */
const char *fault_kind_name(enum fault_kind kind);

/* The context that stages are created with: one per mesh device. */
struct firmware; /* opaque */

/* Copies costs and limits. `faults` may be NULL: faults then end the process as bugs do, but those
 * of kernels, of which stall reports tell; its contents are copied. The limits must pass
 * firmware_limits_check(). Never NULL. */
struct firmware *firmware_new(const struct firmware_costs *costs,
	const struct firmware_limits *limits, const struct firmware_faults *faults);

/* Commands hold physical coordinates (command/coordinates.h). Before stages are made. */
void firmware_set_physical(struct firmware *firmware);

/* Marks, faults that are reported and prints call the cluster's chip 0 `first_chip`: the cluster is
 * one of several (spec 4.2). Before stages are made. */
void firmware_number_from(struct firmware *firmware, uint32_t first_chip);

/* After every stage made with it has been freed. NULL is allowed. */
void firmware_free(struct firmware *firmware);

const struct firmware_limits *firmware_limits(const struct firmware *firmware);

/* Where a stage stands. */
struct stage_place {
	struct device *device;
	uint16_t tile;
	uint8_t processor; /* on that tile, for reports */
};

/* Frees any stage of this room. It must not be attached to a device any more: the cluster has been
 * freed. NULL is allowed. */
void firmware_stage_free(struct stage *stage);

#endif

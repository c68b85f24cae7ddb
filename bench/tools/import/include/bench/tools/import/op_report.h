/* Reports of TT-Metalium's device profiler. A report is a CSV file with a row for each operation
 * and device. It has about 100 columns, which are found by name. The file is read line by line and
 * may be larger than memory; only the operations between the two chosen signposts are stored. */
#ifndef BENCH_TOOLS_OP_REPORT_H
#define BENCH_TOOLS_OP_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "command/launch.h"

enum {
	OP_REPORT_OPERATIONS_MAX = 200000, /* most operations that are kept */
	OP_REPORT_COLUMNS_MAX = 1024,
	OP_REPORT_LINE_MAX = 1 << 20, /* most bytes of a line */
	OP_REPORT_DEVICES_MAX = 4096,
};

/* A value that the report may lack. */
#define OP_ABSENT UINT64_MAX

/* A program: operations with the same kernels on as many cores. */
struct op_program {
	const char *code;    /* name of the operation */
	const char *tensors; /* tensors of the first operation of this program, or "" */
	uint64_t hash;
	uint32_t cores;
	uint32_t bytes[PROCESSOR_COUNT]; /* size of each processor's binary; 0: none */
};

/* One operation on one device. Times are in ns. */
struct op_entry {
	uint32_t program; /* index of its program */
	uint32_t device, line;
	uint64_t kernel_ns;		  /* from the first core's start to the last core's end */
	uint64_t host_start_ns;		  /* OP_ABSENT: replayed, or not recorded */
	uint64_t shortest_ns, longest_ns; /* the shortest and the longest time that a core takes for
					   * the operation; OP_ABSENT: not recorded */
	uint64_t trace, session;	  /* ids of the trace and of its replay; OP_ABSENT: the host
					   * dispatched the operation */
	const char *mark;		  /* the last signpost before the operation; NULL: none */
	/* only to compare with predictions: OP_ABSENT if not recorded */
	uint64_t measured_gap_ns, measured_skew_ns;
};

/* Columns that a report may lack, one bit each. */
enum op_lack {
	OP_LACKS_HASHES = 1,
	OP_LACKS_SIZES = 2,
	OP_LACKS_HOST = 4,
	OP_LACKS_ARCH = 8,
	OP_LACKS_CORES_TIMES = 16,
	OP_LACKS_DEVICE = 32,
	OP_LACKS_TRACES = 64,
	OP_LACKS_ETHERNET = 128, /* the report has Ethernet kernels, which are left out */
};

struct op_report {
	struct op_entry *entries;
	uint32_t count;
	struct op_program *programs;
	uint32_t program_count;
	uint32_t device_count; /* the highest number of a device, plus 1 */
	uint32_t worker_cores; /* cores that operations can use; 0: not recorded */
	bool blackhole;
	unsigned lacks; /* enum op_lack */
};

/* Reads the operations from the signpost `from` to the signpost `to`. If `from` is NULL, begins at
 * the first operation; if `to` is NULL, ends at the last. The result is in `arena`. Returns NULL
 * with errors in `diag`. */
struct op_report *op_report_read(
	const char *path, const char *from, const char *to, struct arena *arena, struct diag *diag);

/* Like op_report_read(), from memory; messages use `name` as the file name. */
struct op_report *op_report_read_text(const char *name, const char *text, size_t length,
	const char *from, const char *to, struct arena *arena, struct diag *diag);

/* Finds the call to which each operation belongs. A call is a launch of the imported scenario: an
 * operation on all devices, or on one of them if not all ran it at the same place of their order.
 * Returns an array in `arena`, whose entry i has the number of the call of operation i. Sets *count
 * to the number of calls. */
uint32_t *op_report_calls(const struct op_report *report, struct arena *arena, uint32_t *count);

/* Returns the machine that the report looks like: the smallest one with its devices. */
const char *op_report_platform(const struct op_report *report);

#endif

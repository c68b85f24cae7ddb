/* Operations of a report as calls: one call for all devices that ran the same operation. */
#ifndef BENCH_TOOLS_IMPORT_OP_CALLS_H
#define BENCH_TOOLS_IMPORT_OP_CALLS_H

#include "bench/tools/import/op_report.h"

struct op_call {
	const struct op_entry *entry;	   /* the first device's operation */
	uint64_t kernel_ns, host_start_ns; /* median of the devices; the first start */
	uint64_t identity;		   /* hash of its programs and devices */
	bool whole;			   /* all devices run it; false: only that of `entry` */
	/* the operation of each device, if devices run different programs; otherwise NULL */
	const struct op_entry **each;
};

struct op_calls {
	struct op_call *at;
	uint32_t count;
	uint32_t apart; /* operations that not all devices ran at the same place of their order */
};

/* Makes the calls, in `arena`. The profiler's call counts differ between devices, so operations of
 * different devices are matched by their place in the order of each device. */
struct op_calls op_calls_make(const struct op_report *report, struct arena *arena);

#endif

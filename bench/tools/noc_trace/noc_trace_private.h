/* How the scenario of a replay numbers its prints, shared by the files of this folder. */
#ifndef NOC_TRACE_PRIVATE_H
#define NOC_TRACE_PRIVATE_H

#include "bench/tools/noc_trace/noc_trace.h"

/* Returns the number of values that a kernel prints. A kernel prints when it begins, before and
 * after each barrier, and at its end. A kernel without events prints nothing. The prints of a trace
 * are numbered kernel by kernel, from 0. */
uint32_t noc_trace_prints(const struct noc_trace_kernel *kernel);

#endif

/* Keys for machines of several hosts (keys.def lists them). `runtime.distributed`
 * (distributed/controller.h) selects, for example, which stages have their own threads.
 * `model.fault` describes a fault of a host during a run. */
#ifndef BENCH_SCENARIO_HOSTS_KEYS_H
#define BENCH_SCENARIO_HOSTS_KEYS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

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

#endif

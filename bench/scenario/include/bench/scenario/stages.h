/* Keys of the stages between hosts that can have threads: runtime.distributed.stages. */
#ifndef BENCH_SCENARIO_STAGES_H
#define BENCH_SCENARIO_STAGES_H

#include <stdint.h>

/* Whether a stage between hosts has its own thread. */
enum stage_thread { STAGE_DEFAULT, STAGE_OWN, STAGE_MERGED };

#define KEY(owner, kind, type, member, ...) type member;

struct stage_keys {
#define KEYS_STAGES
#include "bench/scenario/keys.def"
};

#undef KEY

#endif

/* Makes the programs that enqueue_workload steps describe. The check of a scenario makes the same
 * programs as the run. So if devices cannot run a program, the runtime already rejects this program
 * in the check. */
#ifndef BENCH_SCENARIO_STEP_MAKE_H
#define BENCH_SCENARIO_STEP_MAKE_H

#include "bench/scenario/load.h"
#include "mesh/program.h"
#include "programs/library.h"

/* The values that step_make_program() needs besides the keys. The caller fills the members. */
struct step_maker {
	const struct run_plan *run;
	const struct program_limits *limits; /* limits of the devices */
	struct mesh_shape shape;	     /* shape of the whole mesh */
	/* Returns the buffer of this name, which must exist. */
	struct library_buffer (*buffer)(void *context, const char *name);
	void *context;
	struct diag *diag;
};

/* Makes a program of a step, and adds it to the step's workload. Before the call, `program` must be
 * empty, and `workload` must contain only earlier programs of the step. Returns false with located
 * errors in `diag`; the caller may then only free the program. */
bool step_make_program(const struct step_maker *maker, const struct step *step,
	const struct program_keys *keys, struct program *program, struct workload *workload);

/* Returns the cycles of the chips' clock in a time. */
uint64_t step_run_cycles(const struct run_plan *run, uint64_t run_ns);

/* Reports that a workload does not fit beside the other objects of its mesh (`why`). */
void step_refuse_workload(const struct step *step, const struct text *why, struct diag *diag);

/* Fills *use with buffers and parameters of a program of the library. */
void step_library_use(
	const struct step_maker *maker, const struct program_keys *keys, struct library_use *use);

/* Returns the location of the key that causes an error of a library program. If a wrong element
 * type or number of tiles comes from a buffer, this is the key that names the buffer. If the
 * program does not fit into L1 (NO_SPACE), this is the key `tiles`, or the program's name if
 * `tiles` is not given. */
struct location step_library_blame(
	const struct program_keys *keys, const struct library_blame *blame, enum status status);

/* Returns true if the program uses this processor, and the processor's kernel takes the program's
 * arguments. The TRISCs run one kernel, so only the first TRISC that the program uses has
 * arguments. */
bool step_has_arguments(const struct program_keys *keys, enum processor processor);

/* Pages of each circular buffer of a program's first group of cores. */
uint32_t step_circular_buffer_pages(const struct run_plan *run, const struct program_keys *keys);

#endif

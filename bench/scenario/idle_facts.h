/* What a workload does, as far as it says which keys have no effect (idle_keys.c). Refuses to judge
 * one. */
#ifndef BENCH_IDLE_FACTS_H
#define BENCH_IDLE_FACTS_H

#include "scenario_private.h"
#include "step_check.h"

struct facts {
	const struct run_plan *run;
	const struct scenario *scenario;
	const struct mesh_config *configs; /* of every mesh */
	const struct mesh_config *config;  /* of the one that is looked at */
	const struct cluster_info *info;
	uint32_t steps[STEP_KIND_COUNT];
	/* Steps that launch programs: enqueue_workload, collectives, and reads that gather on the
	 * devices; and those of them that no trace captures. */
	uint32_t launches, untraced_launches;
	uint32_t most_devices;	   /* that one program runs on; of each mesh the shape counts */
	uint32_t joint_programs;   /* beside others in a workload */
	uint32_t narrow_programs;  /* not on all cores of a kind, of every device */
	uint32_t worker_programs;  /* those with a kernel on workers */
	uint32_t library_programs; /* of collectives and gathers: on some cores of all devices */
	uint32_t printing_kernels;
	bool repeats;		 /* some step is reached more than once */
	uint32_t stored_buffers; /* those that are read from storage */
	uint32_t parted_buffers; /* write_buffer steps that give devices different parts */
	uint32_t whole_reads;	 /* read_buffer steps of all devices */
	uint64_t most_bytes;	 /* of a buffer, per device */
	bool native;
	bool traced;			    /* the step that is looked at is captured */
	const struct program_keys *program; /* that is looked at */
	struct diag *diag;
	struct arena arena;
};

/* What leaves a key of the run without effect, and how that is said. */
struct run_key {
	const char *key;
	bool (*idle)(const struct facts *facts);
	const char *why;
};

/* Fills the counts, from `scenario` and `configs`. */
void facts_count(struct facts *facts);

/* Of model.fault: whether there is none; or none of a host of its own, which the controller's is
 * not; or none that lasts. */
bool facts_have_no_fault(const struct facts *facts);
bool facts_fail_at_no_host(const struct facts *facts);
bool facts_fail_for_no_time(const struct facts *facts);

/* Keys of devices over several hosts, a part of the table of idle_keys.c: by index; NULL behind the
 * last. */
const struct run_key *hosts_idle_key(size_t index);

/* True if the program has a kernel on workers. */
bool program_uses_workers(const struct program_keys *program);

#endif

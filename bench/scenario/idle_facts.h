/* Facts about a workload, by which idle_keys.c finds keys that have no effect. Also declares checks
 * of broadcast keys, which depend on the machine. */
#ifndef BENCH_IDLE_FACTS_H
#define BENCH_IDLE_FACTS_H

#include "scenario_private.h"
#include "step_check.h"

struct facts {
	const struct run_plan *run;
	const struct scenario *scenario;
	const struct mesh_config *configs; /* one for each mesh */
	const struct mesh_config *config;  /* configuration of the current mesh */
	const struct cluster_info *info;
	uint32_t steps[STEP_KIND_COUNT];
	/* `launches` counts steps that launch programs: enqueue_workload, collectives, and reads
	 * whose data are gathered on the devices. `untraced_launches` counts only launches outside
	 * of traces. */
	uint32_t launches, untraced_launches;
	uint32_t most_devices;	   /* the largest number of devices on which one program runs */
	uint32_t joint_programs;   /* programs in a workload that has other programs, too */
	uint32_t narrow_programs;  /* programs that leave out a device or some cores of it */
	uint32_t worker_programs;  /* programs with a kernel on workers */
	uint32_t library_programs; /* programs of collectives and gathers; each of them uses only
				    * some cores */
	uint32_t printing_kernels;
	bool repeats;		 /* the run reaches some step more than once */
	uint32_t stored_buffers; /* buffers that are read from storage */
	uint32_t parted_buffers; /* write_buffer steps that give devices different parts */
	uint32_t whole_reads;	 /* read_buffer steps that read the parts of all devices */
	uint64_t most_bytes;	 /* size of the largest buffer per device */
	bool native;
	bool traced;			    /* the current step is captured */
	uint64_t times;			    /* how often the run reaches the current step */
	const struct program_keys *program; /* the current program */
	struct diag *diag;
	struct arena arena;
};

/* A condition under which a key has no effect, with the text of the warning. */
struct run_key {
	const char *key; /* a key; or a map, and then the entry is for every key in the map */
	bool (*idle)(const struct facts *facts);
	const char *why;
};

/* Fills the counts, from `scenario` and `configs`. */
void facts_count(struct facts *facts);

/* Returns true if the file, an option or a sweep changes the key at `path`: if its value is neither
 * the default nor that of the scenario's preset. */
bool facts_given(struct facts *facts, const char *path);

/* Returns entry `index` of the second part of idle_keys.c's table. This part contains keys that
 * depend on several hosts, on simulation, on broadcasts, on the number of programs, or on log
 * lines. Returns NULL after the last entry. */
const struct run_key *machine_idle_key(size_t index);

/* True if no program of the scenario has kernels that act (see program_acts()). */
bool computes_nothing(const struct facts *facts, const struct step *step);

/* shares_nothing() returns true if the step names its workload, so that other steps can run it, but
 * no other step does. has_one_core() returns true if the program has one core. */
bool shares_nothing(const struct facts *facts, const struct step *step);
bool has_one_core(const struct facts *facts, const struct step *step);

/* True if the program has a kernel on workers. */
bool program_uses_workers(const struct program_keys *program);

/* If the mesh cannot be opened because of its broadcasts, returns the path of the key that causes
 * this. The path is a constant text, or is stored in `path`. Returns NULL if these keys are
 * correct. */
const char *broadcast_blame(const struct mesh_config *config, const struct cluster_info *info,
	char path[TREE_PATH_BYTES_MAX]);

/* Returns entry `index` of the table of keys for broadcasts that may have no effect in a run
 * (struct run_key). Returns NULL after the last entry. */
const struct run_key *broadcast_idle_key(size_t index);

#endif

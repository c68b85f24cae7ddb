/* The interface of a world for one run, and the functions that fill the record of a run. There are
 * two worlds: `sim` (run_sim.c) and `native` (native/run_native.c). The other files of this folder
 * use the simulator or the emulator only to read counters and states. */
#ifndef BENCH_RUN_WORLD_H
#define BENCH_RUN_WORLD_H

#include "base/arena.h"
#include "bench/results/results.h"
#include "bench/client/client.h"
#include "bench/scenario/machine_constants.h"
#include "bench/watcher/watcher.h"
#include "firmware/core/firmware.h"
#include "bench/record/recorder.h"
#include "bench/results/metrics.h"
#include "bench/scenario/scenario.h"
#include "watch/watch.h"
#include "base/text.h"
#include "bench/run/part_folder.h"
#include "bench/run/runner.h"
#include "bench/scenario/load.h"

/* Stores the text of the first fault that a run's firmware reports. Later faults are ignored. In
 * the native world, any thread of any process of the run can report a fault. */

struct fault_note; /* opaque */

/* Creates a note that is shared with processes forked later. Lives as long as the process. */
struct fault_note *fault_note_new(void);

/* Records a fault. Returns true if it is the first. */
bool fault_note_take(struct fault_note *note, const struct firmware_fault *fault);

/* Returns the text of the fault, which the note owns. Returns "" if there was no fault. */
const char *fault_note_text(const struct fault_note *note);

enum run_end {
	RUN_FINISHED,
	RUN_STALLED, /* no progress while the client waits; threads may still exist */
	RUN_LIMITED,
	RUN_LOST,    /* a process of the run was killed from outside */
	RUN_CRASHED, /* a process of the run crashed */
};

struct run_world {
	const char *name;
	bool marks_at_once; /* marks have the exact time of the event that they mark */
	bool has_threads;   /* uses OS threads, which may still run when `run` has returned */

	/* Creates the world and the cluster, sets client->cluster, and calls client_main(client).
	 * Returns OK, or an error with a sentence in `why`. If the run stalled, crashed or was
	 * lost, `why` has the report. */
	enum status (*run)(const struct run_plan *plan, const struct machine_constants *constants,
		struct client *client, enum run_end *end, struct text *why);

	/* Adds totals so far and tables to `record`, in `arena`. */
	void (*collect)(
		const struct client *client, struct run_record *record, struct arena *arena);

	/* Time since the world's start. Callable from any of its threads. */
	int64_t (*now_ps)(void);

	/* Passes the state of every stage of every chip to the watcher, with the chip's number in
	 * the whole machine. For stages in other processes, this is the state at the time when the
	 * run was ended. */
	void (*watch)(const struct client *client, struct watcher *watcher);

	/* Sets a time limit of `wall_s` seconds for `run`. If `run` takes longer, it calls `late`,
	 * which ends the process. NULL in a world that detects stalls, because no limit is needed
	 * there. */
	void (*limit)(uint32_t wall_s, void (*late)(void *context, const char *why), void *context);

	/* Sets *counts to the work of the whole run. The counts are exact when all threads of the
	 * run have ended. */
	void (*counts)(struct work_counts *counts);

	/* Called when firmware has reported a fault, on any thread of any process of the run. NULL:
	 * the run ends by itself after a fault. */
	void (*faulted)(void);
};

extern const struct run_world run_sim, run_native;

/* With some choices, a run of a correct scenario may fail, and this is no bug. Appends a text for
 * each such choice in the scenario. */
void run_hazards(const struct scenario *scenario, struct text *why);

/* Statistics of a simulated run, as tables of bench/results/results.h (collect_sim.c). */

/* Number of rows for NoC links per chip. Only the busiest links are kept. */
enum { NOC_LINK_ROWS = 16 };

struct noc_link_rate {
	uint64_t bytes_per_s, simulated_ps;
};

/* Fills `rows` with the busiest NoC links of a chip. `first` is the machine-wide number of the
 * first chip of the chip's host. Returns the number of rows, which is 0 unless `model.noc` is
 * `links`. */
uint32_t collect_noc_links(const struct cluster *cluster, uint16_t chip, uint32_t first,
	struct noc_link_rate rate, struct link_row rows[NOC_LINK_ROWS]);

void collect_links(const struct client *client, struct run_record *record, struct arena *arena);
void collect_deliveries(const struct client *client, struct run_record *record);
void collect_threads(struct run_record *record, struct arena *arena);
void collect_queues(const struct client *client, struct run_record *record, struct arena *arena);
void collect_cores(const struct client *client, struct run_record *record, struct arena *arena);

/* The watcher of a run (bench/watcher/watcher.h). It inspects the cores of a run that did not
 * finish, in both worlds. */

/* Adds the table with the state of every core to `record`, in `arena`. For each group of cores
 * whose kernels are running, appends a line to the message `told`. */
void watch_cores(const struct run_world *row, const struct client *client,
	struct run_record *record, struct arena *arena, struct text *told);

/* The functions for `measure.trace`. watch_choose() chooses the operations that a run watches
 * (watch/watch.h). For this, it needs the recording of an earlier run with the times at which
 * operations begin and end. watch_record() makes result tables of the watched operations. */

/* Chooses the operations that the scenario wants to trace, at most TRACE_OPERATIONS_MAX. Returns
 * the time windows of these operations in `arena`, sorted by the number of the operation. Sets
 * *left_out to the number of further operations that the scenario wants to trace. */
struct watch_window *watch_choose(const struct trace_keys *keys, const struct op_recorder *recorder,
	const struct step_names *names, uint32_t *count, uint32_t *left_out, struct arena *arena);

/* Adds the tables of the watched operations to `record`, unless nothing was watched. If a part of
 * the recording was lost, prints a message on standard error. */
void watch_record(struct run_record *record, struct arena *arena);

/* Totals of a run from the counters of its meshes. */

/* Adds the counters of a mesh's command path to the totals. If the mesh was opened several times,
 * adds the counters of each time. If `asks` is false, does not ask the devices for their counters.
 * The counters of a mesh that is still open are then missing. */
void totals_add_commands(const struct client *client, bool asks, struct run_totals *totals);

/* Adds the number of verified values and the firmware's resources of every mesh. Call this at the
 * end of a run. */
void totals_add_meshes(struct client *first, struct run_totals *totals);

/* ---- merge.c, summary.c: the parts of all runs of a request become its result file ---- */

/* The table /summary: a row per run, with columns that depend on the scenario
 * (bench/results/results.h). */

/* Builds the table from `parts`, with a row for each run of the file. Memory comes from `arena`.
 * Sets *shared_columns to the number of columns at the beginning that identify the run: number,
 * status, seed, and swept keys. */
struct table summary_build(const struct scenario_file *file, const struct part_summary *parts,
	struct arena *arena, uint32_t *shared_columns);

/* Merges the parts in a child process, because HDF5 crashes at the exit of a process in which a
 * write has failed. `failed` has the status and the message of each run that has no part. If the
 * result is not EXIT_GOOD, `why` has a sentence, and the result file is unchanged. */
enum exit_code merge_runs(const struct run_request *request, struct part_folder *folder,
	const struct part_summary *failed, double wall_s, struct text *why);

#endif

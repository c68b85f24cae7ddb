/* The interface of a world for one run, `sim` (run_sim.c) or `native` (native/run_native.c), and
 * the files that fill the record of a run. Only the two worlds use the simulator or the emulator
 * directly. */
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

/* The first fault of a run's firmware, as text. In the native world, faults can come from any
 * thread of any process of the run. Later faults are dropped. */

struct fault_note; /* opaque */

/* Creates a note that is shared with processes forked later. Lives as long as the process. */
struct fault_note *fault_note_new(void);

/* Records a fault. Returns true if it is the first. */
bool fault_note_take(struct fault_note *note, const struct firmware_fault *fault);

/* Text of the fault, owned by the note; "" if there was none. */
const char *fault_note_text(const struct fault_note *note);

enum run_end {
	RUN_FINISHED,
	RUN_STALLED, /* no progress, but the client waits; threads may still exist */
	RUN_LIMITED,
	RUN_LOST,    /* a process of the run was killed from outside */
	RUN_CRASHED, /* a process of the run crashed */
};

struct run_world {
	const char *name;
	bool marks_at_once; /* marks have the exact time of what they mark */
	bool has_threads;   /* uses OS threads, which may continue after `run` has returned */

	/* Creates the world and the cluster, sets client->cluster, and runs client_main(client) to
	 * its end. Returns OK, or IO or INVALID with a sentence in `why`. After a stall, a loss or
	 * a crash `why` has the report. */
	enum status (*run)(const struct run_plan *plan, const struct machine_constants *constants,
		struct client *client, enum run_end *end, struct text *why);

	/* Adds totals so far and tables to `record`, in `arena`. */
	void (*collect)(
		const struct client *client, struct run_record *record, struct arena *arena);

	/* Time since the world's start. Callable from any of its threads. */
	int64_t (*now_ps)(void);

	/* Shows the watcher every stage of every chip, with the chip's number in the whole machine;
	 * stages of other processes in their state when the run was found not to end. */
	void (*watch)(const struct client *client, struct watcher *watcher);

	/* For a world that cannot detect stalls: makes `run` call `late`, which ends the process,
	 * after `wall_s` seconds. NULL: the world detects stalls. */
	void (*limit)(uint32_t wall_s, void (*late)(void *context, const char *why), void *context);

	/* Work of the whole run; exact once its threads have ended. */
	void (*counts)(struct work_counts *counts);

	/* Called when firmware of the run has noted a fault, from any thread or process of the run.
	 * NULL: not needed, the run ends by itself. */
	void (*faulted)(void);
};

extern const struct run_world run_sim, run_native;

/* Statistics of a simulated run, as tables of bench/results/results.h (collect_sim.c). */

/* Rows of NoC links per chip: only the busiest are kept. */
enum { NOC_LINK_ROWS = 16 };

struct noc_link_rate {
	uint64_t bytes_per_s, simulated_ps;
};

/* Fills rows for a chip of a host whose first chip has number `first`. Returns their number; 0
 * unless `model.noc: links`. */
uint32_t collect_noc_links(const struct cluster *cluster, uint16_t chip, uint32_t first,
	struct noc_link_rate rate, struct link_row rows[NOC_LINK_ROWS]);

void collect_links(const struct client *client, struct run_record *record, struct arena *arena);
void collect_deliveries(const struct client *client, struct run_record *record);
void collect_threads(struct run_record *record, struct arena *arena);
void collect_queues(const struct client *client, struct run_record *record, struct arena *arena);
void collect_cores(const struct client *client, struct run_record *record, struct arena *arena);

/* The watcher of a run (bench/watcher/watcher.h): inspects the cores, in either world, of a run
 * that did not finish. */

/* Adds the table with the state of every core to the record, in `arena`. Appends lines for cores
 * with running kernels to `told`. */
void watch_cores(const struct run_world *row, const struct client *client,
	struct run_record *record, struct arena *arena, struct text *told);

/* `measure.trace`: chooses the operations of a run to watch (watch/watch.h), and makes tables of
 * the recording. Choosing needs an earlier run that shows when operations begin and end. */

/* The windows of the operations of a run that the scenario chose, sorted by number; at most
 * TRACE_OPERATIONS_MAX, *left_out is the number of those dropped. In `arena`. */
struct watch_window *watch_choose(const struct trace_keys *keys, const struct op_recorder *recorder,
	const struct step_names *names, uint32_t *count, uint32_t *left_out, struct arena *arena);

/* Adds the tables of the recording; none if nothing was watched. Prints on standard error what was
 * lost. */
void watch_record(struct run_record *record, struct arena *arena);

/* Totals of a run from the counters of its meshes. */

/* Adds the counters of the command path of a mesh, over all its lives. With `asks`, the
 * devices may be queried; on a machine of several hosts these are on other hosts. */
void totals_add_commands(const struct client *client, bool asks, struct run_totals *totals);

/* Adds the counters that each mesh has at the end. */
void totals_add_meshes(struct client *first, struct run_totals *totals);

#endif

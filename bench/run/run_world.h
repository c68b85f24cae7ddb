/* The interface of a world for one run: `sim` (run_sim.c) or `native` (native/run_native.c). Only
 * these two use the simulator or the emulator directly. */
#ifndef BENCH_RUN_WORLD_H
#define BENCH_RUN_WORLD_H

#include "base/arena.h"
#include "bench/results/results.h"
#include "bench/client/client.h"
#include "bench/scenario/machine_constants.h"
#include "bench/watcher/watcher.h"

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

#endif

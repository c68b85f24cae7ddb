/* One run in one world: `sim` (run_sim.c) or `native` (native/run_native.c). The table has a row
 * for each; only these two rooms know SimGrid's side or the emulator. */
#ifndef BENCH_RUN_WORLD_H
#define BENCH_RUN_WORLD_H

#include "base/arena.h"
#include "bench/results/results.h"
#include "bench/client/client.h"
#include "bench/scenario/machine_constants.h"
#include "bench/watcher/watcher.h"

enum run_end {
	RUN_FINISHED,
	RUN_STALLED, /* nothing goes on, but the client waits; threads may still be there */
	RUN_LIMITED,
	RUN_LOST,    /* a process of the run was killed from outside */
	RUN_CRASHED, /* a process of the run ended by a fault of its own */
};

struct run_world {
	const char *name;
	bool marks_at_once; /* marks are passed as things happen, never a moment later */
	bool has_threads;   /* of this machine, which go on when `run` has returned */

	/* Makes the world and the cluster, runs client_main(client) to its end, fills
	 * client->cluster before it. IO or INVALID with a sentence in `why`; after
	 * a stall, `why` says who waits for what; what was lost or has crashed. */
	enum status (*run)(const struct run_plan *plan, const struct machine_constants *constants,
		struct client *client, enum run_end *end, struct text *why);

	/* Totals so far, and tables added to `record`, in `arena`. */
	void (*collect)(
		const struct client *client, struct run_record *record, struct arena *arena);

	/* Since the world began. From any thread of it. */
	int64_t (*now_ps)(void);

	/* Shows the watcher every stage of every chip, with the chip's number in the whole machine;
	 * those of other processes as they were when the run was found not to end. */
	void (*watch)(const struct client *client, struct watcher *watcher);

	/* For a world that cannot see that it stalls: has `run` call `late`, which ends the
	 * process, once it has taken that many seconds. NULL: it can. */
	void (*limit)(uint32_t wall_s, void (*late)(void *context, const char *why), void *context);

	/* Work of the whole run; exact once its threads have ended. */
	void (*counts)(struct work_counts *counts);

	/* Firmware of the run has noted a fault; from any thread or process of the run. NULL: the
	 * run ends by itself. */
	void (*faulted)(void);
};

extern const struct run_world run_sim, run_native;

#endif

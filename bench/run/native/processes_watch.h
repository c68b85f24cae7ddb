/* What the cores of another process are at: asked through the socket on which an executor was told
 * its controller's address, and answered by a thread of its own there. Refuses to wait for one that
 * does not answer. */
#ifndef BENCH_RUN_PROCESSES_WATCH_H
#define BENCH_RUN_PROCESSES_WATCH_H

#include "bench/watcher/watcher.h"
#include "world/device.h"

/* What was seen; all zeros is nothing. */
struct watch_list {
	struct watched_processor *at;
	uint32_t count, capacity;
};

/* Answers whoever asks at the other end, until that is closed or the process ends: with the stages
 * of `cluster`, a native one, whose chip 0 is called `first_chip`. */
void processes_watch_serve(int talk, struct cluster *cluster, uint32_t first_chip);

/* Asks, and adds what is answered within `patience_ms`; what was answered in part is left out. */
void processes_watch_ask(int talk, int patience_ms, struct watch_list *list);

#endif

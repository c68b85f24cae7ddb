/* The state of the cores of another process. It is requested through the socket on which the
 * executor got its controller's address, and a dedicated thread there answers. */
#ifndef BENCH_RUN_PROCESSES_WATCH_H
#define BENCH_RUN_PROCESSES_WATCH_H

#include "bench/watcher/watcher.h"
#include "world/device.h"

/* The answers; all zeros is empty. */
struct watch_list {
	struct watched_processor *at;
	uint32_t count, capacity;
};

/* Answers requests with the stages of `cluster`, a native one, until the other end is closed or the
 * process ends. `first_chip` is the number of its chip 0 in the whole machine. */
void processes_watch_serve(int talk, struct cluster *cluster, uint32_t first_chip);

/* Sends a request, and adds the answers that come within `patience_ms`; drops incomplete ones. */
void processes_watch_ask(int talk, int patience_ms, struct watch_list *list);

#endif

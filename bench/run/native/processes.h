/* The executors of a native run, each a process of this machine (a client_ground,
 * bench/client/client.h). They are forked before there are threads or sockets, since not every
 * transport survives a fork, and then wait for the controller's address. They write their marks to
 * the run's recorder in shared memory, with the same clock, and also report there how they ended.
 * This process prints their output, with the host's name. None outlives the process that started
 * it. */
#ifndef BENCH_RUN_PROCESSES_H
#define BENCH_RUN_PROCESSES_H

#include "bench/client/client.h"
#include "bench/watcher/watcher.h"

/* Forks the executors and sets client->ground, for a run of at most `wall_s` seconds. Returns OK,
 * or an error with a sentence. The calling thread must live as long as they do. */
enum status processes_start(struct client *client, uint32_t wall_s, struct text *why);

/* Waits until `bell` is readable, an executor has ended unexpectedly, or the deadline, in ns of
 * world->now_ns(). Prints their output meanwhile. Works without processes, too. */
void processes_listen(int bell, int64_t deadline_ns);

/* True if an executor has ended unexpectedly. `why` gets a line for each; *crashed: one crashed,
 * and was not killed from outside. */
bool processes_lost(struct text *why, bool *crashed);

/* True, with its name in `why`, if an executor has not answered for limits.lost_s;
 * processes_listen() returns in that case. */
bool processes_silent(struct text *why);

/* Records the state of the cores of the remaining executors, once; takes at most a second each.
 * From one thread at a time. */
void processes_look(void);

/* Shows the recorded states to the watcher. */
void processes_show(struct watcher *watcher);

/* Ends the remaining executors and prints their output. */
void processes_stop(void);

/* Adds a row of threads with the CPU time so far for each executor and for this process, and their
 * totals. Does nothing without processes. */
void processes_record(struct run_record *record, struct arena *arena);

/* Adds the work of executors that have ended normally. */
void processes_counts(struct work_counts *counts);

#endif

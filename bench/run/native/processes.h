/* The ground of processes (bench/client/client.h): the executors of a native run, a process of this
 * machine each. They are forked before anything has a thread or a socket, since not every transport
 * survives a fork, and wait until they are told where the controller listens. Their marks go into
 * the rows of the run's recorder, which they share, by the clock that they share; how they ended is
 * told in shared memory; what they print is printed here, with the host's name. None outlives the
 * process that started them. */
#ifndef BENCH_RUN_PROCESSES_H
#define BENCH_RUN_PROCESSES_H

#include "bench/client/client.h"
#include "bench/watcher/watcher.h"

/* Forks them, in the native world, and sets client->ground; for a run that may take that many
 * seconds. IO with a sentence. The calling thread has to live as long as they do. */
enum status processes_start(struct client *client, uint32_t wall_s, struct text *why);

/* Waits until `bell` can be read, one of them has ended unasked, or the deadline, in ns of
 * world->now_ns(), and prints what they say meanwhile. Without processes: the same. */
void processes_listen(int bell, int64_t deadline_ns);

/* Whether one has ended unasked. `why` gets a line for each; *crashed: by a fault of its own, not
 * killed from outside. */
bool processes_lost(struct text *why, bool *crashed);

/* Whether one has not answered for limits.lost_s, with its name in `why`; processes_listen() has
 * returned for it. */
bool processes_silent(struct text *why);

/* Takes down what the cores of those that are left are at, unless it has been; a second each at the
 * most. From one thread at a time. */
void processes_look(void);

/* Shows the watcher what was taken down. */
void processes_show(struct watcher *watcher);

/* Ends those that are left, and prints what they have said. */
void processes_stop(void);

/* Adds a row of threads for each of them, and one for this process, as their CPU time is now, and
 * the totals of that; nothing without processes. */
void processes_record(struct run_record *record, struct arena *arena);

/* Adds the work of those that have ended as they should. */
void processes_counts(struct work_counts *counts);

#endif

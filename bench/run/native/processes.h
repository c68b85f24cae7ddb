/* The executors of a native run, each a process of this machine (a client_ground,
 * bench/client/client.h). They are forked before there are threads or sockets, since not every
 * transport survives a fork, and then wait for the controller's address. They write their marks to
 * the run's recorder in shared memory, with the same clock, and also report there how they ended.
 * This process prints their output, with the host's name. None outlives the process that started
 * it. */
#ifndef BENCH_RUN_PROCESSES_H
#define BENCH_RUN_PROCESSES_H

#include <sys/types.h>
#include <stdbool.h>
#include <stdint.h>

#include "bench/client/client.h"
#include "bench/watcher/watcher.h"
#include "base/status.h"
#include "base/text.h"
#include "bench/results/results.h"
#include "platform/platform.h"
#include "world/channel.h"
#include "bench/run/scratch.h"
#include "transport/rows.h"
#include "world/device.h"

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

/* Binding of a native run's processes to cores, their CPU time, and the cost of joining. */

/* With `cores: own`, binds this thread, and threads that it starts later, to one of the cores that
 * the process may run on, chosen by the server's number; otherwise does nothing. Returns OK, or IO
 * with a sentence. */
enum status processes_stay(const struct platform *platform, uint32_t server, struct text *why);

/* Fills the row of threads of a process with its CPU time so far, and adds that to the totals. */
void processes_cpu(pid_t process, uint16_t host, struct thread_row *row, struct run_totals *totals);

/* Cost of joining for `hosts` hosts, at least one, from the counters of the controller's hub. */
struct opening_row processes_opening(const struct channel_counts *counts, uint32_t hosts);

/* The session number of a run's channels; processes of other runs reject it. */
uint64_t processes_session(void);

/* The address at which processes of a native run meet, reachable only on this machine. A library
 * that accepts messages of any process gets its own network namespace. */

enum { PLACE_ADDRESS_BYTES = SCRATCH_PATH_BYTES + 8 };

/* If the transport accepts strangers, moves this process and its children into their own network
 * namespace, which has only a loopback. Call it before the first process and thread of the run.
 * MESHSIM_SHARED_NETWORK=1 in the environment disables it. Returns OK, or UNSUPPORTED with a
 * sentence if the kernel does not allow it. */
enum status processes_apart(const struct transport_row *row, struct text *why);

/* An address for the controller: loopback, or a socket in a new folder, *scratch, which only this
 * user may enter. Returns OK, or IO with a sentence. */
enum status processes_address(const struct transport_row *row, char address[PLACE_ADDRESS_BYTES],
	struct scratch **scratch, struct text *why);

/* In a forked process: redirects its output to the pipe `output`, and closes its input. */
void processes_redirect(int output);

/* Heartbeat of another process: it is sent a byte every second, which a dedicated thread there
 * sends back. A process that computes answers; a stopped one does not. */

/* One process; all zeros before pulse_open(). */
struct pulse {
	int ends[2];	   /* ours, and the process's */
	bool asked, said;  /* a byte is outstanding; its silence was reported */
	int64_t at_ns;	   /* of the last look */
	int64_t silent_ns; /* time without an answer, while we were looking */
};

enum pulse_beat { PULSE_FINE, PULSE_SILENT, PULSE_LOST };

enum { PULSE_MS = 1000 }; /* between two looks */

/* Call before the process is forked. False on errors, with errno set. */
bool pulse_open(struct pulse *pulse);

/* In the process: starts answering. */
void pulse_serve(struct pulse *pulse);

/* In the parent: call it once a second or more often. Returns SILENT once, when the process has not
 * answered for `silent_s`; LOST when it has not for `lost_s` and is not held by a debugger. A limit
 * of 0 s is never reached. */
enum pulse_beat pulse_look(struct pulse *pulse, pid_t process, uint32_t silent_s, uint32_t lost_s);

/* "is stopped", "is held by a debugger" or "does not answer". */
const char *pulse_state(pid_t process);

/* The state of the cores of another process. It is requested through the socket on which the
 * executor got its controller's address, and a dedicated thread there answers. */

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

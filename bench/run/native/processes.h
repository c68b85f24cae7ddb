/* The executors of a native run, with one process on this machine for each host (a client_ground,
 * bench/client/client.h). Executors are forked before this process has threads or sockets, because
 * not every transport survives a fork. They then wait for the address of the controller. They write
 * their marks, and how they ended, to memory that they share with this process, and all processes
 * use the same clock. This process prints the output of executors, with the names of their hosts.
 * When this process ends, all executors end, too. */
#ifndef BENCH_RUN_PROCESSES_H
#define BENCH_RUN_PROCESSES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/status.h"
#include "base/text.h"
#include "bench/client/client.h"
#include "bench/results/results.h"
#include "bench/run/runner.h"
#include "bench/scenario/load.h"
#include "bench/watcher/watcher.h"
#include "platform/platform.h"
#include "transport/rows.h"
#include "world/channel.h"
#include "world/device.h"

/* The end of an executor, which the executor itself has written. */
struct process_report {
	bool complete; /* atomic; all other members are written */
	enum status status;
	char why[1024];
	struct work_counts counts;
};

/* Sets the times and the transport of a ground, for a run of at most `wall_s` seconds. */
void processes_ground(const struct run_plan *plan, uint32_t wall_s, struct client_ground *ground);

/* Forks the executors of a run of at most `wall_s` seconds, and sets client->ground. The thread
 * that calls this must exist as long as the executors. Returns OK, or an error with a sentence in
 * `why`. */
enum status processes_start(struct client *client, uint32_t wall_s, struct text *why);

/* Waits until `bell` is readable, until an executor has ended unexpectedly or is silent
 * (processes_silent()), or until world->now_ns() reaches `deadline_ns`. Meanwhile, prints the
 * output of executors. Also works if there are no executors. */
void processes_listen(int bell, int64_t deadline_ns);

/* Returns true if executors have ended unexpectedly, and appends a line for each of them to `why`.
 * Sets *crashed to true if one of them crashed, and to false if all of them were killed from
 * outside. */
bool processes_lost(struct text *why, bool *crashed);

/* Returns true if an executor has not answered for limits.lost_s, and appends its name to `why`.
 * processes_listen() returns when this happens. */
bool processes_silent(struct text *why);

/* Records the states of the cores of all executors that are still running. Takes at most a second
 * for each executor. Only the first call has an effect. Call it from one thread at a time. */
void processes_look(void);

/* Shows the recorded states to the watcher. */
void processes_show(struct watcher *watcher);

/* Ends the remaining executors and prints their output. */
void processes_stop(void);

/* Adds rows to the table of threads: one for each executor, and one for this process, with the CPU
 * times so far. Adds these times to the totals. If hosts have joined, also adds a table that says
 * how long joining took. Does nothing if there are no executors. */
void processes_record(struct run_record *record, struct arena *arena);

/* Adds the work of executors that have ended normally. */
void processes_counts(struct work_counts *counts);

/* Binding of a native run's processes to cores, their CPU time, and the cost of joining. */

/* Binds this thread, and all threads that it starts later, to one core, if the platform has `cores:
 * own`. Otherwise does nothing. `server` is the number of the host; it selects the core among the
 * cores that the process may use. Returns OK, or IO with a sentence in `why`. */
enum status processes_stay(const struct platform *platform, uint32_t server, struct text *why);

/* Returns the CPU time that a process on this machine has used so far. Returns 0 if the process has
 * ended. */
int64_t processes_cpu_ps(pid_t process);

/* Fills a row of the table of threads for a process of host `host`, whose CPU time so far is
 * `busy_ps`. Adds this time to the totals. */
void processes_cpu(
	int64_t busy_ps, uint16_t host, struct thread_row *row, struct run_totals *totals);

/* Returns how long joining took, as mean and maximum over `hosts` hosts (at least one), from the
 * counters of the controller's hub. */
struct opening_row processes_opening(const struct channel_counts *counts, uint32_t hosts);

/* Returns the session number of a run's channels. Processes of other runs reject this number. */
uint64_t processes_session(void);

/* The address at which the processes of a native run connect. Only this machine can reach it. Some
 * transport libraries accept data even from processes without the run's key. A run with such a
 * library gets its own network namespace, unless MESHSIM_SHARED_NETWORK=1. */

enum { PLACE_ADDRESS_BYTES = SCRATCH_PATH_BYTES + 8 };

/* Moves this process and its later children into a new network namespace that has only a loopback
 * interface. Does this only if the transport library accepts data from processes that do not hold
 * the run's key, and not if the environment has MESHSIM_SHARED_NETWORK=1. Call it before the first
 * process and thread of the run are started. Returns OK, or UNSUPPORTED with a sentence if the
 * kernel does not allow a new namespace. */
enum status processes_apart(const struct transport_row *row, struct text *why);

/* Writes an address for the controller to `address`: a loopback address, or the path of a socket in
 * a new folder that only this user may enter. Sets *scratch to this folder. Returns OK, or IO with
 * a sentence in `why`. */
enum status processes_address(const struct transport_row *row, char address[PLACE_ADDRESS_BYTES],
	struct scratch **scratch, struct text *why);

/* If links join the hosts of the machine, sets how executors connect to each other. */
void processes_links(const struct run_plan *plan, struct client_ground *ground);

/* In a forked process: redirects its output to the pipe `output`, and closes its input. */
void processes_redirect(int output);

/* The heartbeat of another process. Every second, the parent sends a byte to the process, and a
 * thread of the process that does nothing else sends it back. So a process that is busy still
 * answers. A process that is stopped does not. */

/* The heartbeat of one process. All zeros before pulse_open(). */
struct pulse {
	int ends[2];	   /* socket pair: the parent's end, then the process's end */
	bool asked, said;  /* `asked`: a byte was sent and not answered yet; `said`: the silence was
			    * already reported */
	int64_t at_ns;	   /* time of the last call of pulse_look() */
	int64_t silent_ns; /* time for which the process has not answered, while the parent was
			    * running */
};

enum pulse_beat { PULSE_FINE, PULSE_SILENT, PULSE_LOST };

enum { PULSE_MS = 1000 }; /* time between two bytes */

/* Call it before the process is forked. Returns false on errors, with errno set. */
bool pulse_open(struct pulse *pulse);

/* In the process: starts to answer. */
void pulse_serve(struct pulse *pulse);

/* In the parent: call it once a second or more often. Returns SILENT at the first call at which the
 * process has not answered for `silent_s` seconds. Returns LOST if the process has not answered for
 * `lost_s` seconds, unless a debugger holds it. A limit of 0 means that there is no limit. */
enum pulse_beat pulse_look(struct pulse *pulse, pid_t process, uint32_t silent_s, uint32_t lost_s);

/* Returns "is stopped", "is held by a debugger" or "does not answer". */
const char *pulse_state(pid_t process);

/* Gets the state of the cores of another process. The request is sent over the socket on which the
 * executor got the address of its controller. A separate thread of the executor answers it. */

/* A list of answers. All zeros is an empty list. */
struct watch_list {
	struct watched_processor *at;
	uint32_t count, capacity;
};

/* Starts a thread that answers requests with the states of the stages of `cluster`, a cluster of
 * the native world. The thread ends when the other end of the socket is closed. `first_chip` is the
 * number that the cluster's chip 0 has in the whole machine. */
void processes_watch_serve(int talk, struct cluster *cluster, uint32_t first_chip);

/* Sends a request, and adds the answers that arrive within `patience_ms` milliseconds to `list`.
 * Ignores incomplete answers. */
void processes_watch_ask(int talk, int patience_ms, struct watch_list *list);

/* The data that a forked executor gets from its parent. */
struct process_self {
	const char *name;
	int talk; /* socket that gets the controller's address (PROCESS_ADDRESS_BYTES) */
	struct process_report *report;
	struct pulse *pulse;
	uint8_t *key;
};

enum { PROCESS_ADDRESS_BYTES = 256 };

/* Runs the executor of a host in its own process, and ends the process. */
_Noreturn void process_execute(
	const struct client *client, uint32_t host, const struct process_self *self);

/* The order in which native runs are made. */

/* Orders the `count` runs of a scenario by seed. The speed of a machine drifts during a sweep, so
 * the runs of one seed should follow each other closely. For the first seed, the points of the
 * sweep are in a random order; for the second seed, they are in the reverse order; and so on for
 * each pair of seeds. Over two seeds, each point thus runs as often before another point as after
 * it, and no point is always the first one. The order depends only on the scenario. */
void native_order(const struct scenario_file *file, uint32_t *numbers, uint32_t count);

#endif

/* The host model: hosts, cores, threads and shared memory. Only files of this folder use this
 * header. Only one host thread or event runs at a time (engine.h), so no locks are needed. */
#ifndef HOST_PRIVATE_H
#define HOST_PRIVATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/stream.h"
#include "base/table/order.h"
#include "cause/cause.h"
#include "engine/engine.h"
#include "host/constants.h"
#include "host/statistics.h"
#include "host/thread.h"
#include "watch/watch.h"
#include "world/world.h"

enum { THREAD_NAME_BYTES = 48 };

#define NEVER_PS INT64_MAX

/* The place of a thread. */
enum place { PLACE_PARKED, PLACE_QUEUED, PLACE_ON_CORE };

/* The activity of a thread while it has a core. */
enum phase {
	PHASE_CODE,    /* runs its actor's code, which takes no time */
	PHASE_COMPUTE, /* spends the computing time of an account */
	PHASE_COPY,    /* performs the copies of an account, through the socket's memory */
	PHASE_SPIN,    /* polls */
	PHASE_STALL,   /* waits for a load */
};

/* The kinds of time in which a thread's life is counted. */
enum bucket {
	BUCKET_BUSY,
	BUCKET_SPINNING,
	BUCKET_SWITCHING,
	BUCKET_WAITING,
	BUCKET_PARKED,
	BUCKET_COUNT
};

/* The part of an account's cost that is for one charge. */
struct bill {
	enum charge charge;
	int64_t ps;
};

enum { BILL_ITEMS = CAUSE_PENDING };

struct account {
	int64_t compute_ps;
	int64_t copy_ps;	/* time of the copies if no other core of the socket copies */
	uint64_t traffic_bytes; /* bytes of the copies on the memory channels of the socket */
};

/* The copies of one account while they are performed. */
struct flow {
	struct flow *next;
	struct thread *thread;
	void (*done)(struct thread *thread);
	uint64_t demand_bytes_per_s; /* rate of the flow if no other flow ran */
	uint64_t rate_bytes_per_s;   /* present rate of the flow */
	unsigned __int128 left;	     /* remaining bytes * 10^12 */
	int64_t since_ps;	     /* time from which the thread counts as copying */
};

/* The memory channels of one socket. */
struct memory {
	uint64_t bandwidth_bytes_per_s;
	struct flow *first; /* flows in the order of their arrival */
	int64_t updated_ps; /* time for which `left` of the flows is correct */
	uint64_t event;	    /* number of the valid completion event; older ones are ignored */
};

struct thread_queue {
	struct thread *first, *last;
	uint32_t count;
	uint32_t ready; /* number of these threads that have work, and would not only poll */
};

struct core;

/* A group of threads that share cores fairly (scheduler_fair.c). A debtor is a sleeping thread that
 * has had more time on cores than the average thread of the group. It stays in the group until the
 * average has reached the time that it has had. */
struct fair_share {
	/* had_ps: total time for which the threads have run on cores, up to the moment at which
	 * each of the running threads last got its core. since_ps: sum of these moments */
	__int128 had_ps, since_ps;
	uint32_t count, running, idling, debtor_count;
	struct earliest_node *debtors; /* debtors, sorted by had_ps */
	struct earliest_node *waiting; /* threads that wait for a core, sorted by had_ps */
	int64_t idle_ps;	       /* added to had_ps of each thread that is no debtor */
	int64_t idle_since_ps;	       /* time for which idle_ps is correct */
	int64_t last_ps;	       /* average time when the group last had a thread */
};

struct fair_standing {
	int64_t had_ps, since_ps; /* time on cores so far; start of the present run */
	/* values of had_ps: deadline; no preemption before until_ps */
	int64_t deadline_ps, until_ps;
	int64_t lag_ps; /* while the thread sleeps: average time of the group - its time */
	bool runs, owes;
	bool looks;		  /* the thread waits for a core, but would only poll and then
				   * yield the core again */
	struct fair_share *share; /* the group of the thread, or its last group */
	struct earliest_node node, debt;
};

/* The interface of a scheduler, which decides which thread gets a core if several threads want it.
 * Each callback is called before thread->place changes. */
struct scheduler {
	struct registry_entry entry;
	bool counts_switches; /* the time of the switch to a thread counts as its time */
	/* join: the thread wants a core from now on. leave: it no longer wants one. */
	void (*join)(struct thread *thread);
	void (*leave)(struct thread *thread);
	/* begin: called when the thread gets a core. end: called when it loses the core. Both are
	 * called between join and leave */
	void (*begin)(struct thread *thread);
	void (*end)(struct thread *thread);
	/* Called between begin and end; may be NULL. If `begins` is set, the thread starts to keep
	 * its core beyond its quantum, because all threads that want the core, including itself,
	 * only spin. If `begins` is not set, the thread no longer keeps its core for this reason.
	 */
	void (*idle)(struct thread *thread, bool begins);
	/* wait: the thread queues for a core. wait_no_longer: it leaves the queue. */
	void (*wait)(struct thread *thread);
	void (*wait_no_longer)(struct thread *thread);
	/* A spinning thread that queues for a core was woken, so it has work now. */
	void (*find)(struct thread *thread);
	/* Chooses the next thread for a core, from the threads that wait for this core or for any
	 * core. Returns NULL if no thread waits. */
	struct thread *(*choose)(struct core *core);
	/* True if a woken thread, which is queued now, preempts the thread on the core. */
	bool (*takes)(struct core *core, const struct thread *woken);
	/* Called when the quantum of the thread on the core has ended. Returns true if another
	 * thread gets the core. If the thread keeps the core, gives it a new quantum and returns
	 * false. */
	bool (*makes_way)(struct core *core);
	/* The time in ps at which the time of the thread on the core is over. */
	int64_t (*until_ps)(const struct core *core);
};

struct core {
	struct host *host;
	uint16_t index, socket;
	struct thread *thread; /* the thread that has the core; NULL: the core is free */
	struct thread *last;   /* the thread that ran here last, which resumes without a switch */
	int64_t free_since_ps;
	int64_t slice_ps; /* start of the quantum of the running thread */
	bool armed;	  /* on_quantum() is on the heap */
	bool yields;	  /* on_yield() is on the heap */
	/* the time of its spinning thread is over, and only spinners wait */
	bool idles;
	struct thread_queue queue;   /* threads that are pinned to this core and wait for it */
	struct fair_share share;     /* group of the threads that are pinned to this core */
	const struct thread *robbed; /* the thread that will be preempted now; NULL: none */
	int64_t spent_ps[BUCKET_COUNT];
	uint64_t switches;
};

struct host {
	const char *name;
	const struct host_constants *constants;
	const struct scheduler *scheduler;
	uint16_t index;
	uint16_t core_count, free_count, armed_count;
	uint32_t yield_count; /* number of threads that poll */
	struct core *cores;
	struct memory *sockets;
	struct thread_queue queue; /* threads that may run on any core and wait for one */
	struct fair_share share;   /* group of the threads that may run on any core */
	uint64_t queued;	   /* number of arrivals in all queues so far */
};

/* From these numbers, statistics.c computes the time that the threads of a family have had on
 * cores. Each stay of a thread on a core is an interval. cpu_ps is the sum of the intervals that
 * have ended. on_cpu is the number of the other intervals, and on_cpu_since_ps the sum of the times
 * at which these began. */
struct family_cpu {
	int64_t cpu_ps, on_cpu, on_cpu_since_ps;
};

struct thread {
	char name[THREAD_NAME_BYTES];
	uint32_t index;	   /* number in order of start */
	struct host *host; /* the host on whose cores the thread runs */
	uint16_t server;   /* number of the thread's host; several hosts may share a machine */
	int16_t pinned;	   /* number of the core to which the thread is pinned; -1: none */
	struct actor *actor;
	void (*run)(void *argument);
	void *argument;
	bool ended, joined;
	struct host_waiter *joiner;
	struct stream stream;

	struct account account;
	bool write_combined; /* true: it wrote to write-combining memory since its last doorbell */
	struct bill bill[BILL_ITEMS]; /* costs of the account since the last mark, by charge */
	uint32_t bill_count;

	/* The cause of what the thread's code does next (cause/cause.h). While the code does not
	 * run, `cause` is the cause with which the thread's last work or wait ended. `resumes` is
	 * the cost of getting a core again. */
	cause_id cause;
	const char *waits_for;
	struct bill resumes;
	int64_t look_ps; /* time from a wake until a thread that yields polls again; charged in
			  * addition to `resumes` */

	/* cpu.c */
	enum place place;
	enum phase phase;
	bool switching;	   /* the thread has a core, but its code does not run yet */
	struct core *core; /* the core of the thread, or its last core */
	struct thread *next, *previous;
	uint64_t queued; /* order of arrival in the queues of its host */
	uint64_t timer;	 /* number of the event that ends its phase; other events are ignored */
	int64_t left_ps, until_ps;
	struct flow flow;
	struct fair_standing fair; /* data of the scheduler scheduler_fair.c */

	/* wait.c */
	struct host_waiter *waiter;
	enum wait_mode mode;
	bool woken;
	bool yields; /* while the thread spins, it yields its core to any thread that wants it */
	enum status outcome;
	int64_t deadline_ps, spin_until_ps;
	int64_t slept_from_ps; /* start of the last wait, if it timed out; else NEVER_PS */
	int64_t deadline_alarm_ps, spin_alarm_ps; /* times of the pending alarms; NEVER_PS: none */

	/* patience.c */
	bool sleeps;
	uint64_t looked; /* number of the round in which the deadline last passed */

	uint32_t family; /* statistics.h */
	enum bucket bucket;
	int64_t bucket_since_ps;
	uint32_t track; /* number of the track (watch/watch.h); 0: none */
	int64_t spent_ps[BUCKET_COUNT];
	struct host_thread_statistics counted;
};

/* State of the detection of stalls (patience.c). A round lasts as long as the threads only poll.
 * Any other event starts a new round. */
struct patience {
	uint64_t round, looks; /* number of the round; deadlines that passed in it */
	uint64_t pushed;       /* number of events that host threads pushed so far */
	uint64_t others;       /* number of other events that were pushed before the last look */
	uint64_t alarms;       /* number of alarms of waits that are pending */
};

struct sim_hosts {
	struct patience patience;
	struct host *hosts;	/* a host that shares a machine has no cores of its own */
	struct host **machines; /* [host]: the host whose cores it uses */
	int16_t *bound;		/* [host]: core to which the host's threads are bound; -1: none */
	uint16_t count;
	uint64_t seed;
	const struct recorder *recorder;
	struct host_coding_cost codings[WORK_CODECS][2]; /* [codec][0: encode, 1: decode] */
	bool has_codings;
	struct thread **threads;
	uint32_t thread_count, thread_capacity;
	struct family_cpu families[HOST_FAMILIES_MAX]; /* [family] */
	uint32_t last_family; /* the highest family that has threads */
};

/* ---- hosts.c ---- */

extern struct sim_hosts sim_hosts;

/* Returns the host thread that runs now; NULL in events and in other actors. */
struct thread *thread_self(void);

/* Like thread_self(), but aborts if no host thread runs. The message names the function `call`. */
struct thread *thread_caller(const char *call);

/* The number of cores that programs of the host see, and the socket of such a core. */
uint16_t sim_core_count(uint16_t host);
uint16_t sim_core_socket(uint16_t host, uint16_t core);

/* Returns the core to which the thread is pinned if it asks for `core`; -1: it is not pinned. All
 * threads of some hosts are bound to one core. Such a thread gets this core, whatever it asks for.
 */
int16_t thread_core(const struct thread *thread, int16_t core);

/* Creates the record of a new thread, which is parked. */
struct thread *thread_new(
	const char *name, struct affinity affinity, void (*run)(void *argument), void *argument);

/* ---- scheduler.c ---- */

extern const struct scheduler scheduler_turns, scheduler_fair;

/* ---- cpu.c ---- */

/* Pins the calling thread to a core, or to none (-1). It stays on its present core for now. */
void cpu_pin(struct thread *thread, int16_t core);

/* Lets simulated time pass for the costs in thread->account, while the thread keeps its core; the
 * thread must have a core. Then wakes the thread's actor. */
void cpu_charge(struct thread *thread);

/* Keeps the thread on its core in PHASE_SPIN or PHASE_STALL until it is woken. */
void cpu_wait_on_core(struct thread *thread, enum phase phase);

/* Parks the thread: makes it release its core or leave the queue. */
void cpu_park(struct thread *thread);

/* Makes a parked thread runnable. If `cold_start` is set, the wake-up costs nothing; only the start
 * of the main thread sets it. */
void cpu_unpark(struct thread *thread, bool cold_start);

/* True if a parked thread would find a free core when woken. */
bool cpu_is_free_for(struct thread *thread);

/* Called after a spinning thread was woken. A thread that spins on a core continues after
 * `delay_ps`. A thread that waits for a core, or is being switched to one, continues when it has
 * the core. */
void cpu_spinner_ready(struct thread *thread, int64_t delay_ps);

/* Ends the phase of a thread on its core, and lets its code continue. */
void cpu_start_code(struct thread *thread);

/* ---- queue.c ---- */
void thread_queue_push(struct thread_queue *queue, struct thread *thread);
void thread_queue_remove(struct thread_queue *queue, struct thread *thread);

/* True if the thread would only spin on a core. */
bool thread_only_spins(const struct thread *thread);

/* ---- memory.c ---- */

/* Starts to move the bytes of a flow over the memory channels of the thread's socket. The flow may
 * be new, or one that memory_stop() has stopped. When all bytes have moved, done(thread) is called.
 */
void memory_start(struct memory *memory, struct flow *flow, void (*done)(struct thread *thread));

/* Removes a flow that is not finished. */
void memory_stop(struct memory *memory, struct flow *flow);

/* ---- wait.c ---- */

/* Ends the wait like host_thread_wake(), but charges no thread for it. */
bool wait_wake(struct host_waiter *waiter);

/* Cancels the deadline of the wait, so that only a wake can end it. If the waiting thread is
 * parked, the calling thread pays the cost of the wake now; the later wake costs nothing. */
void wait_commit(struct host_waiter *waiter);

/* ---- patience.c ---- */

/* Like engine_push(), for events of host threads, which the stall detection counts. */
static inline void host_push(int64_t at_ps, engine_run *run, void *subject, uint64_t argument)
{
	sim_hosts.patience.pushed++;
	engine_push(at_ps, run, subject, argument);
}

/* Starts a new round, since a thread was woken. */
void patience_restart(void);

/* Call at the deadline of a thread's wait. Returns true if all threads would only poll for ever. */
bool patience_is_over(struct thread *thread);

/* ---- noise.c ---- */

/* Draws a cost of `units` units with the mean `mean_ps`, plus rare extras. */
int64_t noise_draw(
	struct stream *stream, const struct host_noise *noise, int64_t mean_ps, uint64_t units);

/* ---- thread.c: threads and time, the first part of sim_world ---- */

/* The body of the main thread's actor. */
void thread_main_of_all(void *thread);

int64_t sim_now_ns(void);
struct thread *sim_spawn(
	const char *name, struct affinity affinity, void (*fn)(void *argument), void *argument);
void sim_join(struct thread *thread);
enum status sim_bind(int16_t core);
void sim_sleep_until(int64_t deadline_ns);

/* ---- monitor.c: the second part ---- */
struct monitor *sim_monitor_new(const char *name);
void sim_monitor_free(struct monitor *monitor);
void sim_monitor_enter(struct monitor *monitor);
void sim_monitor_exit(struct monitor *monitor);
enum status sim_monitor_wait_until(
	struct monitor *monitor, int64_t deadline_ns, enum wait_mode mode);
void sim_monitor_notify_one(struct monitor *monitor);
void sim_monitor_notify_all(struct monitor *monitor);

/* ---- account.c: the third part ---- */
void sim_work(enum work_kind kind, uint64_t count);
void sim_work_copy(uint64_t bytes, enum memory_kind from, enum memory_kind to);
void sim_work_code(uint32_t codec, bool reads, uint64_t words, uint64_t bytes);
void sim_mark(uint32_t operation, enum mark_point point, uint32_t chip);
const struct log_sink *sim_log(struct log_line *line);

/* The time that settling the account takes if no other thread wants the core or the memory. */
int64_t account_pending_ps(const struct thread *thread);

/* ---- bill.c ---- */

/* Records that `cost_ps` of the account is for `charge`. */
void bill_add(struct thread *thread, enum charge charge, int64_t cost_ps);

/* Adds computing time to the account, for `charge`. */
void account_add(struct thread *thread, enum charge charge, int64_t cost_ps);

/* Makes the time at which the account will be settled the running thread's current cause. */
void account_close(struct thread *thread);

#endif

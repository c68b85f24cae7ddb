/* Structures of the host model, for the files of this room: hosts, cores, threads, shared
 * memory. One host thread or event runs at a time (engine.h), so nothing locks. */
#ifndef HOST_PRIVATE_H
#define HOST_PRIVATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/stream.h"
#include "base/table/earliest.h"
#include "cause/cause.h"
#include "engine/engine.h"
#include "host/constants.h"
#include "host/statistics.h"
#include "host/thread.h"
#include "watch/watch.h"
#include "world/world.h"

enum { THREAD_NAME_BYTES = 48 };

#define NEVER_PS INT64_MAX

/* Where a thread is. */
enum place { PLACE_PARKED, PLACE_QUEUED, PLACE_ON_CORE };

/* What a thread does while it has a core. */
enum phase {
	PHASE_CODE,    /* its actor runs; takes no time */
	PHASE_COMPUTE, /* pays the computing part of an account */
	PHASE_COPY,    /* pays the copies of an account, through the socket's memory */
	PHASE_SPIN,    /* waits, polling */
	PHASE_STALL,   /* waits for a load */
};

/* What a thread's time is counted as. */
enum bucket {
	BUCKET_BUSY,
	BUCKET_SPINNING,
	BUCKET_SWITCHING,
	BUCKET_WAITING,
	BUCKET_PARKED,
	BUCKET_COUNT
};

/* One item of an account, by charge. */
struct bill {
	enum charge charge;
	int64_t ps;
};

enum { BILL_ITEMS = CAUSE_PENDING };

struct account {
	int64_t compute_ps;
	int64_t copy_ps;	/* of copies, if no other core of the socket copies */
	uint64_t traffic_bytes; /* of these copies, over the socket's memory channels */
};

/* The copies of one account while they are paid. */
struct flow {
	struct flow *next;
	struct thread *thread;
	void (*done)(struct thread *thread);
	uint64_t demand_bytes_per_s; /* of memory traffic, when alone */
	uint64_t rate_bytes_per_s;   /* at present */
	unsigned __int128 left;	     /* bytes * 10^12 */
	int64_t since_ps;	     /* counted as copying since */
};

/* The memory channels of one socket. */
struct memory {
	uint64_t bandwidth_bytes_per_s;
	struct flow *first; /* in order of arrival */
	int64_t updated_ps; /* `left` of the flows is as of then */
	uint64_t event;	    /* number of the valid completion event; older ones are ignored */
};

struct thread_queue {
	struct thread *first, *last;
	uint32_t count;
	uint32_t ready; /* threads among them that would do more than spin */
};

struct core;

/* A group of threads that share cores fairly (scheduler_fair.c): the time that they have had
 * together, and their number. Sleeping threads that had too much (debtors) count until the others
 * have caught up. */
struct fair_share {
	__int128 had_ps, since_ps; /* had_ps lacks the time of running threads; since_ps: the sum
				      of their start times */
	uint32_t count, running, idling, debtor_count;
	struct earliest_node *debtors; /* value: had_ps */
	struct earliest_node *waiting; /* for a core; value: had_ps */
	int64_t idle_ps;	       /* each thread but debtors has had this time too */
	int64_t idle_since_ps;	       /* idle_ps is up to date as of then */
	int64_t last_ps;	       /* the average when the group last had a thread */
};

struct fair_standing {
	int64_t had_ps, since_ps;      /* time on cores; start of its present run */
	int64_t deadline_ps, until_ps; /* values of had_ps; no preemption before until_ps */
	int64_t lag_ps;		       /* while it sleeps: time that it is owed */
	bool runs, owes;
	bool looks;		  /* it waits for a core, but only polls and would yield again */
	struct fair_share *share; /* the group that it counts in, or did last */
	struct earliest_node node, debt;
};

/* A scheduler: decides which thread has a core when several want one. Callbacks run before
 * thread->place changes. */
struct scheduler {
	const char *name;
	bool counts_switches; /* a thread pays for the switch to it with its own time */
	/* The thread wants a core from now on; it no longer wants one. */
	void (*join)(struct thread *thread);
	void (*leave)(struct thread *thread);
	/* The thread got a core; it lost it. Called between join and leave. */
	void (*begin)(struct thread *thread);
	void (*end)(struct thread *thread);
	/* The thread keeps its core beyond its time, since it and all threads that wait for the
	 * core only spin; `begins` is false when that ends. Called between begin and end. May be
	 * NULL. */
	void (*idle)(struct thread *thread, bool begins);
	/* The thread queues for a core; it leaves the queue. */
	void (*wait)(struct thread *thread);
	void (*wait_no_longer)(struct thread *thread);
	/* A spinning thread that queues for a core was woken: it has work now. */
	void (*find)(struct thread *thread);
	/* The next thread among those that wait for this core or for any core; NULL: none. */
	struct thread *(*choose)(struct core *core);
	/* True if a woken thread, which is queued now, preempts the thread on the core. */
	bool (*takes)(struct core *core, const struct thread *woken);
	/* The time of the thread on the core is over. True if another thread gets the core; if
	 * false, the thread gets more time. */
	bool (*makes_way)(struct core *core);
	/* The time at which it is over. */
	int64_t (*until_ps)(const struct core *core);
};

struct core {
	struct host *host;
	uint16_t index, socket;
	struct thread *thread; /* NULL: free */
	struct thread *last;   /* the thread whose state it holds: no switch to resume it */
	int64_t free_since_ps;
	int64_t slice_ps;	     /* start of the running thread's quantum */
	bool armed;		     /* on_quantum() is on the heap */
	bool yields;		     /* on_yield() is on the heap */
	bool idles;		     /* its spinner's time is over, and only spinners wait */
	struct thread_queue queue;   /* of threads pinned to it */
	struct fair_share share;     /* of these */
	const struct thread *robbed; /* the thread to be preempted now; NULL: none */
	int64_t spent_ps[BUCKET_COUNT];
	uint64_t switches;
};

struct host {
	const char *name;
	const struct host_constants *constants;
	const struct scheduler *scheduler;
	uint16_t index;
	uint16_t core_count, free_count, armed_count;
	uint32_t yield_count; /* threads that poll */
	struct core *cores;
	struct memory *sockets;
	struct thread_queue queue; /* of threads that may run anywhere */
	struct fair_share share;   /* of these */
	uint64_t queued;	   /* arrivals in all queues so far */
};

struct thread {
	char name[THREAD_NAME_BYTES];
	uint32_t index;	   /* in order of start */
	struct host *host; /* whose cores it runs on */
	uint16_t server;   /* its host number: several may share a machine */
	int16_t pinned;	   /* core, or -1 */
	struct actor *actor;
	void (*run)(void *argument);
	void *argument;
	bool ended, joined;
	struct host_waiter *joiner;
	struct stream stream;

	struct account account;
	bool write_combined;	      /* it wrote such memory since the last doorbell */
	struct bill bill[BILL_ITEMS]; /* of the account since the last mark */
	uint32_t bill_count;

	/* why its code continues (cause/cause.h): while it does not run, the cause of its last work
	 * or wait; `resumes` is the cost of getting a core after that */
	cause_id cause;
	const char *waits_for;
	struct bill resumes;

	/* cpu.c */
	enum place place;
	enum phase phase;
	bool switching;	   /* on its core, but not running yet */
	struct core *core; /* its core, or its last one */
	struct thread *next, *previous;
	uint64_t queued; /* order of arrival in the queues of its host */
	uint64_t timer;	 /* number of the event that ends its present phase; others are stale */
	int64_t left_ps, until_ps;
	struct flow flow;
	struct fair_standing fair; /* scheduler_fair.c */

	/* wait.c */
	struct host_waiter *waiter;
	enum wait_mode mode;
	bool woken;
	bool yields; /* while it spins: yields its core to any thread that wants it */
	enum status outcome;
	int64_t deadline_ps, spin_until_ps;
	int64_t slept_from_ps; /* start of the last wait, if it timed out; else NEVER_PS */
	int64_t deadline_alarm_ps, spin_alarm_ps; /* the valid alarms; NEVER_PS: none */

	/* patience.c */
	bool sleeps;
	uint64_t looked; /* round in which its deadline last passed */

	enum bucket bucket;
	int64_t bucket_since_ps;
	uint32_t track; /* watch/watch.h; 0: none */
	int64_t spent_ps[BUCKET_COUNT];
	struct host_thread_statistics counted;
};

/* State of the stall detection (patience.c). A round ends when anything but polling happens. */
struct patience {
	uint64_t round, looks; /* looks: deadlines that passed in this round */
	uint64_t pushed;       /* events pushed by host threads so far */
	uint64_t others;       /* events pushed by all else, as of the last look */
	uint64_t alarms;       /* of waits, pending */
};

struct sim_hosts {
	struct patience patience;
	struct host *hosts;	/* a host that shares a machine has no cores of its own */
	struct host **machines; /* per host: the host whose cores it uses */
	int16_t *bound;		/* per host: the core that its threads are bound to, or -1 */
	uint16_t count;
	uint64_t seed;
	const struct recorder *recorder;
	struct host_coding_cost codings[WORK_CODECS][2]; /* [codec][reads] */
	bool has_codings;
	struct thread **threads;
	uint32_t thread_count, thread_capacity;
};

/* ---- hosts.c ---- */

extern struct sim_hosts sim_hosts;

/* The host thread that runs now; NULL in events and in other actors. */
struct thread *thread_self(void);

/* The same, but aborts if no host thread runs; `call` names the function in the message. */
struct thread *thread_caller(const char *call);

/* Number of cores that a host's programs see, and the socket of one. */
uint16_t sim_core_count(uint16_t host);
uint16_t sim_core_socket(uint16_t host, uint16_t core);

/* The machine's core number for `core` as the thread's process numbers it; -1: not pinned. */
int16_t thread_core(const struct thread *thread, int16_t core);

/* A new thread's record, parked. */
struct thread *thread_new(
	const char *name, struct affinity affinity, void (*run)(void *argument), void *argument);

/* ---- scheduler.c ---- */

extern const struct scheduler scheduler_turns, scheduler_fair;

/* NULL if `index` is past the last. */
const struct scheduler *scheduler_at(uint32_t index);

/* ---- cpu.c ---- */

/* Pins the calling thread to a core, or to none (-1). It stays on its present core for now. */
void cpu_pin(struct thread *thread, int16_t core);

/* Starts paying thread->account; wakes the actor when it is paid. The thread must be on a core. */
void cpu_charge(struct thread *thread);

/* Keeps the thread on its core in PHASE_SPIN or PHASE_STALL until it is woken. */
void cpu_wait_on_core(struct thread *thread, enum phase phase);

/* Parks the thread: it releases its core or leaves the queue. */
void cpu_park(struct thread *thread);

/* Makes a parked thread runnable. `cold_start` skips the wake-up cost, for the main thread. */
void cpu_unpark(struct thread *thread, bool cold_start);

/* True if a parked thread would find a free core when woken. */
bool cpu_is_free_for(struct thread *thread);

/* Lets a spinning thread that was woken continue after `delay_ps`, or when it gets a core. */
void cpu_spinner_ready(struct thread *thread, int64_t delay_ps);

/* Ends the phase of a thread on its core: its code continues. */
void cpu_start_code(struct thread *thread);

/* ---- queue.c ---- */
void thread_queue_push(struct thread_queue *queue, struct thread *thread);
void thread_queue_remove(struct thread_queue *queue, struct thread *thread);

/* True if the thread would only spin. */
bool thread_only_spins(const struct thread *thread);

/* ---- memory.c ---- */

/* Starts or resumes the flow of a thread on the socket of its core. done(thread) runs when all its
 * bytes have moved. */
void memory_start(struct memory *memory, struct flow *flow, void (*done)(struct thread *thread));

/* Removes an unfinished flow. */
void memory_stop(struct memory *memory, struct flow *flow);

/* ---- wait.c ---- */

/* Ends the wait as host_thread_wake() does, but charges no thread for it. */
bool wait_wake(struct host_waiter *waiter);

/* From now on only a wake ends this wait, not its deadline. Charges the caller for waking a parked
 * thread now, instead of at the wake. */
void wait_commit(struct host_waiter *waiter);

/* ---- patience.c ---- */

/* As engine_push(), for events of host threads: the stall detection counts them. */
static inline void host_push(int64_t at_ps, engine_run *run, void *subject, uint64_t argument)
{
	sim_hosts.patience.pushed++;
	engine_push(at_ps, run, subject, argument);
}

/* Starts a new round, since a thread was woken. */
void patience_restart(void);

/* Call at the deadline of a thread's wait. True if all threads would only poll for ever. */
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

/* Time to pay the account if no other thread wanted the core or the memory. */
int64_t account_pending_ps(const struct thread *thread);

/* ---- bill.c ---- */

/* Records that `cost_ps` of the account is for `charge`. */
void bill_add(struct thread *thread, enum charge charge, int64_t cost_ps);

/* Adds computing time to the account, for `charge`. */
void account_add(struct thread *thread, enum charge charge, int64_t cost_ps);

/* Makes the future payment of the account the running thread's current cause. */
void account_close(struct thread *thread);

#endif

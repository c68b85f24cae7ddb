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
#include "world/recorder.h"
#include "world/world.h"

enum { THREAD_NAME_BYTES = 48 };

#define NEVER_PS INT64_MAX

/* Where a thread is. */
enum place { PLACE_PARKED, PLACE_QUEUED, PLACE_ON_CORE };

/* What a thread does as soon as it has a core. */
enum phase {
	PHASE_CODE,    /* its actor runs; takes no time */
	PHASE_COMPUTE, /* pays the computing part of an account */
	PHASE_COPY,    /* pays the copies of an account, through the socket's memory */
	PHASE_SPIN,    /* waits, looking */
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

/* What an account is for, by charge. */
struct bill {
	enum charge charge;
	int64_t ps;
};

enum { BILL_ITEMS = CAUSE_PENDING };

struct account {
	int64_t compute_ps;
	int64_t copy_ps;	/* of copies that have the socket for themselves */
	uint64_t traffic_bytes; /* that these move over its memory channels */
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
	uint64_t event;	    /* number of the only completion that counts */
};

struct thread_queue {
	struct thread *first, *last;
	uint32_t count;
	uint32_t ready; /* of them: those that would do more than spin */
};

struct core;

/* Threads that share cores fairly (scheduler_fair.c): what they have had together, and how many
 * they are; sleeping ones that owe count until they do not. */
struct fair_share {
	__int128 had_ps, since_ps; /* of those that run: besides what they have had since then */
	uint32_t count, running, idling, debtor_count;
	struct earliest_node *debtors; /* value: had_ps */
	struct earliest_node *waiting; /* for a core; value: had_ps */
	int64_t idle_ps;	       /* each has had that, too, but the debtors */
	int64_t idle_since_ps;	       /* idle_ps is as of then */
	int64_t last_ps;	       /* the average when there was somebody last */
};

struct fair_standing {
	int64_t had_ps, since_ps;      /* time on cores, and since when it has had more */
	int64_t deadline_ps, until_ps; /* of had_ps; nobody takes the core before `until` */
	int64_t lag_ps;		       /* while it sleeps: what it is owed */
	bool runs, owes;
	bool looks;		  /* while it waits, and would give the core away again */
	struct fair_share *share; /* that it counts in, or did */
	struct earliest_node node, debt;
};

/* Which thread has a core when more want one. Calls are made with the thread's place as it was. */
struct scheduler {
	const char *name;
	/* The thread wants a core from now on, or no longer. */
	void (*join)(struct thread *thread);
	void (*leave)(struct thread *thread);
	/* It has one, or no longer. Between join and leave. */
	void (*begin)(struct thread *thread);
	void (*end)(struct thread *thread);
	/* It only spins, and so do all that wait for its core: it keeps the core though its time is
	 * over; or (`begins` false) that has ended. Between begin and end. NULL: makes no
	 * difference. */
	void (*idle)(struct thread *thread, bool begins);
	/* It waits for a core, or no longer. */
	void (*wait)(struct thread *thread);
	void (*wait_no_longer)(struct thread *thread);
	/* It spins while it waits for a core, and now what it looks for is there. */
	void (*find)(struct thread *thread);
	/* The next of those that wait for this core or for any. NULL: none waits. */
	struct thread *(*choose)(struct core *core);
	/* A woken thread, which waits now, takes the core from the one that has it. */
	bool (*takes)(struct core *core, const struct thread *woken);
	/* The time of the thread that has the core is over: whether another is to have it. If not,
	 * it has more time. */
	bool (*makes_way)(struct core *core);
	/* When that time is over. */
	int64_t (*until_ps)(const struct core *core);
};

struct core {
	struct host *host;
	uint16_t index, socket;
	struct thread *thread; /* NULL: free */
	struct thread *last;   /* whose state it still holds */
	int64_t free_since_ps;
	int64_t slice_ps;	     /* start of the running thread's quantum */
	bool armed;		     /* a look at the end of the quantum is on the heap */
	bool yields;		     /* so is one at whether its spinner gives way */
	bool idles;		     /* its spinner's time is over, and only spinners wait */
	struct thread_queue queue;   /* of threads pinned to it */
	struct fair_share share;     /* of these */
	const struct thread *robbed; /* who has it must give it away now; NULL: nobody */
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
	uint16_t server;   /* that it is of: several may share a machine */
	int16_t pinned;	   /* core, or -1 */
	struct actor *actor;
	void (*run)(void *argument);
	void *argument;
	bool ended, joined;
	struct host_waiter *joiner;
	struct stream stream;

	struct account account;
	bool write_combined;	      /* stores to such memory since the last doorbell */
	struct bill bill[BILL_ITEMS]; /* of the account since the last mark */
	uint32_t bill_count;

	/* why its code goes on (cause/cause.h): while it does not run, what it did last or waited
	 * for; then what its core takes until it runs */
	cause_id cause;
	const char *waits_for;
	struct bill resumes;

	/* cpu.c */
	enum place place;
	enum phase phase;
	bool switching;	   /* on its core, but not running yet */
	struct core *core; /* that it is on, or was on last */
	struct thread *next, *previous;
	uint64_t queued; /* order of arrival in the queues of its host */
	uint64_t timer;	 /* number of the only event that ends its present phase */
	int64_t left_ps, until_ps;
	struct flow flow;
	struct fair_standing fair; /* scheduler_fair.c */

	/* wait.c */
	struct host_waiter *waiter;
	enum wait_mode mode;
	bool woken;
	bool yields; /* while it spins, to whoever wants its core */
	enum status outcome;
	int64_t deadline_ps, spin_until_ps;
	int64_t slept_from_ps; /* the last wait, if its deadline ended it; else NEVER_PS */
	int64_t deadline_alarm_ps, spin_alarm_ps; /* the only alarms that count; NEVER_PS: none */

	/* patience.c */
	bool sleeps;
	uint64_t looked; /* round in which its deadline came last */

	enum bucket bucket;
	int64_t bucket_since_ps;
	uint32_t track; /* watch/watch.h; 0: none */
	int64_t spent_ps[BUCKET_COUNT];
	struct host_thread_statistics counted;
};

/* What host threads did since something else happened last. */
struct patience {
	uint64_t round, looks; /* looks: deadlines that came, in this round */
	uint64_t pushed;       /* events of host threads, ever */
	uint64_t others;       /* those of all else, at the last look */
	uint64_t alarms;       /* of waits, pending */
};

struct sim_hosts {
	struct patience patience;
	struct host *hosts;	/* one that shares has no cores of its own */
	struct host **machines; /* of each, the one whose cores it runs on */
	int16_t *bound;		/* of each, the core that its threads are bound to, or -1 */
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

/* The same, where only a host thread may call: `call` names the call. */
struct thread *thread_caller(const char *call);

/* Cores that a host's programs know of, and their sockets. */
uint16_t sim_core_count(uint16_t host);
uint16_t sim_core_socket(uint16_t host, uint16_t core);

/* The core of the machine that a thread is bound to which its process calls `core`; -1: none. */
int16_t thread_core(const struct thread *thread, int16_t core);

/* A new thread's record, parked. */
struct thread *thread_new(
	const char *name, struct affinity affinity, void (*run)(void *argument), void *argument);

/* ---- scheduler.c ---- */

extern const struct scheduler scheduler_turns, scheduler_fair;

/* NULL: there is none. */
const struct scheduler *scheduler_at(uint32_t index);

/* ---- cpu.c ---- */

/* The calling thread is bound to a core, or to none (-1), and goes on wherever it is. */
void cpu_pin(struct thread *thread, int16_t core);

/* Pays thread->account; when it is paid the actor is woken. The thread must be on a core. */
void cpu_charge(struct thread *thread);

/* The thread, on its core, passes its time with `phase` until somebody else ends that. */
void cpu_wait_on_core(struct thread *thread, enum phase phase);

/* Gives the core, or the place in the queue, away: parked. */
void cpu_park(struct thread *thread);

/* A parked thread wants to run again. `cold_start`: the first thread of all, without a wake-up. */
void cpu_unpark(struct thread *thread, bool cold_start);

/* Whether a core is free that a parked thread would be woken on. */
bool cpu_is_free_for(struct thread *thread);

/* A spinning thread, now `woken`, sees that after `delay_ps`, or when it gets a core. */
void cpu_spinner_ready(struct thread *thread, int64_t delay_ps);

/* The thread, on its core, has done or seen what it was there for: its code goes on. */
void cpu_start_code(struct thread *thread);

/* ---- queue.c ---- */
void thread_queue_push(struct thread_queue *queue, struct thread *thread);
void thread_queue_remove(struct thread_queue *queue, struct thread *thread);

/* True if the thread would only spin. */
bool thread_only_spins(const struct thread *thread);

/* ---- memory.c ---- */

/* Starts, or goes on with, the flow of a thread on the socket of its core; done(thread) runs when
 * all of it has moved. */
void memory_start(struct memory *memory, struct flow *flow, void (*done)(struct thread *thread));

/* Takes an unfinished flow out. */
void memory_stop(struct memory *memory, struct flow *flow);

/* ---- wait.c ---- */

/* Ends the wait as host_thread_wake() does, without a charge to anybody. */
bool wait_wake(struct host_waiter *waiter);

/* From now on only a wake ends this wait, and no deadline; the caller is charged for waking a
 * parked thread now, and not at the wake. */
void wait_commit(struct host_waiter *waiter);

/* ---- patience.c ---- */

/* As engine_push(), for what host threads do. */
static inline void host_push(int64_t at_ps, engine_run *run, void *subject, uint64_t argument)
{
	sim_hosts.patience.pushed++;
	engine_push(at_ps, run, subject, argument);
}

/* A thread was woken. */
void patience_restart(void);

/* At the deadline of a thread's wait: true if threads would now look again and again for ever. */
bool patience_is_over(struct thread *thread);

/* ---- noise.c ---- */

/* Draws a cost of `units` units with the mean `mean_ps`, and rare extras on top. */
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

/* Time that the account would take to pay if nobody else wanted the core or the memory. */
int64_t account_pending_ps(const struct thread *thread);

/* ---- bill.c ---- */

/* Says of a part of the account what it is for. */
void bill_add(struct thread *thread, enum charge charge, int64_t cost_ps);

/* Adds to the account of computing. */
void account_add(struct thread *thread, enum charge charge, int64_t cost_ps);

/* The running thread's cause is now that its account will have been paid. */
void account_close(struct thread *thread);

#endif

/* One of three interfaces to the world in which runtime code runs: a clock, threads, monitors, and
 * accounts of host work. The other two are device.h and channel.h. main() chooses the world once.
 * There are two implementations: `sim`, with an actor per thread on a modelled CPU, and `native`,
 * with pthreads. The contract test runs both.
 *
 * Each thread has an account of its work. work() and work_copy() add work to it. Settling the
 * account takes as much simulated time as this work costs. settle() settles it. So do
 * monitor_enter, a doorbell, a wait, a spawn, a join, a sleep, and the end of the thread, before
 * they take effect. So work on data is always charged before the doorbell that announces the
 * data. */
#ifndef WORLD_WORLD_H
#define WORLD_WORLD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "lists/mark.h"

/* Log lines record what the runtime does. Each line has a type and a level (execution flow 10.1). A
 * line costs no simulated time. If no sink (struct log_sink) wants a line, its text is not made. */

enum log_type {
#define X(name, word, what) LOG_##name,
#include "lists/log.def"
#undef X
	LOG_TYPE_COUNT
};

enum log_level {
	LOG_DEBUG,   /* single calls, buffers and messages */
	LOG_INFO,    /* events that happen only a few times in a run */
	LOG_WARNING, /* problems after which the program continues, for example a rejected call */
	LOG_ERROR,   /* problems that end the run */
	LOG_LEVEL_COUNT
};

struct log_line {
	int64_t at_ps; /* time since the start of the world, as for marks */
	uint16_t host;
	enum log_type type;
	enum log_level level;
	const char *thread; /* name of the calling thread */
	const char *text;
};

/* Receives log lines. The harness gives it to both worlds, as a part of struct recorder. */
struct log_sink {
	void *context;

	/* [type] lowest level of the lines that the sink gets; LOG_LEVEL_COUNT: it gets no lines of
	 * this type */
	enum log_level least[LOG_TYPE_COUNT];

	/* Receives a line. The line is valid only during the call. In the native world several
	 * threads may call this at the same time. It must not block. */
	void (*take)(void *context, const struct log_line *line);
};

/* Returns true if the sink wants lines of this type and level. */
bool log_wants(enum log_type type, enum log_level level);

/* Logs a line, formatted as by printf(). At most 159 bytes of the text are kept. */
void log_line(enum log_type type, enum log_level level, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Logs a line if the sink wants it, for example LOG_TO(DISPATCH, DEBUG, "queue %u", queue). */
#define LOG_TO(type, level, ...)                                                                   \
	do {                                                                                       \
		if (log_wants(LOG_##type, LOG_##level))                                            \
			log_line(LOG_##type, LOG_##level, __VA_ARGS__);                            \
	} while (0)

/* Return the word for a type, for example "dispatch", and for a level, for example "debug". */
const char *log_type_word(enum log_type type);
const char *log_level_word(enum log_level level);

enum work_kind {
#define X(name, unit) WORK_##name,
#include "world/work.def"
#undef X
	WORK_KIND_COUNT
};

/* Maximum number of codecs (wire/codec.h) in work_code(). */
enum { WORK_CODECS = 8 };

/* The memory that contains the bytes of a copy. */
enum memory_kind {
	MEMORY_CACHED,		/* ordinary memory whose contents are in the cache */
	MEMORY_UNCACHED_SOURCE, /* ordinary memory whose contents are not in the cache */
	MEMORY_PINNED,		/* pinned host memory that devices may access */
	MEMORY_WRITE_COMBINING, /* device memory through a write-combining mapping */
	MEMORY_KIND_COUNT
};

/* How a thread waits. SPIN occupies a core, and has no wake-up cost. PARK gives up the core, and
 * costs a switch and a wake-up. SPIN_THEN_PARK spins for the platform's spin time, and then
 * parks. YIELD spins, and offers its core to other threads before each look (sched_yield). */
enum wait_mode { WAIT_SPIN, WAIT_SPIN_THEN_PARK, WAIT_PARK, WAIT_YIELD, WAIT_MODE_COUNT };

#define DEADLINE_NEVER INT64_MAX

/* Where a thread runs: its host and, if core >= 0, the core to which it is bound. */
struct affinity {
	uint16_t host;
	int16_t core; /* number of the core; -1: any core */
};

struct thread;	/* opaque */
struct monitor; /* opaque: mutual exclusion and waiting, as one object */
struct world_ops {
	const char *name; /* name of the world, "sim" or "native" */

	/* Returns the time since the start of the world, in ns. The time never goes back. In the
	 * simulation, it advances only while the thread settles its account, waits or sleeps, not
	 * while the thread computes. */
	int64_t (*now_ns)(void);

	/* Starts a thread that runs fn(arg), and returns the thread. Never returns NULL. `name` is
	 * copied (at most 47 bytes). The name also determines the thread's random stream, so
	 * threads must have different names, even if they do the same work. */
	struct thread *(*spawn)(
		const char *name, struct affinity affinity, void (*fn)(void *arg), void *arg);

	/* core_count() returns the number of cores of a host to which threads may be bound (>= 1).
	 * core_socket() returns the socket of a core. The numbers of a socket's cores need not be
	 * consecutive. */
	uint16_t (*core_count)(uint16_t host);
	uint16_t (*core_socket)(uint16_t host, uint16_t core);

	/* Binds the calling thread to a core of its host; -1 removes the binding. When the call
	 * returns, the thread runs on the core. Returns OK, or UNSUPPORTED if the world cannot bind
	 * threads. */
	enum status (*bind)(int16_t core);

	/* Blocks until the thread has ended, then frees it. Each thread must be joined exactly
	 * once. */
	void (*join)(struct thread *thread);

	/* Blocks until now_ns() >= deadline_ns (absolute). If the deadline has already passed,
	 * returns at once. */
	void (*sleep_until)(int64_t deadline_ns);

	/* Returns a new monitor. `name` is copied. Stall reports show the name, so it should name
	 * the condition for which threads wait. */
	struct monitor *(*monitor_new)(const char *name);

	/* Frees a monitor. No thread may be inside it or wait on it. NULL is allowed. */
	void (*monitor_free)(struct monitor *monitor);

	/* Settles the account of the thread (its costs so far that were not simulated yet). Then
	 * blocks until the monitor is free, and enters it. Monitors are not recursive. Inside a
	 * monitor, the only blocking call allowed is monitor_wait_until() for the same monitor. */
	void (*monitor_enter)(struct monitor *monitor);

	/* Leaves the monitor. Does not settle the account, so the work that the thread did inside
	 * the monitor stays in the account. */
	void (*monitor_exit)(struct monitor *monitor);

	/* Called inside the monitor. Leaves the monitor, waits for a notify or for the absolute
	 * deadline, and enters the monitor again. Returns OK after a notify, or TIMEOUT when the
	 * deadline has passed. It may also return OK without a notify, so call it in a loop. If the
	 * deadline is in the past, returns TIMEOUT without waiting. */
	enum status (*monitor_wait_until)(
		struct monitor *monitor, int64_t deadline_ns, enum wait_mode mode);

	/* Called inside the monitor. Wakes the thread that has waited longest, if there is one. */
	void (*monitor_notify_one)(struct monitor *monitor);

	/* Called inside the monitor. Wakes all waiting threads, in the order in which they began to
	 * wait. */
	void (*monitor_notify_all)(struct monitor *monitor);

	/* Adds `count` units of work to the calling thread's account. Never blocks. */
	void (*work)(enum work_kind kind, uint64_t count);

	/* Adds to the account the cost of copying `bytes` bytes, at the bandwidth from the memory
	 * `from` to the memory `to`. The caller makes the copy itself. Never blocks. */
	void (*work_copy)(uint64_t bytes, enum memory_kind from, enum memory_kind to);

	/* Adds to the account the cost of encoding one command with a codec; if `reads` is set, the
	 * cost of decoding. The command has `words` words of 4 B in lists, and `bytes` bytes of
	 * data and names. The caller does the work itself. Never blocks. */
	void (*work_code)(uint32_t codec, bool reads, uint64_t words, uint64_t bytes);

	/* Settles the account. */
	void (*settle)(void);

	/* Records that operation `operation` passes `point` now. `chip` is the number of a chip or
	 * of a host queue. Host threads and firmware may call this. A call by a host thread does
	 * not settle its account, but the recorded time includes the work in the account. */
	void (*mark)(uint32_t operation, enum mark_point point, uint32_t chip);

	/* Returns the sink of log lines; NULL if there is none. If there is a sink and `line` is
	 * not NULL, sets the line's time, host and thread. Does not settle the account. */
	const struct log_sink *(*log)(struct log_line *line);
};

/* The world of this process. Main sets it once, before any other call. */
extern const struct world_ops *world;

/* Return texts for reports: the name of a kind of work (for example "BUILD_COMMAND"), the unit of
 * the kind, and the name of a mark point. */
const char *work_kind_name(enum work_kind kind);
const char *work_kind_unit(enum work_kind kind);
const char *mark_point_name(enum mark_point point);

/* Counts for one codec: commands, and their contents. */
struct work_coded {
	uint64_t commands, words, bytes;
};

/* The work that all threads of this world have done so far, for each kind. Most counts do not
 * depend on the schedule, and are the same in the simulated and the native world. The number of
 * polls depends on the schedule, so POLL is a separate kind. Copies are counted in bytes, for each
 * pair of memory kinds [from][to]. */
struct work_counts {
	uint64_t units[WORK_KIND_COUNT];
	uint64_t copied_bytes[MEMORY_KIND_COUNT][MEMORY_KIND_COUNT];
	struct work_coded coded[WORK_CODECS][2]; /* [codec][reads] amounts that were encoded
						  * (`reads` 0) or decoded (`reads` 1) */
};

void work_coded_add(struct work_coded *sum, const struct work_coded *coded);
void work_counts_add(struct work_counts *sum, const struct work_counts *counts);

/* Receives marks and log lines. The harness provides it to both worlds. */
struct recorder {
	void *context;
	/* Records one mark. `time_ps` is the time since the start of the world. In the native world
	 * several threads may call this at the same time, so it must be thread-safe. It must not
	 * block. */
	void (*mark)(void *context, int64_t time_ps, uint32_t operation, enum mark_point point,
		uint32_t chip);

	const struct log_sink *log; /* receiver of log lines, which must outlive the world; NULL:
				     * there are no log lines */
};

#endif

/* Records why each event happens at its time. Each simulated event has a cause. A cause is a node
 * with a link to its parent, which is an earlier cause, and with charges, which say how the time
 * since the parent was spent. The chain of parents that begins at an event is the path that led to
 * the event. The engine passes causes from event to event; the code of the model adds the charges.
 * Nothing is recorded before causes_start() is called. */
#ifndef CAUSE_CAUSE_H
#define CAUSE_CAUSE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* The reasons for which time can be charged. */
enum charge {
#define X(name, path, stage) CHARGE_##name,
#include "lists/charge.def"
#undef X
	CHARGE_COUNT
};

enum { CAUSE_NONE = 0, CAUSE_CHARGES = 3, CAUSE_PENDING = 12, CAUSE_PS_BITS = 56 };

/* A bill is a list of charges that is stored once and charged many times. A single charge of the
 * kind CHARGE_BILL stands for the whole list: its low bits hold the total time, and its higher bits
 * hold the number of the bill. */
enum { BILL_PS_BITS = 44, CAUSE_BILLS = 1 << (CAUSE_PS_BITS - BILL_PS_BITS) };

typedef uint32_t cause_id;

/* A cause: a moment in the run. Its parent is the cause before it (struct cause_link). The time
 * since the parent consists of two parts. The first part is charged to `rest`. The second part is
 * covered by the charges in the array, in their order. */
struct cause {
	int64_t at_ps;
	uint32_t operation; /* the operation to which the moment belongs; 0: none */
	uint8_t rest, count;
	bool marked; /* cause_mark() set the operation; it is not inherited */
	bool early;  /* the charges may reach back to a time before the parent (cause_early()) */
	union {
		uint64_t charges[CAUSE_CHARGES];
		struct {
			const char *what; /* what the thread waited for */
			cause_id other;	  /* cause of the end of the wait */
		} join; /* set if this is the end of a wait that began at the parent */
	};
};

enum { CAUSE_ID_MAX = INT32_MAX };

/* The parent and the reference count of a cause. They are in an array of their own and not in
 * struct cause: most causes are freed without any other access to them, and a smaller array needs
 * fewer cache lines. A free cause keeps its references to earlier causes until it is used again. */
struct cause_link {
	cause_id parent : 31;
	cause_id joined : 1;
	uint32_t references; /* number of references; in a free cause, the next free cause */
};

/* How often something was charged, and the total time. */
struct charge_total {
	uint64_t count;
	int64_t ps;
};

enum { CAUSE_KINDS = 24 };

/* The sums of all charges to operations of one kind. */
struct charge_sums {
	uint64_t counts[CHARGE_COUNT];
	uint64_t ps[CHARGE_COUNT];   /* total time of each charge; UINT64_MAX: the sum is too
				      * large for 64 bits */
	uint64_t bills[CAUSE_BILLS]; /* how often each bill was charged since cause_parts_count() */
};

/* The state of the recorder. It is public because the inline functions below use it. There is one
 * per process, because a process has one engine. */
struct causes {
	struct cause *at;
	struct cause_link *links;
	uint32_t free, fresh, capacity; /* fresh: the first cause that was never used */
	cause_id current;     /* cause of the running event, or of the start of the open step */
	uint64_t open;	      /* the only charge of the open step; 0: no step is open */
	int64_t open_ps;      /* end of the open step */
	uint32_t rest, count; /* charges for the next event that is pushed */
	bool early;	      /* cause_early() was called for the next event that is pushed */
	bool on;
	int64_t horizon_ps;	  /* earlier causes are no longer needed */
	const uint8_t *kinds;	  /* kind of each operation; may be NULL */
	uint32_t kind_count;	  /* number of entries of `kinds` */
	uint64_t path_latency_ps; /* cause_path_latency() */
	uint64_t charges[CAUSE_PENDING];
	struct charge_sums sums[CAUSE_KINDS];
};

extern struct causes causes;

/* Starts recording, which lasts until the process ends. */
void causes_start(void);

/* Returns a cause to use next, if causes.free is NONE. Its link is that of a free cause. If the
 * pool is full, drops old causes, and makes the pool larger unless more than half of it is then
 * free. Aborts if the process is out of memory. */
cause_id cause_fresh(void);

/* Removes the links of a cause to earlier causes. */
void cause_cut(cause_id id);

/* Removes a reference. A cause without references is free at once, but the causes to which only it
 * referred are freed later, one by one, when causes are used again. So the link of its parent,
 * which is seldom in the cache, is needed later only. */
static inline void cause_release(cause_id id)
{
	struct cause_link *link = &causes.links[id];

	if (id == CAUSE_NONE || --link->references > 0)
		return;
	link->references = causes.free;
	causes.free = id;
	__builtin_prefetch(&causes.links[link->parent], 1);
}

static inline cause_id cause_hold(cause_id id)
{
	if (id != CAUSE_NONE)
		causes.links[id].references++;
	return id;
}

/* Adds a pending charge of `ps` picoseconds. The next event that is pushed gets all pending
 * charges. The time from the current event to the next one is divided as follows: the pending
 * charges take the end of it, in the order of the calls, and the charge of cause_rest() takes the
 * part before. Does nothing if `ps` is not above 0, if it is twenty hours or more, or if
 * CAUSE_PENDING charges are pending already. */
static inline void cause_charge(enum charge charge, int64_t ps)
{
	if (ps > 0 && ps >> CAUSE_PS_BITS == 0 && causes.count < CAUSE_PENDING)
		causes.charges[causes.count++] = (uint64_t)charge << CAUSE_PS_BITS | (uint64_t)ps;
}

/* Sets the charge for the time that no other charge covers until the next event that is pushed. */
static inline void cause_rest(enum charge charge)
{
	causes.rest = charge;
}

/* Saves the pending charges as a bill. Returns the number of the bill, which is the argument of
 * cause_bill(). Returns 0 if there are too many bills, or if the sum of the charges is too
 * large. */
uint32_t cause_bill_keep(void);

/* Charges all parts of a bill in one charge. */
void cause_bill(uint32_t bill);

/* Sets the fixed part of the latency of a NoC path. After this call, a charge of CHARGE_NOC_PATH
 * stands for two charges: `latency_ps` of NOC_LATENCY, and NOC_HOP with the remaining time. Most
 * charges are for NoC paths, so storing one charge instead of two saves much memory. */
void cause_path_latency(int64_t latency_ps);

/* Adds the parts of all bills and NoC paths that were charged so far to the sums. */
void cause_parts_count(void);

/* Splits a charge that stands for several charges: a bill or a NoC path. Writes these charges to
 * `parts`, which must have CAUSE_PENDING entries, sets *count to their number, and returns true.
 * Returns false if `charge` is any other charge. */
bool cause_parts(uint64_t charge, uint64_t *parts, uint32_t *count);

/* Returns how often operations of kind `kind` were charged with `charge` so far, and for how much
 * time in total. Bills and NoC paths stand for several charges. These are included only if they
 * were made before the last call of cause_parts_count(). */
struct charge_total cause_total(uint32_t kind, enum charge charge);

/* Call it before the charges of work that began before the current event. If these charges are
 * longer than the time from the current event to the next one, they reach back to a time before the
 * current event. A path that leads to the next event then leaves out what happened while the work
 * was done: charges that are pending now, and causes that are not older than the beginning of the
 * work. The path is right if the work began at a cause from which the current event follows, such
 * as the end of the work before. */
void cause_early(void);

/* Drops the charges since the last event that was pushed. */
static inline void cause_clear(void)
{
	causes.count = 0;
	causes.early = false;
	causes.rest = CHARGE_NOTHING;
}

static inline int64_t cause_ps(uint64_t charge)
{
	if (charge >> CAUSE_PS_BITS == CHARGE_BILL)
		return (int64_t)(charge & ((UINT64_C(1) << BILL_PS_BITS) - 1));
	return (int64_t)(charge & ((UINT64_C(1) << CAUSE_PS_BITS) - 1));
}

static inline struct charge_sums *cause_sums(uint32_t operation)
{
	return &causes.sums[operation < causes.kind_count ? causes.kinds[operation] : 0];
}

static inline void cause_total_add(struct charge_total *total, int64_t ps)
{
	total->count++;
	if (__builtin_add_overflow(total->ps, ps, &total->ps))
		total->ps = INT64_MAX; /* the sum is saturated, after days on every core */
}

static inline void cause_sum(struct charge_sums *sums, enum charge charge, uint64_t ps)
{
	sums->counts[charge]++;
	if (__builtin_add_overflow(sums->ps[charge], ps, &sums->ps[charge]))
		sums->ps[charge] = UINT64_MAX;
}

static inline void cause_count(struct charge_sums *sums, uint64_t charge)
{
	if (charge >> CAUSE_PS_BITS == CHARGE_BILL)
		sums->bills[charge >> BILL_PS_BITS & (CAUSE_BILLS - 1)]++;
	else
		cause_sum(sums, (enum charge)(charge >> CAUSE_PS_BITS),
			charge & ((UINT64_C(1) << CAUSE_PS_BITS) - 1));
}

/* Adds the time that no charge covers to the sums. It may be longer than any single charge. */
static inline void cause_count_rest(struct charge_sums *sums, int64_t ps)
{
	if (ps > 0 && causes.rest != CHARGE_BILL)
		cause_sum(sums, (enum charge)causes.rest, (uint64_t)ps);
}

/* Creates a cause with one reference, which the caller owns. The caller's reference to `parent`
 * becomes that of the new cause. Sets only the links and the operation; the caller must set the
 * other fields. */
static inline cause_id cause_new(cause_id parent)
{
	cause_id id = causes.free;
	struct cause_link old;

	if (id == CAUSE_NONE)
		id = cause_fresh();
	old = causes.links[id];
	causes.free = old.references;
	causes.links[id] = (struct cause_link){parent & CAUSE_ID_MAX, false, 1};
	cause_release(old.parent);
	if (old.joined)
		cause_release(causes.at[id].join.other);
	causes.at[id].operation = causes.at[parent].operation;
	return id;
}

/* Creates a cause from the open step, and makes it the current cause. */
void cause_close(void);

/* Returns a new reference to the current cause. */
static inline cause_id cause_now(void)
{
	if (causes.open)
		cause_close();
	return cause_hold(causes.current);
}

/* One cause holds at most CAUSE_CHARGES charges. As long as more charges are pending, makes a cause
 * of the first CAUSE_CHARGES of them. Returns the last cause that it made, or the current cause if
 * it made none. The caller owns the reference to the returned cause, and must make this cause the
 * parent of the cause with the remaining charges. */
cause_id cause_spill(int64_t at_ps);

/* Creates a cause at `at_ps` from the pending charges, with the current cause as its parent, and
 * removes the pending charges. If no charges are pending and the current cause is at `at_ps` too,
 * returns the current cause instead. The caller owns the reference. Returns CAUSE_NONE if causes
 * are not recorded. */
static inline cause_id cause_take(int64_t at_ps)
{
	struct charge_sums *sums;
	struct cause *cause;
	cause_id parent, id;
	int64_t rest_ps;
	uint32_t count = 0;

	if (!causes.on) {
		cause_clear();
		return CAUSE_NONE;
	}
	if (causes.open && (causes.count == 0 || causes.count >= CAUSE_CHARGES))
		cause_close();
	parent = causes.current;
	if (causes.count == 0 && parent != CAUSE_NONE && causes.at[parent].at_ps == at_ps) {
		causes.rest = CHARGE_NOTHING;
		return cause_hold(parent);
	}
	parent = causes.count > CAUSE_CHARGES ? cause_spill(at_ps) : cause_hold(parent);
	id = cause_new(parent);
	cause = &causes.at[id];
	sums = cause_sums(cause->operation);
	if (causes.open) { /* the charge was counted when the step began */
		cause->charges[count++] = causes.open;
		rest_ps = at_ps - causes.open_ps;
	} else {
		rest_ps = at_ps - causes.at[parent].at_ps;
	}
#pragma GCC unroll 1 /* the loop mostly has one iteration */
	for (uint32_t i = 0; i < causes.count; i++) {
		uint64_t charge = causes.charges[i];

		cause->charges[count++] = charge;
		cause_count(sums, charge);
		rest_ps -= cause_ps(charge);
	}
	cause_count_rest(sums, rest_ps);
	cause->at_ps = at_ps;
	cause->rest = (uint8_t)causes.rest;
	cause->count = (uint8_t)count;
	cause->marked = false;
	cause->early = causes.early;
	cause_clear();
	return id;
}

/* A compact note from which a cause can be made later. All zeros: empty. */
struct cause_note {
	int64_t at_ps;
	cause_id parent; /* cause of the event or step before; the note has a reference to it */
	uint32_t rest;
	uint64_t open, charge; /* charge of the open step; charge of the cause; 0: none */
};

/* Writes to `note` the current cause and the first pending charge, and removes all pending charges.
 * cause_recall() can later create a cause from the note. The note has room for one charge only. The
 * time of all other pending charges is charged to causes.rest. */
static inline void cause_note(struct cause_note *note, int64_t at_ps)
{
	const struct cause *parent = &causes.at[causes.current];
	struct charge_sums *sums = cause_sums(parent->operation);
	int64_t rest_ps = at_ps - (causes.open ? causes.open_ps : parent->at_ps);

	note->charge = 0;
	if (causes.count > 0) {
		note->charge = causes.charges[0];
		cause_count(sums, note->charge);
		rest_ps -= cause_ps(note->charge);
	}
	cause_count_rest(sums, rest_ps);
	if (note->parent != causes.current) {
		cause_release(note->parent);
		note->parent = cause_hold(causes.current);
	}
	note->at_ps = at_ps;
	note->open = causes.open;
	note->rest = causes.rest;
	cause_clear();
}

/* Makes a cause from a note. The caller owns the reference. */
cause_id cause_recall(const struct cause_note *note);

/* Makes `id` the current cause. The caller gives up its reference to `id`. Returns the previous
 * current cause; the caller gets the reference to it. */
static inline cause_id cause_enter(cause_id id)
{
	cause_id before;

	if (causes.open)
		cause_close();
	before = causes.current;
	causes.current = id;
	return before;
}

/* Starts a step whose time is charged to the single charge `charge`. Adds this charge to the totals
 * (cause_total()), and removes all pending charges. The caller must call cause_step() when the step
 * is over. */
static inline void cause_begin(uint64_t charge)
{
	if (causes.on)
		cause_count(cause_sums(causes.at[causes.current].operation), charge);
	cause_clear();
}

/* Called at the end of a step. Makes the cause of the step's end the current cause. If `open` is
 * 0, `id` is the cause of the end. Otherwise `id` is the cause of the step's start, `open` is the
 * charge for the step, and the cause of the end is created only when it is needed. The caller
 * gives up its reference to `id`. Returns the previous current cause, like cause_enter(). */
static inline cause_id cause_step(cause_id id, uint64_t open, int64_t now_ps)
{
	cause_id before = cause_enter(id);

	causes.open = id != CAUSE_NONE ? open : 0;
	causes.open_ps = now_ps;
	return before;
}

/* Call when the effects of a step have happened. Makes `before` the current cause again. */
static inline void cause_step_end(cause_id before)
{
	causes.open = 0;
	cause_release(cause_enter(before));
}

/* Creates the cause with which a thread continues at `at_ps` after a wait. `what` (static text)
 * says what the thread waited for. `own` is the cause of the thread when the wait began. The
 * current cause is the reason why the wait ended. The time of the wait is charged to `rest`. The
 * caller owns the returned reference, and keeps the reference to `own`. If `own` is NONE or not
 * before `at_ps`, returns the current cause instead. */
cause_id cause_join(cause_id own, int64_t at_ps, const char *what, enum charge rest);

/* Marks the current cause as one of `operation`. Also assigns the operation to the cause's
 * ancestors, one after another. Stops before an ancestor that is marked or belongs to this or a
 * later operation, and after a cause that ends a wait. */
void cause_mark(uint32_t operation);

/* The functions below follow causes back from one moment to an earlier moment. They report how the
 * time between the two moments was spent. When this walk comes to the end of a thread's wait, it
 * looks at the cause that woke the thread. If this cause belongs to the same operation or to a
 * later one, the walk continues at the cause. Otherwise the time of the wait counts as waiting. A
 * wait for free space always counts as waiting. */

/* A mark: a moment that certainly belongs to the operation of the query. If the walk comes to an
 * earlier operation, it jumps back in time to a mark. Of the marks that are not after the current
 * moment of the walk, it takes the latest. The skipped time is charged to `wait`. */
struct path_mark {
	int64_t at_ps;
	cause_id cause;
	enum charge wait;
};

struct path_query {
	cause_id end;
	int64_t end_ps, start_ps;
	uint32_t operation;
	const struct path_mark *marks; /* marks of the operation, in the order of their times */
	uint32_t mark_count;
};

typedef void path_piece(void *context, enum charge charge, int64_t from_ps, int64_t to_ps);

/* Calls `piece` for each piece of the path, from the last piece to the first. The pieces cover the
 * whole time of the query, without gaps. */
void path_walk(const struct path_query *query, path_piece *piece, void *context);

/* charge_path() returns the name of the platform constant that a charge comes from, or "" if there
 * is none; the name is valid until charge_ways() is called. charge_stage() returns the stage to
 * which a charge belongs. time_stage_label() returns the label of a stage (lists/stage.def). */
const char *charge_path(enum charge charge);

/* Sets the names of the transport library and of the codec of this run, which must be static text.
 * A constant that exists once per library or per codec has a `*` in its path, as in
 * "codecs.*.encode_message". charge_path() replaces the `*` with the name of the library or of the
 * codec. By default both names are NULL; then the `*` remains. */
void charge_ways(const char *transport_name, const char *codec_name);

enum time_stage {
#define X(name, label) TIME_##name,
#include "lists/stage.def"
#undef X
	TIME_STAGE_COUNT
};

enum time_stage charge_stage(enum charge charge);
const char *time_stage_label(enum time_stage stage);

#endif

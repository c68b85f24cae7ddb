/* Why things happen when they do. Everything that is simulated has a cause: a node that says what
 * the time since its parent went into, so that the way to any moment can be walked back, constant
 * by constant. The engine hands causes from event to event; the rooms above say what takes the
 * time. Knows no event and no constant's value. Records nothing until causes_start(). */
#ifndef CAUSE_CAUSE_H
#define CAUSE_CAUSE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* What time can be charged for. */
enum charge {
#define X(name, path, stage) CHARGE_##name,
#include "cause/charge.def"
#undef X
	CHARGE_COUNT
};

enum { CAUSE_NONE = 0, CAUSE_CHARGES = 3, CAUSE_PENDING = 12, CAUSE_PS_BITS = 56 };

/* What stands for several charges has their sum, and their number in front. */
enum { BILL_PS_BITS = 44, CAUSE_BILLS = 1 << (CAUSE_PS_BITS - BILL_PS_BITS) };

typedef uint32_t cause_id;

/* A moment. Its charges come last before it, in this order; what of the time since the parent they
 * do not take is `rest`. */
struct cause {
	int64_t at_ps;
	uint32_t operation; /* on whose behalf; 0: nobody's */
	uint8_t rest, count;
	bool marked; /* the operation was said, not inherited */
	union {
		uint64_t charges[CAUSE_CHARGES];
		struct {
			const char *what; /* he waited for */
			cause_id other;	  /* whoever ended the wait */
		} join;			  /* if somebody waited from the parent on */
	};
};

enum { CAUSE_ID_MAX = INT32_MAX };

/* What keeps it: apart, since nobody looks at most moments again until they are forgotten. */
struct cause_link {
	cause_id parent : 31; /* free: the next free one */
	cause_id joined : 1;
	uint32_t references; /* 0: free */
};

/* How often, and for how long, on behalf of operations of each kind. */
struct charge_total {
	uint64_t count;
	int64_t ps;
};

enum { CAUSE_KINDS = 24, CAUSE_DYING = 16 };

/* All of one kind. */
struct charge_sums {
	uint64_t counts[CHARGE_COUNT];
	uint64_t ps[CHARGE_COUNT];   /* UINT64_MAX: more than that, days of every core */
	uint64_t bills[CAUSE_BILLS]; /* how often, since cause_parts_count() */
};

/* All of it, open for the hot paths below. One per process, as there is one engine. */
struct causes {
	struct cause *at;
	struct cause_link *links;
	uint32_t free, fresh, capacity; /* fresh: the first that was never used */
	cause_id current;    /* of what runs now, or of a step before that */
	uint64_t open;	     /* the only charge of that step; 0: none */
	int64_t open_ps;     /* its end */
	uint32_t rest, count; /* of the next event that is pushed */
	bool on;
	int64_t horizon_ps;   /* nobody will ask for what was before */
	const uint8_t *kinds; /* by operation, which kind it is of; or NULL */
	uint32_t kind_count;  /* of operations that have one */
	cause_id dying[CAUSE_DYING]; /* nobody refers to them */
	uint32_t turn;
	uint64_t path_latency_ps; /* cause_path_latency() */
	uint64_t charges[CAUSE_PENDING];
	struct charge_sums sums[CAUSE_KINDS];
};

extern struct causes causes;

/* Records from now on, until the process ends. */
void causes_start(void);

/* Makes room; ends the process if there is none. */
void causes_grow(void);

/* Frees a cause that nobody refers to any more, and what it kept alive. */
void cause_free(cause_id id);

/* Forgets what came before. */
void cause_cut(cause_id id);

static inline void cause_release(cause_id id)
{
	if (id != CAUSE_NONE && --causes.links[id].references == 0)
		cause_free(id);
}

static inline cause_id cause_hold(cause_id id)
{
	if (id != CAUSE_NONE)
		causes.links[id].references++;
	return id;
}

/* Of the time until the next event that is pushed, its last `ps` (behind those said before) are for
 * this. More than CAUSE_PENDING, or twenty hours in one, are counted as the rest. */
static inline void cause_charge(enum charge charge, int64_t ps)
{
	if (ps > 0 && ps >> CAUSE_PS_BITS == 0 && causes.count < CAUSE_PENDING)
		causes.charges[causes.count++] = (uint64_t)charge << CAUSE_PS_BITS | (uint64_t)ps;
}

/* What the rest of that time is for. */
static inline void cause_rest(enum charge charge)
{
	causes.rest = charge;
}

/* Takes what was charged since the last event, as one bill that can be charged again and again;
 * 0: there is no room for one more. */
uint32_t cause_bill_keep(void);

/* Charges for all of that, in one. */
void cause_bill(uint32_t bill);

/* What every way over a NoC begins with. From now on CHARGE_NOC_PATH stands for that and for what
 * is left of its time, NOC_LATENCY and NOC_HOP: most of what is charged is such a way. */
void cause_path_latency(int64_t latency_ps);

/* Counts the parts of the bills and ways that were charged so far. */
void cause_parts_count(void);

/* True for a charge that stands for several; then their number, and in `parts` (CAUSE_PENDING)
 * what they are. */
bool cause_parts(uint64_t charge, uint64_t *parts, uint32_t *count);

/* What was charged so far for `charge` on behalf of operations of a kind. Counts parts of bills and
 * ways only if cause_parts_count() has. */
struct charge_total cause_total(uint32_t kind, enum charge charge);

/* Forgets what was charged since the last event that was pushed. */
static inline void cause_clear(void)
{
	causes.count = 0;
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

/* Once more, for `ps`; a sum that would be too large stays the largest there is. */
static inline void cause_total_add(struct charge_total *total, int64_t ps)
{
	total->count++;
	if (__builtin_add_overflow(total->ps, ps, &total->ps))
		total->ps = INT64_MAX; /* days of every core */
}

static inline void cause_sum(struct charge_sums *sums, enum charge charge, uint64_t ps)
{
	sums->counts[charge]++;
	if (__builtin_add_overflow(sums->ps[charge], ps, &sums->ps[charge]))
		sums->ps[charge] = UINT64_MAX;
}

/* Adds up what was charged. */
static inline void cause_count(struct charge_sums *sums, uint64_t charge)
{
	if (charge >> CAUSE_PS_BITS == CHARGE_BILL)
		sums->bills[charge >> BILL_PS_BITS & (CAUSE_BILLS - 1)]++;
	else
		cause_sum(sums, (enum charge)(charge >> CAUSE_PS_BITS),
			charge & ((UINT64_C(1) << CAUSE_PS_BITS) - 1));
}

/* Adds up what charges do not take; it may be longer than any charge. */
static inline void cause_count_rest(struct charge_sums *sums, int64_t ps)
{
	if (ps > 0 && causes.rest != CHARGE_BILL)
		cause_sum(sums, (enum charge)causes.rest, (uint64_t)ps);
}

/* A cause of a parent that is its own now: nothing of it is set but that and its operation. */
static inline cause_id cause_new(cause_id parent)
{
	cause_id id = causes.free;

	if (id == CAUSE_NONE && causes.fresh == causes.capacity) {
		causes_grow();
		id = causes.free;
	}
	if (id != CAUSE_NONE)
		causes.free = causes.links[id].parent;
	else
		id = causes.fresh++;
	causes.links[id] = (struct cause_link){parent & CAUSE_ID_MAX, false, 1};
	causes.at[id].operation = causes.at[parent].operation;
	return id;
}

/* Makes a cause of the step that is open. */
void cause_close(void);

/* The current cause, held for the caller. */
static inline cause_id cause_now(void)
{
	if (causes.open)
		cause_close();
	return cause_hold(causes.current);
}

/* Causes of all that was charged but for what has room in the last one. Returns the parent of
 * that, held. */
cause_id cause_spill(int64_t at_ps);

/* A cause at `at_ps`, of what was charged and of the current one. The reference is the caller's. */
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
	if (causes.open) { /* counted when the step began */
		cause->charges[count++] = causes.open;
		rest_ps = at_ps - causes.open_ps;
	} else {
		rest_ps = at_ps - causes.at[parent].at_ps;
	}
#pragma GCC unroll 1 /* mostly there is one */
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
	cause_clear();
	return id;
}

/* What is enough to make a cause of later, if anybody asks. All zeros: of nothing. */
struct cause_note {
	int64_t at_ps;
	cause_id parent; /* held */
	uint32_t rest;
	uint64_t open, charge; /* 0: none */
};

/* Notes what cause_take() would make a cause of, in place of what was there. Of several charges
 * only the first. */
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

/* That cause. The reference is the caller's. */
cause_id cause_recall(const struct cause_note *note);

/* From now on this is the current cause. Returns the one before, which is the caller's again, as
 * `id` was before. */
static inline cause_id cause_enter(cause_id id)
{
	cause_id before;

	if (causes.open)
		cause_close();
	before = causes.current;
	causes.current = id;
	return before;
}

/* A step of one charge begins: counted now, and open when it is over (cause_step). */
static inline void cause_begin(uint64_t charge)
{
	if (causes.on)
		cause_count(cause_sums(causes.at[causes.current].operation), charge);
	cause_clear();
}

/* The step that began with `id` is over now: `open` is its charge, or 0, and then `id` its end.
 * Returns as cause_enter(). */
static inline cause_id cause_step(cause_id id, uint64_t open, int64_t now_ps)
{
	cause_id before = cause_enter(id);

	causes.open = id != CAUSE_NONE ? open : 0;
	causes.open_ps = now_ps;
	return before;
}

/* What the step did is done; goes on with `before`. */
static inline void cause_step_end(cause_id before)
{
	causes.open = 0;
	cause_release(cause_enter(before));
}

/* The end of a wait, at `at_ps`: somebody waited for `what` (static text) since `own`, and what
 * happens now ended that. The reference is the caller's; `own` stays his. */
cause_id cause_join(cause_id own, int64_t at_ps, const char *what, enum charge rest);

/* What happens now is for this operation, and so was what led to it since the last such word. */
void cause_mark(uint32_t operation);

#endif

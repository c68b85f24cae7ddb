/* Keeps causes, see cause.h: a pool with counted references, since most of what happens leads
 * nowhere. Refuses nothing: whoever says nothing is charged for nothing. */
#include "cause/cause.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/ensure.h"

enum { FIRST_CAPACITY = 1024 };

struct causes causes;

/* ---- bills ---- */

struct bill {
	uint32_t count;
	int64_t sum_ps;
	uint64_t charges[CAUSE_PENDING];
};

static struct bill bills[CAUSE_BILLS];
static uint32_t bill_count = 1;

uint32_t cause_bill_keep(void)
{
	struct bill *bill = &bills[bill_count];
	uint32_t count = causes.count, found = 1;

	memset(bill, 0, sizeof *bill);
	for (uint32_t i = 0; i < count; i++) {
		bill->charges[i] = causes.charges[i];
		bill->sum_ps += cause_ps(causes.charges[i]);
	}
	bill->count = count;
	cause_clear();
	while (memcmp(&bills[found], bill, sizeof *bill) != 0)
		found++;
	if (found == CAUSE_BILLS - 1 || bill->sum_ps >> BILL_PS_BITS)
		return 0;
	if (found == bill_count)
		bill_count++;
	return found;
}

void cause_bill(uint32_t bill)
{
	if (causes.count < CAUSE_PENDING)
		causes.charges[causes.count++] = (uint64_t)CHARGE_BILL << CAUSE_PS_BITS |
						 (uint64_t)bill << BILL_PS_BITS |
						 (uint64_t)bills[bill].sum_ps;
}

/* Adds as many of one part as bills of a kind were charged. */
static void count_part(struct charge_total *total, uint64_t charge, uint64_t times)
{
	int64_t ps;

	total->count += times;
	if (__builtin_mul_overflow((int64_t)times, cause_ps(charge), &ps) ||
		__builtin_add_overflow(total->ps, ps, &total->ps))
		total->ps = INT64_MAX;
}

void cause_bills_count(void)
{
	for (uint32_t kind = 0; kind < CAUSE_KINDS; kind++) {
		struct charge_sums *sums = &causes.sums[kind];

		for (uint32_t at = 1; at < bill_count; at++) {
			const struct bill *bill = &bills[at];

			for (uint32_t i = 0; i < bill->count; i++)
				count_part(&sums->totals[bill->charges[i] >> CAUSE_PS_BITS],
					bill->charges[i], sums->bills[at]);
			sums->bills[at] = 0;
		}
	}
}

uint32_t cause_bill_parts(uint64_t charge, const uint64_t **parts)
{
	const struct bill *bill = &bills[charge >> BILL_PS_BITS & (CAUSE_BILLS - 1)];

	*parts = bill->charges;
	return bill->count;
}

/* ---- causes ---- */

void causes_start(void)
{
	ensure(!causes.on, "causes are recorded twice");
	causes_grow();
	causes.on = true;
}

/* Cuts off what lies behind the horizon. Returns how many are free then. */
static uint32_t forget(void)
{
	uint32_t count = 0;

	if (causes.horizon_ps == 0)
		return 0;
	for (uint32_t i = 1; i < causes.fresh; i++)
		if (causes.links[i].references > 0 && causes.at[i].at_ps < causes.horizon_ps)
			cause_cut(i);
	for (cause_id id = causes.free; id != CAUSE_NONE; id = causes.links[id].parent)
		count++;
	return count;
}

void causes_grow(void)
{
	uint32_t capacity = causes.capacity ? 2 * causes.capacity : FIRST_CAPACITY;
	if (forget() > causes.capacity / 2)
		return;
	ensure(capacity > causes.capacity && capacity <= CAUSE_ID_MAX, "%u causes",
		causes.capacity);
	causes.at = allocate_more(causes.at, capacity, sizeof *causes.at);
	causes.links = allocate_more(causes.links, capacity, sizeof *causes.links);
	if (causes.capacity == 0) {
		memset(&causes.at[CAUSE_NONE], 0, sizeof *causes.at);
		memset(&causes.links[CAUSE_NONE], 0, sizeof *causes.links);
		causes.fresh = 1;
	}
	causes.capacity = capacity;
}

void cause_close(void)
{
	cause_id id = cause_new(causes.current);
	struct cause *cause = &causes.at[id];

	cause->at_ps = causes.open_ps;
	cause->charges[0] = causes.open;
	cause->rest = (uint8_t)(causes.open >> CAUSE_PS_BITS);
	cause->count = 1;
	cause->marked = false;
	causes.current = id;
	causes.open = 0;
}

/* Puts a cause that has lost its last reference in front of those to be freed. */
static inline void drop(cause_id id, cause_id *dead)
{
	if (id == CAUSE_NONE || --causes.links[id].references > 0)
		return;
	causes.links[id].references = *dead;
	*dead = id;
}

void cause_free(cause_id id)
{
	cause_id dead = id;

	while (dead != CAUSE_NONE) {
		struct cause_link *link = &causes.links[dead];
		cause_id freed = dead;

		dead = link->references;
		link->references = 0;
		drop(link->parent, &dead);
		if (link->joined)
			drop(causes.at[freed].join.other, &dead);
		link->parent = causes.free & CAUSE_ID_MAX;
		causes.free = freed;
	}
}

void cause_cut(cause_id id)
{
	struct cause_link *link = &causes.links[id];
	cause_id parent = link->parent, other = CAUSE_NONE;

	link->parent = CAUSE_NONE;
	if (link->joined) {
		other = causes.at[id].join.other;
		causes.at[id].join.other = CAUSE_NONE;
	}
	cause_release(parent);
	cause_release(other);
}

cause_id cause_recall(const struct cause_note *note)
{
	cause_id id = cause_new(cause_hold(note->parent));
	struct cause *cause = &causes.at[id];
	uint32_t count = 0;

	if (note->open)
		cause->charges[count++] = note->open;
	for (uint32_t i = 0; i < CAUSE_NOTED && note->charges[i]; i++)
		cause->charges[count++] = note->charges[i];
	cause->at_ps = note->at_ps;
	cause->rest = (uint8_t)note->rest;
	cause->count = (uint8_t)count;
	cause->marked = false;
	return id;
}

cause_id cause_spill(int64_t at_ps)
{
	uint64_t kept[CAUSE_PENDING];
	uint32_t count = causes.count, first = 0;
	cause_id before = causes.current, id = cause_hold(before), last;

	memcpy(kept, causes.charges, sizeof kept);
	for (uint32_t i = 0; i < count; i++)
		at_ps -= cause_ps(kept[i]);
	for (; count - first > CAUSE_CHARGES; first += CAUSE_CHARGES) {
		for (uint32_t i = 0; i < CAUSE_CHARGES; i++) {
			causes.charges[i] = kept[first + i];
			at_ps += cause_ps(kept[first + i]);
		}
		causes.count = CAUSE_CHARGES;
		causes.current = id;
		last = cause_take(at_ps);
		cause_release(id);
		id = last;
	}
	causes.current = before;
	causes.count = count - first;
	memcpy(causes.charges, &kept[first], causes.count * sizeof *kept);
	return id;
}

cause_id cause_join(cause_id own, int64_t at_ps, const char *what, enum charge rest)
{
	cause_id other = cause_now(), before, id;
	struct cause *cause;

	if (!causes.on)
		return CAUSE_NONE;
	if (own == CAUSE_NONE || causes.at[own].at_ps >= at_ps)
		return other;
	causes.count = 0;
	cause_rest(rest);
	before = cause_enter(own);
	id = cause_take(at_ps);
	cause_enter(before);
	cause = &causes.at[id];
	causes.links[id].joined = true;
	cause->join.what = what;
	cause->join.other = other;
	if (causes.at[other].operation > cause->operation)
		cause->operation = causes.at[other].operation;
	return id;
}

void cause_mark(uint32_t operation)
{
	cause_id id;

	if (causes.current == CAUSE_NONE || operation == 0)
		return;
	if (causes.open)
		cause_close();
	id = causes.current;
	for (cause_id at = id; causes.at[at].operation < operation && !causes.at[at].marked;
		at = causes.links[at].parent) {
		causes.at[at].operation = operation;
		if (causes.links[at].joined || causes.links[at].parent == CAUSE_NONE)
			break;
	}
	causes.at[id].operation =
		operation > causes.at[id].operation ? operation : causes.at[id].operation;
	causes.at[id].marked = true;
}

/* Storage of causes (cause.h). Causes are reference-counted, because most events have no effect. */
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
	causes.count = 0;
	causes.rest = CHARGE_NOTHING;
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

void cause_early(void)
{
	struct charge_sums *sums;

	if (!causes.on)
		return;
	if (causes.open)
		cause_close();
	sums = cause_sums(causes.at[causes.current].operation);
	for (uint32_t i = 0; i < causes.count; i++)
		cause_count(sums, causes.charges[i]);
	causes.count = 0;
	causes.early = true;
}

/* ---- charges that stand for several ---- */

void cause_path_latency(int64_t latency_ps)
{
	causes.path_latency_ps = (uint64_t)latency_ps;
}

/* Adds a charge of `ps`, which was charged `count` times, to the sums. */
static void sum_times(struct charge_sums *sums, enum charge charge, uint64_t ps, uint64_t count)
{
	sums->counts[charge] += count;
	if (__builtin_mul_overflow(ps, count, &ps) ||
		__builtin_add_overflow(sums->ps[charge], ps, &sums->ps[charge]))
		sums->ps[charge] = UINT64_MAX;
}

/* Splits the sum of NoC paths into latency, which is the same for each path, and hops. */
static void count_ways(struct charge_sums *sums)
{
	uint64_t count = sums->counts[CHARGE_NOC_PATH], latency_ps = causes.path_latency_ps;

	sum_times(sums, CHARGE_NOC_HOP, sums->ps[CHARGE_NOC_PATH] - count * latency_ps, 1);
	sums->counts[CHARGE_NOC_HOP] += count - 1;
	if (latency_ps > 0)
		sum_times(sums, CHARGE_NOC_LATENCY, latency_ps, count);
	sums->counts[CHARGE_NOC_PATH] = sums->ps[CHARGE_NOC_PATH] = 0;
}

void cause_parts_count(void)
{
	for (uint32_t kind = 0; kind < CAUSE_KINDS; kind++) {
		struct charge_sums *sums = &causes.sums[kind];

		for (uint32_t at = 1; at < bill_count; at++) {
			const struct bill *bill = &bills[at];

			for (uint32_t i = 0; i < bill->count; i++)
				sum_times(sums, (enum charge)(bill->charges[i] >> CAUSE_PS_BITS),
					(uint64_t)cause_ps(bill->charges[i]), sums->bills[at]);
			sums->bills[at] = 0;
		}
		if (sums->counts[CHARGE_NOC_PATH] > 0)
			count_ways(sums);
	}
}

bool cause_parts(uint64_t charge, uint64_t *parts, uint32_t *count)
{
	const struct bill *bill = &bills[charge >> BILL_PS_BITS & (CAUSE_BILLS - 1)];
	uint64_t latency_ps = causes.path_latency_ps;

	switch (charge >> CAUSE_PS_BITS) {
	case CHARGE_BILL:
		*count = bill->count;
		memcpy(parts, bill->charges, sizeof bill->charges);
		return true;
	case CHARGE_NOC_PATH:
		*count = 2;
		parts[0] = (uint64_t)CHARGE_NOC_LATENCY << CAUSE_PS_BITS | latency_ps;
		parts[1] = (uint64_t)CHARGE_NOC_HOP << CAUSE_PS_BITS |
			   ((uint64_t)cause_ps(charge) - latency_ps);
		return true;
	default:
		return false;
	}
}

struct charge_total cause_total(uint32_t kind, enum charge charge)
{
	const struct charge_sums *sums = &causes.sums[kind];

	return (struct charge_total){sums->counts[charge],
		sums->ps[charge] > INT64_MAX ? INT64_MAX : (int64_t)sums->ps[charge]};
}

/* ---- causes ---- */

/* Removes the links of causes that are before the horizon. Returns the number of free causes. Call
 * it when no cause is free: then none is kept only by a free one. */
static uint32_t cause_forget(void)
{
	uint32_t count = 0;

	if (causes.horizon_ps == 0)
		return 0;
	for (uint32_t i = 1; i < causes.fresh; i++)
		if (causes.at[i].at_ps < causes.horizon_ps)
			cause_cut(i);
	for (cause_id id = causes.free; id != CAUSE_NONE; id = causes.links[id].references)
		count++;
	return count;
}

static void causes_grow(void)
{
	uint32_t capacity = causes.capacity ? 2 * causes.capacity : FIRST_CAPACITY;

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

cause_id cause_fresh(void)
{
	if (causes.fresh == causes.capacity) {
		if (cause_forget() > causes.capacity / 2)
			return causes.free;
		causes_grow();
		if (causes.free != CAUSE_NONE)
			return causes.free;
	}
	causes.links[causes.fresh] = (struct cause_link){CAUSE_NONE, false, CAUSE_NONE};
	return causes.fresh++;
}

void causes_start(void)
{
	ensure(!causes.on, "causes are recorded twice");
	causes_grow();
	causes.on = true;
}

void cause_close(void)
{
	cause_id id = cause_new(causes.current);
	struct cause *cause = &causes.at[id];

	cause->at_ps = causes.open_ps;
	cause->charges[0] = causes.open;
	cause->rest = (uint8_t)(causes.open >> CAUSE_PS_BITS);
	cause->count = 1;
	cause->marked = cause->early = false;
	causes.current = id;
	causes.open = 0;
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
	if (note->charge)
		cause->charges[count++] = note->charge;
	cause->at_ps = note->at_ps;
	cause->rest = (uint8_t)note->rest;
	cause->count = (uint8_t)count;
	cause->marked = cause->early = false;
	return id;
}

/* Makes a cause of CAUSE_CHARGES charges. Takes over the reference to `parent`. */
static cause_id spill_charges(cause_id parent, const uint64_t *charges)
{
	cause_id id = cause_new(parent);
	struct cause *cause = &causes.at[id];
	struct charge_sums *sums = cause_sums(cause->operation);

	cause->at_ps = causes.at[parent].at_ps;
	for (uint32_t i = 0; i < CAUSE_CHARGES; i++) {
		cause->charges[i] = charges[i];
		cause->at_ps += cause_ps(charges[i]);
		cause_count(sums, charges[i]);
	}
	cause->rest = CHARGE_NOTHING;
	cause->count = CAUSE_CHARGES;
	cause->marked = cause->early = false;
	return id;
}

cause_id cause_spill(int64_t at_ps)
{
	uint32_t count = causes.count, first = 0;
	cause_id id = cause_hold(causes.current);
	int64_t rest_ps = at_ps - causes.at[id].at_ps;

	for (uint32_t i = 0; i < count; i++)
		rest_ps -= cause_ps(causes.charges[i]);
	cause_count_rest(cause_sums(causes.at[id].operation), rest_ps);
	for (; count - first > CAUSE_CHARGES; first += CAUSE_CHARGES) {
		id = spill_charges(id, &causes.charges[first]);
		causes.at[id].early = causes.early;
		if (first > 0)
			continue;
		causes.at[id].rest = (uint8_t)causes.rest;
		causes.at[id].at_ps += rest_ps;
	}
	causes.rest = CHARGE_NOTHING;
	causes.count = count - first;
	for (uint32_t i = 0; i < causes.count; i++)
		causes.charges[i] = causes.charges[first + i];
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

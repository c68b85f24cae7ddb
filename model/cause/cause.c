/* Keeps causes, see cause.h: a pool with counted references, since most of what happens leads
 * nowhere. Refuses nothing: whoever says nothing is charged for nothing. */
#include "cause/cause.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/ensure.h"

enum { FIRST_CAPACITY = 1024 };

struct causes causes;
struct charge_total cause_totals[CAUSE_KINDS][CHARGE_COUNT];

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

void cause_bill_count(uint32_t kind, uint64_t charge)
{
	const struct bill *bill = &bills[charge >> BILL_PS_BITS & (CAUSE_BILLS - 1)];

	for (uint32_t i = 0; i < bill->count; i++) {
		struct charge_total *total = &cause_totals[kind][bill->charges[i] >> CAUSE_PS_BITS];

		total->count++;
		total->ps += cause_ps(bill->charges[i]);
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
	for (uint32_t i = 1; i < causes.capacity; i++)
		if (causes.at[i].at_ps >= 0 && causes.at[i].at_ps < causes.horizon_ps)
			cause_cut(i);
	for (cause_id id = causes.free; id != CAUSE_NONE; id = causes.at[id].references)
		count++;
	return count;
}

void causes_grow(void)
{
	uint32_t capacity = causes.capacity ? 2 * causes.capacity : FIRST_CAPACITY;

	if (forget() > causes.capacity / 2)
		return;
	ensure(capacity > causes.capacity, "%u causes", causes.capacity);
	causes.at = allocate_more(causes.at, capacity, sizeof *causes.at);
	if (causes.capacity == 0)
		memset(&causes.at[CAUSE_NONE], 0, sizeof *causes.at);
	for (uint32_t i = capacity; i-- > (causes.capacity ? causes.capacity : 1);) {
		causes.at[i].at_ps = -1;
		causes.at[i].references = causes.free;
		causes.free = i;
	}
	causes.capacity = capacity;
}

void cause_close(void)
{
	struct cause *cause = cause_new(causes.current, causes.open_ps);

	cause->charges[0] = causes.open;
	cause->count = 1;
	cause->rest = (uint8_t)(causes.open >> CAUSE_PS_BITS);
	causes.current = (cause_id)(cause - causes.at);
	causes.open = 0;
}

/* Puts a cause that has lost its last reference in front of those to be freed. */
static void drop(cause_id id, cause_id *dead)
{
	if (id == CAUSE_NONE || --causes.at[id].references > 0)
		return;
	causes.at[id].references = *dead;
	*dead = id;
}

void cause_free(cause_id id)
{
	cause_id dead = id;

	causes.at[id].references = CAUSE_NONE;
	while (dead != CAUSE_NONE) {
		struct cause *cause = &causes.at[dead];
		cause_id freed = dead;

		dead = cause->references;
		drop(cause->parent, &dead);
		drop(cause->other, &dead);
		cause->at_ps = -1;
		cause->references = causes.free;
		causes.free = freed;
	}
}

void cause_cut(cause_id id)
{
	struct cause *cause = &causes.at[id];
	cause_id parent = cause->parent, other = cause->other;

	cause->parent = cause->other = CAUSE_NONE;
	cause_release(parent);
	cause_release(other);
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
	causes.count = (uint8_t)(count - first);
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
	cause->joined = true;
	cause->charges[0] = (uint64_t)(uintptr_t)what;
	cause->other = other;
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
	for (struct cause *cause = &causes.at[id]; cause->operation < operation && !cause->marked;
		cause = &causes.at[cause->parent]) {
		cause->operation = operation;
		if (cause->joined || cause->parent == CAUSE_NONE)
			break;
	}
	causes.at[id].operation =
		operation > causes.at[id].operation ? operation : causes.at[id].operation;
	causes.at[id].marked = true;
}

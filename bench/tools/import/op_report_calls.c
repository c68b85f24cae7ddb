/* Joins the operations of several devices into calls (op_report_private.h). */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "op_report_private.h"

static int compare_times(const void *a, const void *b)
{
	const uint64_t *left = a, *right = b;

	return (*left > *right) - (*left < *right);
}

/* The operations of each device, in the order of the report. */
struct orders {
	const struct op_report *report;
	uint32_t *
		first; /* [device] place of the first operation in `entries`; one more at the end */
	uint32_t *entries;
	uint64_t *times; /* [device] */
};

static struct orders orders_make(const struct op_report *report, struct arena *arena)
{
	uint32_t devices = report->device_count;
	struct orders orders = {report, arena_array(arena, devices + 2u, sizeof *orders.first),
		arena_array(arena, report->count + 1u, sizeof *orders.entries),
		arena_array(arena, devices + 1u, sizeof *orders.times)};

	memset(orders.first, 0, (devices + 2u) * sizeof *orders.first);
	for (uint32_t i = 0; i < report->count; i++)
		orders.first[report->entries[i].device + 2]++;
	for (uint32_t d = 2; d <= devices; d++)
		orders.first[d] += orders.first[d - 1];
	for (uint32_t i = 0; i < report->count; i++)
		orders.entries[orders.first[report->entries[i].device + 1]++] = i;
	return orders;
}

static const struct op_entry *entry_at(const struct orders *orders, uint32_t device, uint32_t place)
{
	uint32_t at = orders->first[device] + place;

	return at < orders->first[device + 1] ? &orders->report->entries[orders->entries[at]]
					      : NULL;
}

static bool are_same(
	const struct op_report *report, const struct op_entry *a, const struct op_entry *b)
{
	return strcmp(report->programs[a->program].code, report->programs[b->program].code) == 0 &&
	       a->trace == b->trace;
}

/* True if every device runs the same operation at this place of its order. */
static bool is_whole(const struct orders *orders, uint32_t place)
{
	const struct op_entry *first = entry_at(orders, 0, place);

	for (uint32_t d = 0; d < orders->report->device_count; d++) {
		const struct op_entry *entry = entry_at(orders, d, place);

		if (!first || !entry || !are_same(orders->report, first, entry))
			return false;
	}
	return true;
}

/* Devices may run the same operation on other cores, as those at the ends of a line do. */
static bool are_alike(const struct orders *orders, uint32_t place)
{
	const struct op_program *programs = orders->report->programs;
	uint32_t cores = programs[entry_at(orders, 0, place)->program].cores;

	for (uint32_t d = 1; d < orders->report->device_count; d++)
		if (programs[entry_at(orders, d, place)->program].cores != cores)
			return false;
	return true;
}

static void add_whole(
	const struct orders *orders, uint32_t place, struct op_calls *calls, struct arena *arena)
{
	const struct op_report *report = orders->report;
	struct op_call *call = &calls->at[calls->count++];
	uint32_t devices = report->device_count;
	bool alike = are_alike(orders, place);

	*call = (struct op_call){
		.entry = entry_at(orders, 0, place), .host_start_ns = OP_ABSENT, .whole = true};
	call->identity = report->programs[call->entry->program].hash;
	if (!alike)
		call->each = arena_array(arena, devices, sizeof *call->each);
	for (uint32_t d = 0; d < devices; d++) {
		const struct op_entry *entry = entry_at(orders, d, place);

		orders->times[d] = entry->kernel_ns;
		if (entry->host_start_ns < call->host_start_ns)
			call->host_start_ns = entry->host_start_ns;
		if (alike)
			continue;
		call->each[d] = entry;
		call->identity = hash_mix(call->identity + report->programs[entry->program].hash);
	}
	qsort(orders->times, devices, sizeof *orders->times, compare_times);
	call->kernel_ns = orders->times[devices / 2];
}

static void add_apart(const struct orders *orders, uint32_t place, struct op_calls *calls)
{
	for (uint32_t d = 0; d < orders->report->device_count; d++) {
		const struct op_entry *entry = entry_at(orders, d, place);

		if (!entry)
			continue;
		calls->at[calls->count++] = (struct op_call){.entry = entry,
			.kernel_ns = entry->kernel_ns,
			.host_start_ns = entry->host_start_ns,
			.identity =
				hash_mix(orders->report->programs[entry->program].hash + d + 1)};
		calls->apart++;
	}
}

uint32_t *op_report_calls(const struct op_report *report, struct arena *arena, uint32_t *count)
{
	uint32_t *calls = arena_array(arena, report->count + 1u, sizeof *calls), most = 0;
	struct orders orders = orders_make(report, arena);

	*count = 0;
	for (uint32_t d = 0; d < report->device_count; d++)
		if (orders.first[d + 1] - orders.first[d] > most)
			most = orders.first[d + 1] - orders.first[d];
	for (uint32_t place = 0; place < most; place++) {
		bool whole = is_whole(&orders, place);

		for (uint32_t d = 0; d < report->device_count; d++)
			if (entry_at(&orders, d, place)) {
				calls[orders.entries[orders.first[d] + place]] = *count;
				*count += !whole;
			}
		*count += whole;
	}
	return calls;
}

struct op_calls op_calls_make(const struct op_report *report, struct arena *arena)
{
	struct op_calls calls = {.at = arena_array(arena, report->count + 1u, sizeof *calls.at)};
	struct orders orders = orders_make(report, arena);
	uint32_t most = 0;

	for (uint32_t d = 0; d < report->device_count; d++)
		if (orders.first[d + 1] - orders.first[d] > most)
			most = orders.first[d + 1] - orders.first[d];
	for (uint32_t place = 0; place < most; place++)
		if (is_whole(&orders, place))
			add_whole(&orders, place, &calls, arena);
		else
			add_apart(&orders, place, &calls);
	return calls;
}

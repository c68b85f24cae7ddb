/* Defines two pointers that main sets: the world of this process and its device implementation.
 * Also has the names of work kinds and mark points. */
#include "world/world.h"

#include "base/ensure.h"
#include "world/device.h"

const struct world_ops *world;
const struct device_ops *device_row;

static const char *const work_names[WORK_KIND_COUNT] = {
#define X(name, unit) [WORK_##name] = #name,
#include "world/work.def"
#undef X
};

static const char *const work_units[WORK_KIND_COUNT] = {
#define X(name, unit) [WORK_##name] = unit,
#include "world/work.def"
#undef X
};

static const char *const mark_names[MARK_POINT_COUNT] = {
#define X(name, what, stage, wait) [MARK_##name] = #name,
#include "lists/mark.def"
#undef X
};

const char *work_kind_name(enum work_kind kind)
{
	ensure((unsigned)kind < WORK_KIND_COUNT, "work kind %u of %u", (unsigned)kind,
		WORK_KIND_COUNT);
	return work_names[kind];
}

const char *work_kind_unit(enum work_kind kind)
{
	ensure((unsigned)kind < WORK_KIND_COUNT, "work kind %u of %u", (unsigned)kind,
		WORK_KIND_COUNT);
	return work_units[kind];
}

const char *mark_point_name(enum mark_point point)
{
	ensure((unsigned)point < MARK_POINT_COUNT, "mark point %u of %u", (unsigned)point,
		MARK_POINT_COUNT);
	return mark_names[point];
}

void work_coded_add(struct work_coded *sum, const struct work_coded *coded)
{
	sum->commands += coded->commands;
	sum->words += coded->words;
	sum->bytes += coded->bytes;
}

void work_counts_add(struct work_counts *sum, const struct work_counts *counts)
{
	for (int i = 0; i < WORK_KIND_COUNT; i++)
		sum->units[i] += counts->units[i];
	for (int from = 0; from < MEMORY_KIND_COUNT; from++) {
		for (int to = 0; to < MEMORY_KIND_COUNT; to++)
			sum->copied_bytes[from][to] += counts->copied_bytes[from][to];
	}
	for (int codec = 0; codec < WORK_CODECS; codec++)
		for (int reads = 0; reads < 2; reads++)
			work_coded_add(&sum->coded[codec][reads], &counts->coded[codec][reads]);
}

/* Opens a result file and sorts the columns of its summary, see summary.h. */
#include "analysis/read/summary.h"

#include <stdio.h>
#include <string.h>

const char *const summary_percentile_names[SUMMARY_PERCENTILES] = {
	"p50", "p90", "p99", "p99.9", "max"};
static const char *const percentile_columns[SUMMARY_PERCENTILES] = {
	"p50", "p90", "p99", "p99_9", "max"};

static bool summary_ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), tail = strlen(end);

	return length > tail && strcmp(text + length - tail, end) == 0;
}

/* Adds the metric of a column "KIND.METRIC.p50"; its other percentiles are found by name. */
static void add_metric(
	struct summary *summary, struct summary_kind *kind, const struct dataset_column *column)
{
	size_t prefix = strlen(kind->name) + 1;
	size_t length = strlen(column->name) - prefix - strlen(".p50");
	struct arena *arena = result_arena(summary->result);
	struct summary_metric *metric;

	if (kind->metric_count == SUMMARY_METRICS_MAX ||
		/* the column belongs to another kind, whose name is longer */
		memchr(column->name + prefix, '.', length))
		return;
	metric = &kind->metrics[kind->metric_count++];
	metric->name = arena_copy(arena, column->name + prefix, length);
	for (int i = 0; i < SUMMARY_PERCENTILES; i++)
		metric->percentiles[i] = dataset_column(
			&summary->dataset, arena_printf(arena, "%s.%s.%s", kind->name, metric->name,
						   percentile_columns[i]));
}

static void summary_add_kind(struct summary *summary, const struct dataset_column *column)
{
	struct arena *arena = result_arena(summary->result);
	size_t length = strlen(column->name) - strlen(".count");
	struct summary_kind *kind;

	if (summary->kind_count == SUMMARY_KINDS_MAX)
		return;
	kind = &summary->kinds[summary->kind_count++];
	kind->name = arena_copy(arena, column->name, length);
	kind->count = column;
	kind->throughput =
		dataset_column(&summary->dataset, arena_printf(arena, "%s.throughput", kind->name));
	kind->bandwidth =
		dataset_column(&summary->dataset, arena_printf(arena, "%s.bandwidth", kind->name));
	for (uint32_t i = 0; i < summary->dataset.column_count; i++) {
		const char *name = summary->dataset.columns[i].name;
		if (strncmp(name, kind->name, length) == 0 && name[length] == '.' &&
			summary_ends_with(name, ".p50"))
			add_metric(summary, kind, &summary->dataset.columns[i]);
	}
}

/* Finds the steps of a kind. */
static void find_steps(struct summary *summary, struct summary_kind *kind)
{
	size_t length = strlen(kind->name);

	for (uint32_t i = 0; i < summary->kind_count; i++) {
		struct summary_kind *step = &summary->kinds[i];

		if (strncmp(step->name, kind->name, length) != 0 || step->name[length] != '/')
			continue;
		step->whole = kind;
		kind->step_count++;
	}
}

/* Sorts the columns into groups by their order in the file: run, status and seed; the swept keys;
 * the totals, from the column `simulated` on; the kinds, from the first column ".count" on. */
static bool sort_columns(struct summary *summary, struct text *why)
{
	struct dataset *dataset = &summary->dataset;
	const struct dataset_column *simulated = dataset_column(dataset, "simulated");

	summary->run = dataset_column(dataset, "run");
	summary->status = dataset_column(dataset, "status");
	summary->seed = dataset_column(dataset, "seed");
	if (!summary->run || !summary->status || !summary->seed || !simulated ||
		simulated < summary->seed) {
		text_append(why, "damaged: its summary lacks columns");
		return false;
	}
	summary->swept_first = (uint32_t)(summary->seed - dataset->columns) + 1;
	summary->total_first = (uint32_t)(simulated - dataset->columns);
	summary->swept_count = summary->total_first - summary->swept_first;
	for (uint32_t i = 0; i < summary->swept_count; i++)
		dataset_mark_missing(dataset, &dataset->columns[summary->swept_first + i], "-",
			result_arena(summary->result));
	for (uint32_t i = summary->total_first; i < dataset->column_count; i++) {
		if (summary_ends_with(dataset->columns[i].name, ".count"))
			summary_add_kind(summary, &dataset->columns[i]);
		else if (summary->kind_count == 0)
			summary->total_count++;
	}
	for (uint32_t i = 0; i < summary->kind_count; i++)
		find_steps(summary, &summary->kinds[i]);
	return true;
}

/* Checks all attributes of the file. This is done when the file is opened, because some functions
 * that read attributes later cannot report that the file is damaged. */
static bool check_attributes(struct summary *summary, struct text *why)
{
	bool good = result_attributes(summary->result, "/", why) &&
		    result_attributes(summary->result, "/host", why);

	for (uint64_t row = 0; good && row < summary->dataset.row_count; row++)
		good = result_attributes(summary->result, summary_group(summary, row), why);
	return good;
}

bool summary_open(struct summary *summary, const char *path, struct text *why)
{
	memset(summary, 0, sizeof(*summary));
	summary->result = result_open(path, why);
	if (!summary->result)
		return false;
	if (result_table(summary->result, "/summary", &summary->dataset, why) != STATUS_OK ||
		!sort_columns(summary, why) || !check_attributes(summary, why)) {
		summary_close(summary);
		return false;
	}
	summary->all_ok = true;
	for (uint64_t row = 0; row < summary->dataset.row_count; row++)
		summary->all_ok &= summary_is_ok(summary, row);
	return true;
}

bool summary_is_ok(const struct summary *summary, uint64_t row)
{
	return strcmp(dataset_text(&summary->dataset, summary->status, row), "ok") == 0;
}

void summary_say_end(struct summary *summary, uint64_t row)
{
	const char *message = result_lines(summary->result, summary_group(summary, row), "message");

	if (summary_is_ok(summary, row))
		return;
	fprintf(stderr,
		"meshsim: run %lld ended as '%s'%s%.*s; this is what it recorded until then\n",
		(long long)dataset_integer(&summary->dataset, summary->run, row),
		dataset_text(&summary->dataset, summary->status, row), message[0] ? ": " : "",
		(int)strcspn(message, "\n"), message);
}

bool summary_is_native(const struct summary *summary)
{
	return strcmp(result_text(summary->result, "/", "world"), "native") == 0;
}

bool summary_whole(const struct summary *summary, struct text *why)
{
	const char *damage = result_damage(summary->result);

	if (damage)
		text_append(why, damage);
	return damage == NULL;
}

void summary_close(struct summary *summary)
{
	result_close(summary->result);
	summary->result = NULL;
	arena_fini(&summary->kept_arena);
	summary->kept = NULL;
}

const char *summary_group(struct summary *summary, uint64_t row)
{
	return arena_printf(result_arena(summary->result), "/runs/%06lld",
		(long long)dataset_integer(&summary->dataset, summary->run, row));
}

bool name_has_part(const char *name, const char *part)
{
	size_t length = strlen(part);

	for (const char *at = strstr(name, part); at && length; at = strstr(at + 1, part))
		if ((at == name || at[-1] == '.') && (at[length] == '\0' || at[length] == '.'))
			return true;
	return false;
}

/* The last `parts` components of a dotted name. */
static const char *tail_of(const char *name, unsigned parts)
{
	const char *tail = name + strlen(name);

	while (tail > name && (tail[-1] != '.' || --parts > 0))
		tail--;
	return tail;
}

/* True if the name of a column other than swept key `index` also ends in `tail`. */
static bool is_shared(const struct summary *summary, uint32_t index, const char *tail)
{
	const struct dataset_column *columns = summary->dataset.columns;
	size_t length = strlen(tail);

	for (uint32_t i = 0; i < summary->total_count; i++)
		if (strcmp(columns[summary->total_first + i].name, tail) == 0)
			return true;
	for (uint32_t i = 0; i < summary->swept_count; i++) {
		const char *other = columns[summary->swept_first + i].name;
		size_t size = strlen(other);

		if (i != index && size >= length && strcmp(other + size - length, tail) == 0 &&
			(size == length || other[size - length - 1] == '.'))
			return true;
	}
	return false;
}

const char *summary_short_name(const struct summary *summary, uint32_t index)
{
	const char *name = summary->dataset.columns[summary->swept_first + index].name;
	const char *tail;
	unsigned parts = 1;

	do
		tail = tail_of(name, parts++);
	while (tail > name && is_shared(summary, index, tail));
	return tail;
}

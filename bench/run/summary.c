/* Builds /summary (run_world.h): collects the columns first, then fills the rows. */
#include "bench/run/part_folder.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ensure.h"
#include "base/text.h"
#include "bench/results/metrics.h"
#include "bench/results/table.h"
#include "run_world.h"

enum { KINDS_MAX = 96, STATUS_BYTES = 16 };

struct builder {
	struct table_builder table;
	const char *kinds[KINDS_MAX];
	uint32_t kind_count;
};

static void add(struct builder *builder, const char *name, const char *unit, enum column_type type,
	uint32_t bytes)
{
	table_builder_add(&builder->table, name, unit, type, bytes);
}

struct percentile_column {
	const char *name;
	size_t offset;
};

static const struct percentile_column percentile_columns[] = {
	{"p50", offsetof(struct metric_row, p50)},
	{"p90", offsetof(struct metric_row, p90)},
	{"p99", offsetof(struct metric_row, p99)},
	{"p99_9", offsetof(struct metric_row, p99_9)},
	{"max", offsetof(struct metric_row, max)},
};

enum { PERCENTILES = sizeof percentile_columns / sizeof *percentile_columns };

/* Adds a kind of operations. Returns false if there are already `most` kinds. */
static bool add_kind(struct builder *builder, const char *kind, uint32_t most)
{
	for (uint32_t i = 0; i < builder->kind_count; i++)
		if (strcmp(builder->kinds[i], kind) == 0)
			return true;
	if (builder->kind_count == most)
		return false;
	builder->kinds[builder->kind_count++] = kind;
	return true;
}

enum which_kinds { KINDS_ALL, KINDS_WHOLE, KINDS_PARTS };

static bool add_these(struct builder *builder, const struct part_summary *parts, uint32_t runs,
	enum which_kinds which, uint32_t most)
{
	bool all = true;

	for (uint32_t run = 0; run < runs; run++)
		for (uint32_t i = 0; i < parts[run].kind_count; i++) {
			const char *kind = parts[run].kinds[i].kind;
			enum which_kinds is = strchr(kind, '/') ? KINDS_PARTS : KINDS_WHOLE;

			if (which == KINDS_ALL || which == is)
				all &= add_kind(builder, kind, most);
		}
	return all;
}

/* True for a swept seed, because the seed already has a column. */
static bool is_seed(const struct scenario_file *file, uint32_t column)
{
	return strcmp(scenario_swept_name(file, column), "seed") == 0;
}

/* True for the value of a run that does not have the key. */
static bool is_missing(const char *value)
{
	return strcmp(value, "-") == 0;
}

enum { INTEGER_BYTES_MAX = 18 }; /* an int64_t holds any number of this length */

/* Adds a column for a swept key. Its type depends on the values that the key has in all runs:
 * 64-bit integers, doubles (NaN for runs without the key), or texts. */
static void add_swept(struct builder *builder, const struct scenario_file *file, uint32_t column)
{
	bool integers = true, reals = true;
	size_t longest = 1;

	for (uint32_t run = 0; run < scenario_run_count(file); run++) {
		const char *value = scenario_swept_value(file, column, run, builder->table.arena);
		double real;

		if (is_missing(value)) {
			integers = false;
			continue;
		}
		integers = integers && number_is_integer(value) && !strchr(value, 'x') &&
			   strlen(value) <= INTEGER_BYTES_MAX;
		reals = reals && number_read_real(value, &real);
		longest = strlen(value) > longest ? strlen(value) : longest;
	}
	add(builder, scenario_swept_name(file, column), integers || reals ? "1" : "text",
		integers ? COLUMN_I64
		: reals	 ? COLUMN_F64
			 : COLUMN_TEXT,
		integers || reals ? 8 : (uint32_t)(longest + 8) & ~7u);
}

static void put_swept(const struct builder *builder, const struct scenario_file *file,
	uint32_t column, uint32_t run, const struct column *to, char *row)
{
	const char *value = scenario_swept_value(file, column, run, builder->table.arena);
	int64_t integer;
	double real;

	switch (to->type) {
	case COLUMN_I64:
		integer = strtoll(value, NULL, 10);
		memcpy(row + to->offset, &integer, sizeof integer);
		break;
	case COLUMN_F64:
		real = is_missing(value) ? NAN : strtod(value, NULL);
		memcpy(row + to->offset, &real, sizeof real);
		break;
	default:
		if (!is_missing(value))
			memcpy(row + to->offset, value, strlen(value));
	}
}

static void add_kind_columns(struct builder *builder)
{
	char name[SUBJECT_BYTES + 32];

	for (uint32_t k = 0; k < builder->kind_count; k++) {
		snprintf(name, sizeof name, "%s.count", builder->kinds[k]);
		add(builder, name, "1", COLUMN_U64, 8);
		snprintf(name, sizeof name, "%s.throughput", builder->kinds[k]);
		add(builder, name, "1/s", COLUMN_F64, 8);
		snprintf(name, sizeof name, "%s.bandwidth", builder->kinds[k]);
		add(builder, name, "B/s", COLUMN_F64, 8);
		for (int m = 0; m < METRIC_COUNT; m++) {
			for (uint32_t p = 0; p < PERCENTILES; p++) {
				snprintf(name, sizeof name, "%s.%s.%s", builder->kinds[k],
					metric_names[m], percentile_columns[p].name);
				add(builder, name, "ps", COLUMN_TIME, 8);
			}
		}
	}
}

/* Adds columns for groups of operations. Each kind of operation, each program and each step is a
 * group. If the file cannot hold the columns of all groups, kinds come first, and then as many
 * programs and steps as possible. The tables of single runs contain all groups. */
static void add_kinds(struct builder *builder, const struct part_summary *parts, uint32_t runs)
{
	const uint32_t each = 3 + METRIC_COUNT * PERCENTILES;
	const struct table_builder before = builder->table;
	uint32_t most = (TABLE_COLUMNS_MAX - before.count) / each, fitting;
	bool all;

	most = most < KINDS_MAX ? most : KINDS_MAX;
	all = add_these(builder, parts, runs, KINDS_ALL, most);
	for (;;) {
		struct table table;

		if (!all) {
			builder->kind_count = 0;
			add_these(builder, parts, runs, KINDS_WHOLE, most);
			add_these(builder, parts, runs, KINDS_PARTS, most);
		}
		add_kind_columns(builder);
		table = table_builder_table(&builder->table, "summary");
		fitting = table_fits(&table);
		if (fitting == table.column_count || builder->kind_count == 0)
			return;
		most = fitting > before.count ? (fitting - before.count) / each : 0;
		all = false;
		builder->table = before;
	}
}

static const struct metric_row *find_metric(
	const struct part_summary *part, const char *kind, const char *metric)
{
	for (uint32_t i = 0; i < part->metric_count; i++)
		if (strcmp(part->metrics[i].kind, kind) == 0 &&
			strcmp(part->metrics[i].metric, metric) == 0)
			return &part->metrics[i];
	return NULL;
}

/* Fills the columns of all kinds, starting with `column`. Returns the column after them. */
static const struct column *put_kinds(const struct builder *builder,
	const struct part_summary *part, const struct column *column, char *row)
{
	for (uint32_t k = 0; k < builder->kind_count; k++) {
		for (uint32_t i = 0; i < part->kind_count; i++) {
			if (strcmp(part->kinds[i].kind, builder->kinds[k]) != 0)
				continue;
			memcpy(row + column[0].offset, &part->kinds[i].operations, 8);
			memcpy(row + column[1].offset, &part->kinds[i].throughput, 8);
			memcpy(row + column[2].offset, &part->kinds[i].bandwidth, 8);
		}
		column += 3;
		for (int m = 0; m < METRIC_COUNT; m++) {
			const struct metric_row *metric =
				find_metric(part, builder->kinds[k], metric_names[m]);

			for (uint32_t p = 0; p < PERCENTILES; p++, column++) {
				int64_t value = -1;

				if (metric)
					memcpy(&value,
						(const char *)metric + percentile_columns[p].offset,
						sizeof value);
				memcpy(row + column->offset, &value, sizeof value);
			}
		}
	}
	return column;
}

struct total_column {
	const char *name, *unit;
	size_t offset;
};

static const struct total_column total_columns[] = {
#define X(member, name, unit, what) {name, unit, offsetof(struct run_totals, member)},
#include "bench/results/total.def"
#undef X
};

enum { TOTALS = sizeof total_columns / sizeof *total_columns };

static void summary_fill_row(const struct builder *builder, const struct scenario_file *file,
	const struct part_summary *part, uint32_t run, char *row)
{
	const struct column *column = builder->table.columns;

	memcpy(row + (column++)->offset, &run, sizeof run);
	memcpy(row + (column++)->offset, part->status, STATUS_BYTES);
	memcpy(row + (column++)->offset, &scenario_run(file, run)->seed, 8);
	for (uint32_t i = 0; i < scenario_swept_count(file); i++)
		if (!is_seed(file, i))
			put_swept(builder, file, i, run, column++, row);
	for (int i = 0; i < TOTALS; i++)
		memcpy(row + (column++)->offset,
			(const char *)&part->totals + total_columns[i].offset, 8);
	put_kinds(builder, part, column, row);
}

struct table summary_build(const struct scenario_file *file, const struct part_summary *parts,
	struct arena *arena, uint32_t *shared_columns)
{
	struct builder builder = {0};
	uint32_t runs = scenario_run_count(file);
	struct table table;
	char *rows;

	table_builder_init(&builder.table, arena);
	add(&builder, "run", "1", COLUMN_U32, 4);
	add(&builder, "status", "text", COLUMN_TEXT, STATUS_BYTES);
	add(&builder, "seed", "1", COLUMN_U64, 8);
	for (uint32_t i = 0; i < scenario_swept_count(file); i++)
		if (!is_seed(file, i))
			add_swept(&builder, file, i);
	*shared_columns = builder.table.count;
	for (int i = 0; i < TOTALS; i++)
		add(&builder, total_columns[i].name, total_columns[i].unit, COLUMN_U64, 8);
	add_kinds(&builder, parts, runs);
	table = table_builder_table(&builder.table, "summary");
	rows = arena_array(arena, runs, table.row_bytes);
	for (uint32_t run = 0; run < runs; run++)
		summary_fill_row(
			&builder, file, &parts[run], run, rows + (size_t)run * table.row_bytes);
	table.rows = rows;
	table.row_count = runs;
	return table;
}

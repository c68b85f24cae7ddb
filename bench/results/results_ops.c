/* Writes the table /ops of a result file, with the operations of all runs. Each row has the columns
 * that identify its run in /summary, the names of step and program, and the operation's metrics
 * (metrics.h). */
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "bench/results/metrics.h"
#include "bench/results/hdf5_write.h"
#include "bench/results/table.h"
#include "results_file.h"

enum {
	CHUNK_BYTES = 1 << 17, /* size of a chunk of /ops; it is small, so that a reader of one run
				* must decompress only few rows of other runs */
	BLOCK_ROWS = 512
};

/* The plan for building rows of /ops. */
struct ops_table {
	struct table table;
	struct table source;	      /* rows of struct op_row */
	const struct column **copies; /* `copies[i]`: column of /ops to which column i of `source`
				       * is copied */
	uint32_t shared_bytes;	      /* size of the columns that come from the summary */
	const struct column *step, *program, *name;
	const struct column *metrics[METRIC_COUNT];
};

bool results_survey_ops(struct h5_file *part, struct arena *arena, struct run_ops *ops)
{
	uint32_t programs = 0, names = 0;

	if (!h5_has(part, "/ops"))
		return true;
	ops->recorded = true;
	return part_row_count(part, "/ops", &ops->count) &&
	       h5_texts(part, "/" RESULTS_STEPS, arena, &ops->steps, &ops->step_count) ==
		       STATUS_OK &&
	       h5_texts(part, "/" RESULTS_PROGRAMS, arena, &ops->programs, &programs) ==
		       STATUS_OK &&
	       h5_texts(part, "/" RESULTS_NAMES, arena, &ops->names, &names) == STATUS_OK &&
	       programs == ops->step_count && names == ops->step_count;
}

/* Returns the size of a column that can hold each of these texts. */
static uint32_t text_bytes(const char *const *texts, uint32_t count, uint32_t bytes)
{
	for (uint32_t i = 0; i < count; i++)
		while (strlen(texts[i]) >= bytes)
			bytes += 8;
	return bytes;
}

static void add_shared(
	const struct merge_head *head, struct table_builder *builder, struct ops_table *ops)
{
	for (uint32_t i = 0; i < head->shared_columns; i++) {
		const struct column *column = &head->summary.columns[i];

		builder->columns[builder->count++] = *column;
		if (column->offset + column->bytes > ops->shared_bytes)
			ops->shared_bytes = column->offset + column->bytes;
	}
	builder->row_bytes = (ops->shared_bytes + 7) & ~7u;
}

static void add_metrics(struct table_builder *builder, struct ops_table *ops)
{
	for (int m = 0; m < METRIC_COUNT; m++)
		ops->metrics[m] = table_builder_add(builder, metric_names[m], "ps", COLUMN_TIME, 8);
}

/* Returns at least the width of op_row.program if the run has steps that run model binaries. */
static uint32_t models_bytes(const struct run_ops *run, uint32_t bytes)
{
	const uint32_t most = sizeof((struct op_row *)NULL)->program;

	for (uint32_t i = 0; i < run->step_count; i++)
		if (strstr(run->steps[i], "run_model"))
			return bytes > most ? bytes : most;
	return bytes;
}

/* Columns in order: run, swept keys, call, metrics, marks. */
static void plan_columns(const struct merge_head *head, const struct run_ops *runs,
	uint32_t run_count, struct arena *arena, struct ops_table *ops)
{
	struct table_builder builder;
	uint32_t step_bytes = 8, program_bytes = 8, name_bytes = 8;

	for (uint32_t run = 0; run < run_count; run++) {
		program_bytes = models_bytes(&runs[run], program_bytes);
		step_bytes = text_bytes(runs[run].steps, runs[run].step_count, step_bytes);
		program_bytes = text_bytes(runs[run].programs, runs[run].step_count, program_bytes);
		name_bytes = text_bytes(runs[run].names, runs[run].step_count, name_bytes);
	}
	ops->source = results_ops();
	ops->copies = arena_array(arena, ops->source.column_count, sizeof(*ops->copies));
	table_builder_init(&builder, arena);
	add_shared(head, &builder, ops);
	for (uint32_t i = 0; i < ops->source.column_count; i++) {
		const struct column *column = &ops->source.columns[i];

		if (column->offset == offsetof(struct op_row, step_number)) {
			ops->step = table_builder_add(
				&builder, "step", "text", COLUMN_TEXT, step_bytes);
			ops->program = table_builder_add(
				&builder, "program", "text", COLUMN_TEXT, program_bytes);
			ops->name = table_builder_add(
				&builder, "name", "text", COLUMN_TEXT, name_bytes);
		} else if (column->offset == offsetof(struct op_row, build_time)) {
			add_metrics(&builder, ops);
		}
		if (column->offset != offsetof(struct op_row, program))
			ops->copies[i] = table_builder_add(
				&builder, column->name, column->unit, column->type, column->bytes);
	}
	ops->table = table_builder_table(&builder, ops->source.name);
}

static void put_text(char *row, const struct column *column, const char *text)
{
	strncpy(row + column->offset, text, column->bytes);
}

static void put_time(char *row, const struct column *column, int64_t time)
{
	memcpy(row + column->offset, &time, sizeof time);
}

static void results_ops_fill_row(const struct ops_table *ops, const struct run_ops *run,
	const char *summary, const struct op_row *op, char *row)
{
	memset(row, 0, ops->table.row_bytes);
	memcpy(row, summary, ops->shared_bytes);
	for (uint32_t i = 0; i < ops->source.column_count; i++)
		if (ops->copies[i])
			memcpy(row + ops->copies[i]->offset,
				(const char *)op + ops->source.columns[i].offset,
				ops->source.columns[i].bytes);
	if (op->step_number < run->step_count) {
		put_text(row, ops->step, run->steps[op->step_number]);
		put_text(row, ops->program, run->programs[op->step_number]);
		put_text(row, ops->name, run->names[op->step_number]);
	}
	if (op->program[0])
		put_text(row, ops->program, op->program);
}

/* Appends the rows of one run. */
static herr_t write_run(hid_t set, const struct ops_table *ops, const struct run_ops *run,
	const char *summary, const struct op_row *rows)
{
	char *block = malloc((size_t)BLOCK_ROWS * ops->table.row_bytes);
	struct operations operations;
	struct arena arena;
	herr_t bad = 0;

	ensure_memory(block, "operations");
	arena_init(&arena);
	metrics_operations(&operations, rows, run->count, NULL, &arena);
	for (uint32_t first = 0; first < run->count && bad >= 0; first += BLOCK_ROWS) {
		uint32_t count = run->count - first < BLOCK_ROWS ? run->count - first : BLOCK_ROWS;

		for (uint32_t i = 0; i < count; i++) {
			char *row = block + (size_t)i * ops->table.row_bytes;

			results_ops_fill_row(ops, run, summary, &rows[first + i], row);
			for (int m = 0; m < METRIC_COUNT; m++)
				put_time(row, ops->metrics[m],
					metric_value(&operations, first + i, (enum metric)m));
		}
		bad = hdf5_table_put(set, &ops->table, run->first + first, block, count);
	}
	arena_fini(&arena);
	free(block);
	return bad;
}

static herr_t copy_run(hid_t set, const struct ops_table *ops, const struct run_ops *run,
	const char *summary, const char *part)
{
	struct h5_file *file = part_open(part);
	void *rows = NULL;
	uint32_t count = 0;
	herr_t bad = -1;

	if (file && part_table(file, "", &ops->source, &rows, &count) && count == run->count)
		bad = write_run(set, ops, run, summary, rows);
	free(rows);
	h5_close(file);
	return bad;
}

herr_t results_write_ops(hid_t file, const struct merge_head *head, const struct merge_run *runs,
	const struct run_ops *run_ops, uint32_t run_count)
{
	const struct table *summary = &head->summary;
	struct ops_table ops = {0};
	struct arena arena;

	ensure(summary->row_count == run_count, "a summary of %u runs", run_count);
	arena_init(&arena);
	plan_columns(head, run_ops, run_count, &arena, &ops);
	for (uint32_t run = 0; run < run_count; run++)
		ops.table.row_count += run_ops[run].count;

	hid_t set = hdf5_table_create(file, &ops.table, CHUNK_BYTES);
	herr_t bad = set < 0 ? -1 : 0;

	for (uint32_t run = 0; run < run_count && bad >= 0; run++)
		if (run_ops[run].count > 0)
			bad = copy_run(set, &ops, &run_ops[run],
				(const char *)summary->rows + (size_t)run * summary->row_bytes,
				runs[run].part);
	if (set >= 0 && H5Dclose(set) < 0)
		bad = -1;
	arena_fini(&arena);
	return bad;
}

/* Reads the operations of a run (operations.h). If the file has no column for a mark, the
 * operations are read as if none of them had passed the mark. */
#include "analysis/operations/operations.h"

#include "analysis/operations/path.h"

#include <ctype.h>
#include <string.h>

static const char *const mark_names[MARK_POINT_COUNT] = {
#define X(name, what, stage, wait) [MARK_##name] = #name,
#include "lists/mark.def"
#undef X
};

/* The column of a mark, such as "called_first" or "called_last"; NULL if the file lacks it. */
static const struct dataset_column *mark_column(
	const struct dataset *dataset, int mark, const char *end, struct arena *arena)
{
	char *name = arena_printf(arena, "%s_%s", mark_names[mark], end);

	for (char *c = name; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	return dataset_column(dataset, name);
}

struct columns {
	const struct dataset_column *kind, *thread, *step, *iteration, *warmup;
	const struct dataset_column *step_name, *program, *queue, *mesh_number, *mesh, *part,
		*sub_devices, *awaits, *bytes, *arrival, *cpu_called, *cpu_returned, *cpu_complete;
	const struct dataset_column *others_called, *others_returned, *others_complete;
	const struct dataset_column *built, *told, *copied, *rung;
	const struct dataset_column *first[MARK_POINT_COUNT], *last[MARK_POINT_COUNT];
};

static void find_columns(
	const struct dataset *dataset, struct arena *arena, struct columns *columns)
{
	columns->kind = dataset_column(dataset, "kind");
	columns->thread = dataset_column(dataset, "thread");
	columns->step = dataset_column(dataset, "step_number");
	columns->iteration = dataset_column(dataset, "iteration");
	columns->warmup = dataset_column(dataset, "warmup");
	columns->step_name = dataset_column(dataset, "name");
	columns->program = dataset_column(dataset, "program");
	columns->queue = dataset_column(dataset, "queue");
	columns->mesh_number = dataset_column(dataset, "mesh_number");
	columns->mesh = dataset_column(dataset, "mesh");
	columns->part = dataset_column(dataset, "part");
	columns->sub_devices = dataset_column(dataset, "sub_devices");
	columns->awaits = dataset_column(dataset, "awaits");
	columns->bytes = dataset_column(dataset, "bytes");
	columns->arrival = dataset_column(dataset, "arrival");
	columns->cpu_called = dataset_column(dataset, "cpu_called");
	columns->cpu_returned = dataset_column(dataset, "cpu_returned");
	columns->cpu_complete = dataset_column(dataset, "cpu_complete");
	columns->others_called = dataset_column(dataset, "others_called");
	columns->others_returned = dataset_column(dataset, "others_returned");
	columns->others_complete = dataset_column(dataset, "others_complete");
	columns->built = dataset_column(dataset, "build_time");
	columns->told = dataset_column(dataset, "expect_time");
	columns->copied = dataset_column(dataset, "copy_time");
	columns->rung = dataset_column(dataset, "doorbell_time");
	for (int i = 0; i < MARK_POINT_COUNT; i++) {
		columns->first[i] = mark_column(dataset, i, "first", arena);
		columns->last[i] = mark_column(dataset, i, "last", arena);
	}
}

static int64_t time_of(
	const struct dataset *dataset, const struct dataset_column *column, uint32_t row)
{
	return column ? dataset_integer(dataset, column, row) : -1;
}

/* Texts that were read recently. Most texts of operations repeat, so one copy of each is kept. */
struct words {
	const char *at[64];
	uint32_t next; /* index of the entry that the next new text replaces */
	struct arena *arena;
};

/* Returns a copy of `text` in the arena. If the same text was copied recently, returns the earlier
 * copy. */
static const char *word(struct words *words, const char *text)
{
	enum { MOST = sizeof(words->at) / sizeof(words->at[0]) };

	for (uint32_t i = 0; i < MOST && words->at[i]; i++)
		if (strcmp(words->at[i], text) == 0)
			return words->at[i];
	words->at[words->next] = arena_string(words->arena, text);
	text = words->at[words->next];
	words->next = (words->next + 1) % MOST;
	return text;
}

static void read_operation(const struct dataset *dataset, const struct columns *columns,
	uint32_t row, struct words *words, struct op_mark *marks, struct operation *out)
{
	out->kind = word(words, dataset_text(dataset, columns->kind, row));
	out->thread = word(words, dataset_text(dataset, columns->thread, row));
	out->mesh = word(words, dataset_text(dataset, columns->mesh, row));
	out->step = (uint32_t)dataset_integer(dataset, columns->step, row);
	out->iteration = (uint32_t)dataset_integer(dataset, columns->iteration, row);
	out->warmup = dataset_integer(dataset, columns->warmup, row) != 0;
	out->step_name = word(words, dataset_text(dataset, columns->step_name, row));
	out->program = word(words, dataset_text(dataset, columns->program, row));
	out->queue = (uint32_t)dataset_integer(dataset, columns->queue, row);
	out->mesh_number = (uint32_t)dataset_integer(dataset, columns->mesh_number, row);
	out->part = dataset_integer(dataset, columns->part, row) != 0;
	out->sub_devices = (uint8_t)dataset_integer(dataset, columns->sub_devices, row);
	if (columns->awaits)
		out->awaits = (uint32_t)dataset_integer(dataset, columns->awaits, row);
	out->arrival = time_of(dataset, columns->arrival, row);
	out->cpu_called = time_of(dataset, columns->cpu_called, row);
	out->cpu_returned = time_of(dataset, columns->cpu_returned, row);
	out->cpu_complete = time_of(dataset, columns->cpu_complete, row);
	out->others_called = time_of(dataset, columns->others_called, row);
	out->others_returned = time_of(dataset, columns->others_returned, row);
	out->others_complete = time_of(dataset, columns->others_complete, row);
	out->bytes = (uint64_t)dataset_integer(dataset, columns->bytes, row);
	out->built = time_of(dataset, columns->built, row);
	out->told = time_of(dataset, columns->told, row);
	out->copied = time_of(dataset, columns->copied, row);
	out->rung = time_of(dataset, columns->rung, row);
	for (int i = 0; i < MARK_POINT_COUNT; i++) {
		marks[i].first = time_of(dataset, columns->first[i], row);
		marks[i].last = time_of(dataset, columns->last[i], row);
		marks[i].count = marks[i].last >= 0; /* 0 or 1, since the file has no count */
	}
	out->marks = marks;
}

bool operations_recorded(struct summary *summary, const char *group)
{
	return result_has_number(summary->result, group, "ops_first") &&
	       result_has_number(summary->result, group, "ops_count");
}

/* Reads `count` rows of the operations of a run, from row `from` on. */
static bool rows_of(struct summary *summary, const char *group, uint64_t from, uint64_t count,
	struct arena *arena, struct dataset *rows, struct text *why)
{
	uint64_t first = result_number(summary->result, group, "ops_first");
	enum status status = STATUS_NOT_FOUND;

	if (operations_recorded(summary, group))
		status = result_rows_in(
			summary->result, "/ops", first + from, count, arena, rows, why);
	if (status == STATUS_NOT_FOUND)
		text_printf(why, "'%s' has no operations", group);
	return status == STATUS_OK;
}

bool operations_rows(struct summary *summary, const char *group, struct arena *arena,
	struct dataset *rows, struct text *why)
{
	return rows_of(summary, group, 0, result_number(summary->result, group, "ops_count"), arena,
		rows, why);
}

/* State while the table `paths` of a run is read. */
struct pieces {
	struct operations *operations;
	struct path_piece *at;
	const uint32_t *stages; /* [number of the stage in the file]: enum stage */
	uint64_t stage_count;
	uint32_t operation; /* index of the next operation whose first piece is unknown */
};

/* Adds the pieces in `rows`, which are sorted by operation. A file has its own numbers for the
 * stages, so the numbers are translated to enum stage. */
static void take_pieces(struct pieces *pieces, const struct dataset *rows, uint64_t first)
{
	const struct dataset_column *operation = dataset_column(rows, "operation"),
				    *metric = dataset_column(rows, "metric"),
				    *stage = dataset_column(rows, "stage"),
				    *time = dataset_column(rows, "time");
	struct operations *operations = pieces->operations;

	for (uint64_t i = 0; i < rows->row_count; i++) {
		uint64_t number = (uint64_t)dataset_integer(rows, stage, i);
		/* number of the operation, counted from 1 */
		int64_t of = dataset_integer(rows, operation, i);

		while (pieces->operation < operations->count && (int64_t)pieces->operation < of)
			operations->first_piece[pieces->operation++] = (uint32_t)(first + i);
		pieces->at[first + i] =
			(struct path_piece){(uint8_t)dataset_integer(rows, metric, i),
				(uint8_t)(number < pieces->stage_count ? pieces->stages[number]
								       : STAGE_OTHER),
				dataset_integer(rows, time, i)};
	}
}

/* Reads the table of paths, a few thousand rows at a time. To read the whole table at once would
 * take three times as much memory as the pieces that are made from it. */
static bool operations_read_rows(struct result *result, const char *path, uint64_t count,
	struct pieces *pieces, struct text *why)
{
	enum { ROWS_AT_ONCE = 4096 };
	enum status status = STATUS_OK;

	for (uint64_t first = 0; first < count && status == STATUS_OK; first += ROWS_AT_ONCE) {
		uint64_t left = count - first;
		struct arena scratch = {0};
		struct dataset rows;

		status = result_rows_in(result, path, first,
			left < ROWS_AT_ONCE ? left : ROWS_AT_ONCE, &scratch, &rows, why);
		if (status == STATUS_OK)
			take_pieces(pieces, &rows, first);
		arena_fini(&scratch);
	}
	return status == STATUS_OK;
}

static bool read_pieces(struct summary *summary, const char *group, struct arena *arena,
	struct operations *operations, struct text *why)
{
	enum { PIECES_MAX = 1 << 28 };
	struct result *result = summary->result;
	const char *path = arena_printf(arena, "%s/paths", group);
	struct pieces pieces = {.operations = operations};
	struct dataset labels;
	uint32_t *stages;
	uint64_t count;
	enum status status = result_count_in(result, path, &count, why);

	if (status == STATUS_NOT_FOUND)
		return true;
	if (status != STATUS_OK || result_table_in(result, arena_printf(arena, "%s/stages", group),
					   arena, &labels, why) != STATUS_OK)
		return false;
	if (count > PIECES_MAX) {
		text_printf(why, "'%s' has more than %d rows", path, PIECES_MAX);
		return false;
	}
	stages = arena_array(arena, labels.row_count + 1, sizeof(*stages));
	for (uint64_t i = 0; i < labels.row_count; i++)
		stages[i] = stage_of_label(dataset_text_of(&labels, "label", i));
	pieces.stages = stages;
	pieces.stage_count = labels.row_count;
	pieces.at = arena_array(arena, count + 1, sizeof(*pieces.at));
	operations->first_piece =
		arena_array(arena, operations->count + 1, sizeof(*operations->first_piece));
	if (!operations_read_rows(result, path, count, &pieces, why))
		return false;
	while (pieces.operation <= operations->count)
		operations->first_piece[pieces.operation++] = (uint32_t)count;
	operations->pieces = pieces.at;
	return true;
}

/* Allocates the operations. Their number is an attribute of the run. */
static bool operations_make_room(struct summary *summary, const char *group, struct arena *arena,
	struct operations *operations, struct text *why)
{
	uint64_t first = result_number(summary->result, group, "ops_first");
	uint64_t count = result_number(summary->result, group, "ops_count"), all = 0;
	const uint64_t most =
		DATASET_BYTES_MAX /
		(sizeof(struct operation) + MARK_POINT_COUNT * sizeof(struct op_mark));
	struct dataset none;
	enum status status = STATUS_NOT_FOUND;

	if (operations_recorded(summary, group))
		status = result_count_in(summary->result, "/ops", &all, why);
	if (status == STATUS_NOT_FOUND)
		text_printf(why, "'%s' has no operations", group);
	if (status != STATUS_OK)
		return false;
	if (first > all || count > all - first) /* rows_of() fails and writes a sentence to `why` */
		return rows_of(summary, group, 0, count, arena, &none, why);
	if (count > most) {
		text_printf(
			why, "'%s' has more than %llu operations", group, (unsigned long long)most);
		return false;
	}
	operations->count = (uint32_t)count;
	operations->at = arena_array(arena, operations->count, sizeof(*operations->at));
	return true;
}

/* Reads the table /ops, a few thousand rows at a time. To read the whole table at once would take
 * as much memory again as the operations that are made from it. */
bool operations_survey(struct summary *summary, const char *group, struct arena *arena,
	struct operations *operations, struct text *why)
{
	enum { ROWS_AT_ONCE = 8192 };
	struct words words = {.arena = arena};
	struct op_mark *marks;
	bool good = true;

	*operations = (struct operations){.measured = summary_is_native(summary)};
	if (!operations_make_room(summary, group, arena, operations, why))
		return false;
	marks = arena_array(arena, (size_t)operations->count * MARK_POINT_COUNT, sizeof(*marks));
	for (uint32_t first = 0; first < operations->count && good; first += ROWS_AT_ONCE) {
		uint32_t left = operations->count - first;
		struct arena scratch = {0};
		struct dataset rows;
		struct columns columns;

		good = rows_of(summary, group, first, left < ROWS_AT_ONCE ? left : ROWS_AT_ONCE,
			&scratch, &rows, why);
		if (good)
			find_columns(&rows, &scratch, &columns);
		for (uint32_t i = 0; good && i < rows.row_count; i++)
			read_operation(&rows, &columns, i, &words,
				&marks[(size_t)(first + i) * MARK_POINT_COUNT],
				&operations->at[first + i]);
		arena_fini(&scratch);
	}
	if (!good)
		return false;
	operations_name(operations, arena);
	operations_link(operations, arena);
	return true;
}

bool operations_read(struct summary *summary, const char *group, struct arena *arena,
	struct operations *operations, struct text *why)
{
	return operations_survey(summary, group, arena, operations, why) &&
	       read_pieces(summary, group, arena, operations, why);
}

struct kept {
	const char *group;
	struct operations operations;
	bool has_paths;
};

const struct operations *operations_of(
	struct summary *summary, const char *group, bool with_paths, struct text *why)
{
	struct kept *kept = summary->kept;
	struct arena *arena = &summary->kept_arena;

	if (!kept || strcmp(kept->group, group) != 0) {
		arena_fini(arena);
		summary->kept = NULL;
		kept = arena_alloc(arena, sizeof(*kept));
		kept->group = arena_string(arena, group);
		kept->has_paths = false;
		if (!operations_survey(summary, group, arena, &kept->operations, why))
			return NULL;
		summary->kept = kept;
	}
	if (with_paths && !kept->has_paths) {
		kept->has_paths = read_pieces(summary, group, arena, &kept->operations, why);
		if (!kept->has_paths)
			return NULL;
	}
	return &kept->operations;
}

/* Reads tables in CSV files, see csv.h. */
#include "bench/tools/reference/csv.h"

#include <string.h>

#include "base/file/file.h"
#include "base/nearest.h"

static struct location place(const struct csv *csv, uint32_t column)
{
	return location_at(csv->source, csv->line, column);
}

static uint32_t code_points(const char *text, size_t length)
{
	uint32_t count = 0;

	for (size_t i = 0; i < length; i++)
		count += ((unsigned char)text[i] & 0xc0) != 0x80;
	return count;
}

/* Reads the cell that starts at `at`, and returns the position of its end. */
static size_t read_cell(
	struct csv *csv, const char *line, size_t length, size_t at, struct csv_cell *cell)
{
	bool quoted = at < length && line[at] == '"';
	char *copy = arena_alloc(csv->arena, length - at + 1);
	size_t to = 0;

	cell->where = place(csv, code_points(line, at) + 1);
	cell->text = copy;
	if (!quoted) {
		while (at < length && line[at] != ',')
			copy[to++] = line[at++];
		return at;
	}
	for (at++; at < length; at++) {
		if (line[at] == '"' && (at + 1 >= length || line[at + 1] != '"'))
			break;
		at += line[at] == '"';
		copy[to++] = line[at];
	}
	if (at == length)
		diag_error(csv->diag, cell->where, "the quote is not closed in this line");
	else if (++at < length && line[at] != ',')
		diag_error(csv->diag, place(csv, code_points(line, at) + 1),
			"a comma is expected behind a quoted cell");
	while (at < length && line[at] != ',')
		at++;
	return at;
}

/* Reads the next line that is not empty. Returns the number of its cells. Returns 0 at the end of
 * the file. */
static uint32_t read_line(struct csv *csv, struct csv_cell cells[CSV_COLUMNS_MAX])
{
	while (*csv->next) {
		const char *line = csv->next;
		size_t length = strcspn(line, "\n");
		uint32_t count = 0;

		csv->next = line + length + (line[length] == '\n');
		if (length > 0 && line[length - 1] == '\r')
			length--;
		csv->line++;
		for (size_t at = 0; length > 0 && at <= length && count < CSV_COLUMNS_MAX; at++)
			at = read_cell(csv, line, length, at, &cells[count++]);
		if (count > 0)
			return count;
	}
	return 0;
}

static void take_name(struct csv *csv, uint32_t index, const struct csv_cell *cell)
{
	struct nearest nearest;
	uint32_t c = 0;

	nearest_start(&nearest, cell->text);
	while (c < csv->column_count && strcmp(csv->columns[c], cell->text) != 0)
		nearest_offer(&nearest, csv->columns[c++]);
	if (c < csv->column_count && csv->place[c] != UINT32_MAX)
		diag_error(csv->diag, cell->where, "column '%s' is there twice", cell->text);
	else if (c < csv->column_count)
		csv->place[c] = index;
	else if (nearest.best)
		diag_error(csv->diag, cell->where, "unknown column '%s', did you mean '%s'?",
			cell->text, nearest.best);
	else
		diag_error(csv->diag, cell->where, "unknown column '%s'", cell->text);
}

static void read_names(struct csv *csv)
{
	struct csv_cell cells[CSV_COLUMNS_MAX];

	for (uint32_t c = 0; c < csv->column_count; c++)
		csv->place[c] = UINT32_MAX;
	csv->width = read_line(csv, cells);
	for (uint32_t i = 0; i < csv->width; i++)
		take_name(csv, i, &cells[i]);
	for (uint32_t c = 0; c < csv->column_count && csv->width > 0; c++)
		if (csv->place[c] == UINT32_MAX)
			diag_error(csv->diag, location_at(csv->source, 1, 1), "missing column '%s'",
				csv->columns[c]);
}

bool csv_open(struct csv *csv, const char *path, const char *const *columns, uint32_t column_count,
	struct arena *arena, struct diag *diag)
{
	*csv = (struct csv){.columns = columns,
		.column_count = column_count,
		.arena = arena,
		.diag = diag,
		.errors = diag_errors(diag),
		.rows_most = 1,
		.next = ""};
	text_init(&csv->text);
	if (!file_read_or_say(path, CSV_BYTES_MAX, &csv->text, diag))
		return false;
	for (size_t i = 0; i < csv->text.length && csv->rows_most <= CSV_ROWS_MAX; i++)
		csv->rows_most += csv->text.bytes[i] == '\n';
	csv->next = text_string(&csv->text);
	csv->source = diag_source(diag, path, csv->next, csv->text.length);
	location_keep(arena, location_at(csv->source, 0, 0));
	read_names(csv);
	if (diag_errors(diag) > csv->errors)
		csv->next = "";
	return diag_errors(diag) == csv->errors;
}

bool csv_next(struct csv *csv)
{
	struct csv_cell cells[CSV_COLUMNS_MAX];
	uint32_t count;

	while ((count = read_line(csv, cells)) > 0) {
		csv->where = place(csv, 1);
		if (count != csv->width) {
			diag_error(csv->diag, csv->where, "%u cells in a table of %u columns",
				count, csv->width);
			continue;
		}
		if (csv->row_count == CSV_ROWS_MAX) {
			diag_error(csv->diag, csv->where, "more than %d rows", CSV_ROWS_MAX);
			csv->next = "";
			return false;
		}
		csv->row_count++;
		for (uint32_t c = 0; c < csv->column_count; c++)
			csv->cells[c] = cells[csv->place[c]];
		return true;
	}
	return false;
}

bool csv_close(struct csv *csv)
{
	bool good = diag_errors(csv->diag) == csv->errors;

	if (good && csv->row_count == 0) {
		diag_error(csv->diag, location_at(csv->source, 1, 1), "no rows");
		good = false;
	}
	text_fini(&csv->text);
	return good;
}

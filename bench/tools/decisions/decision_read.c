/* Reads a file of decisions (see decisions.h). Each line is a row; a cell may be in quotes, where
 * two quotes stand for one. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/file/file.h"
#include "base/nearest.h"
#include "base/text.h"
#include "base/text/number.h"
#include "decision.h"

enum decision_column {
	COLUMN_ID,
	COLUMN_SYSTEM,
	COLUMN_SCENARIO,
	COLUMN_OPTION,
	COLUMN_METRIC,
	COLUMN_VALUE,
	COLUMN_UNIT,
	COLUMN_SOURCE,
	COLUMN_KIND,
	COLUMNS
};

static const char *const column_names[COLUMNS] = {
	"id", "system", "scenario", "option", "metric", "value", "unit", "source", "kind"};

enum { CELLS_MAX = 32, BYTES_MAX = 4 << 20, ROWS_MAX = 10000 };

struct cell {
	const char *text;
	struct location where;
};

struct reader {
	const struct source *source;
	struct arena *arena;
	struct diag *diag;
	uint32_t line;
	uint32_t place[COLUMNS]; /* index of each column among the cells */
	uint32_t width;
};

static uint32_t code_points(const char *text, size_t length)
{
	uint32_t count = 0;

	for (size_t i = 0; i < length; i++)
		count += ((unsigned char)text[i] & 0xc0) != 0x80;
	return count;
}

/* Reads the cell that starts at `at`, and returns the position of its end. */
static size_t read_cell(
	struct reader *reader, const char *line, size_t length, size_t at, struct cell *cell)
{
	bool quoted = at < length && line[at] == '"';
	char *copy = arena_alloc(reader->arena, length - at + 1);
	size_t to = 0;

	cell->where = location_at(reader->source, reader->line, code_points(line, at) + 1);
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
		diag_error(reader->diag, cell->where, "the quote is not closed in this line");
	else if (++at < length && line[at] != ',')
		diag_error(reader->diag,
			location_at(reader->source, reader->line, code_points(line, at) + 1),
			"a comma is expected behind a quoted cell");
	while (at < length && line[at] != ',')
		at++;
	return at;
}

static uint32_t read_cells(
	struct reader *reader, const char *line, size_t length, struct cell *cells)
{
	uint32_t count = 0;

	for (size_t at = 0; at <= length && count < CELLS_MAX; at++)
		at = read_cell(reader, line, length, at, &cells[count++]);
	return count;
}

static void decision_read_head(struct reader *reader, const struct cell *cells, uint32_t count)
{
	for (uint32_t c = 0; c < COLUMNS; c++)
		reader->place[c] = UINT32_MAX;
	for (uint32_t i = 0; i < count; i++) {
		struct nearest nearest;
		uint32_t c = 0;

		nearest_start(&nearest, cells[i].text);
		while (c < COLUMNS && strcmp(column_names[c], cells[i].text) != 0)
			nearest_offer(&nearest, column_names[c++]);
		if (c < COLUMNS && reader->place[c] != UINT32_MAX)
			diag_error(reader->diag, cells[i].where, "column '%s' is there twice",
				cells[i].text);
		else if (c < COLUMNS)
			reader->place[c] = i;
		else if (nearest.best)
			diag_error(reader->diag, cells[i].where,
				"unknown column '%s', did you mean '%s'?", cells[i].text,
				nearest.best);
		else
			diag_error(
				reader->diag, cells[i].where, "unknown column '%s'", cells[i].text);
	}
	for (uint32_t c = 0; c < COLUMNS; c++)
		if (reader->place[c] == UINT32_MAX)
			diag_error(reader->diag, location_at(reader->source, reader->line, 1),
				"missing column '%s'", column_names[c]);
	reader->width = count;
}

static void read_verdict(struct reader *reader, const struct cell *cell, struct decision_row *row)
{
	static const struct {
		const char *word;
		enum verdict verdict;
	} words[] = {{"faster", VERDICT_BETTER}, {"better", VERDICT_BETTER},
		{"slower", VERDICT_WORSE}, {"worse", VERDICT_WORSE}, {"equal", VERDICT_EQUAL}};
	struct nearest nearest;

	nearest_start(&nearest, cell->text);
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		nearest_offer(&nearest, words[i].word);
		if (strcasecmp(words[i].word, cell->text) == 0)
			row->verdict = words[i].verdict;
	}
	if (row->verdict != VERDICT_NONE)
		return;
	if (nearest.best)
		diag_error(reader->diag, cell->where, "unknown verdict '%s', did you mean '%s'?",
			cell->text, nearest.best);
	else
		diag_error(reader->diag, cell->where,
			"a verdict is faster, slower, better, worse or equal, not '%.80s'",
			cell->text);
}

static void decision_read_row(
	struct reader *reader, const struct cell *cells, struct decisions *decisions)
{
	struct decision_row *row = &decisions->rows[decisions->row_count++];
	const char **members[COLUMNS] = {&row->id, &row->system, &row->scenario, &row->option,
		&row->metric, NULL, &row->unit, &row->source, &row->kind};
	const struct cell *value = &cells[reader->place[COLUMN_VALUE]];

	row->where = location_at(reader->source, reader->line, 1);
	row->run = NO_RUN;
	for (uint32_t c = 0; c < COLUMNS; c++)
		if (members[c])
			*members[c] = cells[reader->place[c]].text;
	for (uint32_t c = 0; c < COLUMNS; c++)
		if (!*cells[reader->place[c]].text &&
			(c == COLUMN_ID || c == COLUMN_OPTION || c == COLUMN_METRIC))
			diag_error(reader->diag, cells[reader->place[c]].where, "%s is empty",
				column_names[c]);
	if (strcmp(row->metric, "verdict") == 0)
		read_verdict(reader, value, row);
	else if (!number_read_real(value->text, &row->value) || !(row->value > 0))
		diag_error(reader->diag, value->where,
			"a value is a number above zero, not '%.80s'; words need the metric "
			"'verdict'",
			value->text);
}

/* Finds the scenario that "same; ..." stands for. Reports rows of one id that are not adjacent. */
static void link_rows(struct reader *reader, struct decisions *decisions)
{
	for (uint32_t i = 0; i < decisions->row_count; i++) {
		struct decision_row *row = &decisions->rows[i], *before = row - 1;

		row->base = "";
		if (i > 0 && strcmp(before->id, row->id) == 0) {
			row->base = strncmp(before->scenario, "same", 4) == 0 ? before->base
									      : before->scenario;
			continue;
		}
		for (uint32_t j = 0; j < i; j++)
			if (strcmp(decisions->rows[j].id, row->id) == 0) {
				diag_error(reader->diag, row->where,
					"rows of '%s' began in line %u: rows of one id stand "
					"together",
					row->id, decisions->rows[j].where.line);
				break;
			}
		if (strncmp(row->scenario, "same", 4) == 0)
			diag_error(reader->diag, row->where,
				"'same' in the first row of '%s': the same as what?", row->id);
	}
}

static void decision_read_line(
	struct reader *reader, const char *line, size_t length, struct decisions *decisions)
{
	struct cell cells[CELLS_MAX];
	uint32_t count = read_cells(reader, line, length, cells);

	if (reader->width == 0)
		decision_read_head(reader, cells, count);
	else if (count != reader->width)
		diag_error(reader->diag, location_at(reader->source, reader->line, 1),
			"%u cells in a table of %u columns", count, reader->width);
	else
		decision_read_row(reader, cells, decisions);
}

static void decision_read_lines(
	struct reader *reader, const char *text, struct decisions *decisions)
{
	size_t errors = diag_errors(reader->diag);

	for (const char *next; *text; text = next) {
		size_t length = strcspn(text, "\n");
		bool head = reader->width == 0;

		next = text + length + (text[length] == '\n');
		if (length > 0 && text[length - 1] == '\r')
			length--;
		reader->line++;
		if (length == 0)
			continue;
		if (decisions->row_count == ROWS_MAX) {
			diag_error(reader->diag, location_at(reader->source, reader->line, 1),
				"more than %d rows", ROWS_MAX);
			return;
		}
		decision_read_line(reader, text, length, decisions);
		if (head && diag_errors(reader->diag) > errors)
			return;
	}
	link_rows(reader, decisions);
}

struct decisions *decisions_read(const char *path, struct arena *arena, struct diag *diag)
{
	struct reader reader = {.arena = arena, .diag = diag};
	struct decisions *decisions = arena_alloc(arena, sizeof *decisions);
	size_t errors = diag_errors(diag);
	struct text text;

	decisions->arena = arena;
	text_init(&text);
	if (file_read_or_say(path, BYTES_MAX, &text, diag)) {
		uint32_t lines = 1;

		for (size_t i = 0; i < text.length && lines <= ROWS_MAX; i++)
			lines += text.bytes[i] == '\n';
		reader.source = diag_source(diag, path, text_string(&text), text.length);
		location_keep(arena, location_at(reader.source, 0, 0));
		decisions->rows = arena_array(arena, lines, sizeof *decisions->rows);
		decision_read_lines(&reader, text_string(&text), decisions);
		if (diag_errors(diag) == errors && decisions->row_count == 0)
			diag_error(diag, location_at(reader.source, 1, 1), "no rows");
	}
	text_fini(&text);
	return diag_errors(diag) == errors ? decisions : NULL;
}

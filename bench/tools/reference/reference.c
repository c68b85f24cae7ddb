/* Reads reference figures (see experiment.h). Each line is a row. Quotes around a cell are
 * removed. */
#include "bench/tools/reference/experiment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ensure.h"
#include "base/file/file.h"
#include "base/nearest.h"
#include "base/text/number.h"
#include "base/text.h"

static const char *const columns[] = {
	"family", "system", "params", "metric", "value", "unit", "spread", "source"};

enum {
	COLUMNS = sizeof columns / sizeof *columns,
	CELLS_MAX = 32,
	BYTES_MAX = 4 << 20,
	ROWS_MAX = 10000
};

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
	uint32_t capacity;
};

/* Splits a line at its commas. */
static uint32_t reference_cut(
	const struct reader *reader, const char *line, size_t length, struct cell *cells)
{
	uint32_t count = 0;
	size_t at = 0;

	while (at <= length && count < CELLS_MAX) {
		bool quoted = at < length && line[at] == '"';
		size_t from = at + quoted, to = from;
		char *copy;

		while (to < length && line[to] != (quoted ? '"' : ','))
			to++;
		copy = arena_alloc(reader->arena, to - from + 1);
		memcpy(copy, line + from, to - from);
		copy[to - from] = '\0';
		cells[count++] = (struct cell){
			copy, location_at(reader->source, reader->line, (uint32_t)at + 1)};
		at = to + quoted;
		while (at < length && line[at] != ',')
			at++;
		at++;
	}
	return count;
}

static void read_head(struct reader *reader, const struct cell *cells, uint32_t count)
{
	for (uint32_t c = 0; c < COLUMNS; c++)
		reader->place[c] = UINT32_MAX;
	for (uint32_t i = 0; i < count; i++) {
		struct nearest nearest;
		uint32_t c = 0;

		nearest_start(&nearest, cells[i].text);
		while (c < COLUMNS && strcmp(columns[c], cells[i].text) != 0)
			nearest_offer(&nearest, columns[c++]);
		if (c < COLUMNS)
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
				"missing column '%s'", columns[c]);
	reader->width = count;
}

static void read_params(struct reader *reader, const struct cell *cell, struct reference_row *row)
{
	char *copy = (char *)arena_string(reader->arena, cell->text);
	char *rest = copy, *part;

	while ((part = strsep(&rest, ";")) != NULL) {
		struct location where = location_at(reader->source, cell->where.line,
			cell->where.column + (uint32_t)(part - copy));
		char *equals = strchr(part, '=');

		if (!*part && !rest && part == copy)
			return;
		if (!equals || equals == part) {
			diag_error(reader->diag, where, "'%s' is no key=value", part);
			continue;
		}
		*equals = '\0';
		if (reference_param(row, part)) {
			diag_error(reader->diag, where, "parameter '%s' is there twice", part);
			continue;
		}
		if (row->param_count == REFERENCE_PARAMS_MAX) {
			diag_error(reader->diag, where, "more than %d parameters",
				REFERENCE_PARAMS_MAX);
			return;
		}
		row->params[row->param_count++] = (struct reference_param){part, equals + 1, where};
	}
}

/* Reads "tolerance 2.5 %", which applies in both directions. */
static bool read_tolerance(const char *text, struct reference_row *row)
{
	double percent;
	const char *end = number_read_real_until(text, " ", &percent);

	if (!end || strcmp(end, " %") != 0 || percent < 0 || percent > 100)
		return false;
	row->least = row->value * (1 - percent / 100);
	row->most = row->value * (1 + percent / 100);
	return true;
}

/* Reads "min 1 p99 2 max 3". */
static bool read_range(const char *text, struct reference_row *row)
{
	double p99;
	const char *end = number_read_real_until(text, " ", &row->least);

	if (!end || strncmp(end, " p99 ", 5) != 0)
		return false;
	end = number_read_real_until(end + 5, " ", &p99);
	return end && strncmp(end, " max ", 5) == 0 && number_read_real(end + 5, &row->most) &&
	       row->least >= 0 && row->least <= p99 && p99 <= row->most;
}

/* Reads the spread of a figure on the hardware. A text such as "min of 5" only says how the value
 * was taken, so it gives no range. */
static void read_spread(struct reader *reader, const struct cell *cell, struct reference_row *row)
{
	static const char tolerance[] = "tolerance ", least[] = "min ", of[] = "min of ";
	const char *text = cell->text;

	row->spread = text;
	if (strncmp(text, tolerance, sizeof tolerance - 1) == 0)
		row->has_range = read_tolerance(text + sizeof tolerance - 1, row);
	else if (strncmp(text, least, sizeof least - 1) == 0 &&
		 strncmp(text, of, sizeof of - 1) != 0)
		row->has_range = read_range(text + sizeof least - 1, row);
	else
		return;
	if (!row->has_range)
		diag_error(reader->diag, cell->where,
			"a spread in numbers is 'tolerance N %%', up to 100, or 'min A p99 B max "
			"C', "
			"rising, not '%.80s'",
			text);
}

static int compare_params(const void *a, const void *b)
{
	const struct reference_param *one = a, *other = b;
	int order = strcmp(one->key, other->key);

	return order ? order : strcmp(one->value, other->value);
}

static bool same_params(const struct reference_row *a, const struct reference_row *b)
{
	struct reference_param one[REFERENCE_PARAMS_MAX], other[REFERENCE_PARAMS_MAX];

	if (a->param_count != b->param_count)
		return false;
	memcpy(one, a->params, sizeof one);
	memcpy(other, b->params, sizeof other);
	qsort(one, a->param_count, sizeof *one, compare_params);
	qsort(other, b->param_count, sizeof *other, compare_params);
	for (uint32_t i = 0; i < a->param_count; i++)
		if (compare_params(&one[i], &other[i]) != 0)
			return false;
	return true;
}

/* Reports a figure that occurs twice, since it would count twice. */
static void refuse_twice(struct reader *reader, const struct reference *reference)
{
	const struct reference_row *row = &reference->rows[reference->count - 1], *other;

	for (other = reference->rows; other < row; other++)
		if (strcmp(other->family, row->family) == 0 &&
			strcmp(other->system, row->system) == 0 &&
			strcmp(other->metric, row->metric) == 0 &&
			strcmp(other->source, row->source) == 0 && same_params(other, row)) {
			diag_error(reader->diag, row->where,
				"this figure is there already, in line %u", other->where.line);
			return;
		}
}

static void read_row(struct reader *reader, const struct cell *cells, struct reference *reference)
{
	struct reference_row *row = &reference->rows[reference->count++];
	const struct cell *value = &cells[reader->place[4]];

	row->where = location_at(reader->source, reader->line, 1);
	row->family = cells[reader->place[0]].text;
	row->family_where = cells[reader->place[0]].where;
	row->system = cells[reader->place[1]].text;
	row->system_where = cells[reader->place[1]].where;
	row->params_text = cells[reader->place[2]].text;
	row->params_where = cells[reader->place[2]].where;
	row->metric = cells[reader->place[3]].text;
	row->metric_where = cells[reader->place[3]].where;
	row->unit = cells[reader->place[5]].text;
	row->source = cells[reader->place[7]].text;
	if (!number_read_real(value->text, &row->value) || !(row->value > 0))
		diag_error(reader->diag, value->where, "a value is a number above zero, not '%s'",
			value->text);
	read_spread(reader, &cells[reader->place[6]], row);
	read_params(reader, &cells[reader->place[2]], row);
	refuse_twice(reader, reference);
}

static void read_lines(struct reader *reader, const char *text, struct reference *reference)
{
	struct cell cells[CELLS_MAX];

	for (const char *next; *text; text = next) {
		size_t length = strcspn(text, "\n");
		uint32_t count;

		next = text + length + (text[length] == '\n');
		if (length > 0 && text[length - 1] == '\r')
			length--;
		reader->line++;
		if (length == 0)
			continue;
		count = reference_cut(reader, text, length, cells);
		if (reader->width == 0) {
			read_head(reader, cells, count);
			if (diag_errors(reader->diag))
				return;
		} else if (count != reader->width) {
			diag_error(reader->diag, location_at(reader->source, reader->line, 1),
				"%u cells in a table of %u columns", count, reader->width);
		} else if (reference->count == ROWS_MAX) {
			diag_error(reader->diag, location_at(reader->source, reader->line, 1),
				"more than %d rows", ROWS_MAX);
			return;
		} else {
			read_row(reader, cells, reference);
		}
	}
}

bool reference_read(
	const char *path, struct arena *arena, struct diag *diag, struct reference *reference)
{
	struct reader reader = {.arena = arena, .diag = diag};
	size_t errors = diag_errors(diag);
	struct text text;

	*reference = (struct reference){0};
	text_init(&text);
	if (file_read_or_say(path, BYTES_MAX, &text, diag)) {
		uint32_t lines = 1;

		for (size_t i = 0; i < text.length && lines <= ROWS_MAX; i++)
			lines += text.bytes[i] == '\n';
		reader.source = diag_source(diag, path, text_string(&text), text.length);
		location_keep(arena, location_at(reader.source, 0, 0));
		reference->rows = arena_array(arena, lines, sizeof *reference->rows);
		read_lines(&reader, text_string(&text), reference);
		if (diag_errors(diag) == errors && reference->count == 0)
			diag_error(diag, location_at(reader.source, 1, 1), "no rows");
	}
	text_fini(&text);
	return diag_errors(diag) == errors;
}

const struct reference_param *reference_param(const struct reference_row *row, const char *key)
{
	for (uint32_t i = 0; i < row->param_count; i++)
		if (strcmp(row->params[i].key, key) == 0)
			return &row->params[i];
	return NULL;
}

const char *reference_text(const struct reference_row *row, const char *key, const char *fallback)
{
	const struct reference_param *param = reference_param(row, key);

	return param ? param->value : fallback;
}

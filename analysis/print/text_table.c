/* Aligns and prints tables (text_table.h). A text in a cell is never cut. A table that is wider
 * than the terminal is split into blocks of columns. */
#include "analysis/print/text_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/chain.h"
#include "base/ensure.h"
#include "base/text.h"

enum { COLUMNS_MAX = 256, CELL_BYTES = 64, DECIMALS_MOST = 6 };

/* A column uses a unit in which its numbers are smaller than this, if there is such a unit. */
#define NUMBER_MOST 1e5

struct cell {
	bool filled;
	const char *text; /* the text, if the kind of the column is COLUMN_TEXT */
	double number;
};

struct column {
	const char *heading;
	enum column_kind kind;
	int group;
	bool left_out; /* true: text_table_fit() has left this column out */
};

struct row {
	struct row *next;
	struct cell *cells;
};

struct text_table {
	struct arena *arena;
	struct column columns[COLUMNS_MAX];
	uint32_t column_count, next;
	uint32_t key_count; /* number of key columns, which are the first columns */
	struct row *first, *last;
};

/* A unit in which a column of some kind can be printed. Values have `decimals` digits after the
 * point, or more if different values would look the same (text_table_decimals_of()). The arrays
 * below list the units of one kind, the smallest first. */
struct scale {
	double factor;
	const char *unit;
	int decimals;
};

static const struct scale scales_time[] = {
	{1, "ps", 0}, {1e3, "ns", 1}, {1e6, "us", 3}, {1e9, "ms", 3}, {1e12, "s", 3}, {0, NULL, 0}};
static const struct scale scales_bytes[] = {
	{1, "B", 0}, {1e3, "KB", 1}, {1e6, "MB", 2}, {1e9, "GB", 3}, {0, NULL, 0}};
static const struct scale scales_rate[] = {
	{1, "B/s", 0}, {1e6, "MB/s", 1}, {1e9, "GB/s", 3}, {0, NULL, 0}};
static const struct scale scales_per_s[] = {{1, "1/s", 1}, {0, NULL, 0}};
static const struct scale scales_share[] = {{0.01, "%", 1}, {0, NULL, 0}};
static const struct scale scales_count[] = {{1, "", 0}, {0, NULL, 0}};

static const struct scale *scales_of(enum column_kind kind)
{
	switch (kind) {
	case COLUMN_TIME:
		return scales_time;
	case COLUMN_BYTES:
		return scales_bytes;
	case COLUMN_RATE:
		return scales_rate;
	case COLUMN_PER_S:
		return scales_per_s;
	case COLUMN_SHARE:
		return scales_share;
	default:
		return scales_count;
	}
}

struct text_table *text_table_new(struct arena *arena)
{
	struct text_table *table = arena_alloc(arena, sizeof(*table));

	table->arena = arena;
	table->key_count = 1;
	return table;
}

void text_table_column(
	struct text_table *table, const char *heading, enum column_kind kind, int group)
{
	ensure(table->column_count < COLUMNS_MAX && !table->first, "column '%s'", heading);
	table->columns[table->column_count++] =
		(struct column){text_plain(heading, false, table->arena), kind, group, false};
}

void text_table_columns(struct text_table *table, const struct text_column *columns, size_t count)
{
	for (size_t i = 0; i < count; i++)
		text_table_column(table, columns[i].heading, columns[i].kind, columns[i].group);
}

void text_table_keys(struct text_table *table, uint32_t count)
{
	ensure(count > 0 && count <= table->column_count, "%u key columns", count);
	table->key_count = count;
}

void text_table_row(struct text_table *table)
{
	struct row *row = arena_alloc(table->arena, sizeof(*row));

	row->cells = arena_array(table->arena, table->column_count, sizeof(*row->cells));
	CHAIN_APPEND(table->first, table->last, row, next);
	table->next = 0;
}

static struct cell *next_cell(struct text_table *table)
{
	ensure(table->last && table->next < table->column_count, "cell %u of %u", table->next,
		table->column_count);
	return &table->last->cells[table->next++];
}

void text_table_text(struct text_table *table, const char *text)
{
	struct cell *cell = next_cell(table);

	*cell = (struct cell){.filled = true, .text = text_plain(text, false, table->arena)};
}

void text_table_number(struct text_table *table, double value)
{
	struct cell *cell = next_cell(table);

	*cell = (struct cell){.filled = true, .number = value};
}

void text_table_blank(struct text_table *table)
{
	next_cell(table);
}

static int text_table_by_number(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The largest number in column `index`, or in all columns that share a unit with it. */
static double largest(const struct text_table *table, uint32_t index)
{
	const struct column *column = &table->columns[index];
	double most = 0;

	for (uint32_t i = 0; i < table->column_count; i++) {
		bool shared = column->group != 0 && table->columns[i].group == column->group &&
			      table->columns[i].kind == column->kind;
		if (i != index && !shared)
			continue;
		for (const struct row *row = table->first; row; row = row->next)
			if (row->cells[i].filled && !row->cells[i].text)
				most = fmax(most, fabs(row->cells[i].number));
	}
	return most;
}

/* Sets *numbers to the sorted numbers of a column. Returns their count. */
static uint32_t sorted_numbers(const struct text_table *table, uint32_t index, double **numbers)
{
	uint32_t rows = 0, count = 0;

	for (const struct row *row = table->first; row; row = row->next)
		rows++;
	*numbers = arena_array(table->arena, rows + 1, sizeof(**numbers));
	for (const struct row *row = table->first; row; row = row->next)
		if (row->cells[index].filled && !row->cells[index].text)
			(*numbers)[count++] = row->cells[index].number;
	qsort(*numbers, count, sizeof(**numbers), text_table_by_number);
	return count;
}

/* Returns the magnitude that half of the numbers (without zeros) reach or exceed. */
static double usual(const struct text_table *table, uint32_t index)
{
	double *numbers;
	uint32_t count = sorted_numbers(table, index, &numbers), kept = 0;

	for (uint32_t i = 0; i < count; i++)
		if (numbers[i] != 0)
			numbers[kept++] = fabs(numbers[i]);
	qsort(numbers, kept, sizeof(*numbers), text_table_by_number);
	return kept ? numbers[kept / 2] : 0;
}

/* Returns the unit of a column. A column of a group has the largest unit that is not larger than
 * the largest value of the group. A column without a group has the largest unit that at least half
 * of its values reach. So one slow run does not hide the differences between the other runs. If a
 * number then had more than five digits before the point, the unit is larger. */
static const struct scale *text_table_scale_of(const struct text_table *table, uint32_t index)
{
	const struct column *column = &table->columns[index];
	const struct scale *scale = scales_of(column->kind);
	double most = largest(table, index);
	double wanted = column->group != 0 ? most : fmax(usual(table, index), most / NUMBER_MOST);

	while (scale[1].unit && wanted >= scale[1].factor)
		scale++;
	return scale;
}

/* Two numbers of a column must be printed differently if they differ by at least this share. */
#define SHARE_SEEN 0.001

/* Returns true if two neighbouring numbers of a sorted list differ by the share SHARE_SEEN or more,
 * but would be printed with the same digits if they had `decimals` decimals. */
static bool look_alike(const double *numbers, uint32_t count, double factor, int decimals)
{
	for (uint32_t i = 1; i < count; i++) {
		double more = numbers[i] - numbers[i - 1];
		char texts[2][CELL_BYTES];

		if (more < SHARE_SEEN * fmax(fabs(numbers[i]), fabs(numbers[i - 1])) || more == 0)
			continue;
		for (int k = 0; k < 2; k++)
			snprintf(texts[k], CELL_BYTES, "%.*f", decimals,
				numbers[i - (uint32_t)k] / factor);
		if (strcmp(texts[0], texts[1]) == 0)
			return true;
	}
	return false;
}

/* Returns the number of decimals of a column. Columns of a group, shares, and units without
 * decimals keep the number in `scale`. All other columns get more decimals if these are needed to
 * distinguish their values, but at most DECIMALS_MOST. */
static int text_table_decimals_of(
	const struct text_table *table, uint32_t index, const struct scale *scale)
{
	const struct column *column = &table->columns[index];
	int decimals = scale->decimals;
	double *numbers;
	uint32_t count;

	if (column->group != 0 || decimals == 0 || column->kind == COLUMN_SHARE)
		return decimals;
	count = sorted_numbers(table, index, &numbers);
	while (decimals < DECIMALS_MOST && look_alike(numbers, count, scale->factor, decimals))
		decimals++;
	return decimals;
}

/* Returns the text of a cell. Numbers are printed into `buffer`; texts are not copied. */
static const char *cell_text(
	const struct cell *cell, enum column_kind kind, const struct scale *scale, char *buffer)
{
	if (!cell->filled)
		return "";
	if (cell->text)
		return cell->text;
	if (kind == COLUMN_NUMBER)
		snprintf(buffer, CELL_BYTES, "%.6g", cell->number);
	else
		snprintf(buffer, CELL_BYTES, "%.*f", scale->decimals, cell->number / scale->factor);
	return buffer;
}

/* Returns the number of columns that a UTF-8 text takes on the terminal, which is the number of its
 * code points. */
static int width_of(const char *text)
{
	int width = 0;

	for (; *text; text++)
		width += ((unsigned char)*text & 0xc0) != 0x80;
	return width;
}

/* A line being printed. Blanks are held back until text follows, so that no line ends in blanks. */
struct line {
	FILE *out;
	int blanks;
};

static void text_table_print_cell(struct line *line, const char *text, int width, bool left)
{
	int pad = width - width_of(text);

	line->blanks += left ? 0 : pad;
	if (text[0]) {
		fprintf(line->out, "%*s%s", line->blanks, "", text);
		line->blanks = 0;
	}
	line->blanks += left ? pad : 0;
}

static int column_width(const struct text_table *table, uint32_t index, const struct scale *scale)
{
	const struct column *column = &table->columns[index];
	int width = width_of(column->heading), unit = width_of(scale->unit);
	bool filled = false;

	width = unit > width ? unit : width;
	for (const struct row *row = table->first; row; row = row->next) {
		char buffer[CELL_BYTES];
		int cell = width_of(cell_text(&row->cells[index], column->kind, scale, buffer));
		filled |= row->cells[index].filled;
		width = cell > width ? cell : width;
	}
	return filled ? width : 0;
}

enum { INDENT = 2, GAP = 2 };

/* The layout of the columns. Columns of width 0 are left out. */
struct layout {
	int width[COLUMNS_MAX];
	struct scale scale[COLUMNS_MAX]; /* unit and decimals of each column */
};

/* Columns that are printed side by side. */
struct block {
	uint32_t columns[COLUMNS_MAX];
	uint32_t count;
	bool has_units;
	uint32_t width;
};

static void add_column(struct block *block, const struct layout *layout, uint32_t column)
{
	if (layout->width[column] == 0)
		return;
	block->columns[block->count++] = column;
	block->has_units |= layout->scale[column].unit[0] != '\0';
	block->width += (block->width ? GAP : INDENT) + (uint32_t)layout->width[column];
}

/* Prints a row. If `row` is NULL, prints the units or the headings. */
static void print_line(const struct text_table *table, const struct layout *layout,
	const struct block *block, const struct row *row, bool units, FILE *out)
{
	struct line line = {out, INDENT};

	for (uint32_t i = 0; i < block->count; i++) {
		uint32_t at = block->columns[i];
		const struct column *column = &table->columns[at];
		char buffer[CELL_BYTES];
		const char *text = units ? layout->scale[at].unit : column->heading;
		if (row)
			text = cell_text(&row->cells[at], column->kind, &layout->scale[at], buffer);
		text_table_print_cell(&line, text, layout->width[at], column->kind == COLUMN_TEXT);
		line.blanks += GAP;
	}
	fputc('\n', out);
}

static void print_block(const struct text_table *table, const struct layout *layout,
	const struct block *block, FILE *out)
{
	print_line(table, layout, block, NULL, false, out);
	if (block->has_units)
		print_line(table, layout, block, NULL, true, out);
	for (const struct row *row = table->first; row; row = row->next)
		print_line(table, layout, block, row, false, out);
}

/* Returns the columns that are repeated at the start of each block after the first: all key
 * columns, or only the first key column if all of them together take more than half the width. */
static struct block key_block(
	const struct text_table *table, const struct layout *layout, uint32_t columns)
{
	struct block keys = {.count = 0};

	for (uint32_t i = 0; i < table->key_count; i++)
		add_column(&keys, layout, i);
	if (keys.width > columns / 2) {
		keys = (struct block){.count = 0};
		add_column(&keys, layout, 0);
	}
	return keys;
}

/* Prints the blocks one below the other. A block is at most `columns` columns of the terminal wide.
 * It is wider only if its key columns and one other column do not fit into this width. */
static void print_blocks(
	const struct text_table *table, const struct layout *layout, uint32_t columns, FILE *out)
{
	const struct block keys = key_block(table, layout, columns);
	struct block block = {.count = 0};
	uint32_t first = 0; /* number of key columns that the block begins with */

	for (uint32_t i = 0; i < table->column_count; i++) {
		uint32_t more = layout->width[i] ? GAP + (uint32_t)layout->width[i] : 0;

		if (more && i >= table->key_count && block.count > first &&
			block.width + more > columns) {
			print_block(table, layout, &block, out);
			fputc('\n', out);
			block = keys;
			first = keys.count;
		}
		add_column(&block, layout, i);
	}
	print_block(table, layout, &block, out);
}

static void lay_out(const struct text_table *table, struct layout *layout)
{
	for (uint32_t i = 0; i < table->column_count; i++) {
		const struct scale *scale = text_table_scale_of(table, i);
		layout->scale[i] = *scale;
		layout->scale[i].decimals = text_table_decimals_of(table, i, scale);
		layout->width[i] =
			table->columns[i].left_out ? 0 : column_width(table, i, &layout->scale[i]);
	}
}

static uint32_t table_width(const struct text_table *table, const struct layout *layout)
{
	struct block block = {.count = 0};

	for (uint32_t i = 0; i < table->column_count; i++)
		add_column(&block, layout, i);
	return block.width;
}

const char *text_table_fit(struct text_table *table, const char *const *headings, uint32_t columns)
{
	const char *left_out = "";
	struct layout layout;

	lay_out(table, &layout);
	for (; *headings && table_width(table, &layout) > columns; headings++)
		for (uint32_t i = table->key_count; i < table->column_count; i++) {
			if (strcmp(table->columns[i].heading, *headings) != 0 ||
				layout.width[i] == 0)
				continue;
			table->columns[i].left_out = true;
			layout.width[i] = 0;
			left_out = arena_printf(table->arena, "%s%s%s", left_out,
				left_out[0] ? ", " : "", *headings);
		}
	return left_out;
}

void text_table_print_within(const struct text_table *table, uint32_t columns, FILE *out)
{
	struct layout layout;

	lay_out(table, &layout);
	if (table->first)
		print_blocks(table, &layout, columns, out);
}

void text_table_print(const struct text_table *table, FILE *out)
{
	text_table_print_within(table, UINT32_MAX, out);
}

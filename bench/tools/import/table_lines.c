/* Reads the rows of a wide CSV file one after the other (op_report_private.h). */
#include "op_report_private.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"

void table_lines_init(struct table_lines *lines, FILE *file, const char *name, uint32_t most_bytes,
	uint32_t most_cells, struct diag *diag)
{
	*lines = (struct table_lines){.file = file,
		.name = name,
		.source = diag_source(diag, name, NULL, 0),
		.diag = diag,
		.bytes = allocate(most_bytes + 2u, 1),
		.cells = allocate(most_cells, sizeof(struct table_cell)),
		.most_bytes = most_bytes,
		.most_cells = most_cells};
}

void table_lines_fini(struct table_lines *lines)
{
	free(lines->bytes);
	free(lines->cells);
}

struct location table_lines_where(const struct table_lines *lines, const struct table_cell *cell)
{
	return location_at(lines->source, lines->line, cell ? cell->column : 1);
}

/* Reads one line without its end. Returns false at the end of the file, or after an error. */
static bool take_line(struct table_lines *lines)
{
	int byte;

	lines->length = 0;
	lines->line++;
	while ((byte = getc_unlocked(lines->file)) != EOF && byte != '\n') {
		if (lines->length == lines->most_bytes || byte == '\0') {
			diag_error(lines->diag, table_lines_where(lines, NULL),
				byte == '\0' ? "a NUL byte: this is no table of text"
					     : "a line of more than %u bytes",
				lines->most_bytes);
			return false;
		}
		lines->bytes[lines->length++] = (char)byte;
	}
	if (lines->length > 0 && lines->bytes[lines->length - 1] == '\r')
		lines->length--;
	lines->bytes[lines->length] = '\0';
	if (ferror(lines->file))
		diag_error(lines->diag, table_lines_where(lines, NULL), "cannot read on");
	return !ferror(lines->file) && (byte == '\n' || lines->length > 0);
}

/* Removes the quotes of the cell at `at`, and returns the position after the cell. If there is no
 * closing quote, returns the length of the line plus 1. */
static size_t take_quoted(struct table_lines *lines, size_t at, struct table_cell *cell)
{
	char *out = lines->bytes + at;

	cell->text = out;
	for (at++; at < lines->length; at++) {
		if (lines->bytes[at] == '"' && lines->bytes[at + 1] != '"')
			break;
		at += lines->bytes[at] == '"';
		*out++ = lines->bytes[at];
	}
	cell->length = (uint32_t)(out - cell->text);
	if (at >= lines->length)
		return lines->length + 1;
	*out = '\0';
	return at + 1;
}

static size_t take_plain(struct table_lines *lines, size_t at, struct table_cell *cell)
{
	const char *comma = memchr(lines->bytes + at, ',', lines->length - at);
	size_t end = comma ? (size_t)(comma - lines->bytes) : lines->length;

	cell->text = lines->bytes + at;
	cell->length = (uint32_t)(end - at);
	return end;
}

static bool take_cell(struct table_lines *lines, size_t *at)
{
	struct table_cell *cell = &lines->cells[lines->count];

	if (lines->count == lines->most_cells) {
		diag_error(lines->diag, table_lines_where(lines, NULL), "more than %u cells",
			lines->most_cells);
		return false;
	}
	cell->column = (uint32_t)*at + 1;
	lines->count++;
	*at = lines->bytes[*at] == '"' ? take_quoted(lines, *at, cell)
				       : take_plain(lines, *at, cell);
	if (*at <= lines->length && (*at == lines->length || lines->bytes[*at] == ','))
		return true;
	diag_error(lines->diag, table_lines_where(lines, cell),
		*at > lines->length ? "the quote is not closed in this line"
				    : "a comma is expected behind a quoted cell");
	return false;
}

bool table_lines_next(struct table_lines *lines)
{
	size_t at = 0;

	do
		if (!take_line(lines))
			return false;
	while (lines->length == 0);
	lines->count = 0;
	for (; at <= lines->length; at++) {
		if (!take_cell(lines, &at))
			return false;
		lines->bytes[at] = '\0'; /* in place of the comma */
	}
	return true;
}

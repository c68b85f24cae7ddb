/* Reads a file of decisions (see decisions.h). */
#include <string.h>
#include <strings.h>

#include "base/nearest.h"
#include "base/text.h"
#include "bench/tools/reference/csv.h"
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

static void read_verdict(struct diag *diag, const struct csv_cell *cell, struct decision_row *row)
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
		diag_error(diag, cell->where, "unknown verdict '%s', did you mean '%s'?",
			cell->text, nearest.best);
	else
		diag_error(diag, cell->where,
			"a verdict is faster, slower, better, worse or equal, not '%.80s'",
			cell->text);
}

static void decision_read_row(struct csv *csv, struct decisions *decisions)
{
	struct decision_row *row = &decisions->rows[decisions->row_count++];
	const char **members[COLUMNS] = {&row->id, &row->system, &row->scenario, &row->option,
		&row->metric, NULL, &row->unit, &row->source, &row->kind};
	const struct csv_cell *value = &csv->cells[COLUMN_VALUE];

	row->where = csv->where;
	row->run = NO_RUN;
	for (uint32_t c = 0; c < COLUMNS; c++)
		if (members[c])
			*members[c] = csv->cells[c].text;
	for (uint32_t c = 0; c < COLUMNS; c++)
		if (!*csv->cells[c].text &&
			(c == COLUMN_ID || c == COLUMN_OPTION || c == COLUMN_METRIC))
			diag_error(csv->diag, csv->cells[c].where, "%s is empty", column_names[c]);
	if (strcmp(row->metric, "verdict") == 0)
		read_verdict(csv->diag, value, row);
	else if (!number_read_real(value->text, &row->value) || !(row->value > 0))
		diag_error(csv->diag, value->where,
			"a value is a number above zero, not '%.80s'; words need the metric "
			"'verdict'",
			value->text);
}

/* Sets `base` of each row. A row may have "same" as its scenario. This stands for `base`, the last
 * scenario of an earlier row of the same decision that does not begin with "same". Reports an
 * error if the scenario of the first row of a decision begins with "same", or if rows with the
 * same id do not follow each other. */
static void link_rows(struct diag *diag, struct decisions *decisions)
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
				diag_error(diag, row->where,
					"rows of '%s' began in line %u: rows of one id stand "
					"together",
					row->id, decisions->rows[j].where.line);
				break;
			}
		if (strncmp(row->scenario, "same", 4) == 0)
			diag_error(diag, row->where,
				"'same' in the first row of '%s': the same as what?", row->id);
	}
}

struct decisions *decisions_read(const char *path, struct arena *arena, struct diag *diag)
{
	struct decisions *decisions = arena_alloc(arena, sizeof *decisions);
	struct csv csv;

	decisions->arena = arena;
	if (csv_open(&csv, path, column_names, COLUMNS, arena, diag)) {
		decisions->rows = arena_array(arena, csv.rows_most, sizeof *decisions->rows);
		while (csv_next(&csv))
			decision_read_row(&csv, decisions);
		link_rows(diag, decisions);
	}
	return csv_close(&csv) ? decisions : NULL;
}

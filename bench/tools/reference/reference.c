/* Reads reference figures (see experiment.h). */
#include "bench/tools/reference/experiment.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "bench/tools/reference/csv.h"

enum reference_column {
	COLUMN_FAMILY,
	COLUMN_SYSTEM,
	COLUMN_PARAMS,
	COLUMN_METRIC,
	COLUMN_VALUE,
	COLUMN_UNIT,
	COLUMN_SPREAD,
	COLUMN_SOURCE,
	COLUMNS
};

static const char *const columns[COLUMNS] = {
	"family", "system", "params", "metric", "value", "unit", "spread", "source"};

static void read_params(struct csv *csv, const struct csv_cell *cell, struct reference_row *row)
{
	char *copy = (char *)arena_string(csv->arena, cell->text);
	char *rest = copy, *part;

	while ((part = strsep(&rest, ";")) != NULL) {
		struct location where = cell->where;
		char *equals = strchr(part, '=');

		where.column += (uint32_t)(part - copy);
		if (!*part && !rest && part == copy)
			return;
		if (!equals || equals == part) {
			diag_error(csv->diag, where, "'%s' is no key=value", part);
			continue;
		}
		*equals = '\0';
		if (reference_param(row, part)) {
			diag_error(csv->diag, where, "parameter '%s' is there twice", part);
			continue;
		}
		if (row->param_count == REFERENCE_PARAMS_MAX) {
			diag_error(
				csv->diag, where, "more than %d parameters", REFERENCE_PARAMS_MAX);
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

/* Reads the spread of the figure on hardware. A spread of the form "tolerance N %" or "min A p99 B
 * max C" gives a range. Any other text, such as "min of 5", only describes the measurement. */
static void read_spread(struct csv *csv, const struct csv_cell *cell, struct reference_row *row)
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
		diag_error(csv->diag, cell->where,
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

/* Reports a figure that occurs twice, because it would have twice the weight. */
static void refuse_twice(struct csv *csv, const struct reference *reference)
{
	const struct reference_row *row = &reference->rows[reference->count - 1], *other;

	for (other = reference->rows; other < row; other++)
		if (strcmp(other->family, row->family) == 0 &&
			strcmp(other->system, row->system) == 0 &&
			strcmp(other->metric, row->metric) == 0 &&
			strcmp(other->source, row->source) == 0 && same_params(other, row)) {
			diag_error(csv->diag, row->where,
				"this figure is there already, in line %u", other->where.line);
			return;
		}
}

static void read_row(struct csv *csv, struct reference *reference)
{
	struct reference_row *row = &reference->rows[reference->count++];
	const struct csv_cell *cells = csv->cells, *value = &cells[COLUMN_VALUE];

	row->where = csv->where;
	row->family = cells[COLUMN_FAMILY].text;
	row->family_where = cells[COLUMN_FAMILY].where;
	row->system = cells[COLUMN_SYSTEM].text;
	row->system_where = cells[COLUMN_SYSTEM].where;
	row->params_text = cells[COLUMN_PARAMS].text;
	row->params_where = cells[COLUMN_PARAMS].where;
	row->metric = cells[COLUMN_METRIC].text;
	row->metric_where = cells[COLUMN_METRIC].where;
	row->unit = cells[COLUMN_UNIT].text;
	row->source = cells[COLUMN_SOURCE].text;
	if (!number_read_real(value->text, &row->value) || !(row->value > 0))
		diag_error(csv->diag, value->where, "a value is a number above zero, not '%s'",
			value->text);
	read_spread(csv, &cells[COLUMN_SPREAD], row);
	read_params(csv, &cells[COLUMN_PARAMS], row);
	refuse_twice(csv, reference);
}

bool reference_read(
	const char *path, struct arena *arena, struct diag *diag, struct reference *reference)
{
	struct csv csv;

	*reference = (struct reference){0};
	if (csv_open(&csv, path, columns, COLUMNS, arena, diag)) {
		reference->rows = arena_array(arena, csv.rows_most, sizeof *reference->rows);
		while (csv_next(&csv))
			read_row(&csv, reference);
	}
	return csv_close(&csv);
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

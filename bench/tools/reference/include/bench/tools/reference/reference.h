/* Reference figures measured on hardware: CSV files with the columns family, system, params,
 * metric, value, unit, spread, source, where params is key=value joined by ';'. Unknown columns,
 * malformed values and duplicate figures are errors, each with its place. */
#ifndef BENCH_TOOLS_REFERENCE_H
#define BENCH_TOOLS_REFERENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"

enum { REFERENCE_PARAMS_MAX = 24 };

struct reference_param {
	const char *key, *value;
	struct location where; /* of the key */
};

struct reference_row {
	const char *family, *system, *params_text, *metric, *unit, *spread, *source;
	struct reference_param params[REFERENCE_PARAMS_MAX];
	uint32_t param_count;
	double value;
	bool has_range; /* the hardware's own spread, from `least` to `most` */
	double least, most;
	struct location where, family_where, system_where, params_where, metric_where;
};

struct reference {
	struct reference_row *rows;
	uint32_t count;
};

/* Reads `path`; rows are allocated in `arena`. False after errors, which are in `diag`. */
bool reference_read(
	const char *path, struct arena *arena, struct diag *diag, struct reference *reference);

/* The value of a parameter, or `fallback` if the row does not have it. */
const char *reference_text(const struct reference_row *row, const char *key, const char *fallback);

/* The parameter, or NULL. */
const struct reference_param *reference_param(const struct reference_row *row, const char *key);

#endif

/* The columns of a profiler's report, found by their names in any vintage. */
#ifndef BENCH_TOOLS_IMPORT_OP_COLUMNS_H
#define BENCH_TOOLS_IMPORT_OP_COLUMNS_H

#include "base/text.h"
#include "bench/tools/import/op_report.h"
#include "table_lines.h"

enum op_column {
	COLUMN_CODE,
	COLUMN_TYPE,
	COLUMN_DEVICE,
	COLUMN_ARCH,
	COLUMN_CORES,
	COLUMN_AVAILABLE,
	COLUMN_HOST_START,
	COLUMN_FW_START,
	COLUMN_FW_END,
	COLUMN_FW_NS,
	COLUMN_GAP,
	COLUMN_KERNEL,
	COLUMN_SHORTEST,
	COLUMN_LONGEST,
	COLUMN_SKEW,
	COLUMN_TRACE,
	COLUMN_SESSION,
	COLUMN_COMPUTE_HASH,
	COLUMN_MOVEMENT_HASH,
	COLUMN_PROGRAM_HASH,
	COLUMN_BYTES, /* of each processor of a worker */
	COLUMN_ETHERNET = COLUMN_BYTES + PROCESSOR_COUNT,
	COLUMN_COUNT
};

struct op_columns {
	uint32_t width;		      /* number of columns */
	uint32_t place[COLUMN_COUNT]; /* index of the column, or UINT32_MAX */
	char **tensor_names;	      /* [index] name of a column of tensors, or NULL */
};

/* Finds the columns by their names in the first line. Returns false with an error in `diag` if the
 * file is not a report of the profiler. */
bool op_columns_find(struct op_columns *columns, const struct table_lines *names,
	struct arena *arena, struct diag *diag);

/* Returns the cell of a column; its text is "" if the report lacks the column. */
const struct table_cell *op_cell(
	const struct op_columns *columns, const struct table_lines *lines, enum op_column column);

/* Returns the number in a cell, without its fraction. Returns OP_ABSENT if the cell is empty.
 * Returns OP_ABSENT with an error in `diag` if the cell is not a number, or if the number exceeds
 * `most`. */
uint64_t op_number(const struct op_columns *columns, const struct table_lines *lines,
	enum op_column column, uint64_t most, struct diag *diag);

/* Appends a description of the tensors of the current line. */
void op_tensors(
	const struct op_columns *columns, const struct table_lines *lines, struct text *out);

#endif

/* The columns of a profiler's report. They are found by their names, because reports of other
 * versions have other columns. */
#ifndef BENCH_TOOLS_IMPORT_OP_REPORT_PRIVATE_H
#define BENCH_TOOLS_IMPORT_OP_REPORT_PRIVATE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/diag.h"
#include "base/text.h"
#include "bench/tools/import/import.h"
#include "bench/tools/import/op_report.h"
#include "mesh/mesh.h"

/* Reads a CSV file with many columns line by line, with little memory. Cells may be in quotes;
 * within quotes, two quotes stand for one quote. */

/* A cell of the current line: its text, and its first column in the file, in bytes from 1. */
struct table_cell {
	const char *text;
	uint32_t length, column;
};

struct table_lines {
	struct table_cell *cells; /* cells of the current line */
	uint32_t count;
	uint32_t line; /* number of the current line, from 1 */
	/* private: */
	FILE *file;
	const char *name;
	const struct source *source;
	struct diag *diag;
	char *bytes; /* the current line; cells point to it */
	size_t length;
	uint32_t most_cells, most_bytes;
};

/* Starts reading `file`, which the caller closes later. A line may have at most `most_bytes` bytes
 * and `most_cells` cells. The caller must call table_lines_fini() at the end. */
void table_lines_init(struct table_lines *lines, FILE *file, const char *name, uint32_t most_bytes,
	uint32_t most_cells, struct diag *diag);

/* Reads the next line that is not empty. Returns false at the end, or after an error in `diag`. */
bool table_lines_next(struct table_lines *lines);

/* Returns the place of a cell of the current line, or of the line if `cell` is NULL. */
struct location table_lines_where(const struct table_lines *lines, const struct table_cell *cell);

void table_lines_fini(struct table_lines *lines);

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
	COLUMN_BYTES, /* a column for each processor of a worker */
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

/* Operations of a report as calls: one call for all devices that ran the same operation. */

struct op_call {
	const struct op_entry *entry;	   /* the first device's operation */
	uint64_t kernel_ns, host_start_ns; /* median over the devices; the earliest start */
	uint64_t identity;		   /* hash of the programs and devices of the call */
	bool whole;			   /* true: all devices run the operation; false: only the
					    * device of `entry` does */
	/* the operation of each device, if devices run different programs; otherwise NULL */
	const struct op_entry **each;
};

struct op_calls {
	struct op_call *at;
	uint32_t count;
	uint32_t apart; /* operations that not all devices ran at the same place of their order */
};

/* Makes the calls, in `arena`. Operation i of one device and operation i of another device belong
 * to the same call. The profiler's call counts would not show this, because they differ between
 * devices. */
struct op_calls op_calls_make(const struct op_report *report, struct arena *arena);

/* Writes the calls of a report as a scenario. */

struct op_writing {
	const struct import_request *request;
	const char *machine;
	const char *assumptions; /* lines for the head of the scenario */
	struct mesh_shape shape; /* shape of the machine */
	/* Ethernet cores dispatch, because programs use more cores than are left beside Tensix
	 * cores that dispatch */
	bool ethernet;
};

/* Appends the scenario. Appends to `notes` what the scenario leaves out. */
void op_report_write(const struct op_report *report, const struct op_calls *calls,
	const struct op_writing *writing, struct text *scenario, struct text *notes);

#endif

/* Finds the columns of a profiler's report by their names, and reads their cells
 * (op_report_private.h). */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "op_report_private.h"

enum { NAMES_MAX = 2 };

/* The names of each column in the vintages of the profiler, the newest first. */
static const char *const column_names[COLUMN_COUNT][NAMES_MAX] = {
	[COLUMN_CODE] = {"OP CODE"},
	[COLUMN_TYPE] = {"OP TYPE"},
	[COLUMN_DEVICE] = {"DEVICE ID"},
	[COLUMN_ARCH] = {"DEVICE ARCH"},
	[COLUMN_CORES] = {"CORE COUNT"},
	[COLUMN_AVAILABLE] = {"AVAILABLE WORKER CORE COUNT"},
	[COLUMN_HOST_START] = {"HOST START TS"},
	[COLUMN_FW_START] = {"DEVICE FW START CYCLE"},
	[COLUMN_FW_END] = {"DEVICE FW END CYCLE"},
	[COLUMN_FW_NS] = {"DEVICE FW DURATION [ns]"},
	[COLUMN_GAP] = {"OP TO OP LATENCY [ns]"},
	[COLUMN_KERNEL] = {"DEVICE KERNEL DURATION [ns]"},
	[COLUMN_SHORTEST] = {"DEVICE KERNEL DURATION PER CORE MIN [ns]"},
	[COLUMN_LONGEST] = {"DEVICE KERNEL DURATION PER CORE MAX [ns]"},
	[COLUMN_SKEW] = {"DEVICE KERNEL FIRST TO LAST START [ns]"},
	[COLUMN_TRACE] = {"METAL TRACE ID"},
	[COLUMN_SESSION] = {"METAL TRACE REPLAY SESSION ID"},
	[COLUMN_COMPUTE_HASH] = {"COMPUTE KERNEL HASH"},
	[COLUMN_MOVEMENT_HASH] = {"DATA MOVEMENT KERNEL HASH"},
	[COLUMN_PROGRAM_HASH] = {"PROGRAM HASH"},
	[COLUMN_BYTES +
		PROCESSOR_BRISC] = {"TENSIX DM 0 MAX KERNEL SIZE [B]", "BRISC MAX KERNEL SIZE [B]"},
	[COLUMN_BYTES + PROCESSOR_NCRISC] = {"TENSIX DM 1 MAX KERNEL SIZE [B]",
		"NCRISC MAX KERNEL SIZE [B]"},
	[COLUMN_BYTES + PROCESSOR_TRISC0] = {"TENSIX COMPUTE 0 MAX KERNEL SIZE [B]",
		"TRISC 0 MAX KERNEL SIZE [B]"},
	[COLUMN_BYTES + PROCESSOR_TRISC1] = {"TENSIX COMPUTE 1 MAX KERNEL SIZE [B]",
		"TRISC 1 MAX KERNEL SIZE [B]"},
	[COLUMN_BYTES + PROCESSOR_TRISC2] = {"TENSIX COMPUTE 2 MAX KERNEL SIZE [B]",
		"TRISC 2 MAX KERNEL SIZE [B]"},
	[COLUMN_ETHERNET] = {"ACTIVE ETH DM 0 MAX KERNEL SIZE [B]", "ERISC MAX KERNEL SIZE [B]"},
};

static void column_take_name(struct op_columns *columns, const char *name, uint32_t index)
{
	for (uint32_t column = 0; column < COLUMN_COUNT; column++)
		for (uint32_t i = 0; i < NAMES_MAX; i++)
			if (column_names[column][i] && strcmp(column_names[column][i], name) == 0 &&
				columns->place[column] == UINT32_MAX)
				columns->place[column] = index;
}

/* True for "INPUT_0_X_PAD[LOGICAL]", "OUTPUT_1_MEMORY" and the like. */
static bool is_of_tensor(const char *name)
{
	return strncmp(name, "INPUT_", 6) == 0 || strncmp(name, "OUTPUT_", 7) == 0;
}

bool op_columns_find(struct op_columns *columns, const struct table_lines *names,
	struct arena *arena, struct diag *diag)
{
	static const enum op_column needed[] = {COLUMN_CODE, COLUMN_CORES, COLUMN_KERNEL};
	bool good = true;

	columns->width = names->count;
	columns->tensor_names = arena_array(arena, names->count, sizeof *columns->tensor_names);
	for (uint32_t column = 0; column < COLUMN_COUNT; column++)
		columns->place[column] = UINT32_MAX;
	for (uint32_t i = 0; i < names->count; i++) {
		column_take_name(columns, names->cells[i].text, i);
		columns->tensor_names[i] = is_of_tensor(names->cells[i].text)
						   ? arena_printf(arena, "%s", names->cells[i].text)
						   : NULL;
	}
	for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
		if (columns->place[needed[i]] != UINT32_MAX)
			continue;
		diag_error(diag, table_lines_where(names, NULL),
			"no column '%s', which a profiler's report needs",
			column_names[needed[i]][0]);
		good = false;
	}
	return good;
}

const struct table_cell *op_cell(
	const struct op_columns *columns, const struct table_lines *lines, enum op_column column)
{
	static const struct table_cell none = {"", 0, 1};
	uint32_t at = columns->place[column];

	return at < lines->count ? &lines->cells[at] : &none;
}

uint64_t op_number(const struct op_columns *columns, const struct table_lines *lines,
	enum op_column column, uint64_t most, struct diag *diag)
{
	const struct table_cell *cell = op_cell(columns, lines, column);
	const char *at = cell->text;
	uint64_t value = 0;
	bool large = false;

	if (cell->length == 0)
		return OP_ABSENT;
	for (; isdigit((unsigned char)*at); at++) {
		large |= value > (UINT64_MAX - 9) / 10;
		value = large ? value : 10 * value + (uint64_t)(*at - '0');
	}
	if (at > cell->text && *at == '.')
		at += 1 + strspn(at + 1, "0123456789");
	if (at == cell->text || *at) {
		diag_error(diag, table_lines_where(lines, cell), "%s: '%.40s' is no number",
			column_names[column][0], cell->text);
		return OP_ABSENT;
	}
	if (!large && value <= most)
		return value;
	diag_error(diag, table_lines_where(lines, cell), "%s: %.40s is more than %llu",
		column_names[column][0], cell->text, (unsigned long long)most);
	return OP_ABSENT;
}

void op_tensors(const struct op_columns *columns, const struct table_lines *lines, struct text *out)
{
	for (uint32_t i = 0; i < columns->width; i++) {
		const char *name = columns->tensor_names[i], *rest;
		bool input;

		if (!name || lines->cells[i].length == 0)
			continue;
		input = name[0] == 'I';
		rest = name + (input ? 6 : 7);
		rest += strspn(rest, "0123456789");
		rest += *rest == '_';
		if (*rest == 'W')
			text_printf(
				out, "%s%s ", out->length > 0 ? ", " : "", input ? "in" : "out");
		else
			text_append(out, strchr("ZYX", *rest) && *rest ? "x" : " ");
		text_append_bytes(out, lines->cells[i].text, lines->cells[i].length);
	}
}

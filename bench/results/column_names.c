/* Makes unique identifiers from the names of columns (results_file.h), and says how many fit. */
#include "results_file.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ensure.h"

/* Python's keywords, except for those with capitals. */
static bool is_keyword(const char *name)
{
	static const char *const keywords[] = {"and", "as", "assert", "async", "await", "break",
		"class", "continue", "def", "del", "elif", "else", "except", "finally", "for",
		"from", "global", "if", "import", "in", "is", "lambda", "nonlocal", "not", "or",
		"pass", "raise", "return", "try", "while", "with", "yield"};

	for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
		if (keywords[i][0] == name[0] && strcmp(keywords[i], name) == 0)
			return true;
	return false;
}

static void make_identifier(const char *name, char *out)
{
	bool prefix = !*name || isdigit((unsigned char)*name);
	int length = snprintf(out, COLUMN_NAME_BYTES, "%s%s%s", prefix ? "_" : "", name,
		is_keyword(name) ? "_" : "");

	ensure(length < COLUMN_NAME_BYTES - 16, "name of column %s", name);
	for (char *c = out; *c; c++)
		if (!isalnum((unsigned char)*c))
			*c = '_';
}

static bool is_taken(char (*names)[COLUMN_NAME_BYTES], uint32_t count, const char *name)
{
	for (uint32_t i = 0; i < count; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

char (*column_names(const struct table *table))[COLUMN_NAME_BYTES]
{
	char(*names)[COLUMN_NAME_BYTES] = calloc(table->column_count + 1, sizeof *names);

	ensure_memory(names, "%u names", table->column_count);
	for (uint32_t i = 0; i < table->column_count; i++) {
		size_t length;

		make_identifier(table->columns[i].name, names[i]);
		length = strlen(names[i]);
		for (uint32_t again = 2; is_taken(names, i, names[i]); again++)
			snprintf(names[i] + length, COLUMN_NAME_BYTES - length, "_%u", again);
	}
	return names;
}

enum {
	MESSAGE_BYTES = UINT16_MAX, /* largest message about a table */
	COMPOUND_BYTES = 8,	    /* part of the message about no column */
	OFFSET_BYTES = 4,	    /* largest size of a column's offset */
	INTEGER_BYTES = 12,
	REAL_BYTES = 20,
	FIXED_TEXT_BYTES = 8
};

/* Returns how many bytes a column takes in HDF5's message about its table, without its name. */
static uint32_t member_bytes(const struct column *column)
{
	switch (column->type) {
	case COLUMN_F64:
	case COLUMN_TIME:
		return OFFSET_BYTES + REAL_BYTES;
	case COLUMN_TEXT:
		return OFFSET_BYTES + FIXED_TEXT_BYTES;
	default:
		return OFFSET_BYTES + INTEGER_BYTES;
	}
}

uint32_t table_fits(const struct table *table)
{
	char(*names)[COLUMN_NAME_BYTES] = column_names(table);
	size_t bytes = COMPOUND_BYTES;
	uint32_t count = 0;

	while (count < table->column_count) {
		bytes += strlen(names[count]) + 1 + member_bytes(&table->columns[count]);
		if (bytes > MESSAGE_BYTES)
			break;
		count++;
	}
	free(names);
	return count;
}

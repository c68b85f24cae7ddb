/* Tables that describe the JSON output of commands. `meshsim schema COMMAND` writes a JSON Schema
 * from such a table. The schema rejects properties that the table does not have, and tests validate
 * the output of commands against it. */
#ifndef BENCH_TOOLS_OUTPUT_SCHEMA_H
#define BENCH_TOOLS_OUTPUT_SCHEMA_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

enum shape_kind { SHAPE_TEXT, SHAPE_NUMBER, SHAPE_INTEGER, SHAPE_BOOL, SHAPE_SCALAR, SHAPE_OBJECT };

/* A member of an object, or a whole document. */
struct shape {
	const char *name, *help;
	enum shape_kind kind;
	bool list;		   /* the value is an array of such values */
	uint32_t length;	   /* length of the array; 0: any length */
	uint32_t row_length;	   /* 0, or: each element is an array of this length */
	bool nullable, optional;   /* the value may be null; the member may be absent */
	bool by_name;		   /* the value is an object that maps any name to such a value */
	bool open;		   /* the object may have other members, whose values are scalars */
	const char *choices;	   /* the allowed texts, separated by blanks */
	const struct shape *inner; /* members of an object */
	uint32_t inner_count;
};

#define SHAPE_INNER(table)                                                                         \
	.kind = SHAPE_OBJECT, .inner = table, .inner_count = sizeof table / sizeof *table

/* The documents that commands print as JSON. advise_outputs is for `advise`, place_outputs for
 * `place`, bring_up_outputs for `bring-up`, result_outputs and compare_outputs for commands that
 * read result files, and table_outputs for all other commands. Each list ends with NULL. */
extern const struct shape *const advise_outputs[];
extern const struct shape *const result_outputs[];
extern const struct shape *const compare_outputs[];
extern const struct shape *const table_outputs[];
extern const struct shape *const place_outputs[];
extern const struct shape *const bring_up_outputs[];

/* Returns the document of a command, or NULL. */
const struct shape *output_schema_find(const char *command);

/* Appends the JSON Schema (draft 2020-12) of a document to `out`. */
void output_schema_write(const struct shape *document, struct text *out);

#endif

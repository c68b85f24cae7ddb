/* The JSON that commands print, described in tables from which `meshsim schema COMMAND` writes JSON
 * Schemas. Refuses names that a table does not have: tests hold what is written against them. */
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
	bool list;		   /* an array of them */
	uint32_t length;	   /* of the array; 0: any */
	uint32_t row_length;	   /* of arrays of so many that the array is of; 0: of values */
	bool nullable, optional;   /* may be null; may be absent */
	bool by_name;		   /* an object of such values by any name */
	bool open;		   /* an object with scalars beside the members */
	const char *choices;	   /* the texts that may stand there, separated by blanks */
	const struct shape *inner; /* members of an object */
	uint32_t inner_count;
};

#define SHAPE_INNER(table)                                                                         \
	.kind = SHAPE_OBJECT, .inner = table, .inner_count = sizeof table / sizeof *table

/* Documents of commands: those that read result files, `place`, and the others; NULL behind the
 * last. */
extern const struct shape *const result_outputs[], *const table_outputs[], *const place_outputs[];

/* The document of a command, or NULL. */
const struct shape *output_schema_find(const char *command);

/* Appends its JSON Schema (draft 2020-12). */
void output_schema_write(const struct shape *document, struct text *out);

#endif

/* Writing of a JSON Schema: definitions of maps and tagged maps (schema_json.c), which are found
 * while fields are written (schema_json_field.c). */
#ifndef BASE_SCHEMA_JSON_H
#define BASE_SCHEMA_JSON_H

#include "base/json.h"
#include "schema_private.h"

enum { DEFINITIONS_MAX = 512 };

/* Maps and tagged maps found so far, in order; those before `done` are written. */
struct schema_writer {
	struct json json;
	struct {
		const char *name;
		const struct schema *schema;
		const struct schema_variants *variants;
	} definitions[DEFINITIONS_MAX];
	size_t count, done;
	bool layered; /* no key is required */
};

/* Writes a reference to a definition, and schedules the definition; either `schema` or the variants
 * are NULL. */
void schema_json_refer(struct schema_writer *writer, const char *name, const struct schema *schema,
	const struct schema_variants *variants);

/* Writes a member with a text; nothing if it is NULL. */
void schema_json_text(struct schema_writer *writer, const char *key, const char *value);

/* schema_json_field() writes a field as a schema of its own, the other one fields as members. */
void schema_json_field(struct schema_writer *writer, const struct schema_field *field);
void schema_json_fields(
	struct schema_writer *writer, const struct schema_field *fields, size_t count);

#endif

/* What writes a JSON Schema: definitions of maps and tagged maps (schema_json.c), which are met
 * while the fields of others are written (schema_json_field.c). */
#ifndef BASE_SCHEMA_JSON_H
#define BASE_SCHEMA_JSON_H

#include "base/json.h"
#include "schema_private.h"

enum { DEFINITIONS_MAX = 512 };

/* Maps and tagged maps that were met, in order; those before `done` are written. */
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

/* Writes a reference to a definition, and remembers to write it: one of the two is NULL. */
void schema_json_refer(struct schema_writer *writer, const char *name, const struct schema *schema,
	const struct schema_variants *variants);

/* A member that is a text; nothing for NULL. */
void schema_json_text(struct schema_writer *writer, const char *key, const char *value);

/* A field as a schema of its own; fields as members. */
void schema_json_field(struct schema_writer *writer, const struct schema_field *field);
void schema_json_fields(
	struct schema_writer *writer, const struct schema_field *fields, size_t count);

#endif

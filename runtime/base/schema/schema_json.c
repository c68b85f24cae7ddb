/* Writes the JSON Schema (draft 2020-12) of a table. Each map and each tagged map becomes a
 * separate definition, so a table may refer to itself. schema_json_field.c writes the keys. */
#include "schema_private.h"

#include <stdlib.h>

#include "base/allocate.h"

static bool is_required(const struct schema_field *field)
{
	return field->required || (field->kind == SCHEMA_KIND_MAP && !field->fallback &&
					  !schema_is_optional(field->schema));
}

static void write_required(
	struct schema_writer *writer, const struct schema_field *fields, size_t count)
{
	if (writer->layered)
		return;
	for (size_t i = 0; i < count; i++) {
		if (is_required(&fields[i]))
			json_string(&writer->json, fields[i].name);
	}
}

static void write_map(struct schema_writer *writer, const struct schema *schema)
{
	struct json *json = &writer->json;

	schema_json_text(writer, "description", schema->help);
	json_key(json, "type");
	if (schema_is_optional(schema))
		json_raw(json, "[\"object\", \"null\"]");
	else
		json_string(json, "object");
	json_object_of(json, "properties");
	schema_json_fields(writer, schema->fields, schema->field_count);
	json_object_end(json);
	json_array_of(json, "required");
	write_required(writer, schema->fields, schema->field_count);
	json_array_end(json);
	json_bool_of(json, "additionalProperties", false);
}

static void write_variant(struct schema_writer *writer, const struct schema_variants *variants,
	const struct schema_variant *variant)
{
	struct json *json = &writer->json;

	json_object(json);
	schema_json_text(writer, "type", "object");
	json_object_of(json, "properties");
	schema_json_fields(writer, &variant->field, 1);
	schema_json_fields(writer, variant->siblings, variant->sibling_count);
	schema_json_fields(writer, variants->common, variants->common_count);
	json_object_end(json);
	json_array_of(json, "required");
	json_string(json, variant->field.name);
	write_required(writer, variant->siblings, variant->sibling_count);
	write_required(writer, variants->common, variants->common_count);
	json_array_end(json);
	json_bool_of(json, "additionalProperties", false);
	json_object_end(json);
}

/* Writes the variants that may be given as a bare name, if there are any. */
static void write_bare_names(struct schema_writer *writer, const struct schema_variants *variants)
{
	struct json *json = &writer->json;
	bool any = false;

	for (size_t i = 0; i < variants->variant_count; i++) {
		const struct schema_field *field = &variants->variants[i].field;

		if (field->kind != SCHEMA_KIND_MAP || !schema_is_optional(field->schema))
			continue;
		if (!any) {
			json_object(json);
			json_array_of(json, "enum");
		}
		any = true;
		json_string(json, field->name);
	}
	if (!any)
		return;
	json_array_end(json);
	json_object_end(json);
}

static void write_variants(struct schema_writer *writer, const struct schema_variants *variants)
{
	struct json *json = &writer->json;

	schema_json_text(writer, "description", variants->help);
	json_array_of(json, "oneOf");
	for (size_t i = 0; i < variants->variant_count; i++)
		write_variant(writer, variants, &variants->variants[i]);
	write_bare_names(writer, variants);
	json_array_end(json);
}

void schema_append_json(const struct schema *schema, struct text *out)
{
	struct schema_writer *writer = allocate(1, sizeof(*writer));
	struct json *json;

	json = &writer->json;
	writer->layered = schema->layered;
	json_start(json, out);
	json_object(json);
	schema_json_text(writer, "$schema", "https://json-schema.org/draft/2020-12/schema");
	schema_json_text(writer, "title", schema->name);
	schema_json_refer(writer, schema->name, schema, NULL);
	json_object_of(json, "$defs");
	for (; writer->done < writer->count; writer->done++) {
		json_object_of(json, writer->definitions[writer->done].name);
		if (writer->definitions[writer->done].schema)
			write_map(writer, writer->definitions[writer->done].schema);
		else
			write_variants(writer, writer->definitions[writer->done].variants);
		json_object_end(json);
	}
	json_object_end(json);
	json_object_end(json);
	json_end(json);
	free(writer);
}

void schema_write_json(const struct schema *schema, FILE *out)
{
	struct text text;

	text_init(&text);
	schema_append_json(schema, &text);
	fwrite(text_string(&text), 1, text.length, out);
	text_fini(&text);
}

/* Writes JSON Schemas of the documents that commands print (see output_schema.h). */
#include "bench/tools/output_schema/output_schema.h"

#include <string.h>

#include "base/json.h"

const struct shape *output_schema_find(const char *command)
{
	const struct shape *const *const lists[] = {advise_outputs, result_outputs, compare_outputs,
		table_outputs, place_outputs, bring_up_outputs};

	for (size_t l = 0; l < sizeof lists / sizeof *lists; l++)
		for (const struct shape *const *at = lists[l]; *at; at++)
			if (strcmp((*at)->name, command) == 0)
				return *at;
	return NULL;
}

static void write_type(struct json *json, const struct shape *shape, const char *name)
{
	static const char *const scalars[] = {"string", "number", "boolean"};

	json_key(json, "type");
	if (shape->kind != SHAPE_SCALAR && !(shape->nullable && !shape->list)) {
		json_string(json, name);
		return;
	}
	json_array(json);
	if (shape->kind != SHAPE_SCALAR)
		json_string(json, name);
	for (int i = 0; shape->kind == SHAPE_SCALAR && i < 3; i++)
		json_string(json, scalars[i]);
	if (shape->nullable && !shape->list)
		json_string(json, "null");
	json_array_end(json);
}

static void write_choices(struct json *json, const struct shape *shape)
{
	json_array_of(json, "enum");
	for (const char *at = shape->choices; *at;) {
		char word[64] = {0};
		size_t length = strcspn(at, " ");
		memcpy(word, at, length < sizeof word ? length : sizeof word - 1);
		json_string(json, word);
		at += length + strspn(at + length, " ");
	}
	if (shape->nullable && !shape->list)
		json_null(json);
	json_array_end(json);
}

static void write_shape(struct json *json, const struct shape *shape);

static void write_members(struct json *json, const struct shape *shape)
{
	json_object_of(json, "properties");
	for (uint32_t i = 0; i < shape->inner_count; i++) {
		json_key(json, shape->inner[i].name);
		write_shape(json, &shape->inner[i]);
	}
	json_object_end(json);
	json_array_of(json, "required");
	for (uint32_t i = 0; i < shape->inner_count; i++)
		if (!shape->inner[i].optional)
			json_string(json, shape->inner[i].name);
	json_array_end(json);
	json_key(json, "additionalProperties");
	if (!shape->open) {
		json_bool(json, false);
		return;
	}
	json_object(json);
	write_type(json, &(struct shape){.kind = SHAPE_SCALAR}, "");
	json_object_end(json);
}

/* Writes the schema of one value, without the array or object that may contain the value. */
static void write_value(struct json *json, const struct shape *shape)
{
	static const char *const names[] = {"string", "number", "integer", "boolean", "", "object"};

	write_type(json, shape, names[shape->kind]);
	if (shape->choices)
		write_choices(json, shape);
	if (shape->kind == SHAPE_OBJECT)
		write_members(json, shape);
}

static void write_around(struct json *json, const struct shape *shape)
{
	struct shape inner = *shape;

	inner.help = NULL;
	if (shape->by_name) {
		inner.by_name = false;
		json_text(json, "type", "object");
		json_key(json, "additionalProperties");
	} else {
		inner.list = shape->row_length > 0;
		inner.length = shape->row_length;
		inner.row_length = 0;
		json_text(json, "type", "array");
		if (shape->length) {
			json_unsigned_of(json, "minItems", shape->length);
			json_unsigned_of(json, "maxItems", shape->length);
		}
		json_key(json, "items");
	}
	write_shape(json, &inner);
}

static void write_body(struct json *json, const struct shape *shape)
{
	if (shape->help)
		json_text(json, "description", shape->help);
	if (shape->by_name || shape->list)
		write_around(json, shape);
	else
		write_value(json, shape);
}

static void write_shape(struct json *json, const struct shape *shape)
{
	json_object(json);
	write_body(json, shape);
	json_object_end(json);
}

void output_schema_write(const struct shape *document, struct text *out)
{
	struct json json;

	json_start(&json, out);
	json_object(&json);
	json_text(&json, "$schema", "https://json-schema.org/draft/2020-12/schema");
	json_text(&json, "title", document->name);
	write_body(&json, document);
	json_object_end(&json);
	json_end(&json);
}

/* JSON Schemas of single keys: type, bounds, choices, default, help (schema_private.h). */
#include "schema_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/ensure.h"

/* The characters that text_plain() replaces, as a character set for a pattern. */
#define CONTROLS "\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069"

void schema_json_refer(struct schema_writer *writer, const char *name, const struct schema *schema,
	const struct schema_variants *variants)
{
	char path[LABEL_BYTES];
	size_t i = 0;

	ensure(name, "a schema without name");
	while (i < writer->count && strcmp(writer->definitions[i].name, name) != 0)
		i++;
	if (i == writer->count) {
		ensure(i < DEFINITIONS_MAX, "more than %d definitions", DEFINITIONS_MAX);
		writer->definitions[i].name = name;
		writer->definitions[i].schema = schema;
		writer->definitions[i].variants = variants;
		writer->count++;
	}
	ensure(writer->definitions[i].schema == schema &&
			writer->definitions[i].variants == variants,
		"two schemas have the name '%s'", name);
	snprintf(path, sizeof(path), "#/$defs/%s", name);
	json_key(&writer->json, "$ref");
	json_string(&writer->json, path);
}

void schema_json_text(struct schema_writer *writer, const char *key, const char *value)
{
	if (!value)
		return;
	json_key(&writer->json, key);
	json_string(&writer->json, value);
}

static void write_help(struct schema_writer *writer, const struct schema_field *field)
{
	struct text text;

	if (!field->help && !field->unit)
		return;
	text_init(&text);
	text_append(&text, field->help ? field->help : field->name);
	if (field->unit)
		text_printf(&text, " [%s]", field->unit);
	schema_json_text(writer, "description", text_string(&text));
	text_fini(&text);
}

static void write_default(struct schema_writer *writer, const struct schema_field *field)
{
	struct arena arena = {0};
	struct diag *diag = diag_new();
	const struct tree_node *node = schema_fallback(field, &arena, diag);
	struct text text;

	text_init(&text);
	if (node) {
		tree_write_json(node, &text);
		json_key(&writer->json, "default");
		/* The fallback of an enum may look like a number or bool, so it is always written
		 * as a string. */
		if (field->kind == SCHEMA_KIND_ENUM)
			json_string(&writer->json, field->fallback);
		else
			json_raw(&writer->json, text_string(&text));
	}
	text_fini(&text);
	diag_free(diag);
	arena_fini(&arena);
}

static void write_enum(struct schema_writer *writer, const struct schema_field *field)
{
	json_key(&writer->json, "enum");
	json_array(&writer->json);
	for (size_t i = 0; schema_value_name(field, i); i++)
		json_string(&writer->json, schema_value_name(field, i));
	for (const struct schema_alias *alias = field->aliases; alias && alias->alias; alias++) {
		/* other readers of YAML read these aliases as a bool */
		if (strcmp(alias->alias, "true") == 0 || strcmp(alias->alias, "false") == 0)
			json_raw(&writer->json, alias->alias);
		else
			json_string(&writer->json, alias->alias);
	}
	json_array_end(&writer->json);
}

/* The bounds apply only to numbers, and the pattern only to strings. */
static void write_quantity(struct schema_writer *writer, const struct schema_field *field)
{
	struct text pattern;

	json_key(&writer->json, "type");
	json_raw(&writer->json, "[\"integer\", \"string\"]");
	text_init(&pattern);
	text_append(&pattern, "^[0-9]+(\\.[0-9]+)? ?(");
	schema_append_units(field, "|", &pattern);
	text_append(&pattern, ")$");
	schema_json_text(writer, "pattern", text_string(&pattern));
	text_fini(&pattern);
}

static void write_int(struct schema_writer *writer, const struct schema_field *field)
{
	int64_t min, max;

	schema_int_bounds(field, &min, &max);
	if (schema_takes_quantity(field))
		write_quantity(writer, field);
	else
		schema_json_text(writer, "type", "integer");
	json_integer_of(&writer->json, "minimum", min);
	json_integer_of(&writer->json, "maximum", max);
}

static void write_real(struct schema_writer *writer, const struct schema_field *field)
{
	double min, max;

	schema_real_bounds(field, &min, &max);
	schema_json_text(writer, "type", "number");
	if (isfinite(min)) {
		json_real_of(&writer->json, "minimum", min);
	}
	if (isfinite(max)) {
		json_real_of(&writer->json, "maximum", max);
	}
}

static void write_items(struct schema_writer *writer, const struct schema_field *field)
{
	bool is_dict = field->kind == SCHEMA_KIND_DICT;
	uint64_t min, max;

	schema_length_bounds(field, &min, &max);
	schema_json_text(writer, "type", is_dict ? "object" : "array");
	json_key(&writer->json, is_dict ? "additionalProperties" : "items");
	schema_json_field(writer, field->element);
	if (min) {
		json_unsigned_of(&writer->json, is_dict ? "minProperties" : "minItems", min);
	}
	if (max != UINT32_MAX) {
		json_unsigned_of(&writer->json, is_dict ? "maxProperties" : "maxItems", max);
	}
}

/* Writes a constant: a reference to the definition of all constants, and this constant's unit. */
static void write_constant(struct schema_writer *writer, const struct schema_field *field)
{
	schema_json_refer(writer, schema_of_constant.name, &schema_of_constant, NULL);
	json_key(&writer->json, "properties");
	json_object(&writer->json);
	json_key(&writer->json, "unit");
	json_object(&writer->json);
	schema_json_text(writer, "const", field->unit);
	json_object_end(&writer->json);
	json_key(&writer->json, "value");
	json_object(&writer->json);
	write_real(writer, field);
	json_object_end(&writer->json);
	json_object_end(&writer->json);
}

/* Writes the members of the JSON object `text`, without its braces. */
static void write_own(struct schema_writer *writer, const char *text)
{
	if (!text)
		return;
	json_key(&writer->json, "allOf");
	json_array(&writer->json);
	json_raw(&writer->json, text);
	json_array_end(&writer->json);
}

static void write_type(struct schema_writer *writer, const struct schema_field *field);

/* Writes a schema for a list of values of `field`, or of any values if `field` is NULL. */
static void write_values(struct schema_writer *writer, const struct schema_field *field)
{
	struct json *json = &writer->json;

	json_object(json);
	if (field)
		write_help(writer, field);
	schema_json_text(writer, "type", "array");
	json_unsigned_of(json, "minItems", 1);
	if (field) {
		json_object_of(json, "items");
		write_type(writer, field);
		json_object_end(json);
	}
	json_object_end(json);
}

/* Writes the paths below `prefix` of the keys of a table, except the keys in `refused`. If
 * `patterns` is not set, writes the path of each key as a property. If `patterns` is set, writes
 * only regular expressions for the paths into lists and maps with free keys, because the number of
 * these paths is not limited. */
static void write_paths_of(struct schema_writer *writer, const struct schema *schema,
	const char *prefix, const char *const *refused, bool patterns)
{
	char path[TREE_PATH_BYTES_MAX];

	for (size_t i = 0; i < schema->field_count; i++) {
		const struct schema_field *field = &schema->fields[i];
		bool list = field->kind == SCHEMA_KIND_ARRAY || field->kind == SCHEMA_KIND_LIST;
		size_t r = 0;

		while (refused && refused[r] && strcmp(refused[r], field->name) != 0)
			r++;
		if (refused && refused[r])
			continue;
		snprintf(path, sizeof(path), "%s%s", prefix, field->name);
		if (!patterns) {
			json_key(&writer->json, path);
			write_values(writer, field);
		} else if (list || field->kind == SCHEMA_KIND_NODE) {
			snprintf(path, sizeof(path), "^%s%s\\.%s", prefix, field->name,
				list ? "(0|[1-9][0-9]*)(\\.[^.]+)*$" : ".");
			json_key(&writer->json, path);
			write_values(writer, NULL);
		}
		if (field->kind != SCHEMA_KIND_MAP)
			continue;
		snprintf(path, sizeof(path), patterns ? "%s%s\\." : "%s%s.", prefix, field->name);
		write_paths_of(writer, field->schema, path, NULL, patterns);
	}
}

static void write_paths(struct schema_writer *writer, const struct schema_field *field)
{
	struct json *json = &writer->json;

	json_key(json, "type");
	json_raw(json, "[\"object\", \"null\"]");
	json_object_of(json, "properties");
	write_paths_of(writer, field->paths_of, "", field->paths_refused, false);
	json_object_end(json);
	json_object_of(json, "patternProperties");
	write_paths_of(writer, field->paths_of, "", field->paths_refused, true);
	json_object_end(json);
	json_bool_of(json, "additionalProperties", false);
}

static void write_type(struct schema_writer *writer, const struct schema_field *field)
{
	switch (field->kind) {
	case SCHEMA_KIND_BOOL:
		schema_json_text(writer, "type", "boolean");
		break;
	case SCHEMA_KIND_INT:
		write_int(writer, field);
		break;
	case SCHEMA_KIND_REAL:
		write_real(writer, field);
		break;
	case SCHEMA_KIND_STRING:
		schema_json_text(writer, "type", "string");
		if (field->is_file_name)
			schema_json_text(writer, "pattern", "^[^./" CONTROLS "][^/" CONTROLS "]*$");
		if (field->allow_empty)
			break;
		json_integer_of(&writer->json, "minLength", 1);
		break;
	case SCHEMA_KIND_ENUM:
		write_enum(writer, field);
		break;
	case SCHEMA_KIND_MAP:
	case SCHEMA_KIND_MAP_PTR:
		schema_json_refer(writer, field->schema->name, field->schema, NULL);
		break;
	case SCHEMA_KIND_ARRAY:
	case SCHEMA_KIND_LIST:
	case SCHEMA_KIND_DICT:
		write_items(writer, field);
		break;
	case SCHEMA_KIND_VARIANT:
		schema_json_refer(writer, field->variants->name, NULL, field->variants);
		break;
	case SCHEMA_KIND_CONSTANT:
		write_constant(writer, field);
		break;
	case SCHEMA_KIND_NODE:
	case SCHEMA_KIND_CUSTOM:
		if (field->paths_of)
			write_paths(writer, field);
		else
			write_own(writer, field->json);
		break;
	}
}

void schema_json_field(struct schema_writer *writer, const struct schema_field *field)
{
	struct json *json = &writer->json;

	json_object(json);
	write_help(writer, field);
	write_default(writer, field);
	if (field->allow_null) {
		json_array_of(json, "anyOf");
		json_object(json);
		schema_json_text(writer, "type", "null");
		json_object_end(json);
		json_object(json);
	}
	write_type(writer, field);
	if (field->allow_null) {
		json_object_end(json);
		json_array_end(json);
	}
	json_object_end(json);
}

void schema_json_fields(
	struct schema_writer *writer, const struct schema_field *fields, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		json_key(&writer->json, fields[i].name);
		schema_json_field(writer, &fields[i]);
	}
}

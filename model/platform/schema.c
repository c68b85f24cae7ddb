/* Writes the JSON Schema of platform files. For `tiles` and `topology`, it writes the schemas with
 * which the reader checks these keys. The schema of the constants is made from the tables of the
 * modules that use them. */
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "private.h"

/* Opens the schema of a map that allows only the properties that follow. */
static void open_properties(struct json *json)
{
	json_key(json, "type");
	json_string(json, "object");
	json_bool_of(json, "additionalProperties", false);
	json_object_of(json, "properties");
}

/* Writes the schema of a constant. A constant may also be a plain number, with or without a unit,
 * which overrides only the constant's value. The schema is on one line, because there are hundreds
 * of constants. */
static void schema_write_constant(struct json *json, const struct constant_spec *spec)
{
	static const char number[] = "{\"type\": \"number\", \"minimum\": 0}";
	struct text text;

	text_init(&text);
	text_printf(&text, "[%s, {\"type\": \"string\", \"pattern\": \"^[0-9]+(\\\\.[0-9]+)? ?(",
		number);
	for (size_t i = 0; unit_alike(spec->unit, i); i++)
		text_printf(&text, "%s%s", i ? "|" : "", unit_alike(spec->unit, i));
	text_printf(&text,
		")$\"}, {\"type\": \"object\", \"additionalProperties\": false, "
		"\"properties\": {\"value\": %s, \"unit\": {\"enum\": [",
		number);
	for (size_t i = 0; unit_alike(spec->unit, i); i++)
		text_printf(&text, "%s\"%s\"", i ? ", " : "", unit_alike(spec->unit, i));
	text_append(&text, "]}, \"source\": {\"type\": \"string\", \"minLength\": 1}, "
			   "\"kind\": {\"enum\": [");
	for (int i = 0; i < CONSTANT_KINDS; i++)
		text_printf(&text, "%s\"%s\"", i ? ", " : "",
			constant_kind_name((enum constant_kind)i));
	text_append(&text, "]}, \"note\": {\"type\": \"string\"}}}]");
	json_object(json);
	json_key(json, "description");
	json_string(json, spec->what);
	json_key(json, "anyOf");
	json_raw(json, text_string(&text));
	json_object_end(json);
	text_fini(&text);
}

/* Returns true if the first `length` bytes of both names are equal, and if these bytes are whole
 * components of both names. */
static bool share_part(const char *a, const char *b, size_t length)
{
	return strncmp(a, b, length) == 0 && (a[length] == '.' || a[length] == '\0') &&
	       (b[length] == '.' || b[length] == '\0');
}

/* Constants have dotted names, such as "chip.noc_hop". If the name of listed[at] begins with the
 * first `parents` bytes of `prefix`, returns the length of the component that follows these bytes.
 * Otherwise returns 0. Also returns 0 if an earlier name in the list begins with the same bytes and
 * this component. So each component is found only once. */
static size_t first_part(const struct listed *listed, size_t at, const char *prefix, size_t parents)
{
	const char *name = listed[at].name;

	if (strncmp(name, prefix, parents) != 0)
		return 0;
	size_t part = strcspn(name + parents, ".");
	for (size_t i = 0; i < at; i++)
		if (share_part(listed[i].name, name, parents + part))
			return 0;
	return part;
}

/* Writes the schema of the map whose path is the first `parents` bytes of `prefix`. */
static void write_section(struct json *json, const struct listed *listed, size_t count,
	const char *prefix, size_t parents)
{
	char key[TREE_KEY_BYTES_MAX];

	json_object(json);
	open_properties(json);
	for (size_t i = 0; i < count; i++) {
		const char *name = listed[i].name;
		size_t part = first_part(listed, i, prefix, parents);
		if (part == 0)
			continue;
		snprintf(key, sizeof(key), "%.*s", (int)part, name + parents);
		json_key(json, key);
		if (name[parents + part] == '.')
			write_section(json, listed, count, name, parents + part + 1);
		else
			schema_write_constant(json, listed[i].spec);
	}
	json_object_end(json);
	json_object_end(json);
}

void platform_write_schema(
	const struct constant_table *tables, size_t table_count, struct text *out)
{
	struct arena arena;
	size_t count, section_count = 0;

	arena_init(&arena);
	tables = constants_all_tables(&arena, tables, &table_count);
	struct listed *listed = constants_list(&arena, tables, table_count, &count);
	struct schema_field *sections = arena_array(&arena, count, sizeof(*sections));
	for (size_t i = 0; i < count; i++) {
		size_t part = first_part(listed, i, "", 0);
		struct text text;
		struct json json;
		if (part == 0)
			continue;
		text_init(&text);
		json_start(&json, &text);
		write_section(&json, listed, count, listed[i].name, part + 1);
		json_end(&json);
		sections[section_count++] =
			(struct schema_field){.name = arena_copy(&arena, listed[i].name, part),
				.help = "constants",
				.kind = SCHEMA_KIND_NODE,
				.size = sizeof(struct tree_node *),
				.json = arena_string(&arena, text_string(&text))};
		text_fini(&text);
	}
	shape_append_json(sections, section_count, out);
	arena_fini(&arena);
}

/* Writes JSON. A small stack of the open levels determines commas and indents. */
#include "base/json.h"

#include <math.h>
#include <stdlib.h>

#include "base/ensure.h"

void json_start(struct json *json, struct text *out)
{
	*json = (struct json){.out = out ? out : &json->own};
}

void json_end(struct json *json)
{
	ensure(json->depth == 0 && !json->has_key, "%u levels open at the end", json->depth);
	text_append_char(json->out, '\n');
}

void json_print(struct json *json, FILE *out)
{
	ensure(json->out == &json->own, "a document that is appended to another text");
	json_end(json);
	if (out)
		fputs(text_string(&json->own), out);
	text_fini(&json->own);
}

static bool is_flat(const struct json *json)
{
	return json->flat_from && json->depth >= json->flat_from;
}

static void start_line(struct json *json)
{
	if (is_flat(json))
		return;
	text_printf(json->out, "\n%*s", (int)(2 * json->depth), "");
}

/* Writes the comma, line end and indentation before a key or an item of an array. */
static void start_item(struct json *json)
{
	if (json->levels[json->depth - 1].has_items) {
		bool is_array = json->levels[json->depth - 1].is_array;

		text_append(json->out, is_flat(json) && !is_array ? ", " : ",");
	}
	json->levels[json->depth - 1].has_items = true;
	start_line(json);
}

static void start_value(struct json *json)
{
	if (json->depth == 0)
		return;
	if (json->levels[json->depth - 1].is_array) {
		start_item(json);
		return;
	}
	ensure(json->has_key, "value without key in an object, level %u", json->depth);
	json->has_key = false;
}

static void json_open_level(struct json *json, bool is_array)
{
	start_value(json);
	ensure(json->depth < JSON_DEPTH_MAX, "level %u of JSON", json->depth);
	text_append_char(json->out, is_array ? '[' : '{');
	json->levels[json->depth].is_array = is_array;
	json->levels[json->depth].has_items = false;
	json->depth++;
}

static void close_level(struct json *json, bool is_array)
{
	bool is_line;

	ensure(json->depth > 0 && json->levels[json->depth - 1].is_array == is_array &&
			!json->has_key,
		"end of %s at level %u", is_array ? "array" : "object", json->depth);
	is_line = json->levels[json->depth - 1].has_items && !is_flat(json);
	json->depth--;
	if (is_line)
		start_line(json);
	text_append_char(json->out, is_array ? ']' : '}');
}

void json_object(struct json *json)
{
	json_open_level(json, false);
}

void json_object_end(struct json *json)
{
	close_level(json, false);
}

void json_array(struct json *json)
{
	json_open_level(json, true);
}

void json_array_end(struct json *json)
{
	close_level(json, true);
}

void json_key(struct json *json, const char *key)
{
	ensure(json->depth > 0 && !json->levels[json->depth - 1].is_array && !json->has_key,
		"key '%s' at level %u", key, json->depth);
	start_item(json);
	text_append_json(json->out, key);
	text_append(json->out, ": ");
	json->has_key = true;
}

void json_string(struct json *json, const char *value)
{
	start_value(json);
	text_append_json(json->out, value);
}

void json_integer(struct json *json, int64_t value)
{
	start_value(json);
	text_printf(json->out, "%lld", (long long)value);
}

void json_unsigned(struct json *json, uint64_t value)
{
	start_value(json);
	text_printf(json->out, "%llu", (unsigned long long)value);
}

void json_real(struct json *json, double value)
{
	char spelling[40] = "null";

	for (int digits = 15; isfinite(value) && digits <= 17; digits++) {
		snprintf(spelling, sizeof(spelling), "%.*g", digits, value);
		if (strtod(spelling, NULL) == value)
			break;
	}
	start_value(json);
	text_append(json->out, spelling);
}

void json_bool(struct json *json, bool value)
{
	start_value(json);
	text_append(json->out, value ? "true" : "false");
}

void json_null(struct json *json)
{
	start_value(json);
	text_append(json->out, "null");
}

void json_raw(struct json *json, const char *value)
{
	start_value(json);
	text_append(json->out, value);
}

void json_object_of(struct json *json, const char *key)
{
	json_key(json, key);
	json_object(json);
}

void json_array_of(struct json *json, const char *key)
{
	json_key(json, key);
	json_array(json);
}

void json_text(struct json *json, const char *key, const char *value)
{
	json_key(json, key);
	if (value)
		json_string(json, value);
	else
		json_null(json);
}

void json_integer_of(struct json *json, const char *key, int64_t value)
{
	json_key(json, key);
	json_integer(json, value);
}

void json_unsigned_of(struct json *json, const char *key, uint64_t value)
{
	json_key(json, key);
	json_unsigned(json, value);
}

void json_real_of(struct json *json, const char *key, double value)
{
	json_key(json, key);
	json_real(json, value);
}

void json_bool_of(struct json *json, const char *key, bool value)
{
	json_key(json, key);
	json_bool(json, value);
}

/* Reads protobuf's text format into a located tree. A message becomes a map. A field that is given
 * several times, or as [a, b], becomes a sequence. This file does not know which fields a message
 * may have; a schema checks them. The form `[type.url] { }` of the message Any is not supported.
 * Reading stops at the first syntax error. */
#include <stdlib.h>
#include <string.h>

#include "base/ensure.h"
#include "tree_reader.h"
#include "base/tree/tree_node.h"

/* A field of the text. Fields with the same name become one pair. */
struct field {
	const char *key;
	struct location where;
	const struct tree_node *value;
};

struct fields {
	struct field *at;
	size_t count, capacity;
};

static const struct tree_node *text_format_read_message(
	struct scan *scan, char end, unsigned depth);

static void push(struct fields *fields, struct field field)
{
	if (fields->count == fields->capacity) {
		fields->capacity = fields->capacity ? 2 * fields->capacity : 8;
		fields->at = reallocarray(fields->at, fields->capacity, sizeof(field));
		ensure_memory(fields->at, "%zu fields", fields->capacity);
	}
	fields->at[fields->count++] = field;
}

/* Returns `node`. If `node` is NULL, first reports that the value exceeds a bound. */
static const struct tree_node *bounded(
	struct scan *scan, struct location where, const struct tree_node *node)
{
	if (!node)
		scan_stop(scan, where, "more values, text or levels than a tree may have");
	return node;
}

/* Reads a string, and joins it with the strings that follow directly. */
static const struct tree_node *read_string(struct scan *scan)
{
	struct location where = scan->token.where;
	const struct tree_node *node;
	struct text text;
	size_t length;

	text_init(&text);
	for (; scan->token.kind == TOKEN_STRING; scan_next(scan))
		text_append_bytes(&text, scan->token.text, scan->token.length);
	length = tree_check_scalar(where, text_string(&text), text.length, false, scan->diag);
	if (length < text.length) {
		scan->stopped = true; /* the error was already reported */
		scan_stop(scan, where, NULL);
	}
	node = tree_new_scalar(scan->arena, where, text_string(&text), length, true);
	text_fini(&text);
	return bounded(scan, where, node);
}

/* Reads a word of protobuf's text format. Removes the `f` at the end of a number. Replaces other
 * spellings of true and false by `true` and `false`. */
static const struct tree_node *text_format_read_word(struct scan *scan)
{
	struct token token = scan->token;
	bool number = strchr("0123456789-+.", token.text[0]) != NULL;
	bool hex = strncmp(token.text, "0x", 2) == 0 || strncmp(token.text, "0X", 2) == 0;

	scan_next(scan);
	if (number && !hex && token.length > 1 && strchr("fF", token.text[token.length - 1]))
		token.length--;
	if (strcmp(token.text, "t") == 0)
		return tree_new_scalar(scan->arena, token.where, "true", 4, false);
	if (strcmp(token.text, "f") == 0)
		return tree_new_scalar(scan->arena, token.where, "false", 5, false);
	return bounded(scan, token.where,
		tree_new_scalar(scan->arena, token.where, token.text, token.length, false));
}

static const struct tree_node *text_format_read_value(struct scan *scan, unsigned depth)
{
	char end = scan_is(scan, '{') ? '}' : '>';

	if (scan_is(scan, '{') || scan_is(scan, '<')) {
		scan_next(scan);
		return text_format_read_message(scan, end, depth + 1);
	}
	if (scan->token.kind == TOKEN_STRING)
		return read_string(scan);
	if (scan->token.kind == TOKEN_WORD)
		return text_format_read_word(scan);
	scan_stop(scan, scan->token.where, "a value is missing here");
	return NULL;
}

/* Reads [a, b, ...] and pushes each value as a field with the key of `field`. */
static void read_list(struct scan *scan, struct field field, struct fields *fields, unsigned depth)
{
	bool first = true;

	for (scan_next(scan); !scan->stopped && !scan_is(scan, ']'); first = false) {
		if (!first && !scan_is(scan, ',')) {
			scan_stop(scan, scan->token.where, "',' or ']' is missing here");
			return;
		}
		if (!first)
			scan_next(scan);
		field.value = text_format_read_value(scan, depth);
		push(fields, field);
	}
	if (first && !scan->stopped) {
		field.value = tree_new_sequence(scan->arena, field.where, NULL, 0);
		push(fields, field);
	}
	scan_next(scan);
}

static void read_field(struct scan *scan, struct fields *fields, unsigned depth)
{
	struct field field = {.key = scan->token.text, .where = scan->token.where};

	if (scan->token.kind != TOKEN_WORD || scan->token.length > TREE_KEY_BYTES_MAX) {
		scan_stop(scan, scan->token.where,
			scan->token.kind == TOKEN_END ? "the file ends inside a message"
						      : "a field's name is missing here");
		return;
	}
	scan_next(scan);
	if (scan_is(scan, ':'))
		scan_next(scan);
	else if (!scan_is(scan, '{') && !scan_is(scan, '<') && !scan_is(scan, '['))
		scan_stop(scan, scan->token.where, "':' is missing here");
	if (scan->stopped)
		return;
	if (scan_is(scan, '[')) {
		read_list(scan, field, fields, depth);
	} else {
		field.value = text_format_read_value(scan, depth);
		push(fields, field);
	}
	if (scan_is(scan, ',') || scan_is(scan, ';'))
		scan_next(scan);
}

static bool is_empty_list(const struct field *field)
{
	return field->value->kind == TREE_SEQUENCE;
}

/* Returns the value of a field: if the field was given once, its only value, otherwise a sequence
 * of all its values, without empty lists. The first of the `count` values has index `first`, and
 * next[i] is the index of the value after value i. */
static const struct tree_node *text_format_join(struct scan *scan, const struct fields *fields,
	size_t first, const size_t *next, size_t count)
{
	const struct tree_node **items;
	size_t used = 0;

	if (count == 1)
		return fields->at[first].value;
	items = arena_array(scan->arena, count, sizeof(*items));
	for (size_t i = first; i != SIZE_MAX; i = next[i])
		if (!is_empty_list(&fields->at[i]))
			items[used++] = fields->at[i].value;
	return tree_new_sequence(scan->arena, fields->at[first].where, items, used);
}

/* Returns a map with one pair for each name, in the order of first occurrence. */
static const struct tree_node *group(
	struct scan *scan, const struct fields *fields, struct location where)
{
	struct tree_pair *pairs = arena_array(scan->arena, fields->count, sizeof(*pairs));
	size_t *first = calloc(fields->count + 1, 4 * sizeof(*first)), count = 0;
	size_t *last = first + fields->count, *next = last + fields->count,
	       *times = next + fields->count;
	struct names names;

	ensure_memory(first, "%zu fields", fields->count);
	names_init(&names);
	for (size_t i = 0; i < fields->count; i++) {
		const uint32_t *known = names_find(&names, fields->at[i].key);
		size_t at = known ? *known : count;

		next[i] = SIZE_MAX;
		if (known)
			next[last[at]] = i;
		else
			first[at] = i;
		if (!known)
			names_add(&names, fields->at[i].key, (uint32_t)count++);
		last[at] = i;
		times[at]++;
	}
	names_fini(&names);
	for (size_t i = 0; i < count; i++) {
		const struct field *field = &fields->at[first[i]];

		pairs[i] = (struct tree_pair){field->key, field->where,
			text_format_join(scan, fields, first[i], next, times[i])};
		if (!pairs[i].value)
			scan_stop(scan, field->where, "more values than a tree may have");
	}
	free(first);
	return scan->stopped ? NULL
			     : bounded(scan, where, tree_new_map(scan->arena, where, pairs, count));
}

/* Reads the fields of a message up to `end`, which is '\0' for the end of the file. Returns NULL
 * after an error. */
static const struct tree_node *text_format_read_message(struct scan *scan, char end, unsigned depth)
{
	struct location where = scan->token.where;
	const struct tree_node *node = NULL;
	struct fields fields = {0};

	if (depth > TREE_DEPTH_MAX / 2)
		scan_stop(scan, where, "nested too deep: more than 32 levels");
	while (!scan->stopped && (end ? !scan_is(scan, end) : scan->token.kind != TOKEN_END)) {
		read_field(scan, &fields, depth);
		if (fields.count > TREE_NODES_MAX)
			scan_stop(scan, where, "more values than a tree may have");
	}
	if (!scan->stopped)
		node = group(scan, &fields, where);
	if (end)
		scan_next(scan);
	free(fields.at);
	return node;
}

const struct tree_node *tree_read_fields(const struct source *source, const char *text,
	size_t length, struct arena *arena, struct diag *diag)
{
	const struct tree_node *root;
	struct scan scan;

	if (!tree_check_text(source, text, length, 0, diag))
		return NULL;
	scan_start(&scan, source, text, length, arena, diag);
	root = text_format_read_message(&scan, '\0', 1);
	if (root && root->count == 0)
		scan_stop(&scan, location_at(source, 0, 0), "nothing in it to read");
	return scan.stopped ? NULL : root;
}

/* Writes trees as canonical YAML and as JSON. */
#include "base/tree/tree_node.h"

#include <string.h>
#include <strings.h>

#include "base/text.h"

enum { INDENT = 2 };

/* Returns true if `text` may be written without quotes, because every reader takes it for a string.
 * Such a text starts with a letter, '_' or '/', contains nothing that is special in YAML, does not
 * end with a blank, and is not a word that YAML 1.1 or 1.2 takes for a bool or null. */
static bool is_plain_string(const char *text)
{
	static const char first[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_/";
	static const char rest[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_/"
				   "0123456789.+- ";
	static const char *const words[] = {
		"y", "n", "yes", "no", "on", "off", "true", "false", "null"};
	size_t length = strlen(text);

	if (length == 0 || !strchr(first, text[0]) || text[strspn(text, rest)] != '\0')
		return false;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcasecmp(text, words[i]) == 0)
			return false;
	}
	return text[length - 1] != ' ';
}

static void write_quoted(const char *text, size_t length, struct text *out)
{
	text_append_char(out, '"');
	while (length) {
		uint32_t point = 0;
		unsigned size = utf8_decode(text, length, &point);

		if (size == 0) {
			size = 1;
			text_append(out, "\\uFFFD");
		} else if (point == '"' || point == '\\') {
			text_printf(out, "\\%c", (int)point);
		} else if (point == '\n') {
			text_append(out, "\\n");
		} else if (point == '\t') {
			text_append(out, "\\t");
		} else if (point < 0x20 || (point >= 0x7f && point < 0xa0) || point == 0x2028 ||
			   point == 0x2029 || point == 0xfeff || point == 0xfffe ||
			   point == 0xffff) {
			text_printf(out, "\\u%04X", (unsigned)point);
		} else {
			text_append_bytes(out, text, size);
		}
		text += size;
		length -= size;
	}
	text_append_char(out, '"');
}

static void write_string(const char *text, size_t length, struct text *out)
{
	if (is_plain_string(text))
		text_append(out, text);
	else
		write_quoted(text, length, out);
}

static void write_scalar(const struct tree_node *node, struct text *out)
{
	switch (tree_type(node)) {
	case TREE_NULL:
		text_append(out, "null");
		break;
	case TREE_STRING:
		write_string(node->text, node->count, out);
		break;
	default:
		text_append(out, node->text);
	}
}

static bool is_on_one_line(const struct tree_node *node)
{
	for (uint32_t i = 0; node->kind == TREE_SEQUENCE && i < node->count; i++) {
		if (node->items[i]->kind != TREE_SCALAR)
			return false;
	}
	return node->kind != TREE_MAP || node->count == 0;
}

static void write_on_one_line(const struct tree_node *node, struct text *out)
{
	if (node->kind == TREE_SCALAR) {
		write_scalar(node, out);
		return;
	}
	text_append_char(out, node->kind == TREE_MAP ? '{' : '[');
	for (uint32_t i = 0; node->kind == TREE_SEQUENCE && i < node->count; i++) {
		text_append(out, i ? ", " : "");
		write_scalar(node->items[i], out);
	}
	text_append_char(out, node->kind == TREE_MAP ? '}' : ']');
}

/* Writes a node on its own lines, indented. The caller has indented the first line. */
static void tree_write_block(const struct tree_node *node, int indent, struct text *out)
{
	for (uint32_t i = 0; i < node->count; i++) {
		bool is_map = node->kind == TREE_MAP;
		const struct tree_node *child = is_map ? node->pairs[i].value : node->items[i];

		text_printf(out, "%*s", i ? indent : 0, "");
		if (is_map)
			write_string(node->pairs[i].key, strlen(node->pairs[i].key), out);
		text_append(out, is_map ? ":" : "-");
		if (is_on_one_line(child)) {
			text_append_char(out, ' ');
			write_on_one_line(child, out);
			text_append_char(out, '\n');
			continue;
		}
		/* After a dash, the map continues on the same line. After a colon, it starts on a
		 * new line. */
		if (is_map)
			text_printf(out, "\n%*s", indent + INDENT, "");
		else
			text_append_char(out, ' ');
		tree_write_block(child, indent + INDENT, out);
	}
}

void tree_write(const struct tree_node *node, struct text *out)
{
	if (!is_on_one_line(node)) {
		tree_write_block(node, 0, out);
		return;
	}
	write_on_one_line(node, out);
	text_append_char(out, '\n');
}

/* Returns true if `text`, which is a number in YAML, is also a number in JSON. */
static bool is_json_number(const char *text)
{
	const char *dot;

	text += *text == '-';
	if (*text < '0' || *text > '9' || (text[0] == '0' && text[1] >= '0' && text[1] <= '9'))
		return false;
	if (text[1] == 'x')
		return false;
	dot = strchr(text, '.');
	return !dot || (dot[1] >= '0' && dot[1] <= '9');
}

static void write_json_scalar(const struct tree_node *node, struct text *out)
{
	enum tree_type type = tree_type(node);
	int64_t integer;
	double real;

	if (type == TREE_NULL)
		text_append(out, "null");
	else if (type == TREE_BOOL)
		text_append(out, strcasecmp(node->text, "true") == 0 ? "true" : "false");
	else if (type == TREE_STRING)
		text_append_json(out, node->text);
	else if (is_json_number(node->text))
		text_append(out, node->text);
	else if (tree_integer(node, &integer) == STATUS_OK)
		text_printf(out, "%lld", (long long)integer);
	else if (tree_real(node, &real) == STATUS_OK)
		text_printf(out, "%.17g", real);
	else
		text_append_json(out, node->text);
}

void tree_write_json(const struct tree_node *node, struct text *out)
{
	if (node->kind == TREE_SCALAR) {
		write_json_scalar(node, out);
		return;
	}
	text_append_char(out, node->kind == TREE_MAP ? '{' : '[');
	for (uint32_t i = 0; i < node->count; i++) {
		text_append(out, i ? ", " : "");
		if (node->kind == TREE_MAP) {
			text_append_json(out, node->pairs[i].key);
			text_append(out, ": ");
			tree_write_json(node->pairs[i].value, out);
		} else {
			tree_write_json(node->items[i], out);
		}
	}
	text_append_char(out, node->kind == TREE_MAP ? '}' : ']');
}

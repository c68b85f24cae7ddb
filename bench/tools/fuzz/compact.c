/* Writes scenarios as short YAML (see drawing.h). tree_write() writes the scalars, and quotes them
 * if necessary. */
#include "drawing.h"

#include <string.h>

enum { LINE_COLUMNS = 100 };

static void put_flow(const struct tree_node *node, struct text *out);

static void put_scalar(const struct tree_node *node, struct text *out)
{
	struct text text = {0};

	tree_write(node, &text);
	text_append_bytes(out, text.bytes, strcspn(text_string(&text), "\n"));
	text_fini(&text);
}

static void put_pairs(const struct tree_node *node, struct text *out)
{
	for (uint32_t i = 0; i < node->count; i++) {
		text_printf(out, "%s%s: ", i ? ", " : "", node->pairs[i].key);
		put_flow(node->pairs[i].value, out);
	}
}

static void put_items(const struct tree_node *node, struct text *out)
{
	for (uint32_t i = 0; i < node->count; i++) {
		text_append(out, i ? ", " : "");
		put_flow(node->items[i], out);
	}
}

static void put_flow(const struct tree_node *node, struct text *out)
{
	if (node->kind == TREE_SCALAR) {
		put_scalar(node, out);
		return;
	}
	text_append_char(out, node->kind == TREE_MAP ? '{' : '[');
	if (node->kind == TREE_MAP)
		put_pairs(node, out);
	else
		put_items(node, out);
	text_append_char(out, node->kind == TREE_MAP ? '}' : ']');
}

static void put_block(const struct tree_node *node, uint32_t depth, bool begun, struct text *out);

/* True for a list of maps, such as steps. Each item of such a list is written on its own line. */
static bool is_list_of_maps(const struct tree_node *node)
{
	return node->kind == TREE_SEQUENCE && node->count > 0 && node->items[0]->kind == TREE_MAP;
}

/* Writes a value after its key or after the dash of a list item, and ends the line. `column` is the
 * width of the line so far. */
static void compact_put_value(
	const struct tree_node *node, uint32_t depth, size_t column, bool item, struct text *out)
{
	size_t before = out->length;

	bool fits = !is_list_of_maps(node) && !(item && node->kind == TREE_MAP);

	put_flow(node, out);
	fits &= column + (out->length - before) <= LINE_COLUMNS;
	if (node->kind == TREE_SCALAR || node->count == 0 || fits) {
		text_append_char(out, '\n');
		return;
	}
	out->length = before;
	out->bytes[before] = '\0';
	if (item) {
		put_block(node, depth + 1, true, out);
	} else {
		out->bytes[before - 1] = '\n'; /* in place of the blank after the key */
		put_block(node, depth + (node->kind == TREE_MAP), false, out);
	}
}

/* Writes a map or a list. `begun` means that the first line already has a dash. */
static void put_block(const struct tree_node *node, uint32_t depth, bool begun, struct text *out)
{
	for (uint32_t i = 0; i < node->count; i++) {
		size_t line = out->length - (begun && i == 0 ? 2 * depth : 0);

		if (!begun || i > 0)
			text_printf(out, "%*s", (int)(2 * depth), "");
		if (node->kind == TREE_MAP) {
			text_printf(out, "%s: ", node->pairs[i].key);
			compact_put_value(
				node->pairs[i].value, depth, out->length - line, false, out);
		} else {
			text_append(out, "- ");
			compact_put_value(node->items[i], depth, out->length - line, true, out);
		}
	}
}

void compact_write(const struct tree_node *map, struct text *out)
{
	put_block(map, 0, false, out);
}

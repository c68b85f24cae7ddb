/* What the readers of the room share: tolerance, and ids of 64 bits. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "read_private.h"

unsigned read_tolerance(bool strict)
{
	return strict ? SCHEMA_ONE_IS_LIST : SCHEMA_ONE_IS_LIST | SCHEMA_UNKNOWN_WARNS;
}

bool read_id_text(const char *text, uint64_t *out)
{
	bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	const char *digits = hex ? text + 2 : text;
	size_t length = strspn(digits, hex ? "0123456789abcdefABCDEF" : "0123456789");

	if (length == 0 || digits[length])
		return false;
	errno = 0;
	*out = strtoull(digits, NULL, hex ? 16 : 10);
	return errno == 0;
}

void read_id(const struct schema_field *field, const struct tree_node *node, void *member,
	const struct schema_context *context)
{
	char found[TREE_DESCRIBE_BYTES];

	if (node->kind != TREE_SCALAR || !read_id_text(node->text, member))
		diag_error(context->diag, node->where, "'%s': expected an id of 64 bits, found %s",
			field->name, tree_describe(node, found, sizeof(found)));
}

bool read_number_text(const char *text, uint32_t *out)
{
	uint64_t value;

	if (!read_id_text(text, &value) || value > UINT32_MAX)
		return false;
	*out = (uint32_t)value;
	return true;
}

void read_place(const struct tree_node *node, int32_t place[4])
{
	int64_t numbers[4];

	if (node->kind != TREE_SEQUENCE || node->count != 4)
		return;
	for (uint32_t i = 0; i < 4; i++)
		if (node->items[i]->kind != TREE_SCALAR ||
			tree_integer(node->items[i], &numbers[i]) != STATUS_OK || numbers[i] < 0 ||
			numbers[i] > UINT16_MAX)
			return;
	for (uint32_t i = 0; i < 4; i++)
		place[i] = (int32_t)numbers[i];
}

/* Functions that several readers in this folder use. They say which deviations from a format are
 * tolerated, read 64-bit ids, and warn about links that only one end lists. */
#include "base/text.h"
#include "read_private.h"

unsigned read_tolerance(bool strict)
{
	return strict ? SCHEMA_ONE_IS_LIST : SCHEMA_ONE_IS_LIST | SCHEMA_UNKNOWN_WARNS;
}

bool read_id_text(const char *text, uint64_t *out)
{
	return number_read_whole(text, UINT64_MAX, out);
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

void read_say_claims(const struct machine *machine, struct diag *diag)
{
	uint32_t end;

	for (uint32_t i = 0; i < machine->claim_count; i = end) {
		const struct machine_claim *claim = &machine->claims[i];
		unsigned long long from = machine->chips[claim->from].id;
		unsigned long long to = machine->chips[claim->to].id;
		struct text channels = {0};

		for (end = i;
			end < machine->claim_count && claim->from == machine->claims[end].from &&
			claim->to == machine->claims[end].to;
			end++)
			text_printf(&channels, "%s%u to %u", end > i ? ", " : "",
				machine->claims[end].channel_from, machine->claims[end].channel_to);
		diag_warning(diag, claim->where,
			"only ASIC %llu lists %u link%s to ASIC %llu (channels %s): ASIC %llu does "
			"not "
			"list %s, so %s not count",
			from, end - i, end - i == 1 ? "" : "s", to, text_string(&channels), to,
			end - i == 1 ? "it" : "them", end - i == 1 ? "it does" : "they do");
		text_fini(&channels);
	}
}

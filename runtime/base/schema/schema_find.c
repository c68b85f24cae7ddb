/* Finds the field at a dotted path of a table. */
#include <string.h>

#include "schema_private.h"

/* Returns the field named `part` that is beside or below a variant. */
static const struct schema_field *find_in_variants(
	const struct schema_variants *variants, const char *part)
{
	const struct schema_field *field =
		schema_field_of(variants->common, variants->common_count, part);

	for (size_t i = 0; i < variants->variant_count && !field; i++) {
		const struct schema_variant *variant = &variants->variants[i];

		field = strcmp(variant->field.name, part) == 0
				? &variant->field
				: schema_field_of(variant->siblings, variant->sibling_count, part);
	}
	return field;
}

/* Returns the field to which `part` leads from `field`. */
static const struct schema_field *step_into(const struct schema_field *field, const char *part)
{
	switch (field->kind) {
	case SCHEMA_KIND_MAP:
	case SCHEMA_KIND_MAP_PTR:
		return schema_field_of(field->schema->fields, field->schema->field_count, part);
	case SCHEMA_KIND_ARRAY:
	case SCHEMA_KIND_LIST:
		return part[strspn(part, "0123456789")] == '\0' ? field->element : NULL;
	case SCHEMA_KIND_DICT:
		return field->element;
	case SCHEMA_KIND_VARIANT:
		return find_in_variants(field->variants, part);
	default:
		return NULL;
	}
}

const struct schema_field *schema_find(const struct schema *schema, const char *path)
{
	const struct schema_field root = {.kind = SCHEMA_KIND_MAP, .schema = schema};
	const struct schema_field *field = &root;
	char part[TREE_KEY_BYTES_MAX + 1];

	for (;;) {
		size_t length = strcspn(path, ".");

		if (length == 0 || length >= sizeof(part))
			return NULL;
		memcpy(part, path, length);
		part[length] = '\0';
		field = step_into(field, part);
		if (!field || !path[length])
			return field;
		path += length + 1;
	}
}

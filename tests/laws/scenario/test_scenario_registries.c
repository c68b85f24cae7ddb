/* Tests the registries of choices (base/table/registry.h) against the keys that have them. */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "bench/scenario/load.h"
#include "mesh/config.h"

/* A registry lists the implementations among which a key of a scenario selects. Returns the number
 * of errors. It is an error if a registry does not name the key that uses the registry, or if one
 * of its entries has a key that is not in the schema. */
static uint32_t strayed(const struct schema *schema, const char *above)
{
	const struct registry_entry *entry;
	uint32_t found = 0;
	char path[256];

	for (size_t f = 0; f < schema->field_count; f++) {
		const struct schema_field *field = &schema->fields[f];
		const struct registry *registry = field->registry;

		snprintf(path, sizeof path, "%s%s%s", above, *above ? "." : "", field->name);
		if (field->kind == SCHEMA_KIND_MAP)
			found += strayed(field->schema, path);
		if (!registry)
			continue;
		if (strcmp(registry->key, path) != 0)
			print_error("the registry of %s says %s\\n", path, registry->key);
		found += strcmp(registry->key, path) != 0;
		for (size_t i = 0; (entry = registry->entry(i)); i++)
			for (size_t k = 0; entry->keys && entry->keys[k]; k++)
				found += !schema_find(scenario_schema(), entry->keys[k]);
	}
	return found;
}

TEST(registries_name_the_keys_that_have_them)
{
	assert_int_equal(strayed(scenario_schema(), ""), 0);
	for (size_t r = 0; registry_at(r); r++)
		assert_non_null(schema_find(scenario_schema(), registry_at(r)->key));
}

TEST_MAIN(NULL, NULL)

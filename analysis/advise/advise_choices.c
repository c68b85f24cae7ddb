/* Lists the design choices of a scenario, as lists/choice.def has them (advise.h). */
#include "analysis/advise.h"

#include <string.h>

#include "analysis/compare/choices.h"

/* Adds the values of the choice in row `row`, except the value that the scenario has. */
static uint32_t add_values(const struct tree_node *scenario, uint32_t row, struct arena *arena,
	struct advise_choice *choices)
{
	const char *now = choice_value_in(scenario, choice_rows[row].key);
	uint32_t count = 0;

	for (uint32_t i = row + 1; i < choice_row_count && !choice_rows[i].key; i++)
		if (strcmp(choice_rows[i].value, now) != 0)
			choices[count++] = (struct advise_choice){
				arena_string(arena, choice_rows[row].key), choice_rows[i].value};
	return count;
}

uint32_t advise_choices(const char *scenario, const char *platform, struct arena *arena,
	struct advise_choice **choices)
{
	struct diag *diag = diag_new();
	struct tree *tree = tree_read_text("scenario", scenario, strlen(scenario), diag);
	struct tree *machine = tree_read_text("platform", platform, strlen(platform), diag);
	uint32_t count = 0;
	bool hosts;

	*choices = arena_array(arena, choice_row_count, sizeof **choices);
	if (tree && machine) {
		hosts = tree_get(tree_root(machine), "hosts") != NULL;
		for (uint32_t i = 0; i < choice_row_count; i++)
			if (choice_rows[i].key &&
				choice_row_acts(&choice_rows[i], tree_root(tree), hosts, arena))
				count += add_values(tree_root(tree), i, arena, *choices + count);
	}
	tree_free(tree);
	tree_free(machine);
	diag_free(diag);
	return count;
}

/* The rows of lists/choice.def, and the conditions under which a choice has an effect
 * (choices.h). */
#include "analysis/compare/choices.h"

#include <string.h>

#include "analysis/operations/path.h"

#define A(name) (UINT64_C(1) << STAGE_##name)
_Static_assert(STAGE_COUNT <= 64, "a set of stages is 64 bits");

const struct choice_row choice_rows[] = {
#define CHOICE(key, when)    {key, when, NULL, 0},
#define VALUE(value, stages) {NULL, NULL, value, stages},
#include "lists/choice.def"
};

const uint32_t choice_row_count = sizeof choice_rows / sizeof *choice_rows;

/* ---- the conditions of a choice ---- */

const char *choice_value_in(const struct tree_node *scenario, const char *key)
{
	const struct tree_node *node = tree_find(scenario, key);

	return node && node->kind == TREE_SCALAR ? node->text : "";
}

bool choice_lists(const char *list, size_t length, const char *value)
{
	size_t wanted = strlen(value);

	for (const char *end = list + length; list < end;) {
		size_t next = 0;
		while (list + next < end && list[next] != '|')
			next++;
		if (next == wanted && strncmp(list, value, next) == 0)
			return true;
		list += next + 1;
	}
	return false;
}

/* Returns true if a run_model step with these keys does what a step called `name` does. */
static bool model_has(const struct tree_node *keys, const char *name, size_t length)
{
	static const char always[] = "enqueue_workload|write_buffer|read_buffer|record_event";
	const struct tree_node *trace = tree_get(keys, "trace");
	char step[32];

	if (length >= sizeof step)
		return false;
	memcpy(step, name, length);
	step[length] = '\0';
	return choice_lists(always, sizeof always - 1, step) ||
	       (strcmp(step, "trace") == 0 && trace && strcmp(trace->text, "true") == 0);
}

static bool has_step(const struct tree_node *node, const char *name, size_t length)
{
	bool found = false;

	for (uint32_t i = 0; node && node->kind == TREE_SEQUENCE && i < node->count && !found; i++)
		found = has_step(node->items[i], name, length);
	for (uint32_t i = 0; node && node->kind == TREE_MAP && i < node->count && !found; i++) {
		const struct tree_pair *pair = &node->pairs[i];

		if (strcmp(pair->key, "run_model") == 0 && pair->value->kind == TREE_MAP)
			found = model_has(pair->value, name, length);
		else
			found = (strlen(pair->key) == length &&
					strncmp(pair->key, name, length) == 0) ||
				has_step(pair->value, name, length);
	}
	return found;
}

static bool word_holds(const char *word, size_t length, const struct tree_node *scenario,
	bool has_hosts, struct arena *arena)
{
	static const char step[] = "step:";
	size_t key = strcspn(word, "=!#");
	const char *value;

	if (strncmp(word, step, strlen(step)) == 0)
		return has_step(
			tree_get(scenario, "workload"), word + strlen(step), length - strlen(step));
	if (key >= length)
		return has_hosts;
	value = choice_value_in(scenario, arena_copy(arena, word, key));
	return choice_lists(word + key + 1, length - key - 1, value) == (word[key] == '=');
}

bool choice_row_acts(const struct choice_row *row, const struct tree_node *scenario, bool has_hosts,
	struct arena *arena)
{
	const char *when = row->when;
	size_t length;

	for (; (length = strcspn(when, " ")) > 0; when += length + strspn(when + length, " "))
		if (!word_holds(when, length, scenario, has_hosts, arena))
			return false;
	return true;
}

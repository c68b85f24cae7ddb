/* The section `behaviour` of a file with cases. Its statements are sentences, which cannot be run.
 * If the runtime intentionally behaves in another way than a statement says, the outcome gives the
 * reason. All other statements are listed as not tried. */
#include <string.h>

#include "parts.h"

enum { WORDS = 3 };

/* Statements from which the runtime differs intentionally. An entry stands for each statement that
 * contains all of its words; `instead` is the reason. */
static const struct {
	const char *words[WORDS];
	const char *instead;
} designs[] = {
	{{"reading", "replicated", "as sharded"},
		"a replicated buffer has no shards: reading it takes the first device's replica, "
		"and enqueue_read_shard() that of any device"},
	{{"write", "thread pool", "calling thread"},
		"which host threads work for the devices is for runtime.host.threads to say (spec "
		"3.9)"},
};

static bool has_all(const char *statement, const char *const words[WORDS])
{
	for (int i = 0; i < WORDS; i++)
		if (!strcasestr(statement, words[i]))
			return false;
	return true;
}

static void state(struct shard_cases *cases, const struct tree_node *item)
{
	if (item->kind != TREE_SCALAR) {
		diag_error(cases->diag, item->where, "expected a statement");
		return;
	}
	for (size_t i = 0; i < sizeof designs / sizeof *designs; i++)
		if (has_all(item->text, designs[i].words)) {
			cases_add(
				cases, item, OUTCOME_BY_DESIGN, "", item->text, designs[i].instead);
			return;
		}
	cases_add(
		cases, item, OUTCOME_NOT_RUN, "", item->text, "a statement that is not known here");
}

void cases_behaviour(struct shard_cases *cases, const struct tree_node *section)
{
	uint32_t count = cases_in(cases, section);

	for (uint32_t i = 0; i < count; i++)
		state(cases, section->items[i]);
}

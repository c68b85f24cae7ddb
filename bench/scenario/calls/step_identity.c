/* Finds the steps that run the workload of an earlier step, and checks them. Steps with the same
 * key `identity` run the same workload, like calls for which a runtime finds the same program in
 * its program cache (spec flow 4). */
#include <string.h>

#include "steps/check.h"

/* The first step of each identity so far. */
struct identities {
	struct step **makers;
	uint32_t count;
};

static void step_identity_find(struct identities *known, struct step *step)
{
	for (uint32_t i = 0; i < known->count; i++) {
		struct step *maker = known->makers[i];

		if (maker->mesh != step->mesh ||
			strcmp(maker->workload.identity, step->workload.identity) != 0)
			continue;
		step->workload.maker = maker;
		maker->workload.shared = step->workload.shared = true;
		return;
	}
	known->makers[known->count++] = step;
}

/* If an earlier collective has the same identity as `step`, copies the keys of this collective to
 * `step`, except queue, blocking and identity. */
static void find_collective(struct identities *known, struct step *step)
{
	struct collective_step *own = &step->collective, given = *own;

	for (uint32_t i = 0; i < known->count; i++) {
		struct step *maker = known->makers[i];

		if (maker->mesh != step->mesh ||
			strcmp(maker->collective.identity, given.identity) != 0)
			continue;
		*own = maker->collective;
		own->queue = given.queue;
		own->blocking = given.blocking;
		own->identity_where = given.identity_where;
		own->maker = maker;
		maker->collective.shared = own->shared = true;
		return;
	}
	known->makers[known->count++] = step;
}

static void find_collectives(struct identities *known, struct step *steps, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		const struct repeat_step *body = step_body(&steps[i]);

		if (body)
			find_collectives(known, body->steps, body->step_count);
		else if (steps[i].kind == STEP_COLLECTIVE && steps[i].collective.identity)
			find_collective(known, &steps[i]);
	}
}

static void find_identities(struct identities *known, struct step *steps, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		const struct repeat_step *body = step_body(&steps[i]);

		if (body)
			find_identities(known, body->steps, body->step_count);
		else if (steps[i].kind == STEP_ENQUEUE_WORKLOAD && steps[i].workload.identity)
			step_identity_find(known, &steps[i]);
	}
}

void steps_find_identities(const struct scenario *scenario, struct arena *arena)
{
	uint32_t count = steps_count(scenario->steps, scenario->step_count);
	struct identities known = {arena_array(arena, count + 1u, sizeof *known.makers), 0};

	find_identities(&known, scenario->steps, scenario->step_count);
	known.count = 0;
	find_collectives(&known, scenario->steps, scenario->step_count);
}

/* Keys that a step may have if an earlier step has made its workload. */
static bool is_of_a_call(const char *key)
{
	static const char *const allowed[] = {
		"run_ns", "imbalance", "identity", "queue", "blocking", NULL};

	for (uint32_t i = 0; allowed[i]; i++)
		if (strcmp(allowed[i], key) == 0)
			return true;
	return false;
}

void check_identity(
	const struct check *check, const struct tree_node *keys, const struct step *step)
{
	const struct step *maker = step->workload.maker;
	char cited[LOCATION_CITE_BYTES];

	for (uint32_t i = 0; keys && keys->kind == TREE_MAP && i < keys->count; i++) {
		const char *key = keys->pairs[i].key;

		if (!is_of_a_call(key) &&
			!(strcmp(key, "programs") != 0 && program_key_is_default(keys, key)))
			diag_error(check->diag, keys->pairs[i].where,
				"%s of identity '%s', whose workload the step at %s makes: only "
				"run_ns and imbalance may differ",
				key, step->workload.identity,
				location_cite(maker->workload.identity_where, cited, sizeof cited));
	}
	if (step->workload.own.imbalance > 0 && step_programs(maker, &(uint32_t){0})->pages > 1)
		diag_error(check->diag, step->workload.own.imbalance_where,
			"imbalance of a pipeline: its cores end together (pages: 1)");
	if (!steps_act(maker, 1))
		return;
	diag_error(check->diag, step->workload.identity_where,
		"identity '%s' of kernels that act: their time is that of their instructions",
		step->workload.identity);
}

void check_collective_identity(
	const struct check *check, const struct tree_node *keys, const struct step *step)
{
	static const char *const allowed[] = {"identity", "queue", "blocking"};
	const struct location made = step->collective.maker->collective.identity_where;
	char cited[LOCATION_CITE_BYTES];

	for (uint32_t i = 0; keys && keys->kind == TREE_MAP && i < keys->count; i++) {
		const char *key = keys->pairs[i].key;
		bool good = false;

		for (size_t k = 0; k < sizeof allowed / sizeof *allowed; k++)
			good |= strcmp(key, allowed[k]) == 0;
		if (!good && !collective_key_is_default(keys, key))
			diag_error(check->diag, keys->pairs[i].where,
				"%s of identity '%s', whose programs the step at %s makes: only "
				"queue "
				"and blocking may differ",
				key, step->collective.identity,
				location_cite(made, cited, sizeof cited));
	}
}

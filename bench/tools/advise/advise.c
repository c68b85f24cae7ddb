/* Makes the advice: lists the changes, runs them and sorts them (advise.h). */
#include "advise.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/tools/rerun/rerun.h"

/* ---- designs ---- */

static bool is_wanted(const struct advise_request *request, const char *name, const char *key)
{
	for (uint32_t i = 0; i < request->only_count; i++)
		if (strcmp(request->only[i], name) == 0 ||
			(key && strcmp(request->only[i], key) == 0))
			return true;
	return request->only_count == 0;
}

/* The last component of a key, such as "completion". */
static const char *short_key(const char *key)
{
	const char *dot = strrchr(key, '.');

	return dot ? dot + 1 : key;
}

static void list_designs(struct advice *advice)
{
	struct advise_choice *choices;
	uint32_t count = advise_choices(
		advice->idle.scenario, advice->idle.platform, &advice->arena, &choices);
	uint32_t rewrites = 0;

	while (advise_rewrite_at(rewrites))
		rewrites++;
	advice->designs =
		arena_array(&advice->arena, count + rewrites + 1u, sizeof *advice->designs);
	for (uint32_t i = 0; i < rewrites; i++) {
		const struct advise_rewrite *rewrite = advise_rewrite_at(i);

		if (is_wanted(advice->request, rewrite->name, NULL))
			advice->designs[advice->count++] =
				(struct advise_design){.name = rewrite->name, .rewrite = rewrite};
	}
	for (uint32_t i = 0; i < count; i++)
		if (is_wanted(advice->request, short_key(choices[i].key), choices[i].key))
			advice->designs[advice->count++] = (struct advise_design){
				.name = arena_printf(&advice->arena, "%s %s",
					short_key(choices[i].key), choices[i].value),
				.choice = choices[i]};
}

/* Sorts changes: those that ran come first, the one with the largest gain at the front. */
static int by_gain(const void *a, const void *b)
{
	const struct advise_design *x = a, *y = b;

	if ((x->refused != NULL) != (y->refused != NULL))
		return x->refused ? 1 : -1;
	if (!x->refused && x->verdict.gain != y->verdict.gain)
		return x->verdict.gain > y->verdict.gain ? -1 : 1;
	return strcmp(x->name, y->name);
}

static bool run_today(struct advice *advice, struct rerun *rerun)
{
	struct advise_design today = {.name = "today"};
	struct text why = {0};
	bool good;

	advice_run(advice, rerun, &today, 1);
	if (today.refused)
		text_printf(&why, "today's design does not run: %s", today.refused);
	else
		advise_idle_read(today.file, &advice->arena, &advice->idle, &why);
	snprintf(advice->today, sizeof advice->today, "%s", today.file);
	good = why.length == 0;
	if (!good)
		fprintf(stderr, "meshsim: %s: %s\n", advice->request->path, text_string(&why));
	text_fini(&why);
	return good;
}

bool advice_make(struct advice *advice, struct rerun *rerun, struct diag *diag)
{
	if (!advise_base_read(advice->request, &advice->base, diag) || !run_today(advice, rerun))
		return false;
	list_designs(advice);
	if (advice->count == 0) {
		fprintf(stderr, "meshsim: %s: no change has one of the given names\n",
			advice->request->path);
		return false;
	}
	advice_run(advice, rerun, advice->designs, advice->count);
	qsort(advice->designs, advice->count, sizeof *advice->designs, by_gain);
	for (uint32_t i = 0; i < advice->count; i++)
		if (!advice->designs[i].refused)
			advice->iteration = advice->designs[i].verdict.before;
	advice_try_pairs(advice, rerun);
	return true;
}

void advice_fini(struct advice *advice)
{
	advise_base_fini(&advice->base);
	arena_fini(&advice->arena);
}

/* ---- figures ---- */

double advice_free_time(const struct advice *advice)
{
	double busy = 1;

	for (int cause = 0; cause < IDLE_CAUSES; cause++)
		if (cause != IDLE_TRANSFER)
			busy -= advice_idle_share(advice, cause);
	return advice->iteration * fmax(busy, 0);
}

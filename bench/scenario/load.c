/* Loading of scenario files: options, sweep, validation of every run (load.h). */
#include "bench/scenario/load.h"

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/ensure.h"
#include "base/hash.h"
#include "bench/results/results.h"
#include "bench/results/version.h"
#include "scenario_private.h"
#include "steps/check.h"

struct scenario_file {
	const char *path, *platform_directory;
	struct tree *tree; /* the file as written, with the options applied */
	struct arena arena;
	struct sweep sweep;
	uint64_t *seeds;
	uint32_t seed_count;
	uint32_t seeds_wanted;		/* number of seeds per point that a precision uses now */
	uint32_t seeds_most;		/* measure.seeds or its default; 0: the file lists seeds */
	double precision;		/* 0: the file has no measure.precision */
	const char *name, *description; /* name and description of the first run */
	struct machines *machines;
	struct run_facts *runs;
	uint32_t run_count;
	const char **columns;
	uint32_t column_count;
	uint64_t hash;
	bool native;
};

/* The number of seeds with which a precision begins, and the default of the most seeds. */
enum { SEEDS_LEAST = 5, SEEDS_MOST = 40 };

static void apply_set(struct tree *tree, const char *set, struct diag *diag)
{
	const char *equals = strchr(set, '=');
	const struct source *source;
	char path[TREE_PATH_BYTES_MAX];

	if (!equals || equals == set || (size_t)(equals - set) >= sizeof path) {
		diag_error(diag, (struct location){0}, "--set %s: expected KEY=VALUE", set);
		return;
	}
	memcpy(path, set, (size_t)(equals - set));
	path[equals - set] = '\0';
	source = diag_source(diag, "--set", set, strlen(set));
	if (!sweep_unset(tree, path, location_at(source, 1, 1), diag))
		return;
	if (strncmp(path, "platform.", 9) == 0 && !platform_prepare(tree, "platform", diag))
		return;
	tree_set(tree, path, equals + 1, "--set", diag);
}

static bool check_root(const struct tree *tree, struct diag *diag)
{
	char described[TREE_DESCRIBE_BYTES];

	if (tree_root(tree)->kind == TREE_MAP)
		return true;
	diag_error(diag, tree_root(tree)->where, "a scenario must be a map, not %s",
		tree_describe(tree_root(tree), described, sizeof described));
	return false;
}

/* Warns that --seed disables the keys that give a point several runs. */
static void warn_beside_seed(const struct tree *tree, struct diag *diag)
{
	static const char *const keys[] = {"seeds", "measure.seeds", "measure.precision"};

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (tree_find(tree_root(tree), keys[i]))
			diag_warning(diag, tree_where(tree_root(tree), keys[i]),
				"%s has no effect beside --seed, which makes one run of each point",
				keys[i]);
}

static void apply_options(struct tree *tree, const struct load_options *options, struct diag *diag)
{
	char seed[32];

	for (uint32_t i = 0; i < options->set_count; i++)
		apply_set(tree, options->sets[i], diag);
	if (!options->has_seed)
		return;
	warn_beside_seed(tree, diag);
	snprintf(seed, sizeof seed, "%llu", (unsigned long long)options->seed);
	tree_remove(tree, "seeds");
	tree_set(tree, "seed", seed, "--seed", diag);
}

static int64_t integer_at(const struct scenario_file *file, const char *path, int64_t otherwise)
{
	const struct tree_node *node = tree_find(tree_root(file->tree), path);
	int64_t number = otherwise;

	if (node && node->kind == TREE_SCALAR && tree_integer(node, &number) == STATUS_OK)
		return number;
	return otherwise;
}

/* Fills the list of seeds with consecutive numbers; the first number is the key `seed`. The list
 * has measure.seeds numbers. With measure.precision, it has seeds_wanted numbers, but not more than
 * measure.seeds. Leaves the list empty if an option gives the seed, if there is only one seed, or
 * if a value is invalid. Invalid values are reported later, by the schemas of the keys. */
static void count_seeds(struct scenario_file *file, const struct load_options *options)
{
	bool precise = tree_find(tree_root(file->tree), "measure.precision") != NULL;
	int64_t first = integer_at(file, "seed", 1);
	int64_t most = integer_at(file, "measure.seeds", precise ? SEEDS_MOST : 1);
	int64_t count = most;

	if (options->has_seed)
		return;
	if (precise)
		count = file->seeds_wanted;
	if (precise && first >= 0 && most > INT64_MAX - first)
		most = INT64_MAX - first;
	count = count > most ? most : count;
	if (count < 2 || count > SCENARIO_SEEDS_MAX || first < 0 || first > INT64_MAX - count)
		return;
	file->seeds_most = (uint32_t)most;
	file->seeds = arena_array(&file->arena, (size_t)count, sizeof *file->seeds);
	file->seed_count = (uint32_t)count;
	for (uint32_t i = 0; i < file->seed_count; i++)
		file->seeds[i] = (uint64_t)first + i;
}

static void warn_beside_seeds(const struct scenario_file *file, struct diag *diag)
{
	static const char *const keys[] = {"seed", "measure.seeds", "measure.precision"};

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (tree_find(tree_root(file->tree), keys[i]))
			diag_warning(diag, tree_where(tree_root(file->tree), keys[i]),
				"%s has no effect beside seeds", keys[i]);
}

/* Reads the seeds before all other keys, because the number of runs depends on them. The other keys
 * are validated later, with schemas. */
static void read_seeds(
	struct scenario_file *file, const struct load_options *options, struct diag *diag)
{
	const struct tree_node *node = tree_get(tree_root(file->tree), "seeds");
	int64_t seed = 0;

	file->seed_count = 1;
	if (!node) {
		count_seeds(file, options);
		return;
	}
	if (node->kind != TREE_SEQUENCE || node->count == 0) {
		diag_error(diag, node->where, "seeds must be a list of one or more integers");
		return;
	}
	if (node->count > SCENARIO_RUNS_MAX) {
		diag_error(diag, node->where, "more than %d runs", SCENARIO_RUNS_MAX);
		return;
	}
	warn_beside_seeds(file, diag);
	file->seeds = arena_array(&file->arena, node->count, sizeof *file->seeds);
	file->seed_count = node->count;
	for (uint32_t i = 0; i < node->count; i++) {
		if (node->items[i]->kind != TREE_SCALAR ||
			tree_integer(node->items[i], &seed) != STATUS_OK || seed < 0)
			diag_error(diag, node->items[i]->where,
				"a seed is an integer from 0 to 9223372036854775807");
		file->seeds[i] = (uint64_t)seed;
	}
}

/* Makes the tree of one run: applies the values of its point of the sweep and its seed, and removes
 * the keys of the sweep and of the seeds. Errors in these keys were already reported. */
static struct tree *run_tree(struct scenario_file *file, uint32_t run, struct diag *diag)
{
	struct tree *tree = tree_copy(file->tree);

	sweep_apply(&file->sweep, run / file->seed_count, tree, diag);
	tree_remove(tree, "sweep");
	if (file->seeds) {
		char seed[32];

		snprintf(seed, sizeof seed, "%llu",
			(unsigned long long)file->seeds[run % file->seed_count]);
		tree_remove(tree, "seeds");
		tree_set(tree, "seed", seed, "seeds", diag);
	}
	preset_apply(tree, diag);
	return tree;
}

/* Fills the plan of a run from its keys. Does not check conditions between the keys. */
static bool plan_bind(struct scenario_file *file, uint32_t run, bool fold, struct diag *diag,
	struct run_plan *plan)
{
	const struct tree_node *platform, *dispatch_cores;
	size_t errors = diag_errors(diag);
	uint32_t number = 0;

	memset(plan, 0, sizeof *plan);
	plan->index = run;
	plan->native = file->native;
	arena_init(&plan->arena);
	plan->tree = run_tree(file, run, diag);
	if (fold)
		plan->written = steps_fold(plan->tree, &file->sweep, diag);
	plan->scenario = arena_alloc(&plan->arena, sizeof *plan->scenario);
	platform = tree_get(tree_root(plan->tree), "platform");
	dispatch_cores = tree_find(tree_root(plan->tree), "runtime.dispatch_cores");
	if (!schema_bind(
		    scenario_schema(), tree_root(plan->tree), plan->scenario, &plan->arena, diag))
		dispatch_cores = NULL; /* the key `dispatch_cores` may itself be the invalid key */
	if (platform)
		plan->platform = machines_find(
			file->machines, platform, dispatch_cores, &plan->platform_text, diag);
	if (diag_errors(diag) > errors || !plan->platform)
		return false;
	steps_number(plan->scenario->steps, plan->scenario->step_count, &number);
	return true;
}

static bool plan_check(struct scenario_file *file, uint32_t run, bool fold, struct diag *diag,
	struct run_plan *plan)
{
	size_t errors = diag_errors(diag);

	if (!plan_bind(file, run, fold, diag, plan))
		return false;
	steps_find_sub_devices(plan->scenario, diag);
	if (steps_find_meshes(plan->scenario, diag) && steps_load_models(plan, diag)) {
		steps_find_traces(plan->scenario);
		steps_find_identities(plan->scenario, &plan->arena);
		scenario_check(plan, diag);
	}
	return diag_errors(diag) == errors;
}

bool run_plan_open(
	struct scenario_file *file, uint32_t run, struct diag *diag, struct run_plan *plan)
{
	if (plan_check(file, run, true, diag, plan))
		return true;
	if (plan->written) { /* check the steps unfolded, so that each error has its own line */
		run_plan_close(plan);
		(void)plan_check(file, run, false, diag, plan);
	}
	return false;
}

void run_plan_close(struct run_plan *plan)
{
	tree_free(plan->tree);
	arena_fini(&plan->arena);
	memset(plan, 0, sizeof *plan);
}

static const char *effective_text(struct scenario_file *file, struct run_plan *plan)
{
	struct text text;
	const char *copy;

	text_init(&text);
	tree_write(schema_complete(scenario_schema(), tree_root(plan->tree), &plan->arena), &text);
	copy = arena_string(&file->arena, text_string(&text));
	text_fini(&text);
	return copy;
}

/* Validates a run. Only the first seed of each point is checked for conditions between keys. */
static void load_validate_run(struct scenario_file *file, uint32_t run, struct diag *diag)
{
	struct run_facts *facts = &file->runs[run];
	bool first = run % file->seed_count == 0;
	struct run_plan plan;

	if (!(first ? run_plan_open(file, run, diag, &plan)
		    : plan_bind(file, run, true, diag, &plan)))
		goto out;
	if (run == 0) {
		file->name = arena_string(&file->arena, plan.scenario->name);
		file->description = arena_string(&file->arena, plan.scenario->description);
	}
	facts->seed = plan.scenario->seed;
	facts->wall_s = plan.scenario->limits.wall_s;
	if (run == 0 && file->seeds_most > 0)
		file->precision = plan.scenario->measure.precision;
	if (plan.written)
		tree_put(plan.tree, "workload", plan.written->where, plan.written, diag);
	/* these keys concern all seeds together, not this one */
	tree_remove(plan.tree, "measure.seeds");
	tree_remove(plan.tree, "measure.precision");
	facts->scenario_text = effective_text(file, &plan);
	facts->platform_text = plan.platform_text;
	facts->hash = hash_more(
		models_hash(&plan), facts->scenario_text, strlen(facts->scenario_text) + 1);
	facts->hash = hash_mix(
		hash_more(facts->hash, facts->platform_text, strlen(facts->platform_text) + 1));
out:
	run_plan_close(&plan);
}

/* Returns a hash of everything that influences the bytes of the results. */
static uint64_t file_hash(const struct scenario_file *file)
{
	uint64_t hash = hash_more(HASH_EMPTY, version_number(), strlen(version_number()) + 1);
	uint32_t layout = RESULTS_LAYOUT_VERSION;

	hash = hash_more(hash, version_commit(), strlen(version_commit()) + 1);
	hash = hash_more(hash, &layout, sizeof layout);
	for (uint32_t i = 0; i < file->run_count; i++)
		hash = hash_more(hash, &file->runs[i].hash, sizeof file->runs[i].hash);
	return hash_mix(hash);
}

static uint64_t run_identity(const struct scenario_file *file, uint32_t run)
{
	uint64_t hash = hash_more(HASH_EMPTY, &file->hash, sizeof file->hash);

	hash = hash_more(hash, &run, sizeof run);
	return hash_mix(hash_more(hash, &file->runs[run].hash, sizeof file->runs[run].hash));
}

/* With measure.precision, points may get more seeds during the runs. Limits their number, so that
 * there are at most SCENARIO_RUNS_MAX runs. Warns if the limit is less than measure.seeds. */
static void limit_seeds(struct scenario_file *file, struct diag *diag)
{
	const char *key = "measure.seeds";
	uint32_t room = SCENARIO_RUNS_MAX / file->sweep.points;

	if (file->seeds_most <= room || diag_errors(diag))
		return;
	file->seeds_most = room;
	if (tree_find(tree_root(file->tree), key))
		diag_warning(diag, tree_where(tree_root(file->tree), key),
			"%u points have at most %u seeds each: a scenario has at most %d runs",
			file->sweep.points, room, SCENARIO_RUNS_MAX);
}

static void validate(
	struct scenario_file *file, const struct load_options *options, struct diag *diag)
{
	/* After an error in the sweep its readable part is still validated. */
	sweep_read(&file->sweep, tree_root(file->tree), file->seed_count, &file->arena, diag);
	limit_seeds(file, diag);
	file->run_count = file->sweep.points * file->seed_count;
	file->runs = arena_array(&file->arena, file->run_count, sizeof *file->runs);
	for (uint32_t i = 0; i < file->run_count && diag_errors(diag) < DIAG_KEPT_MAX; i++) {
		load_validate_run(file, i, diag);
		if (options->validated)
			options->validated(options->context, file, i + 1);
	}
	if (diag_errors(diag))
		return;
	file->column_count = sweep_columns(&file->sweep, &file->arena, &file->columns);
	file->hash = file_hash(file);
	for (uint32_t i = 0; i < file->run_count; i++)
		file->runs[i].identity = run_identity(file, i);
}

static struct scenario_file *new_file(
	const char *path, const char *platform_directory, bool native, uint32_t seeds)
{
	struct scenario_file *file = allocate(1, sizeof *file);

	arena_init(&file->arena);
	file->path = arena_string(&file->arena, path);
	if (platform_directory)
		file->platform_directory = arena_string(&file->arena, platform_directory);
	file->native = native;
	file->seeds_wanted = seeds;
	file->machines = machines_new(file->platform_directory);
	return file;
}

struct scenario_file *scenario_open(
	const char *path, const struct load_options *options, struct diag *diag)
{
	struct scenario_file *file =
		new_file(path, options->platform_directory, options->native, SEEDS_LEAST);
	size_t errors = diag_errors(diag);

	file->tree = tree_read_file(path, diag);
	if (file->tree && check_root(file->tree, diag)) {
		apply_options(file->tree, options, diag);
		read_seeds(file, options, diag);
		validate(file, options, diag);
	}
	if (diag_errors(diag) > errors) {
		scenario_close(file);
		return NULL;
	}
	return file;
}

struct scenario_file *scenario_with_seeds(const struct scenario_file *file, uint32_t seeds)
{
	const struct load_options options = {.native = file->native};
	struct scenario_file *more =
		new_file(file->path, file->platform_directory, file->native, seeds);
	struct diag *diag = diag_new(); /* discarded: the first file gave the same warnings */

	ensure(seeds > 0 && seeds <= file->seeds_most, "%u of %u seeds", seeds, file->seeds_most);
	more->tree = tree_copy(file->tree);
	read_seeds(more, &options, diag);
	validate(more, &options, diag);
	ensure(diag_errors(diag) == 0, "a scenario is good with %u seeds, and not with %u",
		file->seed_count, seeds);
	diag_free(diag);
	return more;
}

void scenario_close(struct scenario_file *file)
{
	if (!file)
		return;
	machines_free(file->machines);
	tree_free(file->tree);
	arena_fini(&file->arena);
	free(file);
}

const char *scenario_path(const struct scenario_file *file)
{
	return file->path;
}

const char *scenario_name(const struct scenario_file *file)
{
	return file->name;
}

const char *scenario_description(const struct scenario_file *file)
{
	return file->description;
}

double scenario_precision(const struct scenario_file *file, uint32_t *seeds, uint32_t *most)
{
	*seeds = file->seed_count;
	*most = file->seeds_most;
	return file->precision;
}

uint32_t scenario_run_count(const struct scenario_file *file)
{
	return file->run_count;
}

uint64_t scenario_hash(const struct scenario_file *file)
{
	return file->hash;
}

const struct run_facts *scenario_run(const struct scenario_file *file, uint32_t run)
{
	ensure(run < file->run_count, "run %u of %u", run, file->run_count);
	return &file->runs[run];
}

uint32_t scenario_swept_count(const struct scenario_file *file)
{
	return file->column_count;
}

const char *scenario_swept_name(const struct scenario_file *file, uint32_t column)
{
	return file->columns[column];
}

const char *scenario_swept_value(
	const struct scenario_file *file, uint32_t column, uint32_t run, struct arena *arena)
{
	return sweep_cell(&file->sweep, file->columns[column], run / file->seed_count, arena);
}

void scenario_label_run(const struct scenario_file *file, uint32_t run, struct text *out)
{
	const char *between = " (";
	struct arena arena;

	arena_init(&arena);
	text_printf(out, "run %u", run);
	for (uint32_t column = 0; column < file->column_count; column++) {
		const char *value = scenario_swept_value(file, column, run, &arena);

		if (strcmp(value, "-") == 0)
			continue;
		text_printf(out, "%s%s=%s", between, file->columns[column], value);
		between = ", ";
	}
	if (file->seed_count > 1) {
		text_printf(out, "%sseed=%llu", between, (unsigned long long)file->runs[run].seed);
		between = ", ";
	}
	text_append(out, between[0] == ',' ? ")" : "");
	arena_fini(&arena);
}

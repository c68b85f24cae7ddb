/* Loads the model binaries of `run_model` steps, and checks these steps. */
#include <string.h>

#include "base/file/file.h"
#include "base/hash.h"
#include "base/nearest.h"
#include "execution/execution.h"
#include "platform/platform.h"
#include "rehearsal/rehearsal.h"
#include "scenario_private.h"
#include "steps/check.h"

struct loading {
	struct run_plan *run;
	struct diag *diag;
	struct step **steps; /* run_model steps so far */
	uint32_t count;
};

static void read_binary(struct loading *loading, const struct tree_node *file, struct step *step)
{
	struct arena *arena = &loading->run->arena;
	const char *path = platform_named_file(arena, file, NULL, loading->diag);
	struct text bytes = {0}, why = {0};
	enum status status = STATUS_IO;

	if (file_read(path, MODEL_BINARY_BYTES_MAX, &bytes, &why))
		status = model_binary_read(bytes.bytes ? bytes.bytes : "", bytes.length, arena,
			&why, &step->model.loaded);
	if (status != STATUS_OK)
		diag_error(loading->diag, step->model.binary_where, "model binary '%s': %s",
			step->model.binary, text_string(&why));
	text_fini(&bytes);
	text_fini(&why);
}

static void step_model_program(struct loading *loading, struct model_step *model)
{
	const struct model_binary *binary = model->loaded;
	struct nearest nearest;
	uint32_t i = 0;

	while (i < binary->program_count &&
		(binary->programs[i].constant ||
			(model->program && strcmp(model->program, binary->programs[i].name) != 0)))
		i++;
	model->number = i;
	if (i < binary->program_count)
		return;
	nearest_start(&nearest, model->program ? model->program : "");
	for (i = 0; i < binary->program_count; i++)
		if (!binary->programs[i].constant)
			nearest_offer(&nearest, binary->programs[i].name);
	diag_error(loading->diag, model->program ? model->program_where : model->binary_where,
		"binary '%s' has no program '%s' that can be run%s%s%s", model->binary,
		model->program ? model->program : "", nearest.best ? ", did you mean '" : "",
		nearest.best ? nearest.best : "", nearest.best ? "'?" : "");
}

/* Sets the step's maker: the first step of the same mesh with the same binary. All these steps
 * share the binary's constants, programs and places, which the maker makes. */
static void find_maker(struct loading *loading, struct step *step)
{
	struct model_step *model = &step->model;
	const struct model_step *first;
	uint32_t i = 0;

	while (i < loading->count && (loading->steps[i]->mesh != step->mesh ||
					     loading->steps[i]->model.loaded != model->loaded))
		i++;
	if (i == loading->count) {
		loading->steps[loading->count++] = step;
		model->maker = step;
		return;
	}
	model->maker = loading->steps[i];
	first = &model->maker->model;
	if (first->window != model->window || first->queues != model->queues ||
		first->programs != model->programs || first->trace != model->trace)
		diag_error(loading->diag, model->binary_where,
			"window, queues, programs and trace must be those of the step before that "
			"runs '%s'",
			model->binary);
}

static void step_model_load(
	struct loading *loading, struct step *step, const struct tree_node *node)
{
	const struct tree_node *file = tree_get(tree_get(node, "run_model"), "binary");

	for (uint32_t i = 0; i < loading->count && !step->model.loaded; i++)
		if (strcmp(loading->steps[i]->model.binary, step->model.binary) == 0)
			step->model.loaded = loading->steps[i]->model.loaded;
	if (!step->model.loaded)
		read_binary(loading, file, step);
	if (!step->model.loaded)
		return;
	step_model_program(loading, &step->model);
	find_maker(loading, step);
}

static void load_steps(
	struct loading *loading, struct step *steps, uint32_t count, const struct tree_node *nodes)
{
	for (uint32_t i = 0; i < count; i++) {
		const struct repeat_step *body = step_body(&steps[i]);

		if (body)
			load_steps(loading, body->steps, body->step_count,
				tree_get(nodes->items[i], "do"));
		else if (steps[i].kind == STEP_RUN_MODEL)
			step_model_load(loading, &steps[i], nodes->items[i]);
	}
}

bool steps_load_models(struct run_plan *run, struct diag *diag)
{
	const struct scenario *scenario = run->scenario;
	uint32_t count = steps_count(scenario->steps, scenario->step_count);
	struct loading loading = {.run = run,
		.diag = diag,
		.steps = arena_array(&run->arena, count + 1u, sizeof(struct step *))};
	size_t errors = diag_errors(diag);

	load_steps(&loading, scenario->steps, scenario->step_count,
		tree_get(tree_root(run->tree), "workload"));
	return diag_errors(diag) == errors;
}

/* ---- contents ---- */

static uint64_t hash_models(struct run_plan *run, const struct tree_node *nodes, uint64_t hash)
{
	for (uint32_t i = 0; nodes && i < nodes->count; i++) {
		const struct tree_node *step = nodes->items[i];
		const struct tree_node *file = tree_find(step, "run_model.binary");
		struct text bytes = {0};

		if (step->kind != TREE_MAP)
			continue;
		if (file && file->kind == TREE_SCALAR &&
			file_read(platform_path(&run->arena, file), MODEL_BINARY_BYTES_MAX, &bytes,
				NULL))
			hash = hash_more(hash, text_string(&bytes), bytes.length);
		text_fini(&bytes);
		hash = hash_models(run, tree_get(step, "do"), hash);
	}
	return hash;
}

uint64_t models_hash(struct run_plan *run)
{
	return hash_models(run, tree_get(tree_root(run->tree), "workload"), HASH_EMPTY);
}

/* ---- check ---- */

void check_run_model(struct check *check, const struct tree_node *keys, struct step *step)
{
	const struct model_step *model = &step->model;
	const struct execution_config config = {
		.queues = 1, .window = model->window, .programs = model->programs};
	struct device_handle *device = rehearsal_device(check->rehearsal, check->mesh);
	struct execution *execution;
	struct text why = {0};

	check_queue(check, keys, step, model->queues - 1);
	if (model->maker != step)
		return;
	if (platform_hosts(check->run->platform))
		return; /* the rehearsal has one host's part of the mesh */
	if (execution_new(device, model->loaded, &config, &why, &execution) != STATUS_OK)
		diag_error(check->diag, model->binary_where, "model binary '%s': %s", model->binary,
			text_string(&why));
	else
		execution_free(execution);
	text_fini(&why);
}

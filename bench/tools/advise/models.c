/* Prepares model binaries for `meshsim advise` (advise.h): makes a scenario that runs one, and
 * changes run_model steps so that an iteration is one run. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "advise.h"
#include "base/file/file.h"
#include "binary/model_binary.h"

static const char run_model[] = "run_model";

bool advise_is_binary(const char *head, size_t length)
{
	return length >= 8 && memcmp(head + 4, "MSMB", 4) == 0;
}

/* Appends a scenario that runs each program of the binary that is not constant, one after the
 * other. */
static void models_scenario(const struct model_binary *binary, const char *path,
	const char *platform, struct text *scenario)
{
	struct text quoted = {0};

	for (const char *at = path; *at; at++) {
		text_append_char(&quoted, *at);
		if (*at == '\'')
			text_append_char(&quoted, *at);
	}
	text_printf(scenario,
		"meshsim: 1\nname: %s\nplatform: '%s'\nruntime: {command_queues: 1, mesh: {shape: "
		"[%u, %u]}}\nworkload:\n  - repeat: 2\n    do:\n",
		binary->name, platform, binary->system.mesh.rows, binary->system.mesh.columns);
	for (uint32_t i = 0; i < binary->program_count; i++)
		if (!binary->programs[i].constant)
			text_printf(scenario, "      - run_model: {binary: '%s', program: '%s'}\n",
				text_string(&quoted), binary->programs[i].name);
	text_fini(&quoted);
}

bool advise_input_binary(
	const struct advise_request *request, struct text *scenario, struct diag *diag)
{
	struct location whole = location_at(diag_source(diag, request->path, NULL, 0), 0, 0);
	struct text bytes = {0}, why = {0};
	struct arena arena = {0};
	const struct model_binary *binary = NULL;
	char path[PATH_MAX];
	bool good = file_read_or_say(request->path, MODEL_BINARY_BYTES_MAX, &bytes, diag);

	if (good && model_binary_read(text_string(&bytes), bytes.length, &arena, &why, &binary) !=
			    STATUS_OK) {
		diag_error(diag, whole, "%s", text_string(&why));
		good = false;
	}
	if (good && !realpath(request->path, path)) {
		diag_error(diag, whole, "cannot read: it has no path");
		good = false;
	}
	if (good)
		models_scenario(binary, path,
			request->platform ? request->platform : binary->system.platform, scenario);
	arena_fini(&arena);
	text_fini(&bytes);
	text_fini(&why);
	return good;
}

const struct tree_node *advise_model_with(
	struct arena *arena, const struct tree_node *step, const char *key, const char *value)
{
	const struct tree_node *keys =
		node_with(arena, node_keys(step, run_model), key, node_text(arena, value));

	return node_with(arena, step, run_model, keys);
}

bool advise_runs_model(const struct tree_node *steps)
{
	for (uint32_t i = 0; i < steps->count; i++)
		if (node_keys(steps->items[i], run_model))
			return true;
	return false;
}

/* Returns a step whose binary has an absolute path. */
static const struct tree_node *with_path(
	struct arena *arena, const struct tree_node *step, const char *folder)
{
	const char *file = node_get(node_keys(step, run_model), "binary", "");
	char whole[PATH_MAX];

	if (file[0] != '/' && realpath(arena_printf(arena, "%s%s", folder, file), whole))
		step = advise_model_with(arena, step, "binary", arena_string(arena, whole));
	return step;
}

const struct tree_node *advise_model_paths(
	struct arena *arena, const struct tree_node *steps, const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *folder = arena_copy(arena, path, slash ? (size_t)(slash + 1 - path) : 0);
	struct node_list list = {.arena = arena};

	for (uint32_t i = 0; i < steps->count; i++) {
		const struct tree_node *step = steps->items[i], *body = node_body(step);

		if (node_keys(step, run_model))
			step = with_path(arena, step, folder);
		body = body ? advise_model_paths(arena, body, path) : NULL;
		node_list_add(&list, body ? node_with(arena, step, "do", body) : step);
	}
	return node_list_end(&list);
}

/* Returns a step that runs the model once. If several runs were in flight, they still are. */
static const struct tree_node *run_once(struct arena *arena, const struct tree_node *step)
{
	const struct tree_node *keys = node_keys(step, run_model);

	if (node_number(tree_get(keys, "times"), 1) < 2)
		return step;
	if (node_number(tree_get(keys, "window"), 1) > 1)
		step = advise_model_with(arena, step, "blocking", "false");
	return advise_model_with(arena, step, "times", "1");
}

const struct tree_node *advise_models_once(struct advise_base *base, const struct tree_node *steps)
{
	struct node_list list = {.arena = &base->arena};
	bool changed = false;

	if (!advise_runs_model(steps))
		return steps;
	for (uint32_t i = 0; i < steps->count; i++) {
		const struct tree_node *step = steps->items[i];

		if (node_keys(step, run_model))
			step = run_once(&base->arena, step);
		changed |= step != steps->items[i];
		node_list_add(&list, step);
	}
	if (changed)
		text_append(
			&base->notes, "an iteration runs each model once, in place of `times`\n");
	return node_list_end(&list);
}

/* Reads a model file, a model binary, a profiler's report or a scenario, as the text of a scenario
 * (advise.h). */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "advise.h"
#include "base/file/file.h"
#include "base/output.h"
#include "bench/scenario/load.h"
#include "bench/scenario/machine_constants.h"
#include "bench/tools/import/import.h"
#include "bench/tools/models/model.h"

enum { ARGUMENTS = 12, IMBALANCE_PERCENT = 30 }; /* the defaults of `meshsim import` */

static bool input_model(
	const struct advise_request *request, struct text *scenario, struct diag *diag)
{
	struct model *model = model_read(request->path, diag);
	struct platform *platform = NULL;
	const char *name;
	bool good = false;

	if (model) {
		name = request->platform ? request->platform : model_platform(model);
		platform = machine_platform(name, diag);
		good = platform &&
		       model_write_scenario(model, request->path, name, platform, diag, scenario);
	}
	platform_free(platform);
	model_free(model);
	return good;
}

static bool input_recording(const struct advise_request *request, struct text *scenario,
	struct text *notes, struct diag *diag)
{
	const struct import_request import = {.path = request->path,
		.platform = request->platform,
		.runtime_args = ARGUMENTS,
		.imbalance_percent = IMBALANCE_PERCENT,
		.fuse_ns = IMPORT_FUSE_NS};
	const struct importer *importer = importer_of(request->path, diag);

	return importer && importer->import(&import, scenario, notes, diag);
}

/* Checks a scenario with the keys of --set, so that its errors have places. */
static bool is_valid(const struct advise_request *request, struct diag *diag)
{
	const struct load_options load = {.sets = request->sets,
		.set_count = request->set_count,
		.platform_directory = platform_directory()};
	struct scenario_file *file = scenario_open(request->path, &load, diag);

	scenario_close(file);
	return file != NULL;
}

/* Makes the paths of model binaries absolute. */
static bool set_model_paths(const struct advise_request *request, struct tree *tree,
	struct arena *arena, struct diag *diag)
{
	const struct tree_node *steps = tree_get(tree_root(tree), "workload");
	struct location nowhere = {NULL, 0, 0};

	if (!steps || steps->kind != TREE_SEQUENCE)
		return true;
	steps = advise_model_paths(arena, steps, request->path);
	return steps && tree_put(tree, "workload", nowhere, steps, diag);
}

/* Appends a copy of the scenario file, with the platform of the request if it has one. The copy is
 * in another folder, so a relative path of a platform file becomes absolute. */
static bool input_scenario(
	const struct advise_request *request, struct text *scenario, struct diag *diag)
{
	struct tree *tree = is_valid(request, diag) ? tree_read_file(request->path, diag) : NULL;
	const char *slash = strrchr(request->path, '/');
	struct arena arena = {0};
	char whole[PATH_MAX];
	const struct tree_node *platform;
	bool good = tree != NULL;

	platform = tree ? tree_get(tree_root(tree), "platform") : NULL;
	if (request->platform) {
		good = good && tree_set(tree, "platform", request->platform, "--platform", diag);
	} else if (platform && platform->kind == TREE_SCALAR &&
		   (strchr(platform->text, '/') || strstr(platform->text, ".yaml"))) {
		const char *path =
			arena_printf(&arena, "%.*s%s", slash ? (int)(slash + 1 - request->path) : 0,
				request->path, platform->text);

		if (realpath(path, whole))
			good = tree_set(tree, "platform", whole, "platform", diag);
	}
	good = good && set_model_paths(request, tree, &arena, diag);
	if (good)
		tree_write(tree_root(tree), scenario);
	arena_fini(&arena);
	tree_free(tree);
	return good;
}

bool advise_input(const struct advise_request *request, struct text *scenario, struct text *notes,
	struct diag *diag)
{
	struct text head = {0}, why = {0};
	bool good = false;

	if (!file_read(request->path, IMPORT_HEAD_BYTES, &head, &why))
		diag_error(diag, location_at(diag_source(diag, request->path, NULL, 0), 0, 0),
			"cannot read: %s", text_string(&why));
	else if (advise_is_binary(text_string(&head), head.length))
		good = advise_input_binary(request, scenario, diag);
	else if (output_has_line(text_string(&head), "meshsim_model:"))
		good = input_model(request, scenario, diag);
	else if (scenario_output_kind.is(text_string(&head), head.length))
		good = input_scenario(request, scenario, diag);
	else
		good = input_recording(request, scenario, notes, diag);
	text_fini(&head);
	text_fini(&why);
	return good;
}

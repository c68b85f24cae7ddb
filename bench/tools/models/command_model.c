/* `meshsim model FILE` writes a model file as a scenario. `meshsim model build FILE` makes a model
 * binary from a graph file or a model file. `meshsim model show FILE` prints a model binary, and
 * `meshsim model verify FILE` checks one. bench/tools/models does the work. */
#include <stdio.h>
#include <string.h>

#include "base/file/file.h"
#include "base/nearest.h"
#include "base/output.h"
#include "bench/run/runner.h"
#include "bench/scenario/load.h"
#include "bench/scenario/machine_constants.h"
#include "bench/tools/models/graph.h"
#include "bench/tools/models/model.h"
#include "bench/tools/options/option.h"

struct options {
	const char *verb, *file, *platform, *output;
};

static const char *const verbs[] = {"build", "show", "verify"};
enum { BUILD, SHOW, VERIFY, VERBS };

static const struct option_row option_table[] = {
	{NULL, 0, "[build|show|verify] FILE", NULL, OPTION_TEXT,
		.offset = offsetof(struct options, verb), .missing = "no model file given"},
	{NULL, 0, "", NULL, OPTION_TEXT, .offset = offsetof(struct options, file),
		.extra = "one model file at a time"},
	{"platform", 0, "NAME",
		"another platform than the file's, by name or as a file; for verify: the machine "
		"on which it should run",
		OPTION_TEXT, .offset = offsetof(struct options, platform)},
	{"output", 'o', "FILE",
		"the scenario, - is standard output, as without it; or the binary, which needs a "
		"file",
		OPTION_TEXT, .offset = offsetof(struct options, output)},
	{0},
};

static int verb_of(const struct options *options)
{
	for (int i = 0; options->file && i < VERBS; i++)
		if (strcmp(options->verb, verbs[i]) == 0)
			return i;
	return VERBS;
}

static bool command_model_check(void *given, struct text *why)
{
	const struct options *options = given;
	int verb = verb_of(options);
	struct nearest nearest;

	nearest_start(&nearest, options->verb);
	for (int i = 0; i < VERBS; i++)
		nearest_offer(&nearest, verbs[i]);
	if (options->file && verb == VERBS)
		text_printf(why, "'%s': neither build, show nor verify%s%s%s", options->verb,
			nearest.best ? "; did you mean '" : "", nearest.best ? nearest.best : "",
			nearest.best ? "'?" : "");
	else if (verb == BUILD && !options->output)
		text_append(why, "build needs -o FILE");
	else if ((verb == SHOW || verb == VERIFY) && options->output)
		text_printf(why, "%s writes no file", options->verb);
	return why->length == 0;
}

/* Writes the model for its platform. Returns false after errors, which are in `diag`. */
static bool command_model_write(
	const struct options *options, const char *name, struct diag *diag, struct text *out)
{
	struct model *model = model_read(options->verb, diag);
	struct platform *platform = NULL;
	bool good = false;

	if (model) {
		name = name ? name : model_platform(model);
		platform = machine_platform(name, diag);
	}
	if (platform)
		good = model_write_scenario(model, options->verb, name, platform, diag, out);
	platform_free(platform);
	model_free(model);
	return good;
}

/* ---- binaries ---- */

static bool is_binary(const char *head, size_t length)
{
	return length >= 8 && memcmp(head + 4, "MSMB", 4) == 0;
}

static const struct output_kind binary_output_kind = {.name = "model binary", .is = is_binary};

static bool build_graph(const struct options *options, struct diag *diag, struct text *out)
{
	struct graph *graph = graph_read(options->file, diag);
	const char *name = options->platform;
	struct platform *platform = NULL;
	bool good = false;

	if (graph) {
		name = name ? name : graph_platform(graph);
		platform = machine_platform(name, diag);
	}
	if (platform)
		good = graph_build(graph, options->file, name, platform, diag, out);
	platform_free(platform);
	graph_free(graph);
	return good;
}

/* Returns true if the file has the key of model files, whose operations have costs. */
static bool is_model(const char *path)
{
	enum { HEAD_BYTES = 1 << 16 };
	struct text head = {0};
	bool model = file_read(path, HEAD_BYTES, &head, NULL) &&
		     output_has_line(text_string(&head), "meshsim_model:");

	text_fini(&head);
	return model;
}

/* Builds the binary of a model file. */
static bool compile(const struct options *options, struct diag *diag, struct text *out)
{
	struct model *model = model_read(options->file, diag);
	const char *name = options->platform;
	struct platform *platform = NULL;
	struct text source = {0};
	bool good = false;

	if (model &&
		file_read_or_say(options->file, MODEL_BINARY_SOURCE_BYTES_MAX, &source, diag)) {
		name = name ? name : model_platform(model);
		platform = machine_platform(name, diag);
	}
	if (platform)
		good = model_build_binary(
			model, options->file, text_string(&source), name, platform, diag, out);
	text_fini(&source);
	platform_free(platform);
	model_free(model);
	return good;
}

static bool build(const struct options *options, struct diag *diag, struct text *out)
{
	if (is_model(options->file))
		return compile(options, diag, out);
	return build_graph(options, diag, out);
}

/* Checks that a binary was built for devices of the platform. */
static bool fits_platform(
	const struct model_binary *binary, const char *name, struct diag *diag, struct text *why)
{
	struct platform *platform = machine_platform(name, diag);
	struct model_system there;
	bool good;

	if (!platform)
		return false;
	model_system_init(&there, name, binary->system.mesh.rows, binary->system.mesh.columns,
		platform_cluster(platform)->chips[0].geometry);
	good = model_system_check(&binary->system, &there, why) == STATUS_OK;
	platform_free(platform);
	return good;
}

/* Reads a binary, and shows or verifies it. */
static bool inspect(const struct options *options, struct diag *diag, struct text *out)
{
	struct text bytes = {0}, why = {0};
	struct arena arena = {0};
	const struct model_binary *binary = NULL;
	bool good = file_read_or_say(options->file, MODEL_BINARY_BYTES_MAX, &bytes, diag);

	if (good)
		good = model_binary_read(bytes.bytes ? bytes.bytes : "", bytes.length, &arena, &why,
			       &binary) == STATUS_OK;
	if (good && options->platform)
		good = fits_platform(binary, options->platform, diag, &why);
	if (why.length > 0)
		fprintf(stderr, "%s: error: %s\n", options->file, text_string(&why));
	if (good && verb_of(options) == SHOW)
		model_binary_show(binary, out);
	else if (good)
		text_printf(out, "%s: good: %u programs, %u tensors, version %u.%u, for %s\n",
			options->file, binary->program_count, binary->tensor_count, binary->major,
			binary->minor,
			options->platform ? options->platform : binary->system.platform);
	arena_fini(&arena);
	text_fini(&bytes);
	text_fini(&why);
	return good;
}

static int command_model_run(const void *given)
{
	const struct options *options = given;
	int verb = verb_of(options);
	const struct output_kind *kind =
		verb == BUILD ? &binary_output_kind : &scenario_output_kind;
	const char *output = options->output ? options->output : "-";
	struct diag *diag = diag_new();
	struct text written = {0};
	bool good = output_check_or_say(output, kind);

	if (good && verb == VERBS)
		good = command_model_write(options, options->platform, diag, &written);
	else if (good && verb == BUILD)
		good = build(options, diag, &written);
	else if (good)
		good = inspect(options, diag, &written);
	good = good && output_write_or_say(output, kind, &written);
	diag_print(diag, stderr);
	text_fini(&written);
	diag_free(diag);
	return good ? EXIT_GOOD : EXIT_BAD_INPUT;
}

const struct command_work command_model = {
	OPTION_TABLE(option_table, struct options),
	.reads_platforms = true,
	.check = command_model_check,
	.run = command_model_run,
};

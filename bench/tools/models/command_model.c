/* `meshsim model FILE`: writes a model file as a scenario. bench/tools/models does the work. */
#include <stdio.h>
#include <string.h>

#include "base/output.h"
#include "bench/run/runner.h"
#include "bench/scenario/load.h"
#include "bench/scenario/machine_constants.h"
#include "bench/tools/models/model.h"
#include "bench/tools/options/option.h"

struct options {
	const char *file, *platform, *output;
};

static const struct option_row option_table[] = {
	{NULL, 0, "FILE", NULL, OPTION_TEXT, .offset = offsetof(struct options, file),
		.missing = "no model file given", .extra = "one model file at a time"},
	{"platform", 0, "NAME", "another platform than the file's, by name or as a file",
		OPTION_TEXT, .offset = offsetof(struct options, platform)},
	{"output", 'o', "FILE", "the scenario; - is standard output, as without it", OPTION_TEXT,
		.offset = offsetof(struct options, output)},
	{0},
};

/* Writes the model for its platform. Returns false after errors, which are in `diag`. */
static bool command_model_write(
	const struct options *options, const char *name, struct diag *diag, struct text *out)
{
	struct model *model = model_read(options->file, diag);
	struct platform *platform = NULL;
	bool good = false;

	if (model) {
		name = name ? name : model_platform(model);
		platform = machine_platform(name, diag);
	}
	if (platform)
		good = model_write_scenario(model, options->file, name, platform, diag, out);
	platform_free(platform);
	model_free(model);
	return good;
}

static int command_model_run(const void *given)
{
	const struct options *options = given;
	const char *output = options->output ? options->output : "-";
	struct diag *diag = diag_new();
	struct text scenario = {0};
	int code = EXIT_BAD_INPUT;

	if (output_check_or_say(output, &scenario_output_kind) &&
		command_model_write(options, options->platform, diag, &scenario) &&
		output_write_or_say(output, &scenario_output_kind, &scenario))
		code = EXIT_GOOD;
	diag_print(diag, stderr);
	text_fini(&scenario);
	diag_free(diag);
	return code;
}

const struct command_work command_model = {
	OPTION_TABLE(option_table, struct options),
	.reads_platforms = true,
	.run = command_model_run,
};

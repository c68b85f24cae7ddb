/* `meshsim platform show NAME`: prints a machine with every constant, its unit, kind and source. */

#include <stdio.h>
#include <string.h>

#include "bench/scenario/machine_constants.h"
#include "bench/run/runner.h"
#include "commands.h"

struct options {
	uint32_t verb; /* there is only one verb, `show` */
	const char *name;
	bool json;
};

static const struct option_row option_table[] = {
	{NULL, 0, "show", NULL, OPTION_CHOICE, .offset = offsetof(struct options, verb),
		.missing = "expected `show NAME'"},
	{NULL, 0, "NAME", NULL, OPTION_TEXT, .offset = offsetof(struct options, name),
		.missing = "expected `show NAME'", .extra = "one platform at a time"},
	OPTION_JSON(struct options, json),
	{0},
};

static int command_platform_run(const void *given)
{
	const struct options *options = given;
	struct diag *diag = diag_new();
	struct platform *platform = machine_platform(options->name, diag);

	diag_print(diag, stderr);
	if (platform)
		platform_show(platform, options->json, stdout);

	int code = platform ? EXIT_GOOD : EXIT_BAD_INPUT;

	platform_free(platform);
	diag_free(diag);
	return code;
}

const struct command_work command_platform = {
	OPTION_TABLE(option_table, struct options),
	.reads_platforms = true,
	.run = command_platform_run,
};

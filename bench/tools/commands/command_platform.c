/* `meshsim platform show NAME` prints a machine with every constant, its unit, kind and source.
 * `meshsim platform describe NAME -o FILE` writes the system descriptors of the machine's hosts
 * (spec 4.2). */

#include <stdio.h>
#include <string.h>

#include "base/output.h"
#include "bench/scenario/hosts.h"
#include "bench/scenario/machine_constants.h"
#include "bench/run/runner.h"
#include "commands.h"
#include "wire/system_file.h"

enum { VERB_SHOW, VERB_DESCRIBE };

struct options {
	uint32_t verb;
	const char *name, *output;
	bool json;
};

static const struct option_row option_table[] = {
	{NULL, 0, "show|describe", NULL, OPTION_CHOICE, .offset = offsetof(struct options, verb),
		.missing = "expected `show NAME' or `describe NAME'"},
	{NULL, 0, "NAME", NULL, OPTION_TEXT, .offset = offsetof(struct options, name),
		.missing = "expected `show NAME' or `describe NAME'",
		.extra = "one platform at a time"},
	{"output", 'o', "FILE",
		"with describe: where the system descriptors of its hosts go, for "
		"runtime.distributed.descriptor_file",
		OPTION_TEXT, .offset = offsetof(struct options, output)},
	OPTION_JSON(struct options, json),
	{0},
};

static const struct output_kind descriptors = {
	.name = "file of system descriptors", .is = system_file_is};

static int write_descriptors(const struct platform *platform, const char *path)
{
	struct text file = {0}, why = {0};
	int code = EXIT_BAD_INPUT;

	if (system_file_write(platform_cluster(platform), machine_hosts(platform), &file, &why) !=
		STATUS_OK)
		fprintf(stderr, "error: %s: %s\n", platform_name(platform), text_string(&why));
	else if (output_write_or_say(path, &descriptors, &file))
		code = EXIT_GOOD;
	text_fini(&file);
	text_fini(&why);
	return code;
}

static int command_platform_run(const void *given)
{
	const struct options *options = given;
	struct diag *diag;

	if ((options->verb == VERB_DESCRIBE) != (options->output != NULL)) {
		fprintf(stderr, "error: `describe' and -o FILE belong together\n");
		return EXIT_BAD_INPUT;
	}
	diag = diag_new();
	struct platform *platform = machine_platform(options->name, diag);

	diag_print(diag, stderr);

	int code = platform ? EXIT_GOOD : EXIT_BAD_INPUT;

	if (platform && options->verb == VERB_DESCRIBE)
		code = write_descriptors(platform, options->output);
	else if (platform)
		platform_show(platform, options->json, stdout);

	platform_free(platform);
	diag_free(diag);
	return code;
}

const struct command_work command_platform = {
	OPTION_TABLE(option_table, struct options),
	.reads_platforms = true,
	.run = command_platform_run,
};

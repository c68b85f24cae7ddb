/* `meshsim completion SHELL`: prints the completion script of a shell, for users who did not
 * install it with a package. */
#include <string.h>

#include "bench/tools/options/option.h"
#include "bench/run/runner.h"
#include "commands.h"

struct options {
	uint32_t shell;
};

static const struct option_row option_table[] = {
	{NULL, 0, "bash|zsh|fish", NULL, OPTION_CHOICE, .offset = offsetof(struct options, shell),
		.missing = "which shell? bash, zsh or fish", .extra = "one shell at a time"},
	{0},
};

static int command_completion_run(const void *given)
{
	static const char *const shells[] = {"bash", "zsh", "fish"};
	const struct options *options = given;

	completion_print(shells[options->shell], commands_all(), stdout);
	return EXIT_GOOD;
}

const struct command_work command_completion = {
	OPTION_TABLE(option_table, struct options),
	.run = command_completion_run,
};

/* `meshsim completion SHELL`: the script that completes meshsim in a shell, for those who did not
 * install a package that brings it. */
#include <argp.h>
#include <string.h>

#include "bench/options/manual.h"
#include "bench/run/runner.h"
#include "commands.h"

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
	const char **shell = state->input;

	if (key == ARGP_KEY_NO_ARGS)
		argp_error(state, "which shell? bash, zsh or fish");
	if (key != ARGP_KEY_ARG)
		return ARGP_ERR_UNKNOWN;
	if (strcmp(argument, "bash") != 0 && strcmp(argument, "zsh") != 0 &&
		strcmp(argument, "fish") != 0)
		argp_error(state, "no completion for '%s'; bash, zsh and fish have one", argument);
	*shell = argument;
	return 0;
}

static const struct argp parser = {
	.parser = parse_option,
	.args_doc = "bash|zsh|fish",
	.doc = "Prints a completion script, to be sourced: source <(meshsim completion bash).",
};

static int run(int argc, char **argv)
{
	const char *shell = NULL;

	argp_parse(&parser, argc, argv, 0, NULL, &shell);
	completion_print(shell, commands_all(), stdout);
	return EXIT_GOOD;
}

const struct command command_completion = {
	.name = "completion",
	.help = "prints the completion script of a shell",
	.parser = &parser,
	.run = run,
};

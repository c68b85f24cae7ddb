/* `meshsim help [COMMAND]`: what the commands are, or all about one; on paper with --man. */
#include <argp.h>
#include <string.h>

#include "bench/options/manual.h"
#include "bench/run/runner.h"
#include "commands.h"

enum { KEY_MAN = 256 };

struct options {
	const char *name;
	bool man;
};

void help_print(FILE *out)
{
	const struct command *const *commands = commands_all();

	fprintf(out, "meshsim runs a real mesh runtime inside a simulated cluster.\n\n"
		     "usage: meshsim COMMAND [OPTION...]\n\n");
	for (int i = 0; commands[i]; i++)
		fprintf(out, "  %-10s  %s\n", commands[i]->name, commands[i]->help);
	fprintf(out, "\n  meshsim help COMMAND  says more\n"
		     "  meshsim --version     version, and how it was built\n\n"
		     "exit codes: 0 good; 1 the gate found something worse, or what was asked\n"
		     "for does not fit; 2 bad usage or input; 3 no baseline; 4 the simulated\n"
		     "system stalled; 70 a bug of meshsim\n");
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
	struct options *options = state->input;

	if (key == KEY_MAN) {
		options->man = true;
	} else if (key == ARGP_KEY_ARG) {
		if (options->name)
			argp_error(state, "one command at a time");
		options->name = argument;
	} else {
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp_option option_table[] = {
	{"man", KEY_MAN, NULL, 0, "print the manual page, as roff", 0},
	{0},
};

static const struct argp parser = {
	.options = option_table,
	.parser = parse_option,
	.args_doc = "[COMMAND]",
	.doc = "Lists the commands, or says all about one.",
};

static int run(int argc, char **argv)
{
	struct options options = {0};
	const struct command *command = NULL;
	char name[64];

	argp_parse(&parser, argc, argv, 0, NULL, &options);
	if (options.name) {
		command = command_find(options.name);
		if (!command)
			return EXIT_BAD_INPUT;
		snprintf(name, sizeof name, "meshsim %s", command->name);
	}
	if (options.man && command)
		manual_command(command, stdout);
	else if (options.man)
		manual_program(commands_all(), stdout);
	else if (command)
		argp_help(command->parser, stdout, ARGP_HELP_STD_HELP & ~ARGP_HELP_EXIT_OK, name);
	else
		help_print(stdout);
	return EXIT_GOOD;
}

const struct command command_help = {
	.name = "help",
	.help = "lists the commands, or says all about one",
	.parser = &parser,
	.run = run,
};

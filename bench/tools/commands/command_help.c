/* `meshsim help [COMMAND]`: lists the commands, or describes one command. With --man, prints a
 * manual page. */
#include <string.h>

#include "bench/tools/options/option.h"
#include "bench/run/runner.h"
#include "commands.h"

struct options {
	const char *name;
	bool man;
};

void help_print(FILE *out)
{
	const struct command *commands = commands_all();

	fprintf(out, "meshsim runs a real mesh runtime inside a simulated cluster.\n\n"
		     "usage: meshsim COMMAND [OPTION...]\n\n");
	for (int i = 0; commands[i].name; i++)
		fprintf(out, "  %-10s  %s\n", commands[i].name, commands[i].help);
	fprintf(out, "\n  meshsim help COMMAND  says more\n"
		     "  meshsim --version     version, and how it was built\n\n"
		     "exit codes: 0 good; 1 the gate found something worse, or what was asked\n"
		     "for does not fit; 2 bad usage or input; 3 no baseline; 4 the simulated\n"
		     "system stalled or showed a hazard of its design; 70 a bug of meshsim;\n"
		     "71 no memory (ulimit -v)\n");
}

static const struct option_row option_table[] = {
	{NULL, 0, "COMMAND", NULL, OPTION_TEXT, .offset = offsetof(struct options, name),
		.extra = "one command at a time"},
	{"man", 0, NULL, "print the manual page, as roff", OPTION_FLAG,
		.offset = offsetof(struct options, man)},
	{0},
};

static int command_help_run(const void *given)
{
	const struct options *options = given;
	const struct command *command = NULL;

	if (options->name) {
		command = command_find(options->name);
		if (!command)
			return EXIT_BAD_INPUT;
	}
	if (options->man && command)
		manual_command(command, stdout);
	else if (options->man)
		manual_program(commands_all(), stdout);
	else if (command)
		command_print_help(command, stdout);
	else
		help_print(stdout);
	return EXIT_GOOD;
}

const struct command_work command_help = {
	OPTION_TABLE(option_table, struct options),
	.run = command_help_run,
};

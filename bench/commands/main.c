/* meshsim: finds the subcommand and hands over. Refuses unknown ones with the nearest name. */
#include <argp.h>
#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "bench/run/runner.h"
#include "bench/results/version.h"
#include "command.h"

static const struct command *const commands[] = {
	&command_run,
	&command_show,
	&command_compare,
	&command_check,
	&command_explain,
	&command_report,
	&command_timeline,
	&command_list,
	&command_schema,
	&command_platform,
	&command_validate,
	&command_calibrate,
};

enum { COMMANDS = sizeof commands / sizeof *commands };

static void print_help(FILE *out)
{
	fprintf(out, "meshsim runs a real mesh runtime inside a simulated cluster.\n\n"
		     "usage: meshsim COMMAND [OPTION...]\n\n");
	for (int i = 0; i < COMMANDS; i++)
		fprintf(out, "  %-9s %-26s %s\n", commands[i]->name, commands[i]->arguments,
			commands[i]->help);
	fprintf(out,
		"\n  --help     this text; COMMAND --help says more\n"
		"  --version  version, and how it was built\n\n"
		"exit codes: 0 good; 1 the gate found something worse, or what was asked for does "
		"not fit;\n2 bad usage or input; 3 no baseline; "
		"4 the simulated system stalled; 70 a bug of meshsim\n");
}

static void print_version(void)
{
	printf("meshsim %s (%s)\nbuilt as %s\n", version_number(), version_commit(),
		version_build());
}

static int unknown(const char *name)
{
	struct nearest nearest;

	nearest_start(&nearest, name);
	for (int i = 0; i < COMMANDS; i++)
		nearest_offer(&nearest, commands[i]->name);
	fprintf(stderr, "meshsim: unknown command '%s'", name);
	if (nearest.best)
		fprintf(stderr, ", did you mean '%s'?", nearest.best);
	fprintf(stderr, "\nTry `meshsim --help'.\n");
	return EXIT_BAD_INPUT;
}

int main(int argc, char **argv)
{
	static char name[64];

	argp_err_exit_status = EXIT_BAD_INPUT;
	if (argc < 2) {
		print_help(stderr);
		return EXIT_BAD_INPUT;
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
		strcmp(argv[1], "help") == 0) {
		print_help(stdout);
		return EXIT_GOOD;
	}
	if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
		print_version();
		return EXIT_GOOD;
	}
	for (int i = 0; i < COMMANDS; i++) {
		if (strcmp(argv[1], commands[i]->name) != 0)
			continue;
		snprintf(name, sizeof name, "meshsim %s", commands[i]->name);
		argv[1] = name;
		return commands[i]->run(argc - 1, argv + 1);
	}
	return unknown(argv[1]);
}

/* What a subcommand of `meshsim` is. */
#ifndef BENCH_OPTIONS_COMMAND_H
#define BENCH_OPTIONS_COMMAND_H

#include <argp.h>
#include <stdbool.h>

struct command {
	const char *name;
	const char *help; /* a line, for the list of commands */

	/* Its options and texts: `--help`, the manual page and the completion of shells are made
	 * from them. */
	const struct argp *parser;
	bool reads_platforms; /* of the folder that $MESHSIM_PLATFORMS may name */

	/* argv[0] is "meshsim NAME". Returns an exit code (bench/run/runner.h). */
	int (*run)(int argc, char **argv);
};

/* The commands of the program, up to a NULL: main() says them, help and completion print them. */
void commands_set(const struct command *const *commands);
const struct command *const *commands_all(void);

/* The command of a name; NULL after a message on standard error with the nearest name. */
const struct command *command_find(const char *name);

#endif

/* What a subcommand of `meshsim` is. Refuses to know any of them. */
#ifndef BENCH_OPTIONS_COMMAND_H
#define BENCH_OPTIONS_COMMAND_H

#include <stdbool.h>
#include <stdio.h>

#include "base/text.h"
#include "bench/options/option.h"

struct command_work {
	const struct option_row *options; /* NULL: none */
	size_t options_size;		  /* of the struct that they fill */
	bool reads_platforms;		  /* of the folder that $MESHSIM_PLATFORMS may name */

	/* Of options that were parsed: whether they go together; or NULL. False with why not. */
	bool (*check)(void *options, struct text *why);

	/* Returns an exit code (bench/run/runner.h). */
	int (*run)(const void *options);
};

struct command {
	const char *name;
	const char *help; /* a line, for the list of commands */
	const char *doc;  /* what it does; behind a \v, notes */
	const struct command_work *work;
};

/* Parses the command line (argv[0] is "meshsim NAME"), runs the command, and returns its exit code.
 * Bad usage, --help and --usage end the process with a message. */
int command_start(const struct command *command, int argc, char **argv);

/* What --help prints. */
void command_print_help(const struct command *command, FILE *out);

/* The commands of the program, up to one without a name: main() says them, help and completion
 * print them. */
void commands_set(const struct command *commands);
const struct command *commands_all(void);

/* The command of a name; NULL after a message on standard error with the nearest name. */
const struct command *command_find(const char *name);

#endif

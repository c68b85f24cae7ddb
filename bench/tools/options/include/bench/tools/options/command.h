/* Descriptions of the subcommands of `meshsim`, and the help, manual pages and shell completions
 * that are generated from them. */
#ifndef BENCH_TOOLS_OPTIONS_COMMAND_H
#define BENCH_TOOLS_OPTIONS_COMMAND_H

#include <stdbool.h>
#include <stdio.h>

#include "base/text.h"
#include "bench/tools/options/option.h"

struct command_work {
	const struct option_row *options; /* NULL: the command has no options */
	size_t options_size;		  /* size of the struct that the options fill */
	bool reads_platforms; /* reads platforms; $MESHSIM_PLATFORMS may name their folder */

	/* Checks that the parsed options fit together. If they do not, returns false with a message
	 * in `why`. The member is NULL if there is nothing to check. */
	bool (*check)(void *options, struct text *why);

	/* Returns an exit code (bench/run/runner.h). */
	int (*run)(const void *options);
};

struct command {
	const char *name;
	const char *help; /* one line, for the list of commands */
	const char *doc;  /* description; after a \v, notes */
	const struct command_work *work;
};

/* Parses the command line, in which argv[0] is "meshsim NAME", runs the command, and returns its
 * exit code. After a usage error, --help or --usage, prints a text and ends the process. */
int command_start(const struct command *command, int argc, char **argv);

/* Prints the text of --help. */
void command_print_help(const struct command *command, FILE *out);

/* The commands of the program, as an array that ends with an element without a name. main() sets
 * the array; help and completion print it. */
void commands_set(const struct command *commands);
const struct command *commands_all(void);

/* Returns the command with this name. If there is none, prints a message on standard error that
 * suggests the nearest name, and returns NULL. */
const struct command *command_find(const char *name);

/* Manual pages and shell completions of commands. They are generated from the same option tables as
 * --help, so all three always agree. */

/* Prints the page of one command (meshsim-NAME.1) in roff. */
void manual_command(const struct command *command, FILE *out);

/* Prints the page meshsim.1 about all commands. The array `commands` ends with an element without a
 * name. */
void manual_program(const struct command *commands, FILE *out);

/* Prints a script for the shell "bash", "zsh" or "fish" that completes commands, options and their
 * values. For another shell, prints nothing and returns false. */
bool completion_print(const char *shell, const struct command *commands, FILE *out);

#endif

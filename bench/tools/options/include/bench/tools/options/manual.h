/* Manual pages and shell completions, generated from the option tables of commands, so that they
 * always agree with --help. */
#ifndef BENCH_TOOLS_OPTIONS_MANUAL_H
#define BENCH_TOOLS_OPTIONS_MANUAL_H

#include <stdbool.h>
#include <stdio.h>

#include "bench/tools/options/command.h"

/* Prints the page of one command (meshsim-NAME.1) in roff. */
void manual_command(const struct command *command, FILE *out);

/* Prints the page meshsim.1 about all commands; the list ends with one without a name. */
void manual_program(const struct command *commands, FILE *out);

/* Prints the script that completes commands, options and their values in "bash", "zsh" or "fish".
 * Prints nothing and returns false for another shell. */
bool completion_print(const char *shell, const struct command *commands, FILE *out);

#endif

/* Texts made from the option tables of commands: manual pages and completions of shells, so that
 * they cannot say anything else than --help does. */
#ifndef BENCH_OPTIONS_MANUAL_H
#define BENCH_OPTIONS_MANUAL_H

#include <stdbool.h>
#include <stdio.h>

#include "bench/options/command.h"

/* The page of one command (meshsim-NAME.1), in roff. */
void manual_command(const struct command *command, FILE *out);

/* The page meshsim.1 of all, up to one without a name. */
void manual_program(const struct command *commands, FILE *out);

/* "bash", "zsh" or "fish": prints the script that completes commands, options and their values.
 * False, with nothing printed, for another shell. */
bool completion_print(const char *shell, const struct command *commands, FILE *out);

#endif

/* The subcommands of `meshsim`. */
#ifndef BENCH_TOOLS_COMMANDS_H
#define BENCH_TOOLS_COMMANDS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "bench/tools/options/option.h"

#define X(name, help, doc) extern const struct command_work command_##name;
#include "commands.def"
#undef X

/* Prints the list of commands. */
void help_print(FILE *out);

#endif

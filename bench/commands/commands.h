/* The subcommands of `meshsim`. */
#ifndef BENCH_COMMANDS_H
#define BENCH_COMMANDS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "bench/options/command.h"

#define X(name) extern const struct command command_##name;
#include "commands.def"
#undef X

/* All of them, up to a NULL. */
const struct command *const *command_list_all(void);

/* The command of a name; NULL after a message on standard error with the nearest name. */
const struct command *command_find(const char *name);

/* The list of commands, for those who gave none. */
void help_print(FILE *out);

#endif

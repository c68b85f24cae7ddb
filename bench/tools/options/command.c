/* The list of commands (see bench/tools/options/option.h), which main() sets. */
#include "bench/tools/options/option.h"

#include <stdio.h>
#include <string.h>

#include "base/nearest.h"

static const struct command *all;

void commands_set(const struct command *commands)
{
	all = commands;
}

const struct command *commands_all(void)
{
	return all;
}

const struct command *command_find(const char *name)
{
	struct nearest nearest;

	nearest_start(&nearest, name);
	for (const struct command *command = all; command->name; command++) {
		if (strcmp(name, command->name) == 0)
			return command;
		nearest_offer(&nearest, command->name);
	}
	fprintf(stderr, "meshsim: unknown command '%s'", name);
	if (nearest.best)
		fprintf(stderr, ", did you mean '%s'?", nearest.best);
	fprintf(stderr, "\nTry `meshsim help'.\n");
	return NULL;
}

/* The options of a command, for texts that list them. */
#ifndef BENCH_TOOLS_OPTION_LIST_H
#define BENCH_TOOLS_OPTION_LIST_H

#include <stdint.h>

#include "bench/tools/options/option.h"

enum { OPTIONS_MAX = 32 };

struct option_list {
	struct option_row options[OPTIONS_MAX];
	uint32_t count;
};

/* Collects the options, sorted by long name, with --help last, as argp prints them. */
void option_list(const struct command *command, struct option_list *list);

/* Writes to `synopsis` the part of the usage line that follows the command's name: first the
 * arguments, such as "FILE.h5 RUN RUN", "[COMMAND]" or "SCENARIO...", then the required options. */
void option_synopsis(const struct command *command, char *synopsis, size_t size);

/* Writes the values that `value` lists to `words`, separated by blanks; "" if it lists none. */
const char *option_values(const char *value, char *words, size_t size);

#endif

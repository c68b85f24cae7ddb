/* The options of a command as texts about it list them. Refuses to parse. */
#ifndef BENCH_OPTION_LIST_H
#define BENCH_OPTION_LIST_H

#include <stdint.h>

#include "bench/options/command.h"

enum { OPTIONS_MAX = 32 };

struct option_list {
	struct option_row options[OPTIONS_MAX];
	uint32_t count;
};

/* Collects them, sorted by their long names, --help last, as argp prints them. */
void option_list(const struct command *command, struct option_list *list);

/* What stands behind the options in its usage: "FILE.h5 RUN RUN", "[COMMAND]", "SCENARIO...", then
 * options that must be given. */
void option_synopsis(const struct command *command, char *synopsis, size_t size);

/* The values that a `value` spells out, separated by blanks, into `words`; or "". */
const char *option_values(const char *value, char *words, size_t size);

#endif

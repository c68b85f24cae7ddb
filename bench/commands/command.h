/* The subcommands of `meshsim`: one file each, one row each in main.c. */
#ifndef BENCH_COMMAND_H
#define BENCH_COMMAND_H

#include <stdbool.h>
#include <stdint.h>

struct command {
	const char *name, *arguments, *help;

	/* argv[0] is "meshsim NAME". Returns an exit code of DESIGN section 6. */
	int (*run)(int argc, char **argv);
};

extern const struct command command_check, command_run, command_show, command_compare,
	command_explain, command_list, command_schema, command_platform, command_validate,
	command_calibrate, command_timeline, command_report;

/* Prints `rows` of `columns` texts aligned, the first row as the head. */
void print_columns(const char *const *cells, uint32_t rows, uint32_t columns);

#endif

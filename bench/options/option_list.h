/* The options of a command and of its child parsers, as one list. */
#ifndef BENCH_OPTION_LIST_H
#define BENCH_OPTION_LIST_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

struct option_list {
	struct argp_option options[64];
	uint32_t count;
};

/* Collects them, sorted by their long names, --help and --usage last, as argp prints them. */
void option_list(const struct argp *parser, struct option_list *list);

/* Its one-letter name, or 0. */
char option_letter(const struct argp_option *option);

#endif

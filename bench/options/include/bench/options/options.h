/* Options that several commands have, so that all parse, refuse and explain them alike. A child
 * parser is named in the command's `children`; the command gives it its input when argp says
 * ARGP_KEY_INIT: state->child_inputs[0] = &options->jobs. */
#ifndef BENCH_OPTIONS_OPTIONS_H
#define BENCH_OPTIONS_OPTIONS_H

#include <argp.h>
#include <stdint.h>

#include "analysis/compare.h"

enum { OPTION_BY_MAX = 64 };

/* A whole number from `least` to `most`, or an error of usage that names the option. */
uint64_t option_number(struct argp_state *state, const char *name, const char *text, uint64_t least,
	uint64_t most);

/* The number of a run, as `show` prints it. */
uint32_t option_run(struct argp_state *state, const char *text);

/* For a command with one result file: takes it from ARGP_KEY_ARG and complains of a second one, or
 * of none at ARGP_KEY_NO_ARGS. ARGP_ERR_UNKNOWN for other keys. */
error_t option_file(struct argp_state *state, int key, const char *argument, const char **file);

/* -j N. Input: uint32_t, the number of usable cores unless given. */
extern const struct argp option_jobs;

/* --by, --kind, --metric, --robust, --refine, -j. Input: struct question_options. */
extern const struct argp option_questions;

struct question_options {
	const char *by[OPTION_BY_MAX];
	struct compare_options compare; /* its `by` is the array above */
	uint32_t jobs;
};

#endif

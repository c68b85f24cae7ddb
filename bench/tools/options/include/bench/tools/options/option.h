/* The options of a subcommand, as a table with a row for each option. Parsing, usage, help, manual
 * page and completion are all generated from this table, so they always agree. */
#ifndef BENCH_TOOLS_OPTIONS_OPTION_H
#define BENCH_TOOLS_OPTIONS_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/compare.h"
#include "base/text.h"

/* The type of the member that a row fills in the command's struct of options. */
enum option_kind {
	OPTION_END,	     /* the last row */
	OPTION_FLAG,	     /* bool */
	OPTION_TEXT,	     /* const char *, or NULL */
	OPTION_TEXTS,	     /* struct option_texts: may occur several times */
	OPTION_NUMBER,	     /* struct option_number: a number from `least` to `most` */
	OPTION_COUNT,	     /* uint32_t: a number from `least` to `most`; the default is
			      * `fallback` */
	OPTION_RUN,	     /* uint32_t: a run's number, as `show` prints it */
	OPTION_CHOICE,	     /* uint32_t: index of the value in the list in `value`; default 0 */
	OPTION_COMMAND_LINE, /* const char *: the whole command line; not an option for users */
};

struct option_texts {
	char **at;
	uint32_t count;
};

struct option_number {
	bool given;
	uint64_t value;
};

enum { OPTION_USABLE_CORES = UINT32_MAX };

/* The number of cores that this process may use, at least 1. */
uint32_t options_usable_cores(void);

struct option_row {
	const char *name;  /* "jobs" for --jobs; NULL: an argument without a name; users give these
			    * in the order of their rows */
	char letter;	   /* 'j' for -j, or 0 */
	const char *value; /* the option's value as help prints it, such as "FILE"; "sim|native" is
			    * a list of all values */
	const char *help;
	enum option_kind kind;
	size_t offset;
	uint64_t least, most;
	uint32_t fallback;   /* default of a count; OPTION_USABLE_CORES: number of cores */
	const char *missing; /* NULL: optional; otherwise the message if it is not given */
	const char *extra;   /* only for the last argument: the error message if the command line
			      * has further arguments */
};

/* Initializers of struct command_work: a table, and the struct that it fills. */
#define OPTION_TABLE(table, type) .options = table, .options_size = sizeof(type)

/* Rows that several commands share. */
#define OPTION_JSON(type, member)                                                                  \
	{                                                                                          \
		"json", 0, NULL, "print JSON", OPTION_FLAG, .offset = offsetof(type, member)       \
	}

#define OPTION_WIDE(type, member)                                                                  \
	{                                                                                          \
		"wide", 0, NULL, "whole rows, even if they are wider than the terminal",           \
			OPTION_FLAG, .offset = offsetof(type, member)                              \
	}

#define OPTION_JOBS(type, member)                                                                  \
	{                                                                                          \
		"jobs", 'j', "N", "runs at a time; the number of cores by default", OPTION_COUNT,  \
			.offset = offsetof(type, member), .least = 1, .most = 1024,                \
			.fallback = OPTION_USABLE_CORES                                            \
	}

#define OPTION_RESULT_FILE(type, member)                                                           \
	{                                                                                          \
		NULL, 0, "FILE.h5", NULL, OPTION_TEXT, .offset = offsetof(type, member),           \
						       .missing = "no result file given",          \
						       .extra = "one result file at a time"        \
	}

/* The options of `compare` and `report` that select what is compared, and how: --by, --kind,
 * --step, --program, --metric, --robust, --draws, --refine, -j. */
struct question_options {
	struct option_texts by;
	struct compare_options compare; /* all options except --by; compare.by is set later, from
					 * `by` above */
	uint32_t jobs;
};

#define OPTION_KIND(type, member)                                                                  \
	{                                                                                          \
		"kind", 0, "K", "kind of operation; enqueue_workload by default", OPTION_TEXT,     \
			.offset = offsetof(type, member)                                           \
	}

#define OPTION_QUESTION(type, member)                                                              \
	{"by", 0, "KEY[,KEY]",                                                                     \
		"ask about this swept key, or about several as one; all by default; may be "       \
		"repeated",                                                                        \
		OPTION_TEXTS, .offset = offsetof(type, member.by)},                                \
		OPTION_KIND(type, member.compare.kind),                                            \
		{"step", 0, "NAME",                                                                \
			"name of a step: its `as`, program or place; `iteration`: one "            \
			"round of all steps of the repeat",                                        \
			OPTION_TEXT, .offset = offsetof(type, member.compare.step)},               \
		{"program", 0, "NAME", "program of a workload", OPTION_TEXT,                       \
			.offset = offsetof(type, member.compare.program)},                         \
		{"metric", 0, "M",                                                                 \
			"completion, interval, bandwidth, throughput, makespan, host_cpu; round "  \
			"(a call to the next of the same step), latency, host, reach, done, skew " \
			"with .p50 (default), .p90, .p99, .p99_9, .max or .mean; what the "        \
			"workload makes meaningful if left out",                                   \
			OPTION_TEXT, .offset = offsetof(type, member.compare.metric)},             \
		{"robust", 0, NULL,                                                                \
			"try every verdict with costs at -30 % and +30 %, group by group, with "   \
			"the other network models, and with draws of all costs together",          \
			OPTION_FLAG, .offset = offsetof(type, member.compare.robust)},             \
		{"draws", 0, "N",                                                                  \
			"for --robust: rerun N draws of all costs together, and count them alone", \
			OPTION_COUNT, .offset = offsetof(type, member.compare.draws), .least = 1,  \
			.most = 10000},                                                            \
		{"refine", 0, NULL, "run more points until crossovers are known to 2 %",           \
			OPTION_FLAG, .offset = offsetof(type, member.compare.refine)},             \
		OPTION_JOBS(type, member.jobs)

/* Returns the complete question. It points into `options`, so `options` must live as long. */
struct compare_options question_compare(const struct question_options *options);

/* Descriptions of the subcommands of `meshsim`, and the help, manual pages and shell completions
 * that are generated from them. */

struct command_work {
	const struct option_row *options; /* NULL: the command has no options */
	size_t options_size;		  /* size of the struct that the options fill */
	bool reads_platforms; /* reads platforms; $MESHSIM_PLATFORMS may name their folder */

	/* Checks that the parsed options fit together. If they do not, returns false with a message
	 * in `why`. The member is NULL if there is nothing to check. */
	bool (*check)(void *options, struct text *why);

	/* Returns an exit code (bench/run/runner.h). */
	int (*run)(const void *options);
};

struct command {
	const char *name;
	const char *help; /* one line, for the list of commands */
	const char *doc;  /* description; after a \v, notes */
	const struct command_work *work;
};

/* Parses the command line, in which argv[0] is "meshsim NAME", runs the command, and returns its
 * exit code. After a usage error, --help or --usage, prints a text and ends the process. */
int command_start(const struct command *command, int argc, char **argv);

/* Prints the text of --help. */
void command_print_help(const struct command *command, FILE *out);

/* The commands of the program, as an array that ends with an element without a name. main() sets
 * the array; help and completion print it. */
void commands_set(const struct command *commands);
const struct command *commands_all(void);

/* Returns the command with this name. If there is none, prints a message on standard error that
 * suggests the nearest name, and returns NULL. */
const struct command *command_find(const char *name);

/* Manual pages and shell completions of commands. They are generated from the same option tables as
 * --help, so all three always agree. */

/* Prints the page of one command (meshsim-NAME.1) in roff. */
void manual_command(const struct command *command, FILE *out);

/* Prints the page meshsim.1 about all commands. The array `commands` ends with an element without a
 * name. */
void manual_program(const struct command *commands, FILE *out);

/* Prints a script for the shell "bash", "zsh" or "fish" that completes commands, options and their
 * values. For another shell, prints nothing and returns false. */
bool completion_print(const char *shell, const struct command *commands, FILE *out);

#endif

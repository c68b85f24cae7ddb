/* The program `meshsim`: finds the subcommand and runs it. */
#include <argp.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "bench/results/version.h"
#include "bench/run/runner.h"
#include "bench/scenario/load.h"
#include "commands.h"

static const struct command commands[] = {
#define X(name, help, doc) {#name, help, doc, &command_##name},
#define XX(symbol, name, help, doc) {name, help, doc, &command_##symbol},
#include "commands.def"
#undef X
	{0},
};

static void print_version(void)
{
	printf("meshsim %s (%s)\nbuilt as %s\n", version_number(), version_commit(),
		version_build());
}

/* Checks whether writing to standard output has failed. If it has, prints an error, so that users
 * know that the output is incomplete, and exits with EXIT_BAD_INPUT. The function is registered
 * with atexit(), because argp also exits, after --help. */
static void check_output(void)
{
	bool failed = ferror(stdout);

	if (fflush(stdout) == 0 && !failed)
		return;
	fprintf(stderr, "meshsim: cannot write to standard output: %s\n",
		errno ? strerror(errno) : "an earlier write failed");
	_exit(EXIT_BAD_INPUT);
}

/* Rejects arguments that are not UTF-8 or contain control characters. Messages quote arguments, and
 * scripts pass file names as arguments. Without this check, a file name could forge lines of a log
 * or control the terminal. */
static bool main_check_arguments(int argc, char **argv)
{
	struct arena arena;
	int bad = 1;

	while (bad < argc && text_is_plain(argv[bad]))
		bad++;
	if (bad == argc)
		return true;
	arena_init(&arena);
	fprintf(stderr, "meshsim: argument %d holds a control character or is not UTF-8: '%s'\n",
		bad, text_plain(argv[bad], false, &arena));
	arena_fini(&arena);
	return false;
}

int main(int argc, char **argv)
{
	static char name[64];
	const struct command *command;

	atexit(check_output);
	argp_err_exit_status = EXIT_BAD_INPUT;
	commands_set(commands);
	signal(SIGXFSZ, SIG_IGN); /* writes beyond the file size limit then only fail */
	if (argc < 2) {
		help_print(stderr);
		return EXIT_BAD_INPUT;
	}
	if (!main_check_arguments(argc, argv))
		return EXIT_BAD_INPUT;
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
		help_print(stdout);
		return EXIT_GOOD;
	}
	if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
		print_version();
		return EXIT_GOOD;
	}
	command = command_find(argv[1]);
	if (!command || (command->work->reads_platforms && !platform_directory_check()))
		return EXIT_BAD_INPUT;
	snprintf(name, sizeof name, "meshsim %s", command->name);
	argv[1] = name;
	return command_start(command, argc - 1, argv + 1);
}

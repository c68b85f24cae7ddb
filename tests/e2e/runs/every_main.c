/* A library for LD_PRELOAD that runs main() of the program EVERY_MAIN_OF many times: once for each
 * command in the file EVERY_MAIN, each time in a child process. Under valgrind, loading the
 * program's libraries takes most of the time of a short command; with this library they are loaded
 * only once. In the file, a command consists of the expected exit code, the arguments (one per
 * line), and an empty line. If a command ends with another exit code, exits with 1. The output of
 * command N is in EVERY_MAIN.N. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef int main_function(int, char **, char **);
typedef int start_function(
	main_function *, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);

enum { COMMANDS_MAX = 64, ARGUMENTS_MAX = 32, LINE_BYTES = 4096 };

static main_function *real_main;

struct command {
	int expected, count;
	char *arguments[ARGUMENTS_MAX + 2]; /* after the program's name */
};

/* Reads the next command of the file; false at its end. */
static bool next_command(FILE *file, struct command *command)
{
	char line[LINE_BYTES];

	command->count = -1;
	while (fgets(line, sizeof line, file)) {
		line[strcspn(line, "\n")] = '\0';
		if (!line[0])
			break;
		if (command->count < 0)
			command->expected = atoi(line);
		else if (command->count < ARGUMENTS_MAX)
			command->arguments[1 + command->count] = strdup(line);
		command->count++;
	}
	return command->count >= 0;
}

/* Runs a command in a child process. */
static void run(struct command *command, char **environment, const char *output)
{
	if (!freopen(output, "w", stdout) || dup2(fileno(stdout), STDERR_FILENO) < 0)
		_exit(99);
	unsetenv("EVERY_MAIN_OF");
	exit(real_main(1 + command->count, command->arguments, environment));
}

/* Returns false, after a message, if the exit code differs from the expected one. */
static bool try_command(struct command *command, char **environment, const char *output)
{
	pid_t child;
	int status = 0;

	fflush(stdout);
	child = fork();
	if (child == 0)
		run(command, environment, output);
	if (child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
		WEXITSTATUS(status) == command->expected)
		return true;
	printf("meshsim %s ends with status 0x%x, not exit code %d: see %s\n",
		command->arguments[1], (unsigned)status, command->expected, output);
	return false;
}

static int every_main(int argc, char **argv, char **environment)
{
	static struct command commands[COMMANDS_MAX];
	const char *path = getenv("EVERY_MAIN");
	FILE *file = path ? fopen(path, "r") : NULL;
	char output[LINE_BYTES];
	int count = 0, result = 0;

	(void)argc;
	if (!file)
		return 99;
	while (count < COMMANDS_MAX && next_command(file, &commands[count]))
		commands[count++].arguments[0] = argv[0];
	/* Closes the file first: an exiting child would reset the shared file offset. */
	fclose(file);
	for (int i = 0; i < count; i++) {
		snprintf(output, sizeof output, "%s.%d", path, i + 1);
		if (!try_command(&commands[i], environment, output))
			result = 1;
	}
	return result;
}

int __libc_start_main(main_function *function, int argc, char **argv, void (*init)(void),
	void (*fini)(void), void (*end)(void), void *stack);

int __libc_start_main(main_function *function, int argc, char **argv, void (*init)(void),
	void (*fini)(void), void (*end)(void), void *stack)
{
	const char *program;
	start_function *start;

	*(void **)&start = dlsym(RTLD_NEXT, "__libc_start_main");
	real_main = function;
	program = getenv("EVERY_MAIN_OF");
	if (program && strcmp(argv[0], program) == 0)
		function = every_main;
	return start(function, argc, argv, init, fini, end, stack);
}

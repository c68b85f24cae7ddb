/* Runs the main() of the program EVERY_MAIN_OF, into which this library is preloaded, once for each
 * command line of the file EVERY_MAIN, each in a child: an exit code, the arguments, one a line,
 * and an empty line. Loading the program's libraries takes most of the time of a short command
 * under valgrind, so they are loaded once. Exits with 1 if a command ends otherwise; its output is
 * in EVERY_MAIN.N, of the Nth. */
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
	char *arguments[ARGUMENTS_MAX + 2]; /* behind the program's name */
};

/* The next command of the file; false at its end. */
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

/* In a child. */
static void run(struct command *command, char **environment, const char *output)
{
	if (!freopen(output, "w", stdout) || dup2(fileno(stdout), STDERR_FILENO) < 0)
		_exit(99);
	unsetenv("EVERY_MAIN_OF");
	exit(real_main(1 + command->count, command->arguments, environment));
}

/* False after a message if it ends otherwise than is expected. */
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
	/* A child that ends would put the place in an open file back, for all of them. */
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

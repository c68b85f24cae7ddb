/* Files and commands for tests (see shell.h). */
#define _GNU_SOURCE
#include "test.h"

#include "shell.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test_folder.h"

char shell_folder[256];

int shell_folder_make(void **state)
{
	(void)state;
	snprintf(shell_folder, sizeof shell_folder, "%.200s/XXXXXX", test_folder());
	return mkdtemp(shell_folder) ? 0 : -1;
}

int shell_folder_enter(void **state)
{
	return shell_folder_make(state) != 0 || chdir(shell_folder) != 0 ? -1 : 0;
}

int shell_folder_remove(void **state)
{
	(void)state;
	return chdir("/") != 0 || shell("rm -r '%s'", shell_folder);
}

int shell_folder_remove_empty(void **state)
{
	(void)state;
	return rmdir(shell_folder);
}

const char *test_path(const char *name)
{
	static char paths[8][400];
	static int next;
	char *path = paths[next++ % 8];

	snprintf(path, sizeof(paths[0]), "%s/%s", shell_folder, name);
	return path;
}

char *test_read_file(const char *path)
{
	char *text = NULL;
	size_t size = 0;
	FILE *file = fopen(path, "r");

	if (!file || getdelim(&text, &size, '\0', file) < 0)
		fail_msg("cannot read %s", path);
	fclose(file);
	return text;
}

static void format_command(char *command, size_t size, const char *format, va_list arguments)
{
	setenv("MESHSIM_BINARY", MESHSIM_BINARY, 0); /* keeps a binary with a planted bug */
	setenv("MESHSIM_SOURCE_DIR", MESHSIM_SOURCE_DIR, 1);
	if (vsnprintf(command, size, format, arguments) >= (int)size)
		abort();
}

int shell(const char *format, ...)
{
	char command[4096];
	va_list arguments;
	int status;

	va_start(arguments, format);
	format_command(command, sizeof command, format, arguments);
	va_end(arguments);
	status = system(command);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

FILE *shell_open(const char *format, ...)
{
	char command[4096];
	va_list arguments;

	va_start(arguments, format);
	format_command(command, sizeof command, format, arguments);
	va_end(arguments);
	return popen(command, "r");
}

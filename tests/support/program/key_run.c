/* Runs of the program for tests of keys (see key_run.h). */
#define _GNU_SOURCE
#include "test.h"

#include "key_run.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file/file.h"
#include "run_print.h"
#include "shell.h"

/* Runs the program; standard error goes to the file `said`. */
static int run(char *const *arguments, const char *said)
{
	const char *binary = getenv("MESHSIM_BINARY");
	pid_t child;
	int status;

	fflush(NULL);
	child = fork();
	if (child == 0) {
		if (!freopen("/dev/null", "w", stdout) || !freopen(said, "w", stderr))
			_exit(126);
		execv(binary ? binary : MESHSIM_BINARY, arguments);
		_exit(127);
	}
	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

struct key_end key_run(const char *scenario, const char *sets)
{
	char path[sizeof shell_folder + 32], out[sizeof shell_folder + 32];
	char said[sizeof shell_folder + 32], copy[1024], *rest = copy;
	char *arguments[24] = {"meshsim", "run", path, "-o", out};
	int count = 5;
	struct text text = {0};
	struct key_end end;
	FILE *file;

	snprintf(path, sizeof path, "%s/keys.yaml", shell_folder);
	snprintf(out, sizeof out, "%s/keys.h5", shell_folder);
	snprintf(said, sizeof said, "%s/keys.err", shell_folder);
	snprintf(copy, sizeof copy, "%s", sets ? sets : "");
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(scenario, file);
	fclose(file);
	for (char *set = strtok_r(rest, ";", &rest); set; set = strtok_r(NULL, ";", &rest)) {
		arguments[count++] = "--set";
		arguments[count++] = set;
	}
	unlink(out);
	end.code = run(arguments, said);
	end.print = 31 * run_print(out) + run_print_operations(out);
	assert_true(file_read(said, FILE_BYTES_MAX, &text, NULL));
	end.said = strstr(text_string(&text), " has no effect ") != NULL;
	text_fini(&text);
	return end;
}

bool key_other_value(const struct schema_field *field, uint32_t index, char *value, size_t size)
{
	const char *fallback = field->fallback ? field->fallback : "";
	int64_t usual = strtoll(fallback, NULL, 10);
	const int64_t numbers[] = {
		2 * usual, usual / 2, usual + 1, 16 * field->min, field->min, 500};
	const char *name;

	switch (field->kind) {
	case SCHEMA_KIND_BOOL:
		snprintf(value, size, "%s", strcmp(fallback, "true") == 0 ? "false" : "true");
		return index == 0;
	case SCHEMA_KIND_ENUM:
		name = schema_value_name(field, index);
		snprintf(value, size, "%s", name ? name : "");
		return name != NULL;
	case SCHEMA_KIND_INT:
		if (index >= sizeof numbers / sizeof *numbers)
			return false;
		snprintf(value, size, "%lld", (long long)numbers[index]);
		return true;
	default:
		return false;
	}
}

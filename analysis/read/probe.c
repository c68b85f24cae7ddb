/* Reads a file in a child process first, see probe.h. Gives up after a fixed time. */
#include "analysis/read/probe.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/ensure.h"

/* CPU time that reading may take: far more than whole files need. */
enum { SECONDS_LEAST = 5, BYTES_PER_SECOND = 1 << 20 };

static void bound_time(const char *file)
{
	struct stat status;
	struct rlimit limit = {SECONDS_LEAST, RLIM_INFINITY};

	if (stat(file, &status) == 0 && status.st_size > 0)
		limit.rlim_cur += (rlim_t)status.st_size / BYTES_PER_SECOND;
	setrlimit(RLIMIT_CPU, &limit);
}

_Noreturn static void read_in_child(
	const char *file, bool (*read)(void *context, struct text *why), void *context)
{
	struct text why;
	bool good;

	bound_time(file);
	text_init(&why);
	good = read(context, &why);
	if (!good)
		fprintf(stderr, "meshsim: %s: %s\n", file, text_string(&why));
	fflush(stderr);
	_Exit(good ? EXIT_GOOD : EXIT_BAD_INPUT);
}

/* Gives on what the child wrote. */
static void copy(FILE *from, FILE *to)
{
	char bytes[4096];
	size_t count;

	rewind(from);
	while ((count = fread(bytes, 1, sizeof(bytes), from)) > 0)
		fwrite(bytes, 1, count, to);
}

struct asking {
	bool (*answer)(void *context, FILE *out, struct text *why);
	void *context;
	FILE *out;
};

static bool answer_in_child(void *context, struct text *why)
{
	const struct asking *asking = context;

	return asking->answer(asking->context, asking->out, why) && fflush(asking->out) == 0;
}

int probe_answer(const char *file, bool (*answer)(void *context, FILE *out, struct text *why),
	void *context, FILE *out)
{
	struct asking asking = {answer, context, tmpfile()};
	int code;

	ensure(asking.out, "no temporary file: %s", strerror(errno));
	code = probe_file(file, answer_in_child, &asking);
	if (code == EXIT_GOOD)
		copy(asking.out, out);
	fclose(asking.out);
	return code;
}

int probe_file(const char *file, bool (*read)(void *context, struct text *why), void *context)
{
	int status = 0, code;

	fflush(NULL);
	pid_t child = fork();
	ensure(child >= 0, "no process: %s", strerror(errno));
	if (child == 0)
		read_in_child(file, read, context);
	while (waitpid(child, &status, 0) < 0)
		ensure(errno == EINTR, "waitpid: %s", strerror(errno));
	code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	if (code == EXIT_GOOD || code == EXIT_BAD_INPUT || code == EXIT_BUG)
		return code;
	fprintf(stderr, "meshsim: %s: damaged: HDF5 cannot read it\n", file);
	return EXIT_BAD_INPUT;
}

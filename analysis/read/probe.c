/* Reads a file in a child process first, see result.h. */
#include "analysis/read/result.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/ensure.h"
#include "base/text.h"

/* Prints a message about a file. The file's name may have been found in a folder and may contain
 * any characters, so it is cleaned by text_plain(). */
static void say(const char *file, const char *what)
{
	struct arena arena = {0};

	fprintf(stderr, "meshsim: %s: %s\n", text_plain(file, false, &arena),
		text_plain(what, true, &arena));
	arena_fini(&arena);
}

_Noreturn static void read_in_child(
	const char *file, bool (*read)(void *context, struct text *why), void *context)
{
	struct text why;
	bool good;

	text_init(&why);
	good = read(context, &why);
	if (!good)
		say(file, text_string(&why));
	fflush(stderr);
	_Exit(good ? EXIT_GOOD : EXIT_BAD_INPUT);
}

/* Copies the output of the child process. */
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

/* Prints how a child ended. The message does not say that the file is damaged if the child was
 * killed by a signal that another process may have sent. */
static void say_ended(const char *file, int status)
{
	int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	struct text what = {0};

	if (number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGILL ||
		number == SIGABRT)
		text_printf(&what, "damaged: reading it crashed (%s)", strsignal(number));
	else
		text_printf(&what, "reading it was ended (%s%s); it need not be damaged",
			number ? strsignal(number) : "without a signal",
			number == SIGKILL   ? ", perhaps out of memory"
			: number == SIGXCPU ? ": the limit of CPU time, see ulimit -t"
					    : "");
	say(file, text_string(&what));
	text_fini(&what);
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
	say_ended(file, status);
	return EXIT_BAD_INPUT;
}

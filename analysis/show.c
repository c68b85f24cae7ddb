/* `meshsim show`: opens, prints, or says why not. See analysis/show.h. HDF5 1.10 crashes on some
 * damaged files and loops for ever on others, so a child process reads, with bounded time; refuses
 * to print half of what it could read. */
#include "analysis/show.h"

#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/ensure.h"
#include "show_private.h"

enum { EXIT_GOOD = 0, EXIT_BAD_INPUT = 2, EXIT_BUG = 70 };

/* CPU time that reading may take: far more than whole files need. */
enum { SECONDS_LEAST = 5, BYTES_PER_SECOND = 1 << 20 };

static bool show_view(struct view *view, enum show_form form, FILE *out, struct text *why)
{
	switch (form) {
	case SHOW_TEXT:
		return show_text(view, out, why);
	case SHOW_BRIEF:
		return show_brief(view, out, why);
	case SHOW_JSON:
		return show_json(view, out, why);
	}
	return false;
}

static int show(const char *file, enum show_form form, FILE *out)
{
	struct view view;
	struct text why;
	bool good;

	text_init(&why);
	good = view_open(&view, file, &why);
	if (good) {
		good = show_view(&view, form, out, &why);
		view_close(&view);
	}
	if (!good)
		fprintf(stderr, "meshsim: %s: %s\n", file, text_string(&why));
	text_fini(&why);
	return good ? EXIT_GOOD : EXIT_BAD_INPUT;
}

static void bound_time(const char *file)
{
	struct stat status;
	struct rlimit limit = {SECONDS_LEAST, RLIM_INFINITY};

	if (stat(file, &status) == 0 && status.st_size > 0)
		limit.rlim_cur += (rlim_t)status.st_size / BYTES_PER_SECOND;
	setrlimit(RLIMIT_CPU, &limit);
}

/* In the child: all that is printed goes into the pipe. */
_Noreturn static void show_into(int descriptor, const char *file, enum show_form form)
{
	FILE *out = fdopen(descriptor, "w");

	ensure(out, "no stream: %s", strerror(errno));
	bound_time(file);
	int code = show(file, form, out);
	ensure(fclose(out) == 0, "pipe: %s", strerror(errno));
	fflush(stderr);
	_Exit(code);
}

static void read_all(int descriptor, struct text *text)
{
	char buffer[65536];
	ssize_t length;

	while ((length = read(descriptor, buffer, sizeof(buffer))) != 0) {
		if (length > 0)
			text_append_bytes(text, buffer, (size_t)length);
		else
			ensure(errno == EINTR, "pipe: %s", strerror(errno));
	}
}

int analysis_show(const char *file, enum show_form form, FILE *out)
{
	struct text text;
	int ends[2], status = 0, code;

	fflush(stderr);
	ensure(pipe(ends) == 0, "no pipe: %s", strerror(errno));
	pid_t child = fork();
	ensure(child >= 0, "no process: %s", strerror(errno));
	if (child == 0) {
		close(ends[0]);
		show_into(ends[1], file, form);
	}
	close(ends[1]);
	text_init(&text);
	read_all(ends[0], &text);
	close(ends[0]);
	while (waitpid(child, &status, 0) < 0)
		ensure(errno == EINTR, "waitpid: %s", strerror(errno));
	code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	if (code != EXIT_GOOD && code != EXIT_BAD_INPUT && code != EXIT_BUG) {
		fprintf(stderr, "meshsim: %s: damaged: HDF5 cannot read it\n", file);
		code = EXIT_BAD_INPUT;
	}
	if (code == EXIT_GOOD)
		fwrite(text_string(&text), 1, text.length, out);
	text_fini(&text);
	return code;
}

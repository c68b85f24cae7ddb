/* Runs a simulation in a forked child (see sim_case.h), with a time limit. */
#define _GNU_SOURCE
#include "test.h"

#include "sim_case.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/ensure.h"
#include "check.h"
#include "simgrid/library.h"

enum { SIM_CASE_SECONDS = 60, SIM_CASE_HOSTS = 5 };

static void run_child(void (*body)(const void *argument, void *result), const void *argument,
	void *shared, int output)
{
	static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		signal(signals[i], SIG_DFL); /* or cmocka would continue with the next test */
	dup2(output, STDERR_FILENO);
	alarm(SIM_CASE_SECONDS);
	body(argument, shared);
	fflush(NULL);
	_Exit(0);
}

struct sim_case sim_case_run(void (*body)(const void *argument, void *result), const void *argument,
	void *result, size_t size)
{
	struct sim_case outcome = {0};
	FILE *output = tmpfile();
	void *shared =
		mmap(NULL, size + 1, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ensure(output && shared != MAP_FAILED, "no memory for a case");
	if (size > 0)
		memcpy(shared, result, size);
	simgrid_library_load();
	fflush(NULL);
	pid_t child = fork();
	ensure(child >= 0, "no process for a case");
	if (child == 0)
		run_child(body, argument, shared, fileno(output));
	int status = 0;
	ensure(waitpid(child, &status, 0) == child, "child %d", (int)child);
	outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	rewind(output);
	size_t length = fread(outcome.output, 1, sizeof(outcome.output) - 1, output);
	outcome.output[length] = '\0';
	fclose(output);
	if (size > 0)
		memcpy(result, shared, size);
	munmap(shared, size + 1);
	if (outcome.exit_code != 0)
		fprintf(stderr, "case ended with %d:\n%s", outcome.exit_code, outcome.output);
	return outcome;
}

static void write_platform(FILE *file)
{
	fprintf(file, "<?xml version='1.0'?>\n"
		      "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
		      "<platform version=\"4.1\">\n<zone id=\"world\" routing=\"Full\">\n");
	for (int i = 0; i < SIM_CASE_HOSTS; i++)
		fprintf(file, "<host id=\"host-%d\" speed=\"1Gf\"/>\n", i);
	for (int i = 0; i < SIM_CASE_HOSTS; i++)
		for (int j = i + 1; j < SIM_CASE_HOSTS; j++)
			fprintf(file,
				"<link id=\"link-%d-%d\" bandwidth=\"12.5GBps\" "
				"latency=\"100ns\"/>\n",
				i, j);
	for (int i = 0; i < SIM_CASE_HOSTS; i++)
		for (int j = i + 1; j < SIM_CASE_HOSTS; j++)
			fprintf(file,
				"<route src=\"host-%d\" dst=\"host-%d\">"
				"<link_ctn id=\"link-%d-%d\"/></route>\n",
				i, j, i, j);
	fprintf(file, "</zone>\n</platform>\n");
}

void sim_case_open(void)
{
	char path[64];
	int descriptor = memfd_create("platform", 0); /* no file remains, however the case ends */
	FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
	enum status status;

	ensure(file, "no memory for a platform");
	write_platform(file);
	fflush(file);
	snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
	status = engine_open(path);
	fclose(file);
	ensure(status == STATUS_OK, "engine_open: %s", status_message(status));
}

void sim_case_expect(void (*body)(const void *argument, void *result), const void *argument,
	int exit_code, const char *message)
{
	char none;
	struct sim_case outcome = sim_case_run(body, argument, &none, 0);

	if (outcome.exit_code != exit_code || (message && !strstr(outcome.output, message)))
		fail_msg("ended with %d, not %d; '%s' expected in: %s", outcome.exit_code,
			exit_code, message ? message : "", outcome.output);
}

struct main_case {
	void (*start)(void *unused);
	enum engine_end end;
};

static void run_main(const void *argument, void *result)
{
	const struct main_case *given = argument;

	(void)result;
	sim_case_open();
	check_equal(engine_run_main("host-0", given->start, NULL, (struct engine_limits){0}),
		given->end);
}

void sim_case_expect_main(
	void (*start)(void *unused), enum engine_end end, int exit_code, const char *message)
{
	sim_case_expect(run_main, &(struct main_case){start, end}, exit_code, message);
}

/* Makes the files that bench-hosts needs (see hosts.h). Measures this machine in child processes,
 * and writes the figures to temporary files. `calibrate --host -o` writes such files
 * permanently. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hosts.h"
#include "base/ensure.h"
#include "base/file/file.h"
#include "bench/tools/measure/measure.h"

/* Measures in a child process, since it uses the transports. */
static bool calibrate(const struct bench_arguments *arguments, bool own, const char *path)
{
	struct calibrate_host calibrate = {.measure = {.quick = arguments->quick,
						   .transports = arguments->transports,
						   .transport_count = arguments->transport_count},
		.platform = own ? "loopback-apart" : "loopback",
		.output = path};
	int status = 0;
	pid_t child;

	fflush(NULL);
	child = fork();
	ensure(child >= 0, "cannot fork");
	if (child == 0) {
		if (!freopen("/dev/null", "w", stdout))
			_exit(EXIT_FAILURE);
		_exit(calibrate_host(&calibrate));
	}
	waitpid(child, &status, 0);
	return status == 0;
}

static void files_write_scenario(const char *path, const char *platform)
{
	struct text text = {0};

	text_printf(&text,
		"meshsim: 1\nname: hosts\nplatform: {extends: '%s', hosts: {count: 1}}\n"
		"workload: [finish]\nmodel: {noise: off, scheduler: fair}\n",
		platform);
	ensure(file_write(path, 0600, &text), "%s: cannot be written", path);
	text_fini(&text);
}

bool files_prepare(
	const struct bench_arguments *arguments, struct scratch *scratch, struct files *files)
{
	const char *const given[2] = {arguments->platform, arguments->apart};

	for (int own = 0; own < 2; own++) {
		snprintf(files->platform[own], sizeof files->platform[own], "%s/%s.yaml",
			scratch_path(scratch), own ? "apart" : "here");
		snprintf(files->scenario[own], sizeof files->scenario[own], "%s/hosts%d.yaml",
			scratch_path(scratch), own);
		if (!given[own] && !calibrate(arguments, own, files->platform[own]))
			return false;
		files_write_scenario(
			files->scenario[own], given[own] ? given[own] : files->platform[own]);
	}
	return true;
}

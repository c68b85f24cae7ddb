/* Locations of shipped files (load.h). Readers of the files report errors in them. */
#include "bench/scenario/load.h"

#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/ensure.h"

/* Folders to try in this order, relative to the folder of the program. */
static const char *const places[] = {"../share/meshsim", "share/meshsim"};

static char folder[PATH_MAX];

/* Returns the folder that contains platforms/, scenarios/ and bench/reference/. For an installed
 * program, it is "../share/meshsim" relative to the program's folder. For a program in a build
 * tree, it is "share/meshsim" relative to the program's folder. */
static const char *shipped_folder(void)
{
	char program[PATH_MAX], platforms[PATH_MAX + 16];
	ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);

	if (folder[0])
		return folder;
	ensure(length > 0, "no name of this program");
	program[length] = '\0';
	dirname(program);
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		snprintf(folder, sizeof folder, "%.3000s/%s", program, places[i]);
		snprintf(platforms, sizeof platforms, "%s/platforms", folder);
		if (access(platforms, X_OK) == 0)
			break;
	}
	return folder;
}

const char *platform_directory(void)
{
	static char path[PATH_MAX + 16];
	const char *given = getenv("MESHSIM_PLATFORMS");

	if (given && *given)
		return given;
	snprintf(path, sizeof path, "%s/platforms", shipped_folder());
	return path;
}

bool platform_directory_check(void)
{
	const char *given = getenv("MESHSIM_PLATFORMS");
	struct stat info;

	if (!given || !*given || (stat(given, &info) == 0 && S_ISDIR(info.st_mode)))
		return true;
	fprintf(stderr, "meshsim: MESHSIM_PLATFORMS: '%s' is no folder\n", given);
	return false;
}

const char *shipped_decisions(void)
{
	static char path[PATH_MAX + 32];

	snprintf(path, sizeof path, "%s/bench/reference/decisions.csv", shipped_folder());
	return path;
}

const char *shipped_reference(void)
{
	static char path[PATH_MAX + 32];

	snprintf(path, sizeof path, "%s/bench/reference/figures.csv", shipped_folder());
	return path;
}

const char *shipped_errors(void)
{
	static char path[PATH_MAX + 32];

	snprintf(path, sizeof path, "%s/bench/reference/errors.yaml", shipped_folder());
	return path;
}

const char *shipped_scenario(const char *name)
{
	static char path[PATH_MAX + 512];
	static const char *const ends[] = {"", ".yaml"};

	if (strchr(name, '/') || strlen(name) > 256 || access(name, F_OK) == 0)
		return name;
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		snprintf(path, sizeof path, "%s/scenarios/%s%s", shipped_folder(), name, ends[i]);
		if (access(path, R_OK) == 0)
			return path;
	}
	return name;
}

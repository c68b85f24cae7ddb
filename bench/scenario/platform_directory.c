/* Where the shipped platforms are, see command.h. Refuses nothing: reading them will say. */
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench/scenario/platform_directory.h"

const char *platform_directory(void)
{
	static char path[4096];
	char program[2048];
	const char *given = getenv("MESHSIM_PLATFORMS");
	ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);

	if (given && *given)
		return given;
	if (length > 0) {
		program[length] = '\0';
		snprintf(path, sizeof path, "%s/../platforms", dirname(program));
		if (access(path, X_OK) == 0)
			return path;
	}
	return MESHSIM_PLATFORM_DIRECTORY;
}

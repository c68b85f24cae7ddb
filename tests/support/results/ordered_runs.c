/* Orders the runs of a scenario, see ordered_runs.h. */
#define _GNU_SOURCE
#include "ordered_runs.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../../bench/run/native/processes.h"
#include "base/ensure.h"

void order_runs(const char *scenario, uint32_t *numbers, uint32_t count)
{
	struct load_options load = {.platform_directory = MESHSIM_SOURCE_DIR "/platforms"};
	struct diag *diag = diag_new();
	struct scenario_file *file;
	char path[] = "/tmp/ordered-XXXXXX.yaml";
	int descriptor = mkstemps(path, 5);
	ssize_t length = (ssize_t)strlen(scenario);

	ensure(descriptor >= 0 && write(descriptor, scenario, strlen(scenario)) == length,
		"cannot write %s", path);
	close(descriptor);
	file = scenario_open(path, &load, diag);
	ensure(file && scenario_run_count(file) == count, "%s: not %u runs", path, count);
	for (uint32_t i = 0; i < count; i++)
		numbers[i] = i;
	native_order(file, numbers, count);
	scenario_close(file);
	diag_free(diag);
	unlink(path);
}

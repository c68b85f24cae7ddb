/* Runs scenarios of replays, and reads the times of their prints (see noc_trace.h). */
#include "bench/tools/noc_trace/noc_trace.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/file/file.h"
#include "bench/results/table.h"
#include "bench/results/results.h"
#include "bench/run/runner.h"
#include "bench/scenario/load.h"

enum { REPLAY_LIMIT_S = 300 };

bool replay_write(const char *path, const struct text *yaml)
{
	if (file_write(path, 0644, yaml))
		return true;
	fprintf(stderr, "meshsim: cannot write %s: %s\n", path, strerror(errno));
	return false;
}

uint32_t replay_limit(void *context, uint32_t number)
{
	(void)context;
	(void)number;
	return REPLAY_LIMIT_S;
}

void replay_say_why(const struct child_end *end, struct text *reason)
{
	if (reason->length == 0)
		children_say_error(end, reason);
	if (reason->length == 0)
		text_append(reason, "the replay did not reach its end");
}

void replay_run(const char *path, const char *set, const char *part)
{
	const char *sets[] = {set};
	struct load_options load = {
		.sets = sets, .set_count = set != NULL, .platform_directory = platform_directory()};
	struct run_request request = {.jobs = 1, .command_line = "meshsim validate"};

	run_child_of_file(path, &load, &request, part);
}

double *replay_prints(const char *part, uint32_t count, double cycle_ps)
{
	struct table layout = results_prints();
	double *times = allocate(count + 1u, sizeof *times);
	uint32_t rows = 0;
	void *prints = NULL;
	struct h5_file *file;

	for (uint32_t i = 0; i < count; i++)
		times[i] = NAN;
	file = part_open(part);
	if (file && part_table(file, "/run", &layout, &prints, &rows))
		for (uint32_t i = 0; i < rows; i++) {
			const struct print_row *row = (const struct print_row *)prints + i;

			if (row->number < count)
				times[row->number] = (double)row->time / cycle_ps;
		}
	free(prints);
	h5_close(file);
	return times;
}

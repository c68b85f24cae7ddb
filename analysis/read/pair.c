/* Checks that two result files may be compared, see summary.h. */
#include "analysis/read/summary.h"

#include <string.h>
#include <sys/stat.h>

#include "analysis/read/result.h"

static bool open_alone(void *context, struct text *why)
{
	struct summary summary;

	return summary_open(&summary, *(const char **)context, why);
}

int pair_probe(const char *second)
{
	return probe_file(second, open_alone, &second);
}

bool pair_allowed(const char *const files[2], struct text *why)
{
	struct stat a, b;
	bool same = stat(files[0], &a) == 0 && stat(files[1], &b) == 0 && a.st_dev == b.st_dev &&
		    a.st_ino == b.st_ino;

	if (same)
		text_printf(why, "is the same file as %s", files[1]);
	return !same;
}

bool pair_fits(struct summary *const summaries[2], const char *const files[2], struct text *why)
{
	const char *names[2];

	for (int i = 0; i < 2; i++)
		names[i] = result_text(summaries[i]->result, "/", "scenario_name");
	if (strcmp(names[0], names[1]) == 0)
		return true;
	text_printf(why, "of scenario '%s', but %s of '%s': a pair is of one scenario", names[0],
		files[1], names[1]);
	return false;
}

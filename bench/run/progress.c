/* The progress line (runner.h). */
#include "bench/run/runner.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

double progress_clock_s(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void progress_show(struct progress *progress)
{
	double elapsed_s = progress_clock_s() - progress->started_s;
	uint32_t now = progress->done - progress->before;

	if (!progress->wanted)
		return;
	fprintf(stderr, "\r%s%s%s: %u of %u runs, %.1f s", progress->colour ? "\033[1m" : "",
		progress->name, progress->colour ? "\033[0m" : "", progress->done, progress->total,
		elapsed_s);
	if (now > 0 && progress->done < progress->total)
		fprintf(stderr, ", about %.0f s to go",
			elapsed_s / now * (progress->total - progress->done));
	fputs("\033[K", stderr);
	fflush(stderr);
	progress->shown = true;
}

/* Uses colour on a terminal, unless NO_COLOR is set. */
static bool is_coloured(void)
{
	const char *refused = getenv("NO_COLOR");

	return !(refused && refused[0]) && isatty(STDERR_FILENO);
}

void progress_start(struct progress *progress, const char *name, uint32_t total, uint32_t done)
{
	*progress = (struct progress){.name = name, .total = total, .done = done, .before = done};
	progress->started_s = progress_clock_s();
	progress->wanted = isatty(STDERR_FILENO);
	progress->colour = is_coloured();
	progress_show(progress);
}

void progress_step(struct progress *progress)
{
	progress->done++;
	progress_show(progress);
}

void progress_hide(struct progress *progress)
{
	if (!progress->shown)
		return;
	fputs("\r\033[K", stderr);
	fflush(stderr);
	progress->shown = false;
}

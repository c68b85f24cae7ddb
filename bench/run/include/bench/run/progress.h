/* Progress on standard error, if that is a terminal; otherwise silent. */
#ifndef BENCH_PROGRESS_H
#define BENCH_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
	const char *name;
	uint32_t total, done, before; /* before: done when it started */
	double started_s;
	bool shown, wanted, colour;
};

void progress_start(struct progress *progress, const char *name, uint32_t total, uint32_t done);

/* One more is done; shows the line again. */
void progress_step(struct progress *progress);

/* Clears the line, so that something else may be printed. */
void progress_hide(struct progress *progress);

/* Real time, for figures of the host. */
double progress_clock_s(void);

#endif

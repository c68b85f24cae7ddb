/* A progress line on standard error. It is shown only if standard error is a terminal. */
#ifndef BENCH_PROGRESS_H
#define BENCH_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
	const char *name;
	uint32_t total, done, before; /* `before`: number of runs that were done before this command
				       * started */
	double started_s;
	bool shown, wanted, colour;
};

void progress_start(struct progress *progress, const char *name, uint32_t total, uint32_t done);

/* Counts one more as done and shows the line again. */
void progress_step(struct progress *progress);

/* Clears the line, so that other output can be printed. */
void progress_hide(struct progress *progress);

/* Wall-clock time in seconds, for host-side figures. */
double progress_clock_s(void);

#endif

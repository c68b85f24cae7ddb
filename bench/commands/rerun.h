/* Makes runs like those of a result file, with some keys changed: for `meshsim compare --refine`
 * and `--robust`. Refuses nothing itself: a run that cannot be made is reported as not good. */
#ifndef BENCH_RERUN_H
#define BENCH_RERUN_H

#include "analysis/compare.h"

struct rerun_folder; /* opaque: where scenario and result files are while they are needed */

/* A new folder below $TMPDIR; `jobs` runs at a time. NULL with errno if there can be none. */
struct rerun_folder *rerun_folder_new(const char *platform_directory, uint32_t jobs);

/* Removes everything in it. NULL is allowed. */
void rerun_folder_free(struct rerun_folder *folder);

/* struct compare_runner's run; `context` is the folder. */
void rerun_run(void *context, struct compare_rerun *reruns, uint32_t count);

#endif

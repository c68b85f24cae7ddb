/* FILE.partial/: where the runs of one `meshsim run -o FILE` leave their parts until they are
 * merged. Survives kill -9, so that --resume can go on; refuses to go on with the parts of another
 * scenario or with damaged ones, in a folder of others, or beside another meshsim that writes the
 * same file. Only the user gets into it (0700); no link in it is followed. */
#ifndef BENCH_PART_FOLDER_H
#define BENCH_PART_FOLDER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "base/text.h"

struct part_folder; /* opaque */

/* Host's figures of one run, kept beside its part. */
struct host_figures {
	double wall_s, cpu_s;
	uint64_t peak_bytes;
};

/* Makes, or with `resume` takes up, the directory beside `target`, for the parts of `runs` runs. OK
 * and *folder; otherwise a sentence in `why`, and nothing was changed: IO (cannot be written),
 * EXISTS (another process holds it), INVALID (--resume of something else). */
enum status part_folder_open(const char *target, uint64_t scenario_hash, uint32_t runs, bool resume,
	struct text *why, struct part_folder **folder);

/* True if the directory of `target` is there. */
bool part_folder_exists(const char *target);

/* Runs of the scenario that the directory of `target` holds parts of; 0: not known. */
uint32_t part_folder_runs(const char *target);

/* OK if the run left a complete part, sealed with its identity; NOT_FOUND; INVALID if what is there
 * is damaged, or the part of another run. */
enum status part_folder_has(struct part_folder *folder, uint32_t run, uint64_t identity);

/* Paths; valid until the next call. */
const char *part_folder_part(struct part_folder *folder, uint32_t run);
const char *part_folder_merged(struct part_folder *folder);

/* Remembers, and recalls (zeros if there are none), the host's figures of a run. */
void part_folder_keep_figures(
	struct part_folder *folder, uint32_t run, const struct host_figures *figures);
struct host_figures part_folder_figures(struct part_folder *folder, uint32_t run);

/* False if another process removed the directory, or made it anew. */
bool part_folder_is_there(struct part_folder *folder);

/* Frees the object; `remove`: and deletes the directory with what it made there, if it is still
 * there. NULL is allowed. */
void part_folder_close(struct part_folder *folder, bool remove);

#endif

/* The folder FILE.partial/, in which the runs of `meshsim run -o FILE` store their parts until the
 * parts are merged. If meshsim is killed, the folder stays, so that --resume can continue. Parts of
 * another scenario, damaged parts, folders of other users, and a second meshsim that writes the
 * same file are rejected. Only the user can access the folder (mode 0700), and symbolic links in it
 * are not followed. */
#ifndef BENCH_PART_FOLDER_H
#define BENCH_PART_FOLDER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "base/text.h"

struct part_folder; /* opaque */

/* Host-side figures of one run, kept beside its part. */
struct host_figures {
	double wall_s, cpu_s;
	uint64_t peak_bytes;
};

/* Creates the folder beside `target` for the parts of `runs` runs, and sets *folder. If `resume` is
 * set, keeps the parts in an existing folder; otherwise removes them. Returns OK, or an error with
 * a sentence in `why`. IO: `target` or the folder cannot be written. EXISTS: another process uses
 * the folder. INVALID: `resume` is set and the folder has parts of another scenario. After EXISTS
 * and INVALID, the folder is unchanged. */
enum status part_folder_open(const char *target, uint64_t scenario_hash, uint32_t runs, bool resume,
	struct text *why, struct part_folder **folder);

/* True if the directory of `target` exists. */
bool part_folder_exists(const char *target);

/* Number of runs of the scenario whose parts are in the directory of `target`; 0: unknown. */
uint32_t part_folder_runs(const char *target);

/* Returns OK if the folder has a complete part of the run, sealed with the run's identity. Returns
 * NOT_FOUND if there is no part. Returns INVALID if the part is damaged or belongs to another
 * run. */
enum status part_folder_has(struct part_folder *folder, uint32_t run, uint64_t identity);

/* Return paths, which are valid until the next call. */
const char *part_folder_part(struct part_folder *folder, uint32_t run);
const char *part_folder_merged(struct part_folder *folder);

/* Store and load the host-side figures of a run. If none were stored, they are zeros. */
void part_folder_keep_figures(
	struct part_folder *folder, uint32_t run, const struct host_figures *figures);
struct host_figures part_folder_figures(struct part_folder *folder, uint32_t run);

/* False if another process removed the directory, or recreated it. */
bool part_folder_is_there(struct part_folder *folder);

/* Frees `folder`. If `remove` is set, also deletes the directory and the files that meshsim created
 * in it. `folder` may be NULL. */
void part_folder_close(struct part_folder *folder, bool remove);

#endif

/* FILE.partial/: where the runs of one `meshsim run -o FILE` leave their parts until they are
 * merged. Survives kill -9, so that --resume can go on; refuses to go on with the parts of another
 * scenario or with damaged ones, in a folder of others, or beside another meshsim that writes the
 * same file. */
#ifndef BENCH_PARTIAL_H
#define BENCH_PARTIAL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "base/text.h"

struct partial; /* opaque */

/* Host's figures of one run, kept beside its part. */
struct host_figures {
	double wall_s, cpu_s;
	uint64_t peak_bytes;
};

/* Makes, or with `resume` takes up, the directory beside `target`. OK and *partial; otherwise a
 * sentence in `why`, and nothing was changed: IO (cannot be written), EXISTS (another process holds
 * it), INVALID (--resume of something else). */
enum status partial_open(const char *target, uint64_t scenario_hash, bool resume, struct text *why,
	struct partial **partial);

/* True if the directory of `target` is there. */
bool partial_exists(const char *target);

/* OK if the run left a complete part, sealed with its identity; NOT_FOUND; INVALID if what is there
 * is damaged, or the part of another run. */
enum status partial_has(struct partial *partial, uint32_t run, uint64_t identity);

/* Paths; valid until the next call. */
const char *partial_part(struct partial *partial, uint32_t run);
const char *partial_merged(struct partial *partial);

/* Remembers, and recalls (zeros if there are none), the host's figures of a run. */
void partial_keep_figures(
	struct partial *partial, uint32_t run, const struct host_figures *figures);
struct host_figures partial_figures(struct partial *partial, uint32_t run);

/* Frees the object; `remove`: and deletes the directory with what it made there. NULL is allowed.
 */
void partial_close(struct partial *partial, bool remove);

#endif

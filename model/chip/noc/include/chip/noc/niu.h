/* Sending by a tile's NIU, and acknowledgements that are promised for a future time. Times in ps.
 */
#ifndef CHIP_NIU_H
#define CHIP_NIU_H

#include "chip/tile/tile.h"

/* Sends `bytes` that are ready at `ready_ps` and occupy the NIU for `takes_ps`. Returns when the
 * NIU is free again. The first is for tiles that have promised an acknowledgement. */
int64_t sim_niu_pass_promised(
	struct tile *tile, int64_t ready_ps, uint64_t bytes, int64_t takes_ps);

static inline int64_t sim_niu_pass(
	struct tile *tile, int64_t ready_ps, uint64_t bytes, int64_t takes_ps)
{
	if (tile->promised_ps != 0)
		return sim_niu_pass_promised(tile, ready_ps, bytes, takes_ps);
	return pipe_pass(&tile->out, ready_ps, bytes, takes_ps);
}

/* The NIU for a stage's read requests. A tile has one for each NoC, and kernels read over one and
 * write over the other (tt-metal: NCRISC reads over NoC 0, BRISC writes over NoC 1), so requests of
 * the second data mover never wait for writes of the first. */
static inline struct pipe *sim_niu_of_requests(struct tile *tile, const struct stage *stage)
{
	enum { SECOND_MOVER = 1 };

	return stage->processor == SECOND_MOVER ? &tile->requests : &tile->out;
}

/* Promises to send a word at `ready_ps` >= now. Returns the time at which it leaves, which is
 * final: anything that would delay it ends the run with an error. At most one promise per tile. */
int64_t sim_niu_promise(struct tile *tile, int64_t ready_ps);

/* Sends the promised word, if it has not been sent yet. Call at or after its time. */
void sim_niu_keep(struct tile *tile);

/* Ends the simulation: `model.cores: chip` would be wrong at this tile. `what` is static text. */
void sim_cores_refuse(const struct tile *tile, const char *what);

#endif

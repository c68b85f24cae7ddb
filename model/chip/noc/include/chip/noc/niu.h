/* What a tile's NIU sends; acknowledgements that are promised for a time to come. Times in ps. */
#ifndef CHIP_NIU_H
#define CHIP_NIU_H

#include "chip/tile/tile.h"

/* Sends `bytes`, ready at `ready_ps`, which keep the NIU for `takes_ps`. Returns when it is free
 * again. The second is for tiles that have promised an acknowledgement. */
int64_t sim_niu_pass_promised(
	struct tile *tile, int64_t ready_ps, uint64_t bytes, int64_t takes_ps);

static inline int64_t sim_niu_pass(
	struct tile *tile, int64_t ready_ps, uint64_t bytes, int64_t takes_ps)
{
	if (tile->promised_ps != 0)
		return sim_niu_pass_promised(tile, ready_ps, bytes, takes_ps);
	return pipe_pass(&tile->out, ready_ps, bytes, takes_ps);
}

/* Where a stage sends its requests to read. A tile has an NIU for each NoC, and kernels read over
 * one and write over the other (tt-metal: NCRISC reads over NoC 0, BRISC writes over NoC 1):
 * requests of the second mover of data stand behind nothing that the first one writes. */
static inline struct pipe *sim_niu_of_requests(struct tile *tile, const struct stage *stage)
{
	enum { SECOND_MOVER = 1 };

	return stage->processor == SECOND_MOVER ? &tile->requests : &tile->out;
}

/* A word will be sent at `ready_ps`, which is not before now. Returns when it leaves, and so it
 * will: the run is refused if anything comes in between. At most one per tile. */
int64_t sim_niu_promise(struct tile *tile, int64_t ready_ps);

/* The promised word has been sent, unless it was before. From its time on. */
void sim_niu_keep(struct tile *tile);

/* Ends the simulation: `model.cores: chip` would be wrong at this tile. `what` is static text. */
void sim_cores_refuse(const struct tile *tile, const char *what);

#endif

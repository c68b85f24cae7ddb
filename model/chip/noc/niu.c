/* A tile's NIU, which sends one message at a time. With `model.cores: chip`, the model knows in
 * advance when a launch ends, and promises the worker's acknowledgement for this time. A message
 * that is ready before the promised time is sent first. If it would delay the acknowledgement,
 * whose arrival has already been announced, the run ends with an error. */
#include "chip/noc/noc.h"

#include "base/allocate.h"
#include "chip/noc/links.h"

struct second_niu *sim_niu_second(struct tile *tile)
{
	if (tile->second == NULL)
		tile->second = allocate(1, sizeof *tile->second);
	return tile->second;
}

static void send_promised(struct tile *tile)
{
	const struct sim_timing *timing = &tile->device->cluster->timing;
	int64_t ready_ps = tile->promised_ps;

	tile->promised_ps = 0;
	pipe_pass(&tile->out, ready_ps, sizeof(uint32_t), timing->noc_issue_ps);
}

void sim_cores_refuse(const struct tile *tile, const char *what)
{
	const struct sim_options *options = &tile->device->cluster->options;

	options->cores->refuse(options->cores_context, what, tile->device->number, tile->number);
	engine_stop();
}

int64_t sim_niu_pass_promised(struct tile *tile, int64_t ready_ps, uint64_t bytes, int64_t takes_ps)
{
	int64_t from_ps = tile->promised_ps > tile->out.busy_until_ps ? tile->promised_ps
								      : tile->out.busy_until_ps;
	int64_t until_ps;

	if (tile->crew != NULL) {
		sim_tile_alone(tile);
		return sim_niu_pass(tile, ready_ps, bytes, takes_ps);
	}
	if (tile->promised_ps < ready_ps) {
		send_promised(tile);
		return pipe_pass(&tile->out, ready_ps, bytes, takes_ps);
	}
	until_ps = pipe_pass(&tile->out, ready_ps, bytes, takes_ps);
	/* If both are ready at the same time, the order is undefined, which is also an error. */
	if (until_ps > from_ps || ready_ps == tile->promised_ps)
		sim_cores_refuse(tile, "what it sends delays its acknowledgement");
	return until_ps;
}

int64_t sim_niu_promise(struct tile *tile, int64_t ready_ps)
{
	if (tile->device->cluster->links != NULL &&
		sim_links_source(tile->device, tile->number)->first != NULL)
		sim_cores_refuse(tile, "its acknowledgement waits for its NIU");
	ensure(tile->promised_ps == 0, "tile %u of chip %u acknowledges twice", tile->number,
		tile->device->number);
	tile->promised_ps = ready_ps;
	return ready_ps > tile->out.busy_until_ps ? ready_ps : tile->out.busy_until_ps;
}

void sim_niu_keep(struct tile *tile)
{
	if (tile->promised_ps != 0)
		send_promised(tile);
}

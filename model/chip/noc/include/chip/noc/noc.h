/* The NoC of a chip: its operations of device.h, and functions for PCIe and fabric. A tile's NIU
 * injects and ejects at a bounded rate; the latency between two tiles grows with the hops. links.h
 * models the links between routers. */
#ifndef CHIP_NOC_H
#define CHIP_NOC_H

#include "chip/tile/tile.h"
#include "world/device_entries.h"

DEVICE_NOC_ENTRIES(sim_);

/* Latency from one tile to another. */
static inline int64_t sim_noc_path_ps(const struct device *device, uint16_t from, uint16_t to)
{
	const struct sim_timing *timing = &device->cluster->timing;

	return timing->noc_latency_ps + sim_grid_hops(device->grid, from, to) * timing->noc_hop_ps;
}

/* Charges the latency of `ways` such paths. */
static inline void sim_noc_charge_path(const struct device *device, int64_t path_ps, int64_t ways)
{
	int64_t latency_ps = ways * device->cluster->timing.noc_latency_ps;

	if (ways == 1 && path_ps > latency_ps) {
		cause_charge(CHARGE_NOC_PATH, path_ps);
		return;
	}
	cause_charge(CHARGE_NOC_LATENCY, latency_ps);
	cause_charge(CHARGE_NOC_HOP, path_ps - latency_ps);
}

/* Payload and packet headers. */
static inline uint64_t sim_noc_wire_bytes(const struct sim_timing *timing, uint64_t bytes)
{
	uint64_t packets = 1;

	if (bytes > timing->noc_packet_bytes)
		packets = (bytes + timing->noc_packet_bytes - 1) / timing->noc_packet_bytes;
	return bytes + packets * timing->noc_header_bytes;
}

/* Least time between a transaction of `bytes` and the next one of an NIU. */
static inline int64_t sim_noc_issue_ps(const struct sim_timing *timing, uint64_t bytes)
{
	uint64_t flits = (bytes + timing->noc_flit_bytes - 1) / timing->noc_flit_bytes;

	return timing->noc_issue_ps + (int64_t)flits * timing->noc_issue_flit_ps;
}

/* A transaction at a NIU. */
struct injection {
	int64_t start_ps;
	int64_t sent_ps;  /* last byte */
	enum charge wait; /* the charge of its wait */
};

/* What a message takes at the NIU; the same for all of one size. `extra_ps` is added to the issue
 * time. */
struct noc_message {
	uint64_t bytes;
	int64_t transfer_ps, takes_ps;
	enum charge charge; /* of its wait for messages like it */
};

struct noc_message sim_noc_message(
	const struct sim_timing *timing, uint64_t bytes, uint64_t bytes_per_s, int64_t extra_ps);

/* Puts the message on the NoC after the tile's earlier ones. It is ready at `ready_ps`. */
struct injection sim_noc_inject_message(
	struct tile *tile, int64_t ready_ps, const struct noc_message *message);

/* Puts `bytes`, ready now, on the NoC after the tile's earlier messages. `extra_ps` is added to the
 * issue time. */
struct injection sim_noc_inject(
	struct tile *tile, uint64_t bytes, uint64_t bytes_per_s, int64_t extra_ps);

/* Charges for its bytes. */
static inline void sim_noc_charge_bytes(const struct injection *injection)
{
	cause_charge(CHARGE_NOC_INJECTION_RATE, injection->sent_ps - injection->start_ps);
}

/* Receives bulk data of tile `source` at `to`: without waiting, its first byte comes at `head_ps`
 * and its last at `last_ps`. Returns the time of arrival. If the receiver is slower than the
 * sender, charges the difference. */
int64_t sim_noc_land(
	struct tile *to, uint16_t source, int64_t head_ps, int64_t last_ps, uint64_t bytes);

/* Schedules the arrival of a word written by `source` at `at_ps`, or later if bulk data that the
 * same source sent before has not arrived yet. */
void sim_noc_word_at(
	struct tile *to, uint16_t source, int64_t at_ps, uint32_t address, uint32_t value);

/* The arrival time of something from `source` that would arrive at `at_ps`, but must not pass the
 * source's earlier writes. */
static inline int64_t sim_noc_in_order(const struct tile *to, uint16_t source, int64_t at_ps)
{
	if (at_ps >= to->late_until_ps ||
		(to->late_source != source && to->late_source != TILE_ANY))
		return at_ps;
	return to->late_until_ps;
}

/* Schedules the arrival of the span at `at_ps`. Takes a reference to it. */
void sim_noc_bulk_at(struct tile *to, int64_t at_ps, uint32_t address, struct span span);

/* `model.cores: chip`: simulates all workers that a go reaches in two events (chip/sim_device.h).
 */

/* A go in flight, then the launches that it started. */
struct cores_step {
	struct cores_step *next; /* of the pool */
	struct device *device;
	const struct sim_multicast *multicast;
	uint16_t source;
	uint32_t address, value;
	int64_t head_ps; /* time at which it leaves the sender */
	cause_id cause;	 /* of the go, held */
	struct sim_ack ack;
	uint32_t count, capacity;
	struct cores_launch *launches; /* one per worker that launched */
	struct arrival *arrivals;      /* of the acknowledgements */
};

struct cores_launch {
	struct task *task;
	int64_t cycles;
	int64_t end_ps;
};

/* Handles the multicast of one word, if it is a go that all its workers can take in one step; else
 * returns false. */
bool sim_cores_take(struct stage *sender, const struct sim_multicast *multicast, uint32_t address,
	uint32_t value, int64_t head_ps);

/* Frees the memory of a step, for sim_pool_each(). */
void sim_cores_step_fini(void *object);

/* Sending by a tile's NIU, and acknowledgements that are promised for a future time. Times in ps.
 */

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

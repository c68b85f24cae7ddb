/* The NoC of a chip: its operations of device.h, and functions that PCIe and the fabric use. A
 * tile's NIU sends and receives at bounded rates. The latency between two tiles grows with the
 * number of hops. links.h has the links between routers. */
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

/* Returns the longest time that a message and its answer can need between two tiles of the chip.
 * The NoC is a torus that routes in one direction only, so a message and its answer together go
 * around the torus at most once along rows and once along columns. */
static inline int64_t sim_noc_round_trip_max_ps(const struct device *device)
{
	const struct sim_timing *timing = &device->cluster->timing;

	return 2 * timing->noc_latency_ps +
	       (device->grid->columns + device->grid->rows) * timing->noc_hop_ps;
}

/* Charges a latency of `path_ps`, which consists of `ways` paths. */
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

/* Number of bytes on the wire: the payload and the headers of its packets. */
static inline uint64_t sim_noc_wire_bytes(const struct sim_timing *timing, uint64_t bytes)
{
	uint64_t packets = 1;

	if (bytes > timing->noc_packet_bytes)
		packets = (bytes + timing->noc_packet_bytes - 1) / timing->noc_packet_bytes;
	return bytes + packets * timing->noc_header_bytes;
}

/* Shortest time between a transaction of `bytes` and the next one of the same NIU. */
static inline int64_t sim_noc_issue_ps(const struct sim_timing *timing, uint64_t bytes)
{
	uint64_t flits = (bytes + timing->noc_flit_bytes - 1) / timing->noc_flit_bytes;

	return timing->noc_issue_ps + (int64_t)flits * timing->noc_issue_flit_ps;
}

/* One transaction that a NIU sends. */
struct injection {
	int64_t start_ps;
	int64_t sent_ps;  /* time at which the last byte has left */
	enum charge wait; /* charge for the wait of the transaction */
};

/* The times that a message needs at the NIU, computed by sim_noc_message(). They are the same for
 * all messages of one size. `extra_ps` is added to the issue time. */
struct noc_message {
	uint64_t bytes;
	int64_t transfer_ps, takes_ps;
	enum charge charge; /* charge for waits for earlier messages of this kind */
};

struct noc_message sim_noc_message(
	const struct sim_timing *timing, uint64_t bytes, uint64_t bytes_per_s, int64_t extra_ps);

/* Puts a message that is ready at `ready_ps` on the NoC, after the tile's earlier messages. */
struct injection sim_noc_inject_message(
	struct tile *tile, int64_t ready_ps, const struct noc_message *message);

/* Sends a message of `bytes` bytes over the NoC, after the earlier messages of the tile. The bytes
 * are ready now. `extra_ps` is added to the time for which the message occupies the NIU. */
struct injection sim_noc_inject(
	struct tile *tile, uint64_t bytes, uint64_t bytes_per_s, int64_t extra_ps);

/* Sends a word, which is one flit, and returns the time at which it leaves the tile. This time does
 * not include the time to issue the word, which is part of noc_latency_ps. */
int64_t sim_noc_inject_word(struct tile *tile);

/* Charges the time for which the bytes were sent. */
static inline void sim_noc_charge_bytes(const struct injection *injection)
{
	cause_charge(CHARGE_NOC_INJECTION_RATE, injection->sent_ps - injection->start_ps);
}

/* Receives bulk data from tile `source` at tile `to`. If tile `to` received nothing else, the first
 * byte would arrive at `head_ps` and the last byte at `last_ps`. Returns the time at which the last
 * byte has arrived. If the receiver is slower than the sender, charges the additional time. */
int64_t sim_noc_land(
	struct tile *to, uint16_t source, int64_t head_ps, int64_t last_ps, uint64_t bytes);

/* Like sim_noc_land(), for data that arrive over the pipe `in` of the tile. */
int64_t sim_noc_land_at(struct tile *to, struct pipe *in, uint16_t source, int64_t head_ps,
	int64_t last_ps, uint64_t bytes);

/* Schedules the arrival of a word from tile `source` at `at_ps`. The word does not overtake bulk
 * data that the same tile has sent before: if these arrive later, the word arrives after them. */
void sim_noc_word_at(
	struct tile *to, uint16_t source, int64_t at_ps, uint32_t address, uint32_t value);

/* Returns the time at which a message from tile `source` takes effect. Usually this is its arrival,
 * `at_ps`. But if a write that the same source has sent before arrives after `at_ps`, the message
 * takes effect together with that write. */
static inline int64_t sim_noc_in_order(const struct tile *to, uint16_t source, int64_t at_ps)
{
	if (at_ps >= to->late_until_ps ||
		(to->late_source != source && to->late_source != TILE_ANY))
		return at_ps;
	return to->late_until_ps;
}

/* Schedules the arrival of the span at `at_ps`, and takes a new reference to the span. */
void sim_noc_bulk_at(struct tile *to, int64_t at_ps, uint32_t address, struct span span);

/* `model.cores: chip`: two events simulate all workers that a go reaches (chip/sim_device.h). */

/* A go from its sending to its arrival, and then the launches that it has started. */
struct cores_step {
	struct cores_step *next; /* next free step of the pool */
	struct device *device;
	const struct sim_multicast *multicast;
	uint16_t source;
	uint32_t address, value;
	int64_t head_ps; /* time at which the go would reach a tile 0 hops away */
	cause_id cause;	 /* cause of the go; owns a reference */
	struct sim_ack ack;
	uint32_t count, capacity;
	struct cores_launch *launches; /* launches, one for each worker */
	struct cores_crew *crew;       /* the crew that is launched; NULL: each worker alone */
	int64_t cycles;		       /* cycles of the launch of a crew */
	struct arrival *arrivals;      /* arrivals of the acknowledgements */
};

struct cores_launch {
	struct task *task;
	int64_t cycles;
	int64_t end_ps;
};

/* If the multicast of a word is a go (a word that starts a program), and all workers that it
 * reaches can handle it in one step, starts this step and returns true. Otherwise does nothing and
 * returns false. */
bool sim_cores_take(struct stage *sender, const struct sim_multicast *multicast, uint32_t address,
	uint32_t value, int64_t head_ps);

/* Crews (crew.c). */

/* Creates the cause (cause/cause.h) of an acknowledgement that the worker on `tile` sent and that
 * arrives at `there_ps`. `launched` is this worker, or another worker whose launch was the same. */
cause_id sim_crew_acknowledged(
	const struct cores_step *step, uint16_t tile, struct stage *launched, int64_t there_ps);

/* Called when a step is over. Forms a crew of the workers of the step if they have all done the
 * same and are at rest. Forms no crew if the links of the NoC are modelled. */
void sim_crew_form(const struct cores_step *step);

/* True if the tiles of the multicast have a crew that the go starts. */
bool sim_crew_takes(const struct device *device, const struct sim_multicast *multicast,
	uint32_t address, uint32_t value);

/* Launches the crew that the go has reached, and schedules over(step) for the time at which its
 * last worker ends. Returns false if the workers are no crew, or if they cannot all be launched
 * together. */
bool sim_crew_launch(struct cores_step *step, engine_run *over);

/* Ends the launch of a crew, and returns true. If the crew was split after the launch began, does
 * nothing and returns false; the caller must then end the launch of each worker separately. */
bool sim_crew_end(struct cores_step *step);

void sim_crews_free(struct device *device);

/* Frees the memory of a step, for sim_pool_each(). */
void sim_cores_step_fini(void *object);

/* Functions that send messages through a tile's NIU, and functions that promise an acknowledgement
 * for a future time. Times are in ps. */

/* sim_niu_pass() sends `bytes` bytes that are ready at `ready_ps` and occupy the tile's NIU for
 * `takes_ps`. It returns the time at which the NIU is free again. sim_niu_pass_promised() does the
 * same for a tile whose next acknowledgement has been announced in advance for the time
 * tile->promised_ps (niu.c). Only sim_niu_pass() calls it. */
int64_t sim_niu_pass_promised(
	struct tile *tile, int64_t ready_ps, uint64_t bytes, int64_t takes_ps);

static inline int64_t sim_niu_pass(
	struct tile *tile, int64_t ready_ps, uint64_t bytes, int64_t takes_ps)
{
	if (tile->promised_ps != 0)
		return sim_niu_pass_promised(tile, ready_ps, bytes, takes_ps);
	return pipe_pass(&tile->out, ready_ps, bytes, takes_ps);
}

/* True if the stage reads through the tile's second NIU. A tile has one NIU for each NoC. Kernels
 * read over one NoC and write over the other (in tt-metal, NCRISC reads over NoC 0, and BRISC
 * writes over NoC 1). So a read of the second data mover does not wait for messages of the first
 * data mover: neither for its writes nor for the answers to its reads. */
static inline bool sim_niu_is_second(const struct stage *reader)
{
	enum { SECOND_MOVER = 1 };

	return reader->processor == SECOND_MOVER;
}

/* The second NIU of a tile, which is created if there is none yet. */
struct second_niu *sim_niu_second(struct tile *tile);

/* The pipes that a read by the stage `reader` uses. sim_niu_of_requests() returns the pipe through
 * which `tile` sends. The reader's tile sends requests, and the tile that is read sends answers.
 * sim_niu_of_answers() returns the pipe through which `tile` receives; it is used for answers to
 * the reader. */
static inline struct pipe *sim_niu_of_requests(struct tile *tile, const struct stage *reader)
{
	return sim_niu_is_second(reader) ? &sim_niu_second(tile)->out : &tile->out;
}

static inline struct pipe *sim_niu_of_answers(struct tile *tile, const struct stage *reader)
{
	return sim_niu_is_second(reader) ? &sim_niu_second(tile)->in : &tile->in;
}

/* Promises that the tile will send a word that is ready at `ready_ps`, now or later. Returns the
 * time at which the word leaves. This time cannot change: if a later message would delay the word,
 * the run ends with an error. A tile has at most one promise at a time. */
int64_t sim_niu_promise(struct tile *tile, int64_t ready_ps);

/* Sends the promised word, unless it was sent already. Call it at the promised time or later. */
void sim_niu_keep(struct tile *tile);

/* Ends the simulation, because `model.cores: chip` would compute wrong times at this tile. `what`
 * is static text that gives the reason. */
void sim_cores_refuse(const struct tile *tile, const char *what);

#endif

/* Parts of flows that files of this folder share: the state of a run, its actors, and notes, the
 * messages that they send each other. */
#ifndef FLOW_PRIVATE_H
#define FLOW_PRIVATE_H

#include "base/arena.h"
#include "base/extent.h"
#include "bring_up/control_plane.h"
#include "bring_up/flow.h"

enum {
	FLOW_NOTE_MAGIC = 0x3150554d,
	FLOW_NOTE_HEADER = 24,
	FLOW_NOTE_BYTES_MAX = 1 << 28,
	FLOW_DEVICES_MAX = 256, /* devices of a binding */
	FLOW_WINDOW = 64,
};

/* ---- note.c ---- */

/* A message. Its payload follows the header of FLOW_NOTE_HEADER bytes. */
struct note {
	enum flow_message kind;
	uint32_t rank; /* rank, or number of a host */
	uint64_t number;
	const uint8_t *payload; /* within `span` */
	uint32_t length;
	struct span span; /* when received: the reader releases it */
};

/* Returns the message, with a reference that the caller releases. */
struct span note_write(const struct note *note);

/* Reads a message, and keeps the reference of `span`. Returns false if it is malformed. */
bool note_read(struct span span, struct note *note);
void note_done(struct note *note);

/* Writers and readers of numbers, in little endian. */
void put_number(struct text *out, uint64_t number, unsigned bytes);

struct bytes_in {
	const uint8_t *at, *end;
	bool bad; /* the bytes ended too early */
};
uint64_t take_number(struct bytes_in *in, unsigned bytes);

/* ---- hardware.c: the chips of the machine, which answer to the hosts that have them ---- */

struct hardware_chip {
	const struct chip_tables *tables; /* as programmed; NULL: the chip was not programmed */
	bool started;
};

struct hardware {
	const struct machine *machine;
	struct hardware_chip *chips; /* [chip] */
	uint32_t *first;	     /* [chip] its first end in `ends` */
	struct hardware_end *ends;   /* sorted by chip, then channel */
	uint32_t *by_id;	     /* chips, sorted by their ids */
	struct arena arena;
};

/* A channel with a cable, and its far end. */
struct hardware_end {
	uint32_t chip, far_chip;
	uint8_t channel, far_channel;
};

void hardware_make(struct hardware *hardware, const struct machine *machine);
void hardware_free(struct hardware *hardware);

/* Returns the chip with an id; MACHINE_NONE if there is none. */
uint32_t hardware_find(const struct hardware *hardware, uint64_t id);

/* Returns a link of `one` that has more channels than the same chips have in `other`; NULL if there
 * is none. */
const struct machine_link *hardware_lacks(const struct machine *one, const struct hardware *other);

/* Returns the end of a cable at a channel; NULL if no cable is there. */
const struct hardware_end *hardware_end(
	const struct hardware *hardware, uint32_t chip, uint8_t channel);

/* Sends a packet from the chip on which device `from` was programmed to device `to`, and lets it
 * follow the tables of the chips and the cables. Returns true if it arrives there. */
bool hardware_send(const struct hardware *hardware, uint32_t chip, uint32_t to, uint32_t to_mesh);

/* ---- describe.c: descriptors of chips as messages ---- */

/* Appends the chips of a host whose devices are among `devices` (count 0: all chips), and their
 * channels. Chips are those that are there; channels are those of `cables`, which is the same
 * machine, or the machine as its descriptor has it. */
void describe_host(const struct hardware *there, const struct machine *cables, uint32_t host,
	const uint32_t *devices, uint32_t count, struct text *out);

/* Returns the number of these chips, and sets *channels to that of their channels. */
uint32_t describe_chips(const struct machine *machine, uint32_t host, const uint32_t *devices,
	uint32_t count, uint32_t *channels);

/* Makes a machine of descriptors. Returns NULL if they are malformed. The names of hosts are those
 * of `named`. */
struct machine *describe_read(const struct machine *named, const uint8_t *bytes, size_t length);

/* ---- the run ---- */

/* A rank as its launcher starts it. */
struct flow_rank {
	uint32_t rank, host, mesh, part; /* mesh: id; part: number of its host in the mesh */
	uint32_t device_count;
	const uint32_t *devices;
};

/* ---- rank_list.c: ranks as messages, and as files ---- */

void put_rank(const struct flow_rank *rank, struct text *out);
bool take_rank(struct bytes_in *in, struct flow_rank *rank, struct arena *arena);

/* Appends the number of ranks, and the ranks. take_ranks() returns NULL if they are malformed. */
void put_ranks(const struct flow_rank *ranks, uint32_t count, struct text *out);
struct flow_rank *take_ranks(struct bytes_in *in, uint32_t *count, struct arena *arena);

/* Returns the ranks of files; NULL if they contradict each other or the machine's hosts. */
struct flow_rank *ranks_of_files(const struct bindings *bindings, const struct rankfile *rankfile,
	const struct machine *machine, uint32_t *count, struct arena *arena);

/* Returns the ranks of a placement. */
struct flow_rank *ranks_of_image(const struct logical *logical, const struct machine *machine,
	const uint32_t *image, struct arena *arena);

/* Returns the rank of the logical graph that this rank is to be; LOGICAL_NONE if there is none. */
uint32_t logical_rank(const struct logical *logical, const struct flow_rank *rank);

/* Returns the number of devices of a rank of the logical graph. */
uint32_t rank_size(const struct logical *logical, uint32_t rank);

uint64_t ranks_hash(const struct flow_rank *ranks, uint32_t count);

/* ---- the run ---- */

/* A thing that many actors would compute from the same input; each of them pays for it. */
struct flow_memo {
	struct flow_memo *next;
	uint64_t key;
	void *value;
	void (*free)(void *value);
};

struct flow_self;

struct flow_run {
	const struct flow_job *job;
	struct hardware hardware;
	bool recabled;				      /* cables are not as described */
	bool (*const *steps)(struct flow_self *self); /* [step] */
	int64_t began_ns;
	struct monitor *monitor; /* guards what follows */
	struct flow_result *result;
	bool launched, collected;
	struct flow_memo *memos;
	/* what the manager wrote to the storage that all share: bindings and rank file */
	struct text stored_bindings, stored_rankfile;
	struct arena arena;
};

struct flow_self {
	struct flow_run *run;
	enum flow_actor kind;
	uint32_t number; /* rank, or host of an agent */
	enum flow_step step;
	/* of an agent to the manager, of a rank to rank 0, of the launcher to the manager */
	struct channel *channel;
	/* of rank 0 to ranks, of the manager to agents, of the launcher to hosts */
	struct hub *hub;
	uint32_t members;    /* of `hub` */
	uint32_t *member_of; /* [rank or host] its number in `hub` */
	struct hub *users;   /* of the manager to the launcher */
	uint64_t messages[FLOW_MESSAGE_COUNT], bytes[FLOW_MESSAGE_COUNT];
	struct arena arena;

	/* of a rank: its binding; the number of ranks; what it has learnt */
	struct flow_rank rank;
	uint32_t rank_count;
	struct text known; /* chips and channels, as a message */
	struct flow_rank *ranks;
	const struct machine *view;
	const uint32_t *image; /* [device] chip of `view` */
	uint64_t view_key, image_key;

	/* of manager and launcher */
	struct flow_rank *placed; /* [rank] */
	uint32_t placed_count;
	struct mesh_placement *placement;
	struct machine *collected;
	bool granted;

	/* of an agent: the tables that it has received, which chips use until the run ends */
	struct arena *tables;
};

/* The steps: launcher.c, manager.c, rank.c, map.c, program.c. Each returns false if the actor
 * cannot go on. */
bool step_discover(struct flow_self *self);
bool step_handshake(struct flow_self *self);
bool step_report(struct flow_self *self);
bool step_collect(struct flow_self *self);
bool step_read_files(struct flow_self *self);
bool step_request(struct flow_self *self);
bool step_serve(struct flow_self *self);
bool step_place(struct flow_self *self);
bool step_generate(struct flow_self *self);
bool step_program_agents(struct flow_self *self);
bool step_program(struct flow_self *self);
bool step_grant(struct flow_self *self);
bool step_retrieve(struct flow_self *self);
bool step_hold(struct flow_self *self);
bool step_session(struct flow_self *self);
bool step_launch(struct flow_self *self);
bool step_open(struct flow_self *self);
bool step_check(struct flow_self *self);
bool step_exchange(struct flow_self *self);
bool step_map_mesh(struct flow_self *self);
bool step_map_all(struct flow_self *self);
bool step_start(struct flow_self *self);
bool step_dispatch(struct flow_self *self);
bool step_await(struct flow_self *self);

/* rank.c: the thread of a rank, and that of an agent. */
struct rank_start {
	struct flow_run *run;
	struct flow_rank rank;
	uint32_t rank_count;
	struct hub *hub;     /* of rank 0 */
	const char *address; /* of rank 0, for others */
	bool good;	     /* when it has ended: its first dispatch was done */
	struct thread *thread;
	struct arena arena;
};
void rank_body(void *start);

/* launcher.c: the part of the launcher on each host, which starts processes there. */
struct host_start {
	struct flow_run *run;
	uint32_t host;
	const char *address; /* of the launcher */
	struct thread *thread;
};
void host_body(void *start);

/* manager.c */
struct agent_start {
	struct flow_run *run;
	uint32_t host;
	const char *address; /* of the manager */
	struct thread *thread;
	struct arena tables;
};
void agent_body(void *start);

struct manager_start {
	struct flow_run *run;
	struct hub *agents, *users;
	uint32_t members;    /* of `agents` */
	uint32_t *member_of; /* [host], in `arena` */
	struct arena arena;
	struct machine *collected; /* when it has ended: what agents have reported */
	struct thread *thread;
};
void manager_body(void *start);

/* ---- mail.c ---- */

/* Executes the actor's steps of the flow, until one fails. Returns true if none did. */
bool flow_steps(struct flow_self *self);

/* Records that the actor has noticed something wrong, told by a message, and returns false. */
bool flow_catch(struct flow_self *self, enum flow_message message, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* True if the message is left out of this run. */
bool flow_without(const struct flow_self *self, enum flow_message message);

/* The time until which an actor waits for a message. */
int64_t flow_deadline(const struct flow_self *self);

/* Counts messages that do not go over channels. */
void flow_count(struct flow_self *self, enum flow_message message, uint64_t bytes);

/* Adds the actor's counts to the result, and frees its memory. */
void flow_self_end(struct flow_self *self);

/* Send and receive. Return false if the other end is lost, or stays silent. */
bool flow_say(struct flow_self *self, struct channel *channel, const struct note *note);
bool flow_hear(struct flow_self *self, struct channel *channel, struct note *note);
bool flow_tell(struct flow_self *self, struct hub *hub, uint32_t member, const struct note *note);
bool flow_listen(struct flow_self *self, struct hub *hub, uint32_t *member, struct note *note);

/* Open a hub on the calling thread's host, and join one. Return NULL after errors. */
struct hub *flow_open(struct flow_self *self, uint16_t host, const char *which);
struct channel *flow_join(struct flow_self *self, const char *address, const char *name);

/* Accepts members whose names are PREFIX-NUMBER, and sets self->member_of. */
bool flow_accept(struct flow_self *self, struct hub *hub, uint32_t count, const char *prefix);

/* Returns the value for a key, or NULL; keeps a value, and returns the one that is kept. */
void *flow_memo_find(struct flow_run *run, uint64_t key);
void *flow_memo_keep(struct flow_run *run, uint64_t key, void *value, void (*free)(void *value));

#endif

/* The client: the host thread that calls the mesh API as a scenario's workload says, or with
 * runtime.host.clients: per-mesh one for each virtual mesh. Runs in either world; knows neither. */
#ifndef BENCH_CLIENT_H
#define BENCH_CLIENT_H

#include <stdio.h>

#include "base/text.h"
#include "bench/record/recorder.h"
#include "bench/scenario/load.h"
#include "firmware/core/firmware.h"
#include "mesh/handle.h"
#include "world/channel.h"
#include "world/device.h"
#include "world/world.h"

enum client_outcome {
	CLIENT_RUNNING, /* main has not returned: the world stalled */
	CLIENT_DONE,
	CLIENT_REFUSED, /* what was asked for does not fit: located, in diag */
	CLIENT_FAILED,	/* a bug of ours: `why` says what is wrong */
	CLIENT_LOST,	/* a host is lost, or silent: `why` names it */
};

/* What a mesh that was closed has carried. */
struct client_past {
	struct client_past *next;
	struct mesh_counters counters;
};

struct client_hosts; /* opaque: the controller */
struct client;

/* How the executors of a run come to be: a row for threads of the modelled hosts
 * (ground_of_threads), one for processes of this machine (bench/run). */
struct ground_ops {
	/* Has the executor of a host join at `address`. */
	void (*start)(struct client *client, uint32_t host, const char *address);

	/* All have joined: nobody looks for the address any more. `counts` is what the controller's
	 * hub counted until then. */
	void (*joined)(struct client *client, const struct channel_counts *counts);

	/* A host is lost, or silent, and the run will not go on: who can see what cores are at, and
	 * could not later, looks now. */
	void (*look)(struct client *client);

	/* Waits until the executor, whose controller has closed, has ended. What client_executor()
	 * returned there; TIMEOUT: it does not end; CLOSED: it ended otherwise. With a sentence in
	 * `why` if it is not OK. */
	enum status (*end)(struct client *client, uint32_t host, struct text *why);
};

/* What the world puts up for a machine of several hosts. */
struct client_ground {
	const struct ground_ops *ops;
	uint32_t count; /* of hosts with chips: host i of struct affinity has cluster i */
	struct cluster **clusters; /* reached from threads of its host alone; NULL: not from here */
	struct affinity controller; /* whose thread calls client_main() */
	const struct channel_ops *transport;
	const char *address; /* where the controller listens */
	uint64_t session;
	const uint8_t *key; /* see world/channel.h; NULL: none is needed */
	bool remote;	    /* other hosts reach it there */
	uint64_t join_ns;   /* how long executors may take to join; 0: for ever */
	uint64_t reply_ns;  /* how long a host may be silent that owes an answer; 0: for ever */
	uint64_t grace_ns; /* a host that answers so long after reply_ns was given too short a time;
			      0: not asked */
};

/* The name of a host, as the controller and messages have it; `name` has room for
 * CHANNEL_NAME_BYTES. Returns `name`. */
const char *client_host_name(uint32_t host, char *name);

/* Is the executor of a host, on its cluster, until the controller closes or is lost; by a thread of
 * that host. Status and sentence are those of executor_run(), but for a host that has no part of
 * the mesh and was never told of it: OK. */
enum status client_executor(const struct client *client, uint32_t host, const char *address,
	struct cluster *cluster, struct text *why);

extern const struct ground_ops ground_of_threads;

/* What one virtual mesh of a run has; the first one's is what a run is begun with. */
struct client {
	/* given */
	const struct run_plan *plan;
	struct cluster *cluster;	    /* of a machine of several hosts: of the first */
	struct mesh_system *system;	    /* of a machine of several hosts: NULL */
	const struct client_ground *ground; /* of a machine of several hosts; else NULL */
	struct op_recorder *recorder;
	const struct firmware_costs *costs;
	const struct firmware_limits *limits;
	const struct firmware_faults *faults; /* NULL: faults of the firmware are bugs */
	struct diag *diag;
	void (*finished)(void *context); /* the last step has ended; the mesh is still there */
	void *finished_context;
	void (*instead)(void *context, struct device_handle *device); /* of the steps; NULL: these
									 run */
	void *instead_context;
	/* made */
	uint32_t number;	      /* of the mesh */
	struct client *first;	      /* who began: its own first */
	struct client *others;	      /* of the first: one for each other mesh */
	const char *thread;	      /* that calls */
	bool leads;		      /* this thread runs the steps of all meshes */
	struct device_handle *device; /* that the steps run on; NULL while the mesh is closed */
	const struct program_limits *program_limits; /* of its devices */
	struct client_hosts *hosts;		     /* of the first, if there is a ground */
	struct client_buffer *buffers;
	struct client_tensor *tensors;
	struct client_workload *workloads;
	struct client_collective *collectives;
	struct client_event *events;
	struct client_step *steps; /* by number of step */
	uint32_t step_count;
	int64_t arrival_ps;   /* when the iteration under way should have begun; -1: whenever */
	uint32_t *increments; /* of every chip's word for pings; NULL before the first */
	struct client_fabric *fabric; /* what steps that measure the fabric have made */
	const struct step *at;	      /* the step that runs; NULL: none */
	struct client_wait *vain;     /* queues' waits for events that nobody had recorded */
	/* result */
	struct client_past *past; /* of what steps have closed */
	struct client_left *left; /* when its mesh was closed, the last first */
	enum client_outcome outcome;
	struct text why;
	bool strangers; /* CLIENT_LOST: `why` names some, too, who were refused before */
	uint64_t verified;
	struct mesh_resources resources;
	uint64_t free_bytes[BUFFER_TYPE_COUNT]; /* of each kind of memory, when the mesh was opened
						 */
};

/* What the client remembers of a step. */
struct client_step {
	uint32_t executed; /* times so far */
	bool repeated;	   /* stands below a repeat */
	struct client_buffer *buffer;
	struct client_tensor *tensor;
	struct client_workload *workload;
	struct client_event *event;
	struct location where;			/* of a trace */
	struct handle_trace *trace;		/* captured when the step is first reached */
	bool replayed[MESH_COMMAND_QUEUES_MAX]; /* through these queues */
	uint8_t *data;		    /* of a write: what it writes, every time; of a read in a
				       trace: where every replay reads to */
	struct host_memory *pinned; /* that lie there, or NULL */
};

/* How many there are, and that of mesh `number`. */
uint32_t client_count(const struct client *first);
struct client *client_of_mesh(struct client *first, uint32_t number);

/* Hosts with chips, and the cluster of one of them. */
uint32_t client_cluster_count(const struct client *client);
struct cluster *client_cluster(const struct client *client, uint32_t host);

/* Fills `rows`, CLIENT_MEMORIES_MAX at most, with the kinds of memory of the meshes that are open,
 * and returns how many there are. */
enum { CLIENT_MEMORIES_MAX = SCENARIO_MESHES_MAX * (BUFFER_TYPE_COUNT + SUB_DEVICES_MAX) };
uint32_t client_memory(struct client *first, struct memory_row *rows);

/* Rows of all that steps have made and nobody had released when a mesh was closed, in `arena`;
 * after client_main(). */
struct left_row *client_left(struct client *first, struct arena *arena, uint32_t *count);

/* The thread's function; `argument` is a struct client. What it makes beside the mesh lives as long
 * as the process, which is one run's: whoever reports or writes may still look at it. */
void client_main(void *argument);

/* Worker `tile` of `chip` contends, which model.cores: chip knows nothing of: located, in diag. */
void client_refuse_cores(struct client *client, const char *what, uint16_t chip, uint16_t tile);

/* What a stalled run does, in the scenario's words: the step that the client is at, and queues that
 * wait for events in vain. One line each. */
void client_report(void *client, FILE *out);

#endif

/* The client is the host thread that runs the steps of a scenario's workload, by calls of the mesh
 * API. With `runtime.host.clients: per-mesh` there is such a thread for each virtual mesh. The code
 * of the client is the same in the simulated and the native world. */
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
	CLIENT_RUNNING, /* the main function has not returned, so the world stalled */
	CLIENT_DONE,
	CLIENT_REFUSED, /* the request does not fit the machine; `diag` has located errors */
	CLIENT_FAILED,	/* a bug of meshsim; `why` describes it */
	CLIENT_LOST,	/* a host is lost or silent; `why` names it */
};

/* Counters of a mesh that was closed. */
struct client_past {
	struct client_past *next;
	struct mesh_counters counters;
};

struct client_hosts; /* opaque: the controller */
struct client;

/* Functions that start and end the executors of a run. An executor runs the devices of one host.
 * Executors are either threads of the modelled hosts (ground_of_threads), or processes on this
 * machine (bench/run). */
struct ground_ops {
	/* Makes the executor of a host join at `address`. */
	void (*start)(struct client *client, uint32_t host, const char *address);

	/* Called when all executors have joined. The address that start() received is then not
	 * needed any more. `counts` has the counters of the controller's hub at this time. */
	void (*joined)(struct client *client, const struct channel_counts *counts);

	/* Called when a host is lost or does not answer, before the run ends. Records the states of
	 * those cores that cannot be inspected any more after the run has ended. */
	void (*look)(struct client *client);

	/* Waits until the executor has ended. Call it after the controller was closed. Returns the
	 * status that client_executor() returned in the executor. Returns TIMEOUT if the executor
	 * does not end, and CLOSED if it ended in another way, for example by a signal. If the
	 * status is not OK, sets `why` to the reason. */
	enum status (*end)(struct client *client, uint32_t host, struct text *why);
};

/* The environment that a world provides for a machine of several hosts. */
struct client_ground {
	const struct ground_ops *ops;
	uint32_t count;		    /* number of hosts with chips; clusters[i] belongs to host i
				     * (see struct affinity) */
	struct cluster **clusters;  /* clusters of executors in this process; else NULL */
	struct affinity controller; /* the controller's host, whose thread calls client_main() */
	const struct channel_ops *transport;
	const char *address; /* the controller's listening address */
	uint64_t session;
	const uint8_t *key; /* see world/channel.h; NULL: no key is needed */
	bool remote;	    /* other hosts can reach the address */
	/* `links` are the functions by which executors connect their chips to each other. The
	 * executor listens at `link_address`. All are NULL if no links join the hosts, or if the
	 * links are within one world. */
	const struct links_ops *links;
	const struct channel_ops *link_transport;
	const char *link_address;
	uint64_t join_ns;  /* time limit for executors to join; 0: no limit */
	uint64_t reply_ns; /* longest time without an expected answer of a host; 0: no limit */
	uint64_t grace_ns; /* time in ns for which the controller waits after reply_ns is over; if
			    * the answer comes in this time, the error says that reply_ns was too
			    * short; 0: does not wait */
};

/* Writes the name of a host to `name`, which has space for CHANNEL_NAME_BYTES bytes. The controller
 * and messages use this name. Returns `name`. */
const char *client_host_name(uint32_t host, char *name);

/* Runs the executor of a host, on the host's cluster, until the controller closes or is lost. Call
 * it from a thread of this host. Returns the status of executor_run(), with the reason in `why`.
 * There is one exception: if the host has no part of the mesh, no mesh is opened on this host, and
 * executor_run() returns CLOSED; client_executor() then returns OK. */
enum status client_executor(const struct client *client, uint32_t host, const char *address,
	struct cluster *cluster, struct text *why);

extern const struct ground_ops ground_of_threads;

/* The client of one virtual mesh of a run. A run starts with the client of the first mesh. */
struct client {
	/* set by the caller */
	const struct run_plan *plan;
	struct cluster *cluster;	    /* with several hosts: the cluster of the first host */
	struct mesh_system *system;	    /* NULL with several hosts */
	const struct client_ground *ground; /* NULL with one host */
	struct op_recorder *recorder;
	const struct log_sink *log; /* NULL: nothing is logged */
	const struct firmware_costs *costs;
	const struct firmware_limits *limits;
	const struct firmware_faults *faults; /* NULL: a fault of firmware is a bug */
	struct diag *diag;
	void (*finished)(void *context); /* called after the last step; the mesh is still open */
	void *finished_context;
	void (*instead)(void *context, struct device_handle *device); /* if not NULL, called instead
								       * of running the steps */
	void *instead_context;
	/* set by the client */
	uint32_t number;	      /* number of the mesh */
	struct client *first;	      /* client of the first mesh, possibly this one */
	struct client *others;	      /* only in the first client: clients of all other meshes */
	const char *thread;	      /* name of the calling thread */
	bool leads;		      /* this thread runs the steps of all meshes */
	struct device_handle *device; /* runs the steps; NULL while the mesh is closed */
	const struct program_limits *program_limits; /* limits of the mesh's devices */
	struct client_hosts *hosts;		     /* set only in the first client; NULL: there is
						      * no ground */
	struct client_buffer *buffers;
	struct client_tensor *tensors;
	struct client_saved *saved;
	struct client_workload *workloads;
	struct client_collective *collectives;
	struct messages_slots *messages; /* NULL: no collective is a list of messages */
	struct client_model *models;
	struct client_event *events;
	bool frees, running;	   /* `frees`: the scenario has a step that frees a buffer;
				    * `running`: the first step has begun */
	struct client_step *steps; /* [step] state, by number of the step */
	uint32_t step_count;
	int64_t began_ns;	      /* beginning of the iteration, or of the steps */
	int64_t arrival_ps;	      /* open loop: time at which the iteration was due; else -1 */
	uint32_t *increments;	      /* `increments[i]`: how often the word for pings on chip i was
				       * incremented; NULL before the first ping */
	struct client_fabric *fabric; /* objects of steps that measure the fabric */
	const struct step *at;	      /* the step that runs now; NULL: none */
	struct client_wait *vain;     /* waits of queues for events that were never recorded */
	/* results */
	struct client_past *past; /* meshes that steps have closed */
	struct client_left *left; /* objects left when its mesh was closed, in reverse order */
	enum client_outcome outcome;
	struct text why;
	bool strangers; /* CLIENT_LOST: `why` also names strangers, which were rejected before */
	uint64_t verified;
	struct mesh_resources resources;
	uint64_t used_bytes[BUFFER_TYPE_COUNT]; /* bytes of each kind of memory that were in use
						 * when the mesh was opened */
	uint32_t division;			/* the loaded division */
};

/* State of a step. */
struct client_step {
	uint32_t executed; /* how often the step has run */
	bool repeated;	   /* the step is inside a repeat */
	struct client_buffer *buffer;
	struct client_tensor *tensor;
	struct client_workload *workload;
	uint64_t run_cycles; /* duration of the kernels that this step launches, in cycles, if
			      * `runs` is set */
	uint16_t run_spread;
	bool runs;
	struct client_event *event;
	struct location where;			/* location of a trace */
	struct handle_trace *trace;		/* captured when the step is first reached */
	bool replayed[MESH_COMMAND_QUEUES_MAX]; /* `replayed[i]`: true if the trace was replayed on
						 * queue i */
	uint8_t *data;		    /* for a step that writes: the data of each of its writes; for a
				     * step that reads in a trace: the memory that each replay
				     * fills */
	uint8_t *kept;		    /* data of the last read, if a later step writes them */
	const uint8_t *sent;	    /* the data that the next write writes, or NULL */
	struct host_memory *pinned; /* pinned memory that contains `data`, or NULL */
};

/* client_count() returns the number of clients. client_of_mesh() returns the client of mesh
 * `number`. */
uint32_t client_count(const struct client *first);
struct client *client_of_mesh(struct client *first, uint32_t number);

/* client_cluster_count() returns the number of hosts with chips. client_cluster() returns the
 * cluster of a host. */
uint32_t client_cluster_count(const struct client *client);
struct cluster *client_cluster(const struct client *client, uint32_t host);

/* Sets `rows` to one row for each kind of memory of each open mesh. `rows` must have space for
 * CLIENT_MEMORIES_MAX rows. Returns the number of rows. */
enum { CLIENT_MEMORIES_MAX = SCENARIO_MESHES_MAX * (BUFFER_TYPE_COUNT + SUB_DEVICES_MAX) };
uint32_t client_memory(struct client *first, struct memory_row *rows);

/* Adds the table of model binaries, `models`, to the record, if there are any. Its
 * rows are in `arena`. */
void client_models_record(struct client *first, struct run_record *record, struct arena *arena);

/* Adds to `record` a table for each step that has saved data (key `save`), and a table that lists
 * these steps. Allocates in `arena`. */
void client_saved_record(struct client *first, struct run_record *record, struct arena *arena);

/* Returns an array in `arena` with a row for each object of a step that was not released before its
 * mesh was closed. Sets *count to the number of rows. Call it after client_main(). */
struct left_row *client_left(struct client *first, struct arena *arena, uint32_t *count);

/* The function of the client's thread; `argument` is a struct client. It frees only the mesh. All
 * other objects exist until the process ends, because reports and results may still use them. A
 * process has only one run, so this is not a leak. */
void client_main(void *argument);

/* Reports in diag that worker `tile` of `chip` contends, which `model.cores: chip` cannot model. */
void client_refuse_cores(struct client *client, const char *what, uint16_t chip, uint16_t tile);

/* Prints where the scenario has stalled: a line for the current step of each client thread, and a
 * line for each step that waits for an event that was not recorded. */
void client_report(void *client, FILE *out);

#endif

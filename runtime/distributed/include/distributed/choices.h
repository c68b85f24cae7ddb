/* The design choices of a distributed device. Each choice has a registry with several variants. A
 * variant consists of a description and of flags, which the code that implements the choice
 * checks. */
#ifndef DISTRIBUTED_CHOICES_H
#define DISTRIBUTED_CHOICES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "base/table/registry.h"
#include "base/text.h"

/* Where an executor stores the data of incoming writes (spec 4.9). */
struct receive_ops {
	struct registry_entry entry;
	/* true: in pinned memory, which the devices read themselves; false: in ordinary memory */
	bool pinned;
};

/* Which thread of an executor checks the completions of its devices and answers (spec 4.8.3). */
struct completion_reader_ops {
	struct registry_entry entry;
	bool thread; /* true: a separate thread; false: the event loop, between commands */
};

/* How memory for the binaries of kernels is allocated (spec 4.8.2.1). The controller always
 * allocates the buffers. */
struct allocation_ops {
	struct registry_entry entry;
	/* the executors allocate the memory, in a region that the controller does not use */
	bool region;
	/* true: the controller allocates the memory when executors request it. If neither `asks`
	 * nor `region` is set, the controller allocates the memory before it sends a program */
	bool asks;
	bool assembles; /* the controller also assembles the commands of launches */
};

/* Which side compiles kernels (spec 4.9). */
struct compile_ops {
	struct registry_entry entry;
	/* which side compiles kernels during the run; if neither is set, they were compiled before
	 * the run */
	bool by_controller, by_executors;
};

/* How the controller learns the machines of the executors (spec 4.2). */
struct descriptor_ops {
	struct registry_entry entry;
	bool queries; /* executors query all properties of every chip when they start */
	bool given;   /* executors are given a description, and only compare it with their chips */
	bool refuses; /* used only if `given` is set: what happens if a machine differs from its
		       * description. true: the controller, which has the descriptions of all
		       * hosts, rejects the host; false: the host queries its chips */
};

/* A description of a machine, which the machine's executor and the controller use. Borrowed. */
struct machine_description {
	const struct cluster_info *info;
	uint32_t bytes; /* size of the description in storage; reading it is charged */
};

/* Which side reads data from storage, for example weights (spec 4.3.3). */
struct loading_ops {
	struct registry_entry entry;
	/* true: each executor reads its own shards (distributed_load()); false: the controller
	 * reads all shards and writes them to the devices */
	bool by_executors;
};

/* Where ranges of the whole mesh are converted to ranges of the executors' parts (spec 4.8.1). The
 * variant also decides which messages go to all executors and which go to a single executor. */
struct resolution_ops {
	struct registry_entry entry;
	bool to_all;	 /* true: a command that is the same for all executors is sent to all of
			  * them with one send */
	bool data_whole; /* true: the whole data of a write are sent to all executors, and each
			  * executor cuts out its part */
};

/* How far a broadcast of commands or data reaches (spec 3.8, 4). */
struct reach_ops {
	struct registry_entry entry;
	bool spans; /* true: one host sends a broadcast to the devices of all hosts, and the
		     * executors of all hosts count it (struct whole_config); links must join the
		     * hosts. false: every host broadcasts to its own devices */
};

/* Which stages of the controller have a separate thread (spec 4.8). A stage without a thread runs
 * in the thread of the previous stage. If no stage has a thread, everything runs in the caller's
 * thread. */
struct pipeline_ops {
	struct registry_entry entry;
	/* true: the stage has its own thread. Messages to the executors pass through these stages
	 * in this order, after the caller's thread */
	bool resolve, serialize, send;
	/* the same for the stages that handle messages from the executors. `deserialize` and `read`
	 * may be true only if `receive` is true */
	bool receive, deserialize, read;
};

REGISTRY_DECLARE(receive)
REGISTRY_DECLARE(completion_reader)
REGISTRY_DECLARE(loading)
REGISTRY_DECLARE(allocation)
REGISTRY_DECLARE(compile)
REGISTRY_DECLARE(descriptor)
REGISTRY_DECLARE(resolution)
REGISTRY_DECLARE(reach)
REGISTRY_DECLARE(pipeline)

/* A measurement of the fabric, in which every host takes part. Its kernels do not belong to
 * programs of a mesh. In phase MEASURE_LOAD, every host loads its kernels. In phase MEASURE_RUN,
 * every host starts its kernels and waits until they have ended. */
enum measure_phase { MEASURE_LOAD, MEASURE_RUN };

struct measure {
	uint32_t step; /* number of the measurement's step */
	enum measure_phase phase;
	uint32_t operation; /* number of the first operation, in marks */
	uint32_t address;   /* L1 that the controller has allocated on all workers */
};

/* A source from which a host reads data itself, for example weights from its file store (spec
 * 4.3.3). The program that opens a controller or runs an executor provides the source. */
struct shard_loader {
	void *context;

	/* Copies the bytes [offset, offset + bytes) of the stored data `name` to `data`. Returns
	 * OK, or an error with a sentence in `why`. The caller charges the cost. `load` is NULL on
	 * a host that does not load data. */
	enum status (*load)(void *context, const char *name, uint64_t offset, uint64_t bytes,
		void *data, struct text *why);
};

#endif

/* The design choices of a distributed device. Each choice has a registry with several variants. A
 * variant consists of a description and of flags, which are checked by the code that implements the
 * choice. */
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
	bool pinned; /* true: in pinned memory, which its devices read themselves */
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
	bool region; /* the executors allocate, in a region that the controller does not use */
	/* the controller allocates when executors ask for memory; if neither `asks` nor `region` is
	 * set, the controller allocates before it sends a program */
	bool asks;
	bool assembles; /* the controller also assembles the commands of launches */
};

/* Which side compiles kernels (spec 4.9). */
struct compile_ops {
	struct registry_entry entry;
	/* the side that compiles kernels; if neither is set, kernels were compiled before the
	 * program started */
	bool by_controller, by_executors;
};

/* How the controller learns what machines executors have (spec 4.2). */
struct descriptor_ops {
	struct registry_entry entry;
	bool queries; /* executors ask every chip for everything when they start */
	bool given;   /* executors have a description, and only compare it with their chips */
	bool refuses; /* with `given`: a host that differs from its description is rejected, and the
		       * controller has descriptions of all hosts. If not set, a host that differs
		       * queries its chips */
};

/* A description of a machine, for the executor on it and for the controller. Borrowed. */
struct machine_description {
	const struct cluster_info *info;
	uint32_t bytes; /* size of the description in storage; reading it is charged */
};

/* Which side reads data from storage, for example weights (spec 4.3.3). */
struct loading_ops {
	struct registry_entry entry;
	/* each executor reads its own shards (distributed_load()); if not set, the controller reads
	 * all shards and writes them to the devices */
	bool by_executors;
};

/* Where ranges of the virtual mesh are converted to ranges of the executors (spec 4.8.1). The
 * variant also decides which messages go to all executors and which go to a single executor. */
struct resolution_ops {
	struct registry_entry entry;
	bool to_all;	 /* a command that is the same for all executors is sent to all of them
			  * at once */
	bool data_whole; /* a write is sent to all executors unchanged, and each executor cuts
			  * out its part */
};

/* How far a broadcast of commands or data reaches (spec 3.8, 4). */
struct reach_ops {
	struct registry_entry entry;
	bool spans; /* to the devices of all hosts, which links must join: one host sends it, and
		     * the executors of all hosts count it (struct whole_config). If not set, every
		     * host broadcasts to its own devices */
};

/* Which stages of the controller have a separate thread (spec 4.8). A stage without a thread runs
 * in the thread of the previous stage. If no stage has a thread, everything runs in the caller's
 * thread. */
struct pipeline_ops {
	struct registry_entry entry;
	/* the stages for messages to the executors, after the main thread: true if the stage has a
	 * thread */
	bool resolve, serialize, send;
	/* the stages for messages from the executors: true if the stage has a thread. `deserialize`
	 * and `read` may be set only if `receive` is set */
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

/* A source from which a host itself reads data, for example weights from its file store (spec
 * 4.3.3). The program that opens a controller or runs an executor provides the source. */
struct shard_loader {
	void *context;

	/* Fills in `data` with the bytes [offset, offset + bytes) of the data with the name `name`.
	 * Returns OK, or an error with a sentence in `why`. The caller of load() charges the cost.
	 * On a host that does not load data, `load` is NULL. */
	enum status (*load)(void *context, const char *name, uint64_t offset, uint64_t bytes,
		void *data, struct text *why);
};

#endif
